"""The answer of `store`: what a file of finished work holds."""

from dataclasses import dataclass
from typing import ClassVar

from tellapart.results.answer import Answer


@dataclass(frozen=True)
class StoredRow:
    """A study that was simulated, and how far it is."""

    population: str
    test: str
    design: str
    """Its items, and whatever else its size consists of."""
    alpha: float
    seed: int
    wanted: int
    """Replicates that were asked for, the most of them at any time."""
    replicates: int
    """Replicates that are there."""
    blocks: int
    """Pieces in which they are kept."""
    versions: str
    """What computed them."""
    usable: bool
    """Whether that is what computes here: else they are kept, and not used."""
    last_asked: str
    """When it was last asked for, in UTC."""


@dataclass(frozen=True)
class StoreContents(Answer):
    """Every study in a store, in the order in which they were first asked for."""

    schema: ClassVar[str] = "tellapart/store/1"

    file: str
    size: int
    """Bytes on the disk, its log included."""
    rows: tuple[StoredRow, ...]
    forgotten: bool
    """Whether all of it was taken away just now; the rows are what was there."""
    headline: str = ""
    sentence: str = ""
