"""Run every default over the scenarios and say what it keeps of its promises."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

from tellapart.calibration.boards import BoardLine
from tellapart.calibration.course import Course
from tellapart.calibration.judge import LEVEL
from tellapart.calibration.measure import ALPHA, RULES, promise, rate
from tellapart.calibration.pieces import lines, simulated
from tellapart.calibration.unlisted import unlisted
from tellapart.errors import UsageError
from tellapart.progress import stepped
from tellapart.results.calibration import (
    Calibrated,
    CalibratedBoard,
    CalibratedCorrection,
    Calibration,
    Promise,
)
from tellapart.verbs.kept import kept_in
from tellapart.verbs.signature import sign
from tellapart.verbs.workers_notes import workers_notes
from tellapart.words import tell
from tellapart.workers import Runner, Workers

DEFAULTS = (*RULES, "changes")
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
        kept_in(store, mixed=mixed) as kept,
        Runner(executor, mixed=mixed, partial=True, store=kept, time_limit=time_limit) as runner,
    ):
        found = _measured(course, runner, scale)
    return tell(_answer(course, runner, found, scale))


def _measured(course: Course, runner: Runner, scale: float) -> list[Calibrated]:
    """The rows, with those of methods that are on no list behind all scenarios; what was stopped has none of these."""
    unnamed: list[Calibrated] = []
    with runner.cut_short(lambda: course.answered > 0):
        _take_in(course, runner)
        # They follow from what the other rows have.
        unnamed += unlisted(_without_changes(course), lambda one: simulated(one, scale, course.seed))
    changes = [row for row in course.rows() if row.group == "changes"]
    return [*_without_changes(course), *unnamed, *changes]


def _take_in(course: Course, runner: Runner) -> None:
    count = len(course.pieces)
    with closing(runner.in_order(course.work(kept=runner.store is not None))) as results:
        for found in stepped("calibrating", results, count):
            course.take(found)
            if course.taken < count:
                runner.look_at_clock(lambda: course.answered > 0)


def _without_changes(course: Course) -> list[Calibrated]:
    return [row for row in course.rows() if row.group != "changes"]


def _answer(course: Course, runner: Runner, found: Iterable[Calibrated], scale: float) -> Calibration:
    rows = tuple(sorted(found, key=lambda row: ORDER.index(row.group)))
    boards = tuple(map(_board, course.boards()))
    corrections = tuple(course.corrections())
    failures = (*_failures(rows, boards), *_failing_corrections(corrections))
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
        _counts(row.verdict for row in rows if row.group in DEFAULTS),
        _counts(board.verdict for board in boards),
        sign("calibrate", "simulated", scale=scale, seed=course.seed, **_signed(course, partial=partial)),
        partial=partial,
        stopped=runner.stopped,
        notes=(*course.notes(runner), *workers_notes(runner)),
    )


def _signed(course: Course, *, partial: bool) -> dict[str, Any]:
    """What tells a partial answer, which cannot be had again, from a whole one."""
    return {"rows": f"{course.answered} of {len(course.lines)}", "partial": True} if partial else {}


def _board(line: BoardLine) -> CalibratedBoard:
    tally = line.tally
    false_claims, held = (rate(count, tally.replicates) for count in (tally.false_claims, tally.covered))
    verdict = promise(false_claims, held, line.items)
    why = line.known if verdict != "holds" else ""
    return CalibratedBoard(line.truth, line.systems, line.items, false_claims, held, verdict, why)


def _failures(rows: tuple[Calibrated, ...], boards: tuple[CalibratedBoard, ...]) -> Iterator[str]:
    """What fails and nobody knows why."""
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


def _counts(verdicts: Iterable[Promise]) -> dict[Promise, int]:
    counts = Counter(verdicts)
    return {promise: counts[promise] for promise in get_args(Promise)}
