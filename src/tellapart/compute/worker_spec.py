"""Specifications of workers (`4`, `processes:4`, `dask`, an address) and of time limits (`90`, `10m`, `1.5h`)."""

import importlib.util
import os
import re
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Literal

from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option

Workers = Executor | int | str | None
Kind = Literal["threads", "processes", "dask", "address", "scheduler file", "executor"]

ADDRESSES = ("tcp://", "tls://")
MOST = 4096
"""Threads or processes on one machine beyond which a number is a slip."""


@dataclass(frozen=True)
class WorkerSpec:
    """Parsed specification: how many workers to start here, or where a running cluster or executor is."""

    kind: Kind
    number: int = 0
    where: Any = None

    @property
    def alone(self) -> bool:
        """Whether the caller itself does it, call by call."""
        return self.kind == "threads" and self.number == 1


def parse_workers(workers: Workers) -> WorkerSpec:
    """The workers that a value asks for; anything else is refused by name."""
    if workers is None:
        return WorkerSpec("threads", available_cores())
    if isinstance(workers, Executor):
        return WorkerSpec("executor", where=workers)
    if isinstance(workers, int) and not isinstance(workers, bool):
        return _numbered(workers, "threads", workers)
    if isinstance(workers, str | os.PathLike):
        return _spelled(workers)
    raise _unknown(workers)


def available_cores() -> int:
    """How many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _spelled(workers: "str | os.PathLike[str]") -> WorkerSpec:
    text = os.fspath(workers).strip()
    name, _, number = text.partition(":")
    if text.isascii() and text.isdigit():
        return _numbered(workers, "threads", int(text))
    if name in {"processes", "dask"}:
        started: Kind = "processes" if name == "processes" else "dask"
        if text == name:
            return _on_dask(WorkerSpec(started, available_cores()))
        if number.isascii() and number.isdigit():
            return _on_dask(_numbered(workers, started, int(number)))
    if text.startswith(ADDRESSES) and not text.endswith("//"):
        return _on_dask(WorkerSpec("address", where=text))
    if text.endswith(".json") or os.path.isfile(text):  # noqa: PTH113  (False for what can be no path)
        return _on_dask(WorkerSpec("scheduler file", where=text))
    raise _unknown(workers)


def _on_dask(workers: WorkerSpec) -> WorkerSpec:
    """The same; a cluster is refused where Dask is not installed, before any work shows whether it is needed."""
    if workers.kind in {"dask", "address", "scheduler file"} and importlib.util.find_spec("distributed") is None:
        raise UsageError("a Dask cluster needs the package distributed: pip install 'tellapart[dask]'")
    return workers


def _numbered(workers: Any, kind: Kind, number: int) -> WorkerSpec:
    if not 1 <= number <= MOST:
        raise _unknown(workers)
    return WorkerSpec(kind, number)


def _unknown(workers: Any) -> UsageError:
    return UsageError(
        f"{workers!r} is not a choice of workers; give {option('workers')} a number of threads (1 to {MOST}), "
        "processes:N, dask (a cluster on this machine), tcp://host:8786, tls://host:8786 or a scheduler file (of a "
        "Dask cluster that runs), or in Python a concurrent.futures.Executor"
    )


UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
LONGEST = 366 * 86400.0
"""Seconds beyond which a limit is a slip."""


class TimeUp(Exception):
    """The time that was given is over."""


def parse_time_limit(limit: float | str | None) -> float | None:
    """A limit in seconds; what is none is refused by name.

    >>> parse_time_limit("10m"), parse_time_limit("1.5h"), parse_time_limit(90), parse_time_limit(None)
    (600.0, 5400.0, 90.0, None)
    """
    if limit is None:
        return None
    seconds = _spelled_seconds(limit) if isinstance(limit, str) else _number(limit)
    if not 0.0 < seconds <= LONGEST:
        raise UsageError(
            f"{option('time_limit')} is {limit!r}; it should be a time above 0 and up to a year, such as 90s, 10m or 1.5h"
        )
    return seconds


def _spelled_seconds(limit: str) -> float:
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([smhd]?)\s*", limit, re.ASCII)
    return float(found[1]) * UNITS[found[2]] if found else 0.0


def _number(limit: object) -> float:
    return float(limit) if isinstance(limit, int | float) and not isinstance(limit, bool) else 0.0
