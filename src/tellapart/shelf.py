"""Bytes that lie where a path points: who reads for others, as a server does, reads these and nothing of its own disk.

While a shelf is held, every path that a reader is given is the label of something on it. There is no way around it by another
spelling of a path: nothing is looked up on the disk at all.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Shelf:
    """What lies here by its label, and how many bytes one of them may unpack to."""

    content: Mapping[str, bytes]
    most_bytes: int


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
