"""The answer of `reproduce`: what documents print, what we compute, and whether the two agree."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from tellapart.results.answer import Answer

CellVerdict = Literal["agrees", "differs by rounding", "differs", "as published"]


@dataclass(frozen=True)
class CellResult:
    """One published number, or words in its place, beside ours.

    `printed` is how it stands in the document. A published number between `low` and `high` agrees with ours: they leave
    room for the digits it was printed with and, where it was simulated, for 99.9 % of what so many replicates give.
    `why` says why it differs, or why it is only shown; a cell that differs and nobody knows why fails.
    """

    label: str
    published: float | str
    printed: str
    ours: float | None
    low: float | None
    high: float | None
    verdict: CellVerdict
    why: str

    @property
    def failed(self) -> bool:
        return self.verdict == "differs" and not self.why


@dataclass(frozen=True)
class TableResult:
    """A published table; `skipped` says what was missing to recompute any of it."""

    name: str
    source: str
    title: str
    cells: tuple[CellResult, ...]
    skipped: str | None


@dataclass(frozen=True)
class Reproduction(Answer):
    """Published tables recomputed; `failures` names the cells that should agree and do not."""

    schema: ClassVar[str] = "tellapart/reproduction/1"

    tables: tuple[TableResult, ...]
    counts: dict[str, int]
    failures: tuple[str, ...]
    sentence: str
    signature: str
