"""A calibration on its way: blocks taken in in their order, and the rows that they come to, of which the last may be short."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tellapart.calibration.boards import BoardLine
from tellapart.calibration.kept import filing
from tellapart.calibration.measure import Occurrences
from tellapart.calibration.pieces import ReportLine, Row, computed, pieces, row_of
from tellapart.results.calibration import Calibrated, CalibratedCorrection
from tellapart.results.note import Note
from tellapart.workers import Call, Runner, Work


@dataclass(eq=False)
class _Tally:
    """What is counted of a line so far."""

    counts: Occurrences = ()
    replicates: int = 0

    def add(self, counts: Occurrences, size: int) -> None:
        self.counts = tuple(a + b for a, b in zip(self.counts or (0,) * len(counts), counts, strict=True))
        self.replicates += size


@dataclass(eq=False)
class Course:
    """Whoever computes the pieces, they are taken in in their order: what finishes first is no fair sample of all."""

    lines: Sequence[ReportLine]
    seed: int
    found: list[Row] = field(default_factory=list)
    """The rows of the lines that are whole."""
    taken: int = 0

    def __post_init__(self) -> None:
        self.pieces = [piece for line in self.lines for piece in pieces(line, self.seed)]
        self.short = _Tally()

    @property
    def answered(self) -> int:
        """Lines that there is a row of."""
        return len(self.found) + bool(self.short.replicates)

    def work(self, *, kept: bool) -> Work[Occurrences | Calibrated]:
        """All pieces; with a store, each is looked for there."""
        filed = filing(self.lines, self.seed) if kept else None
        return Work(computed, self.pieces, count=len(self.pieces), named=_named, filing=filed)

    def take(self, found: Occurrences | Calibrated) -> None:
        (_, _, block), line = self.pieces[self.taken], self.lines[len(self.found)]
        self.taken += 1
        if isinstance(found, Calibrated):
            self.found.append(found)
            return
        self.short.add(found, block.size)
        if self.short.replicates == line.replicates:
            whole, self.short = self.short, _Tally()
            self.found.append(row_of(line, whole.counts, whole.replicates, self.seed))

    def _rows(self) -> Iterator[Row]:
        yield from self.found
        if self.short.replicates:
            line = self.lines[len(self.found)]
            yield row_of(line, self.short.counts, self.short.replicates, self.seed)

    def rows(self) -> list[Calibrated]:
        return [row for row in self._rows() if isinstance(row, Calibrated)]

    def boards(self) -> list[BoardLine]:
        return [row for row in self._rows() if isinstance(row, BoardLine)]

    def corrections(self) -> list[CalibratedCorrection]:
        return [row for row in self._rows() if isinstance(row, CalibratedCorrection)]

    def notes(self, runner: Runner) -> Iterator[Note]:
        """What a stopped calibration leaves out, and which row comes from fewer evaluations than were asked for."""
        if not runner.interrupted:
            return
        last = self.lines[len(self.found)] if self.short.replicates else None
        values = {
            "answered": self.answered,
            "asked": len(self.lines),
            "replicates": self.short.replicates or None,
            "asked_replicates": None if last is None else last.replicates,
        }
        yield Note("time_limit" if runner.stopped == "time" else "interrupted", values)


def _named(call: Call) -> str:
    kind, number, block = call
    return f"block {block.number + 1} ({block.size:,} evaluations) of {kind} {number + 1} of the calibration"
