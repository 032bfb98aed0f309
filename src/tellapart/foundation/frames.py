"""Data frames for output in pandas, polars or pyarrow, whichever the caller uses, imported only when needed."""

import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal, get_args

from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option

Backend = Literal["pandas", "polars", "pyarrow"]


_CAME_IN: list[Backend] = []
"""The library of the last frame that was read, if any was."""


def note_library(module: str) -> None:
    """Remember which library a frame came from, so that answers go back in it."""
    if module in get_args(Backend):
        _CAME_IN[:] = [module]  # type: ignore[list-item]  # one of them, as was just looked up


def frame(columns: Mapping[str, Sequence[Any]], backend: Backend | None = None) -> Any:
    """A frame with these columns; without a backend, of the library that frames came in, else one in use, else the first installed."""
    import narwhals as nw  # noqa: PLC0415  (as the module says)

    chosen = _installed(backend)
    return nw.from_dict({name: _one_type(column) for name, column in columns.items()}, backend=chosen).to_native()  # fmt: skip


def _installed(backend: Backend | None) -> Backend:
    known: tuple[Backend, ...] = get_args(Backend)
    if backend is None:
        found = (
            _CAME_IN or [name for name in known if name in sys.modules] or [name for name in known if _is_there(name)]
        )
        if not found:
            raise UsageError(f"a frame needs {', '.join(known[:-1])} or {known[-1]}, and none is installed. Run: pip install pandas")  # fmt: skip
        return found[0]
    if repr(backend) not in map(repr, known):  # whatever it is, it can be compared
        raise UsageError(f"{option('backend', str(backend))}: wanted {', '.join(known)}")
    if not _is_there(backend):
        raise UsageError(f"{option('backend', backend)}: {backend} is not installed. Run: pip install {backend}")  # fmt: skip
    return backend


def _is_there(name: str) -> bool:
    return name in sys.modules or find_spec(name) is not None


def _one_type(column: Sequence[Any]) -> Sequence[Any]:
    """A column of one type, as frames want it: whole numbers among others are numbers, numbers among words are words."""
    kinds = {type(value) for value in column if value is not None} if isinstance(column, list) else set()
    if len(kinds) < 2:
        return column
    made = float if kinds <= {int, float} else str
    return [None if value is None else made(value) for value in column]
