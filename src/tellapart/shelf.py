"""Bytes that lie where a path points: who reads for others, as a server does, reads these and nothing of its own disk.

While a shelf is held, every path that a reader is given is the label of something on it. There is no way around it by another
spelling of a path: nothing is looked up on the disk at all. A shelf also says how much of what lies there is taken.
"""

from collections.abc import Iterator, Mapping, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from tellapart.errors import ReadError

_ELSEWHERE = "that is all that is taken here. Give less, or run it at a command line"


@dataclass(frozen=True)
class Shelf:
    """What lies here by its label, how many bytes all of it may unpack to, and how many rows and systems it may hold."""

    content: Mapping[str, bytes]
    most_bytes: int
    most_rows: int = 1 << 62
    most_systems: int = 1 << 62
    _unpacked: dict[str, int] = field(default_factory=dict)

    def refuse_unpacked(self, name: str, found: int) -> None:
        """Bytes are read again and again: of each file counts how far anybody came."""
        if found > self._unpacked.get(name, 0):
            self._unpacked[name] = found
            if sum(self._unpacked.values()) > self.most_bytes:
                raise ReadError(
                    f"{name}: with it the files unpack to more than {self.most_bytes:,} bytes; {_ELSEWHERE}"
                )


SHELF: ContextVar[Shelf | None] = ContextVar("shelf", default=None)
"""The shelf that is held; None where paths are paths."""


@contextmanager
def holding(shelf: Shelf) -> Iterator[None]:
    """Within, readers know of nothing but this."""
    before = SHELF.set(shelf)
    try:
        yield
    finally:
        SHELF.reset(before)


def refuse_rows(rows: int) -> None:
    """More rows than are read for others."""
    if (shelf := SHELF.get()) is not None and rows > shelf.most_rows:
        raise ReadError(f"found more than {shelf.most_rows:,} rows, one per score; {_ELSEWHERE}")


def refuse_systems(systems: Sized) -> None:
    """More systems than are read for others."""
    if (shelf := SHELF.get()) is not None and len(systems) > shelf.most_systems:
        raise ReadError(
            f"found {len(systems):,} systems; at most {shelf.most_systems:,} are taken here. Give fewer, or run it at a command line"
        )
