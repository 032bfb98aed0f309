"""Progress of long computations, reported to a listener that the command line or server sets."""

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

from tellapart.foundation.parallel_map import ContextValue

Part = TypeVar("Part")
Listener = Callable[[str, float, float], None]
"""Told what is done, how much of it is, and of how much."""

# The dispatcher counts the work of workers: they have no listener.
_LISTENER: ContextValue[Listener] = ContextValue("listener")


def reporting_to(current_listener: Listener | None) -> AbstractContextManager[None]:
    """Report progress in the `with` block to this listener."""
    return _LISTENER.set_to(current_listener)


def current_listener() -> Listener | None:
    """The listener of the enclosing `reporting_to`, if any."""
    return _LISTENER.value


def with_progress(doing: str, parts: Iterable[Part], total: int) -> Iterator[Part]:
    """Iterate over the parts and report after each; nested loops report nothing.

    >>> told = []
    >>> with reporting_to(lambda doing, done, total: told.append((doing, done, total))):
    ...     list(with_progress("adding", with_progress("within", "ab", 2), 2))
    ['a', 'b']
    >>> told
    [('adding', 0, 2), ('adding', 1, 2), ('adding', 2, 2)]
    """
    told = _LISTENER.value
    if told is None:
        yield from parts
        return
    told(doing, 0, total)
    with reporting_to(None):
        for done, part in enumerate(parts, 1):
            yield part
            told(doing, done, total)


class _Counted(io.FileIO):
    """A file that reports how much of it has been read."""

    def __init__(self, path: Path, told: Listener) -> None:
        super().__init__(path, "rb")
        self._told, self._size = told, path.stat().st_size
        told("reading", 0, self._size)

    def readinto(self, buffer: bytearray | memoryview, /) -> int | None:  # type: ignore[override]  # any buffer, as the parent takes
        count = super().readinto(buffer)
        self._told("reading", self.tell(), self._size)
        return count


def open_with_progress(path: Path) -> io.BufferedReader:
    """Open a file for reading, with progress where there is a listener."""
    told = _LISTENER.value
    return path.open("rb") if told is None else io.BufferedReader(_Counted(path, told), 1 << 20)
