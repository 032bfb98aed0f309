"""Run every default over the scenarios and say what it keeps of its promises."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import get_args

from tellapart.calibration.binary import enumerated
from tellapart.calibration.boards import BoardLine
from tellapart.calibration.by_name import enumerated_by_name
from tellapart.calibration.measure import ALPHA, LEVEL, promise, rate
from tellapart.calibration.pieces import computed, pieces, simulated
from tellapart.calibration.unlisted import unlisted
from tellapart.errors import UsageError
from tellapart.progress import stepped
from tellapart.results.calibration import Calibrated, CalibratedBoard, Calibration, Promise
from tellapart.verbs.signature import sign
from tellapart.words import tell
from tellapart.workers import Call, Runner, Work, Workers

DEFAULTS = ("numbers", "right or wrong", "clusters", "changes", "raters")
ORDER = (*DEFAULTS, "not chosen", "by name")


def calibrate(
    scale: float = 1.0, *, seed: int = 0, executor: Workers = None, mixed: bool = False
) -> Calibration:
    """Size, coverage and power of every test and interval, first of the defaults, and the error rates of leaderboards.

    Right-or-wrong scores are enumerated, the rest is simulated from the seed: at scale 1 a few minutes of one core, and
    `scale` times as much otherwise. `executor` is who does it, as in `plan`; whoever does, the answer is the same.
    """
    if not 0.0 < scale <= 1000.0:
        raise UsageError(f"scale={scale:g} should be above 0 and at most 1000")

    asked = pieces(scale)
    work = Work(computed, [(*piece, scale, seed) for piece in asked], count=len(asked), named=_named)
    with Runner(executor, mixed=mixed) as runner:
        results = list(stepped("calibrating", runner.in_order(work), len(asked)))
    found = [*enumerated(), *enumerated_by_name(), *(one for one in results if isinstance(one, Calibrated))]
    # Those on no list follow from what the rows above have, behind all scenarios and before all changes.
    changes = [row for row in found if row.group == "changes"]
    found = [row for row in found if row.group != "changes"]
    found += [*unlisted(found, lambda scenario: simulated(scenario, scale, seed)), *changes]
    rows = tuple(sorted(found, key=lambda row: ORDER.index(row.group)))
    boards = tuple(_board(one) for one in results if isinstance(one, BoardLine))
    failures = tuple(_failures(rows, boards))
    answer = Calibration(
        ALPHA,
        LEVEL,
        scale,
        seed,
        rows,
        boards,
        failures,
        _counts(row.verdict for row in rows if row.group in DEFAULTS),
        _counts(board.verdict for board in boards),
        sign("calibrate", "simulated", scale=scale, seed=seed),
    )
    return tell(answer)


def _named(call: Call) -> str:
    kind, number, *_ = call
    return f"{kind} {number + 1} of the calibration"


def _board(line: BoardLine) -> CalibratedBoard:
    tally = line.tally
    false_claims, held = (rate(count, tally.replicates) for count in (tally.false_claims, tally.covered))
    verdict = promise(false_claims, held)
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


def _counts(verdicts: Iterable[Promise]) -> dict[Promise, int]:
    counts = Counter(verdicts)
    return {promise: counts[promise] for promise in get_args(Promise)}
