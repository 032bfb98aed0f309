"""Lines of the calibration report, cut into numbered blocks of evaluations for the workers."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from tellapart.answers.calibration import Calibrated, CalibratedCorrection
from tellapart.studies.calibration import measure
from tellapart.studies.calibration.arenas import ARENAS, as_arena_line, counted_arenas
from tellapart.studies.calibration.binary import cases, enumerated
from tellapart.studies.calibration.boards import (
    OFTEN,
    BoardLine,
    BoardTally,
    as_line,
    as_skewed_line,
    board_lines,
    board_name,
    counted_boards,
    counted_skewed,
    skewed_lines,
)
from tellapart.studies.calibration.by_name import cases_by_name, simulated_by_name
from tellapart.studies.calibration.changes import OFTEN as OFTEN_CHANGED
from tellapart.studies.calibration.changes import as_changes, counted_changes, unchanged_groups
from tellapart.studies.calibration.corrections import OFTEN as OFTEN_CORRECTED
from tellapart.studies.calibration.corrections import as_corrected, corrected_families, counted_corrections
from tellapart.studies.calibration.laws import scenarios
from tellapart.studies.calibration.metric_scenarios import metric_scenarios
from tellapart.studies.calibration.raters import by_raters, raters_by_name
from tellapart.studies.calibration.scenario import Scenario

FEWEST = 100
"""Evaluations of a line, however small the scale."""
BOARDS, FEWEST_BOARDS = 0.5, 0.02
"""Of a thousand leaderboards per line: at scale 1, and at the least."""
CAREFUL, FEWEST_CAREFUL = 1.0, 0.01
"""Of a thousand leaderboards per line whose items are drawn again: at scale 1, and at the least."""
FEW_SYSTEMS, MANY_SYSTEMS = (3, 10), (50,)
MANY_PART, MANY_FROM = 0.1, 0.25
"""Large leaderboards take long: fewer of them, and only from this scale on."""

Row = Calibrated | BoardLine | CalibratedCorrection


class ReportLine(NamedTuple):
    """A row of the report to be: which it is, of how many evaluations, and how many of them make a block."""

    kind: str
    number: int
    replicates: int = 1
    block: int = 1


Piece = tuple[str, int, measure.StreamBlock]
"""A block of a line, by the line's kind and number: all that has to travel."""


@cache
def every_scenario() -> tuple[Scenario, ...]:
    return tuple(chain(scenarios(), metric_scenarios(), by_raters(), simulated_by_name(), raters_by_name()))


def lines(scale: float) -> Iterator[ReportLine]:
    """All that is measured, what takes no time first; blocks of what draws from one stream are what scale 1 asks for."""
    yield from (ReportLine("right or wrong", number) for number in range(len(list(cases()))))
    yield from (ReportLine("named", number) for number in range(len(list(cases_by_name()))))
    for number, scenario in enumerate(every_scenario()):
        yield ReportLine("scenario", number, _scaled_replicates(scenario.replicates, scale), measure.at_once(scenario))
    for number in range(len(list(unchanged_groups()))):
        yield ReportLine("changes", number, _scaled_replicates(OFTEN_CHANGED, scale), OFTEN_CHANGED)
    for number in range(len(corrected_families())):
        yield ReportLine("corrections", number, _scaled_replicates(OFTEN_CORRECTED, scale), OFTEN_CORRECTED)
    for number in board_lines(FEW_SYSTEMS):
        yield _of_boards(ReportLine("boards", number), BOARDS, max(BOARDS * scale, FEWEST_BOARDS))
    for number in skewed_lines():
        yield _of_boards(ReportLine("skewed", number), CAREFUL, max(CAREFUL * scale, FEWEST_CAREFUL))
    for number in range(len(ARENAS)):
        yield _of_boards(ReportLine("arenas", number), CAREFUL, max(CAREFUL * scale, FEWEST_CAREFUL))
    for number in board_lines(MANY_SYSTEMS) if scale >= MANY_FROM else ():
        yield _of_boards(ReportLine("many", number), MANY_PART, MANY_PART * scale)


def _scaled_replicates(replicates: int, scale: float) -> int:
    return max(FEWEST, round(replicates * scale))


def _of_boards(line: ReportLine, usual: float, share: float) -> ReportLine:
    """With this share of the boards that there are of it, in blocks of the usual one."""
    return line._replace(replicates=max(1, round(OFTEN * share)), block=round(OFTEN * usual))


def pieces(line: ReportLine, seed: int) -> list[Piece]:
    sizes = enumerate(measure.cut(line.replicates, line.block))
    return [(line.kind, line.number, measure.StreamBlock(number, size, seed)) for number, size in sizes]


def simulated(scenario: Scenario, scale: float, seed: int) -> Calibrated:
    return measure.measured(scenario, _scaled_replicates(scenario.replicates, scale), seed)


class LineKind(NamedTuple):
    """One kind of report line: its cases, what a block of a case counts, the row of the counts, and a case in words."""

    cases: Callable[[], Sequence[Any]]
    compute: Callable[[Any, measure.StreamBlock], measure.Occurrences | Calibrated]
    describe: Callable[[Any], str]
    row: Callable[[Any, measure.Occurrences, int, int], Row] | None = None
    """From the case, its counts, the number of evaluations and the seed; None where a block is a whole row already."""


def _board_kind(systems: tuple[int, ...]) -> LineKind:
    return LineKind(
        lambda: board_lines(systems),
        lambda number, block: counted_boards(number, systems, block, measure.ALPHA),
        lambda number: f"leaderboards: {board_name(number, systems)}",
        lambda number, counts, boards, _: as_line(number, systems, BoardTally(boards, *counts), measure.ALPHA),
    )


def _describe_scenario(scenario: Scenario) -> str:
    methods = f", {scenario.test}, {scenario.interval}" if scenario.test else ""
    return f"{scenario.group}: {scenario.name}{methods}"


_KINDS = {
    "right or wrong": LineKind(
        lambda: list(cases()),
        lambda case, _: enumerated(case),
        lambda case: f"{case.group}: {case.discordance:g} of items differ, {case.items} items, {case.test}",
    ),
    "scenario": LineKind(every_scenario, measure.tallied, _describe_scenario, measure.as_measured),
    "changes": LineKind(
        lambda: list(unchanged_groups()),
        counted_changes,
        lambda groups: f"changes: {groups.name}",
        lambda groups, counts, evaluations, _: as_changes(groups, counts, evaluations),
    ),
    "corrections": LineKind(
        corrected_families,
        counted_corrections,
        lambda families: f"corrections: {families.correction}, {families.truth}",
        lambda families, counts, evaluations, _: as_corrected(families, counts, evaluations),
    ),
    "boards": _board_kind(FEW_SYSTEMS),
    "many": _board_kind(MANY_SYSTEMS),
    "named": LineKind(
        lambda: list(enumerate(cases_by_name(), 1)),
        lambda case, _: case[1](),
        lambda case: f"methods by name, line {case[0]}",
    ),
    "skewed": LineKind(
        skewed_lines,
        counted_skewed,
        lambda number: f"skewed leaderboards, line {number + 1}",
        lambda number, counts, boards, _: as_skewed_line(number, BoardTally(boards, *counts)),
    ),
    "arenas": LineKind(
        lambda: ARENAS,
        counted_arenas,
        lambda arena: f"leaderboards: {arena.truth}, {arena.systems} systems, {arena.votes} votes",
        lambda arena, counts, boards, _: as_arena_line(arena, BoardTally(boards, *counts)),
    ),
}


def computed(kind: str, number: int, block: measure.StreamBlock) -> measure.Occurrences | Calibrated:
    """One piece: its random streams are its own, so that its result does not depend on the worker or the order."""
    return _KINDS[kind].compute(_KINDS[kind].cases()[number], block)


def describe_line(line: ReportLine) -> str:
    return _KINDS[line.kind].describe(_KINDS[line.kind].cases()[line.number])


def row_of(line: ReportLine, counts: measure.Occurrences, replicates: int, seed: int) -> Row:
    """The row of a line, from the counts of this many evaluations."""
    kind = _KINDS[line.kind]
    assert kind.row is not None, "what is enumerated is not counted"
    return kind.row(kind.cases()[line.number], counts, replicates, seed)
