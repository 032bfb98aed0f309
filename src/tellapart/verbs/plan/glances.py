"""Power around a study that is simulated: what was seen while it was answered, and a few glances beside that."""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from tellapart.errors import TellapartError
from tellapart.planning.monte_carlo import block_size
from tellapart.planning.power import powers_of
from tellapart.planning.study import PowerResult, SolvedFor, Study
from tellapart.results.plan import PowerPoint
from tellapart.verbs.plan.curve import AXES, CurvePoint, Over, places
from tellapart.verbs.plan.solver import Solver

SHARE = 0.12
"""Of what the answer took, for all glances together."""
LEAST = 64
"""Replicates of each glance at the least. In fewer at once, tests are tempted to compute exactly what they sample in a search, and take
longer for less."""
ENOUGH = 150
"""Replicates that each should have for there to be more of them: power within 8 points."""
NEAR, FAR = (0.5, 1.0, 1.5), (0.25, 2.0)
"""Multiples of what the curve is over."""
BESIDE = 0.1
"""How near to a place that was seen, in parts of it, there is no need to look again."""

Found = dict[Study, PowerResult]


def simulated(solver: Solver, study: Study, solved_for: SolvedFor) -> Iterator[PowerPoint]:
    """The points of a study, axis by axis from the smallest place up.

    How much is looked at depends on what was simulated before and on no clock, so that it is the same wherever it is computed.
    """
    found = dict(solver.seen.get(str(study.test), ())) | solver.known
    axes: tuple[Over, ...] = ("effect", "items") if solved_for == "effect" else ("items", "effect")
    seen = {over: _seen(over, study, found) for over in AXES}
    if not solver.runner.interrupted:
        glances = _Glances(solver, study, found)
        wanted = glances.affordable(_stages(study, axes, seen))
        found |= glances.look(wanted)
        for place in wanted:
            seen[place.over].append(place)
    for over in AXES:
        there = {place.study: place for place in seen[over] if place.study in found}
        for place in sorted(there.values(), key=lambda place: place.along):
            yield place.point(found)


def _seen(over: Over, study: Study, found: Found) -> list[CurvePoint]:
    """The places that were simulated on the way and differ in this alone; what evidence bounds is looked at with its ends."""
    if study.population.supposed is not None:
        return []
    return [CurvePoint(over, other) for other in found if _differs_only_in(over, study, other)]


def _differs_only_in(over: Over, study: Study, other: Study) -> bool:
    if other.test != study.test or other.alpha != study.alpha:
        return False
    if over == "items":
        return other.population == study.population
    if over == "effect":
        same = other.population.with_effect(study.population.known_effect) == study.population
        return same and other.design == study.design
    return other == study and study.population.by_raters


def _stages(
    study: Study, axes: tuple[Over, ...], seen: dict[Over, list[CurvePoint]]
) -> list[list[CurvePoint]]:
    """What to look at, the most useful first."""
    first, second = axes
    order: tuple[Over, ...] = (first, "raters", second)
    stages = [(over, multiples) for multiples in (NEAR, FAR) for over in order]
    new = [
        [place for place in places(over, study, multiples) if not _beside(place, seen[over])]
        for over, multiples in stages
    ]
    return [stage for stage in new if stage]


def _beside(place: CurvePoint, seen: list[CurvePoint]) -> bool:
    return any(abs(place.along - other.along) <= BESIDE * place.along for other in seen)


@dataclass(frozen=True, eq=False)
class _Glances:
    """What may be spent on a curve beside the answer, in random numbers that are drawn."""

    solver: Solver
    study: Study
    found: Found

    def affordable(self, stages: Sequence[Sequence[CurvePoint]]) -> list[CurvePoint]:
        """The first stage, and as many more as leave enough replicates to each glance."""
        some: list[CurvePoint] = []
        for stage in stages:
            more = [*some, *(place for place in stage if _can_be_simulated(place))]
            if some and self._replicates(more) < ENOUGH:
                break
            some = more
        return some

    def _replicates(self, wanted: Sequence[CurvePoint]) -> float:
        """That each glance can have."""
        spent = sum(one.replicates * _width(study) for study, one in self.found.items() if one.replicates)
        numbers = sum(map(_width, self._missing(wanted)))
        return SHARE * spent / numbers if numbers else math.inf

    def _missing(self, wanted: Sequence[CurvePoint]) -> list[Study]:
        studies = dict.fromkeys(study for place in wanted for study in place.studies)
        return [study for study in studies if study not in self.found]

    def look(self, wanted: Sequence[CurvePoint]) -> Found:
        """Their powers; none where an interrupt came first, for the answer itself is there."""
        missing, runner = self._missing(wanted), self.solver.runner
        effort = self.solver.question.effort(self.study)
        replicates = int(min(effort.replicates, max(self._replicates(wanted), LEAST)))
        budget = replace(effort, replicates=replicates, until=None)
        found: Found = {}
        with runner.unstored(), runner.cut_short(lambda: True):
            try:
                found = powers_of(missing, budget, runner)
            except TellapartError:  # one of them cannot be run
                for study in missing:
                    with suppress(TellapartError):
                        found |= powers_of([study], budget, runner)
        return {} if runner.interrupted else found


def _can_be_simulated(place: CurvePoint) -> bool:
    try:
        return all(block_size(study) > 0 for study in place.studies)
    except TellapartError:
        return False


def _width(study: Study) -> int:
    return study.population.width(study.test.needs, study.design)
