"""The calibration run: every default over all scenarios, as a report with verdicts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path
from typing import Any, get_args

from tellapart.answers.calibration import Calibrated, CalibratedBoard, CalibratedCorrection, Calibration, Promise, Rate
from tellapart.answers.parts import Note
from tellapart.answers.texts import add_text
from tellapart.compute import BlockKey, CachePolicy, Call, Runner, Work, Workers
from tellapart.compute.cache_key import study_name
from tellapart.foundation.errors import UsageError
from tellapart.foundation.progress import with_progress
from tellapart.studies.calibration.boards import BoardLine
from tellapart.studies.calibration.by_name import unlisted
from tellapart.studies.calibration.laws import REPEATS
from tellapart.studies.calibration.measure import ALPHA, LEVEL, RULES, Occurrences, promise, rate
from tellapart.studies.calibration.pieces import (
    ReportLine,
    Row,
    computed,
    describe_line,
    lines,
    pieces,
    row_of,
    simulated,
)
from tellapart.verbs.signature import sign
from tellapart.verbs.work_options import open_store
from tellapart.verbs.workers import workers_notes

# What a store has of a calibration: the blocks of every line, under a name that says which line it is.

Measured = Occurrences | Calibrated
FIELDS = tuple(field.name for field in fields(Calibrated))


def cache(lines: Sequence[ReportLine], seed: int) -> CachePolicy[Measured]:
    of = {(line.kind, line.number): (line, _store_name(line, seed)) for line in lines}

    def filed(call: Call) -> BlockKey:
        kind, number, block = call
        line, name = of[kind, number]
        return BlockKey(name, line.replicates, block.number, block.size)

    return CachePolicy(filed, _stored_form, _from_stored)


def _store_name(line: ReportLine, seed: int) -> str:
    return study_name(
        "calibrate", study=describe_line(line), line=[line.kind, line.number], data=None, alpha=ALPHA, seed=seed
    )


def _stored_form(found: Measured) -> Any:
    return astuple(found) if isinstance(found, Calibrated) else found


def _from_stored(written: Any) -> Measured:
    """Counts as they are; the row of what was enumerated begins with the name of its group."""
    if not isinstance(written[0], str):
        counts: Occurrences = written
        return counts
    rates = {name: Rate(*rate) for name, rate in zip(FIELDS, written, strict=True) if isinstance(rate, list | tuple)}
    return Calibrated(**dict(zip(FIELDS, written, strict=True)) | rates)


# A calibration on its way: blocks taken in in their order, and the rows that they come to, of which the
# last may be short.


@dataclass(eq=False)
class _Tally:
    """The counts of a line so far."""

    counts: Occurrences = ()
    replicates: int = 0

    def add(self, counts: Occurrences, size: int) -> None:
        self.counts = tuple(a + b for a, b in zip(self.counts or (0,) * len(counts), counts, strict=True))
        self.replicates += size


@dataclass(eq=False)
class Course:
    """A calibration in progress: pieces are taken in order, as those that finish first are no fair sample."""

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
        filed = cache(self.lines, self.seed) if kept else None
        return Work(computed, self.pieces, count=len(self.pieces), named=_block_words, cache=filed)

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

    def _course_rows(self) -> Iterator[Row]:
        yield from self.found
        if self.short.replicates:
            line = self.lines[len(self.found)]
            yield row_of(line, self.short.counts, self.short.replicates, self.seed)

    def rows(self) -> list[Calibrated]:
        return [row for row in self._course_rows() if isinstance(row, Calibrated)]

    def boards(self) -> list[BoardLine]:
        return [row for row in self._course_rows() if isinstance(row, BoardLine)]

    def corrections(self) -> list[CalibratedCorrection]:
        return [row for row in self._course_rows() if isinstance(row, CalibratedCorrection)]

    def notes(self, runner: Runner) -> Iterator[Note]:
        """Notes of a stopped calibration: the lines left out, and the row from fewer evaluations than asked for."""
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


def _block_words(call: Call) -> str:
    kind, number, block = call
    return f"block {block.number + 1} ({block.size:,} evaluations) of {kind} {number + 1} of the calibration"


DEFAULTS = (*RULES, REPEATS, "changes")
ORDER = (*DEFAULTS, "not chosen", "by name")


def calibrate(  # noqa: PLR0913  (a door: who computes, and what is kept)
    scale: float = 1.0,
    *,
    seed: int = 0,
    executor: Workers = None,
    mixed: bool = False,
    store: str | Path | None = None,
    time_limit: float | str | None = None,
) -> Calibration:
    """Size, coverage and power of every test and interval, first of the defaults, and the error rates of leaderboards.

    Right-or-wrong scores are enumerated, the rest is simulated from the seed: at scale 1 a few minutes of one core, and
    `scale` times as much otherwise. `executor` is who does it, as in `plan`; whoever does, the answer is the same. `store` is a file in
    which finished blocks are kept: asked again, only what it lacks is computed. Stopped by Ctrl-C or by the `time_limit`, it answers with the rows
    that it has, and says that it is partial.
    """
    if not 0.0 < scale <= 1000.0:
        raise UsageError(f"scale={scale:g} should be above 0 and at most 1000")
    course = Course(tuple(lines(scale)), seed)
    with (
        open_store(store, mixed=mixed) as kept,
        Runner(executor, mixed=mixed, partial=True, store=kept, time_limit=time_limit) as runner,
    ):
        found = _measured_course(course, runner, scale)
    return add_text(_calibration_answer(course, runner, found, scale))


def _measured_course(course: Course, runner: Runner, scale: float) -> list[Calibrated]:
    """The rows, with those of methods that are on no list behind all scenarios; what was stopped has none of these."""
    unnamed: list[Calibrated] = []
    with runner.cut_short(lambda: course.answered > 0):
        _take_in_blocks(course, runner)
        # They follow from what the other rows have.
        unnamed += unlisted(_without_changes(course), lambda one: simulated(one, scale, course.seed))
    changes = [row for row in course.rows() if row.group == "changes"]
    return [*_without_changes(course), *unnamed, *changes]


def _take_in_blocks(course: Course, runner: Runner) -> None:
    count = len(course.pieces)
    with closing(runner.in_order(course.work(kept=runner.store is not None))) as results:
        for found in with_progress("calibrating", results, count):
            course.take(found)
            if course.taken < count:
                runner.look_at_clock(lambda: course.answered > 0)


def _without_changes(course: Course) -> list[Calibrated]:
    return [row for row in course.rows() if row.group != "changes"]


def _calibration_answer(course: Course, runner: Runner, found: Iterable[Calibrated], scale: float) -> Calibration:
    rows = tuple(sorted(found, key=lambda row: ORDER.index(row.group)))
    lines = course.boards()
    boards = tuple(map(_calibrated_board, lines))
    corrections = tuple(course.corrections())
    failures = (*_unexplained_failures(rows, boards), *_failing_corrections(corrections))
    partial = runner.interrupted
    return Calibration(
        ALPHA,
        LEVEL,
        scale,
        course.seed,
        rows,
        boards,
        corrections,
        failures,
        _verdict_counts(row.verdict for row in rows if row.group in DEFAULTS),
        _verdict_counts(board.verdict for board, line in zip(boards, lines, strict=True) if line.chosen),
        sign("calibrate", "simulated", scale=scale, seed=course.seed, **_partial_signature(course, partial=partial)),
        partial=partial,
        stopped=runner.stopped,
        notes=(*course.notes(runner), *workers_notes(runner)),
    )


def _partial_signature(course: Course, *, partial: bool) -> dict[str, Any]:
    """Marks a partial answer, which cannot be reproduced, in its signature."""
    return {"rows": f"{course.answered} of {len(course.lines)}", "partial": True} if partial else {}


def _calibrated_board(line: BoardLine) -> CalibratedBoard:
    tally = line.tally
    false_claims, held = (rate(count, tally.replicates) for count in (tally.false_claims, tally.covered))
    verdict = promise(false_claims, held, line.items)
    why = line.known if verdict != "holds" else ""
    return CalibratedBoard(line.truth, line.systems, line.items, false_claims, held, verdict, why)


def _unexplained_failures(rows: tuple[Calibrated, ...], boards: tuple[CalibratedBoard, ...]) -> Iterator[str]:
    """Failures without a known reason."""
    for row in rows:
        if row.verdict == "fails" and not row.why:
            yield f"{row.group}: {row.scenario}, {row.items} items ({row.test}, {row.interval})"
    for board in boards:
        if board.verdict == "fails" and not board.why:
            yield f"leaderboards: {board.truth}, {board.systems} systems, {board.items} items"


def _failing_corrections(corrections: Iterable[CalibratedCorrection]) -> Iterator[str]:
    for row in corrections:
        if row.verdict == "fails" and not row.why:
            yield f"corrections: {row.correction}, {row.truth}"


def _verdict_counts(verdicts: Iterable[Promise]) -> dict[Promise, int]:
    counts = Counter(verdicts)
    return {promise: counts[promise] for promise in get_args(Promise)}
