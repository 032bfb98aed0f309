"""Run every default over the scenarios and say what it keeps of its promises."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import get_args

from tellapart.calibration.binary import enumerated
from tellapart.calibration.boards import BoardLine, calibrated_boards
from tellapart.calibration.by_name import enumerated_by_name, simulated_by_name
from tellapart.calibration.changes import all_changes
from tellapart.calibration.grid import scenarios
from tellapart.calibration.leaning_boards import calibrated_leaning_boards
from tellapart.calibration.measure import ALPHA, LEVEL, measured, promise, rate
from tellapart.calibration.raters import by_raters, raters_by_name
from tellapart.calibration.scenario import Scenario
from tellapart.calibration.unlisted import unlisted
from tellapart.errors import UsageError
from tellapart.progress import stepped
from tellapart.results.calibration import Calibrated, CalibratedBoard, Calibration, Promise
from tellapart.verbs.signature import sign
from tellapart.words import tell

FEWEST = 100
BOARDS, FEWEST_BOARDS = 0.5, 0.02
"""Of a thousand leaderboards per line: at scale 1, and at the least."""
CAREFUL, FEWEST_CAREFUL = 1.0, 0.01
"""Of the leaderboards that a line asks for which items are drawn again for: at scale 1, and at the least."""
MANY_SYSTEMS, MANY_PART, MANY_FROM = 50, 0.1, 0.25
"""Large leaderboards take long: fewer of them, and only from this scale on."""
DEFAULTS = ("numbers", "right or wrong", "clusters", "changes", "raters")
ORDER = (*DEFAULTS, "not chosen", "by name")


def calibrate(scale: float = 1.0, *, seed: int = 0) -> Calibration:
    """Size, coverage and power of every test and interval, first of the defaults, and the error rates of leaderboards.

    Right-or-wrong scores are enumerated, the rest is simulated from the seed: at scale 1 a few minutes of one core, and
    `scale` times as much otherwise.
    """
    if not 0.0 < scale <= 1000.0:
        raise UsageError(f"scale={scale:g} should be above 0 and at most 1000")

    def simulated(scenario: Scenario) -> Calibrated:
        return measured(scenario, max(FEWEST, round(scenario.replicates * scale)), seed)

    found = [*enumerated(), *enumerated_by_name()]
    every = [*chain(scenarios(), by_raters(), simulated_by_name(), raters_by_name())]
    found += map(simulated, stepped("simulating scenarios", every, len(every)))
    found += [*unlisted(found, simulated), *all_changes(scale, seed, FEWEST)]
    rows = tuple(sorted(found, key=lambda row: ORDER.index(row.group)))
    boards = tuple(_boards(scale, seed))
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


def _boards(scale: float, seed: int) -> Iterator[CalibratedBoard]:
    lines = calibrated_boards(max(BOARDS * scale, FEWEST_BOARDS), systems=(3, 10), alpha=ALPHA, seed=seed)
    yield from map(_board, lines)
    careful = max(FEWEST_CAREFUL, CAREFUL * scale)
    yield from map(_board, calibrated_leaning_boards(careful, alpha=ALPHA, seed=seed))
    if scale >= MANY_FROM:
        lines = calibrated_boards(MANY_PART * scale, systems=(MANY_SYSTEMS,), alpha=ALPHA, seed=seed)
        yield from map(_board, lines)


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
