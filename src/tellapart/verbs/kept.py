"""Where what is finished is kept, as a question names it."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from tellapart.doors import option
from tellapart.errors import UsageError


def kept_in(file: str | Path | None, *, mixed: bool) -> AbstractContextManager[Any]:
    """The store that was named; None without one."""
    if file is None:
        return nullcontext()
    if mixed:
        raise UsageError(
            f"{option('store')} keeps what is the same on every worker, and {option('mixed')} takes workers on which it is not; leave one of "
            "them out"
        )
    from tellapart.store import Store  # noqa: PLC0415  (most answers need none)

    return Store(file)
