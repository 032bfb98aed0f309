"""How workers are spelled: `4`, `processes:4`, `dask`, `tcp://host:8786`, a scheduler file."""

import os
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Literal

from tellapart.doors import option
from tellapart.errors import UsageError

Workers = Executor | int | str | None
Kind = Literal["threads", "processes", "dask", "address", "scheduler file", "executor"]

ADDRESSES = ("tcp://", "tls://")
MOST = 4096
"""Threads or processes on one machine beyond which a number is a slip."""


@dataclass(frozen=True)
class Hands:
    """Who does the work, as it was spelled: how many are started here, or where others are."""

    kind: Kind
    number: int = 0
    where: Any = None

    @property
    def alone(self) -> bool:
        """Whether the caller itself does it, call by call."""
        return self.kind == "threads" and self.number == 1


def hands_of(workers: Workers) -> Hands:
    """What a value means; anything else is refused by name."""
    if workers is None:
        return Hands("threads", cores())
    if isinstance(workers, Executor):
        return Hands("executor", where=workers)
    if isinstance(workers, int) and not isinstance(workers, bool):
        return _numbered(workers, "threads", workers)
    if isinstance(workers, str | os.PathLike):
        return _spelled(workers)
    raise _unknown(workers)


def cores() -> int:
    """How many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _spelled(workers: "str | os.PathLike[str]") -> Hands:
    text = os.fspath(workers).strip()
    name, _, number = text.partition(":")
    if text.isascii() and text.isdigit():
        return _numbered(workers, "threads", int(text))
    if name in {"processes", "dask"}:
        started: Kind = "processes" if name == "processes" else "dask"
        if text == name:
            return Hands(started, cores())
        if number.isascii() and number.isdigit():
            return _numbered(workers, started, int(number))
    if text.startswith(ADDRESSES) and not text.endswith("//"):
        return Hands("address", where=text)
    if text.endswith(".json") or os.path.isfile(text):  # noqa: PTH113  (False for what can be no path)
        return Hands("scheduler file", where=text)
    raise _unknown(workers)


def _numbered(workers: Any, kind: Kind, number: int) -> Hands:
    if not 1 <= number <= MOST:
        raise _unknown(workers)
    return Hands(kind, number)


def _unknown(workers: Any) -> UsageError:
    return UsageError(
        f"{workers!r} cannot do the work; give {option('workers')} a number of threads (1 to {MOST}), processes:N, dask (a cluster on this "
        "machine), tcp://host:8786, tls://host:8786 or a scheduler file (of a Dask cluster that runs), or in Python a "
        "concurrent.futures.Executor"
    )
