"""Dataclasses of the `reproduce` answer: published tables recomputed, and whether the numbers agree."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from tellapart.answers.answer import Answer, plain
from tellapart.answers.parts import Note

CellVerdict = Literal["agrees", "differs by rounding", "differs", "as published"]


@dataclass(frozen=True)
class CellResult:
    """One published number, or words in its place, beside ours.

    `printed` is how it stands in the document. A published number between `low` and `high` agrees with ours: they leave
    room for the digits it was printed with and, where it was simulated, for 99.9 % of what so many replicates give.
    `why` is the known reason for it to differ, or to be shown only; a cell that differs and nobody knows why fails. `reason`
    is what is said of it: that, or which data are missing to recompute it.
    """

    label: str
    published: float | str
    printed: str
    ours: float | None
    low: float | None
    high: float | None
    verdict: CellVerdict
    why: str
    reason: str = ""
    below_rounding: bool | None = field(default=None, metadata={"optional": True})
    """That ours is smaller than what rounding leaves of the numbers it is taken from, and given as 0."""

    @property
    def failed(self) -> bool:
        return self.verdict == "differs" and not self.why


@dataclass(frozen=True)
class TableResult:
    """A published table; `lacks` names the files that are missing to recompute any of it, and `skipped` says so."""

    name: str
    source: str
    title: str
    cells: tuple[CellResult, ...]
    lacks: tuple[str, ...]
    skipped: str | None = None


@dataclass(frozen=True)
class DocumentResult:
    """A document, where in it the recomputed tables stand, and which of its tables and figures no table here covers."""

    name: str
    citation: str
    covers: tuple[str, ...]
    without: str


@dataclass(frozen=True)
class Reproduction(Answer):
    """Published tables recomputed; `failures` names the cells that should agree and do not.

    `recomputed` says whether any number was; without the real data some tables can only be shown.
    """

    schema: ClassVar[str] = "tellapart/reproduction/2"

    tables: tuple[TableResult, ...]
    documents: tuple[DocumentResult, ...]
    counts: dict[str, int]
    failures: tuple[str, ...]
    recomputed: bool
    signature: str
    headline: str = ""
    sentence: str = ""
    partial: bool = False
    """Whether it was stopped, and tables that were asked for are missing."""
    stopped: Literal["time", "interrupt", "lost"] | None = field(default=None, metadata={"optional": True})
    """Why a partial answer ended early: the time limit, an interrupt, or work that ended every worker that took it."""
    notes: tuple[Note, ...] = ()

    @property
    def numbers(self) -> int:
        """How many published numbers there are."""
        return sum(self.counts.values())

    @property
    def explained(self) -> int:
        """Those that differ for a known reason."""
        return self.counts["differs"] - len(self.failures)

    def _table_records(self, table: str | None) -> list[dict[str, Any]]:
        """Every number of every table, unless another table is asked for."""
        if table is not None:
            return super()._table_records(table)
        return [{"table": one.name, **plain(cell)} for one in self.tables for cell in one.cells]
