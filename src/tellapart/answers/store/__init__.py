"""Dataclasses of the `store` answer: the studies in a store file, and how complete each is."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from tellapart.answers.answer import Answer


@dataclass(frozen=True)
class StoredRow:
    """A study of which blocks were computed, and how far it is."""

    kind: Literal["plan", "calibrate", "reproduce", "resamples"]
    """The command behind the entry; resamples are those of a board or a comparison."""
    study: str
    """The population of a plan, the line of a calibration, the name of a table, the scores that were drawn from by their hash."""
    test: str | None
    design: str | None
    """Of a plan: its items, and whatever else its size consists of."""
    alpha: float | None
    seed: int | None
    """None where random streams are part of what is named by its hash."""
    wanted: int
    """Replicates that were asked for, the most of them at any time: simulated evaluations, resamples, or 1 for a whole table."""
    replicates: int
    """Replicates that are there."""
    blocks: int
    """Pieces in which they are kept."""
    versions: str
    """The versions that computed them."""
    usable: bool
    """Whether that is what computes here: else they are kept, and not used."""
    last_asked: str
    """When it was last asked for, in UTC."""


@dataclass(frozen=True)
class StoreContents(Answer):
    """Every study in a store, in the order in which they were first asked for."""

    schema: ClassVar[str] = "tellapart/store/2"

    file: str
    size: int
    """Bytes on the disk, its log included."""
    rows: tuple[StoredRow, ...]
    forgotten: bool
    """Whether all of it was taken away just now; the rows are what was there."""
    headline: str = ""
    sentence: str = ""

    @property
    def finished(self) -> int:
        """Studies that are as far as was asked for."""
        return sum(row.replicates >= row.wanted for row in self.rows)

    @property
    def elsewhere(self) -> int:
        """Studies that were computed by what does not compute here."""
        return sum(not row.usable for row in self.rows)
