"""A calibration in pieces that anybody can compute: each by its kind and number, which is all that has to travel."""

from functools import cache
from itertools import chain

from tellapart.calibration.boards import BoardLine, board_line, board_lines
from tellapart.calibration.by_name import simulated_by_name
from tellapart.calibration.changes import changes_of, unchanged_groups
from tellapart.calibration.grid import scenarios
from tellapart.calibration.leaning_boards import leaning_line, leaning_lines
from tellapart.calibration.measure import ALPHA, measured
from tellapart.calibration.raters import by_raters, raters_by_name
from tellapart.calibration.scenario import Scenario
from tellapart.results.calibration import Calibrated

FEWEST = 100
BOARDS, FEWEST_BOARDS = 0.5, 0.02
"""Of a thousand leaderboards per line: at scale 1, and at the least."""
CAREFUL, FEWEST_CAREFUL = 1.0, 0.01
"""Of the leaderboards that a line asks for which items are drawn again for: at scale 1, and at the least."""
FEW_SYSTEMS, MANY_SYSTEMS = (3, 10), (50,)
MANY_PART, MANY_FROM = 0.1, 0.25
"""Large leaderboards take long: fewer of them, and only from this scale on."""

Piece = tuple[str, int]


@cache
def every_scenario() -> tuple[Scenario, ...]:
    return tuple(chain(scenarios(), by_raters(), simulated_by_name(), raters_by_name()))


def pieces(scale: float) -> list[Piece]:
    """All that is simulated, in the order of the report."""
    many = len(board_lines(MANY_SYSTEMS)) if scale >= MANY_FROM else 0
    counts = {
        "scenario": len(every_scenario()),
        "changes": len(list(unchanged_groups())),
        "boards": len(board_lines(FEW_SYSTEMS)),
        "leaning": len(leaning_lines()),
        "many": many,
    }
    return [(kind, number) for kind, count in counts.items() for number in range(count)]


def simulated(scenario: Scenario, scale: float, seed: int) -> Calibrated:
    return measured(scenario, max(FEWEST, round(scenario.replicates * scale)), seed)


def computed(kind: str, number: int, scale: float, seed: int) -> Calibrated | BoardLine:
    """One piece: its random streams are its own, so that it does not matter who computes it, or when."""
    if kind == "scenario":
        return simulated(every_scenario()[number], scale, seed)
    if kind == "changes":
        return changes_of(number, scale, seed, FEWEST)
    if kind == "leaning":
        return leaning_line(number, max(FEWEST_CAREFUL, CAREFUL * scale), alpha=ALPHA, seed=seed)
    if kind == "many":
        return board_line(number, MANY_PART * scale, systems=MANY_SYSTEMS, alpha=ALPHA, seed=seed)
    return board_line(number, max(BOARDS * scale, FEWEST_BOARDS), systems=FEW_SYSTEMS, alpha=ALPHA, seed=seed)
