"""Power around a study: with fewer and more items or raters, and for smaller and larger effects."""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from tellapart import planning, populations
from tellapart.answers.plan import PlanRow, PowerPoint
from tellapart.foundation.errors import TellapartError, UsageError
from tellapart.planning.power import counted_powers, powers_of
from tellapart.planning.solve import Solution
from tellapart.planning.study import PowerResult, Study, has_many_items
from tellapart.planning.uncertainty import with_pilot_uncertainty
from tellapart.populations import Population
from tellapart.verbs.plan import raters
from tellapart.verbs.plan.case import PlanCase
from tellapart.verbs.plan.choices import planned_test
from tellapart.verbs.plan.solver import Solver

Over = Literal["items", "effect", "raters"]
AXES: tuple[Over, ...] = ("items", "effect", "raters")
AROUND = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Multiples of the items, of the effect or of the raters. Few, because every plan pays for them."""
FEWEST = 3
"""Points of a curve."""
SPARSE = (0.25, 0.5, 1.0, 2.0)
MANY_ITEMS, MOST_ITEMS = 20_000, 1_000_000
"""Up to which a table of all outcomes is summed in milliseconds, and in a tenth of a second."""


@dataclass(frozen=True)
class CurvePoint:
    """A study beside the one that was asked about, and in what it differs."""

    over: Over
    study: Study
    prior: Population | None = None
    """The population with its evidence, where that only bounds what is assumed."""

    @property
    def along(self) -> float:
        """Where it stands among the places that differ in the same."""
        if self.over == "effect":
            return abs(self.study.population.known_effect)
        return float(self.study.items if self.over == "items" else _rater_count(self.study) or 0)

    @cached_property
    def ends(self) -> tuple[Population, ...]:
        """The populations at both ends of the evidence's band, where evidence only bounds what was assumed."""
        return () if self.prior is None else populations.band_ends(self.prior, self.study.population.effect)

    @cached_property
    def studies(self) -> tuple[Study, ...]:
        """Its own study and those at the ends of the band."""
        return (self.study, *map(self.study.of_population, self.ends))

    def point(self, found: dict[Study, PowerResult]) -> PowerPoint:
        """Its power, bounded by all that is left open."""
        study, own = self.study, _with_pilot(self.study, found[self.study])
        results = (own, *(found[other] for other in self.studies[1:] if other in found))
        return PowerPoint(
            over=self.over,
            items=study.design.items,
            effect=study.population.effect or 0.0,
            power=own.power,
            power_low=min(one.low for one in results),
            power_high=max(one.high for one in results),
            type_s=own.type_s,
            type_m=own.type_m,
            raters=_rater_count(study),
            replicates=own.replicates,
        )


def curve(solver: Solver, cases: list[PlanCase], rows: tuple[PlanRow, ...]) -> tuple[PowerPoint, ...] | None:
    """The points of one study; None for a grid, which has its rows."""
    if len(cases) > 1 or len(rows) != 1:
        return None
    case, row = cases[0], rows[0]
    settled = replace(case, population=case.population.with_effect(row.effect), test=planned_test(row))
    study = settled.study(row.items)
    if row.replicates is not None:
        return enough_points(simulated(solver, case, study))
    formula = row.engine == "formula"
    if formula or row.items <= MANY_ITEMS:
        return enough_points(_computed_points(solver, settled, study, AROUND, formula=formula))
    return (
        enough_points(_computed_points(solver, settled, study, SPARSE, formula=False))
        if row.items <= MOST_ITEMS
        else None
    )


def enough_points(points: Iterable[PowerPoint]) -> tuple[PowerPoint, ...] | None:
    """Those that are enough for a curve each."""
    some = tuple(points)
    count = {over: sum(point.over == over for point in some) for over in AXES}
    return tuple(point for point in some if count[point.over] >= FEWEST) or None


def _computed_points(
    solver: Solver, case: PlanCase, study: Study, multiples: tuple[float, ...], *, formula: bool
) -> Iterator[PowerPoint]:
    """Points that are computed at once; an error around the answer does not refuse the plan."""
    # Of many items the smallest of the fewer ones around them would be simulated, and take longer than the answer.
    power_at = solver.formula_power if formula and has_many_items(study) else solver.quick_power
    found = [place for over in AXES for place in places(over, study, multiples, case.prior)]
    with suppress(TellapartError):  # one of them has more items than the test takes
        solver.known.update(
            counted_powers([other for place in found for other in place.studies], solver.question.engine)
        )
    for place in found:
        with suppress(TellapartError):
            yield place.point({other: power_at(other) for other in place.studies})


def places(over: Over, study: Study, multiples: tuple[float, ...], prior: Population | None = None) -> list[CurvePoint]:
    """The study with multiples of its items, effect or raters, where these exist."""
    moved = {"items": _with_items, "effect": _with_effects, "raters": _studies_with_raters}[over]
    studies = moved(study, multiples)
    if over != "raters" or prior is None:
        return [CurvePoint(over, other, prior) for other in studies]
    return [CurvePoint(over, other, prior.replace(raters=_rater_count(other))) for other in studies]


def _with_items(study: Study, multiples: tuple[float, ...]) -> list[Study]:
    unit = study.population.unit
    own = study.items
    sizes = sorted({max(2, round(own * by / unit)) * unit for by in multiples})
    return [study.resized(items=items) for items in sizes]


def _with_effects(study: Study, multiples: tuple[float, ...]) -> list[Study]:
    effect, (low, high), found = study.population.known_effect, study.population.effect_range, []
    # Half as much again as 0.2 is 0.3, to the last digit; the effect itself stays what it is.
    effects = dict.fromkeys(effect if by == 1.0 else float(f"{effect * by:.12g}") for by in multiples)
    for moved in (value for value in effects if low < value < high):
        with suppress(UsageError):
            found.append(study.population.with_effect(moved))
    return [study.of_population(population) for population in found]


def _studies_with_raters(study: Study, multiples: tuple[float, ...]) -> list[Study]:
    if not study.population.by_raters:
        return []
    return [replace(study, population=one) for one in raters.with_raters(study.population, study.items, multiples)]


def _with_pilot(study: Study, found: PowerResult) -> PowerResult:
    """With what a pilot leaves open about the spread."""
    if study.population.from_spelling:
        return found
    return with_pilot_uncertainty(Solution(study, found)).result


def _rater_count(study: Study) -> int | None:
    if not study.population.by_raters:
        return None
    return raters.raters_of(study.population)


# Power around a study that is simulated: what was seen while it was answered, and a few glances beside
# that.

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


def simulated(solver: Solver, case: PlanCase, study: Study) -> Iterator[PowerPoint]:
    """The points of a study, axis by axis from the smallest place up.

    How much is looked at depends on what was simulated before and on no clock, so that it is the same wherever it is computed.
    """
    found = dict(solver.seen.get(str(study.test), ())) | solver.known
    axes: tuple[Over, ...] = ("effect", "items") if case.solved_for == "effect" else ("items", "effect")
    # What evidence bounds is looked at anew, with the ends of its band.
    seen = {over: [] if case.prior is not None else _seen_places(over, study, found) for over in AXES}
    if not solver.runner.interrupted:
        budget = _CurveBudget(solver, study, found)
        wanted = budget.affordable(_stages(study, axes, seen, case.prior))
        found |= budget.simulate(wanted)
        for place in wanted:
            seen[place.over].append(place)
    for over in AXES:
        there = {place.study: place for place in seen[over] if place.study in found}
        for place in sorted(there.values(), key=lambda place: place.along):
            yield place.point(found)


def _seen_places(over: Over, study: Study, found: Found) -> list[CurvePoint]:
    """The places that were simulated on the way and differ in this alone."""
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
    study: Study, axes: tuple[Over, ...], seen: dict[Over, list[CurvePoint]], prior: Population | None
) -> list[list[CurvePoint]]:
    """The points to simulate, the most useful first."""
    first, second = axes
    order: tuple[Over, ...] = (first, "raters", second)
    stages = [(over, multiples) for multiples in (NEAR, FAR) for over in order]
    new = [
        [place for place in places(over, study, multiples, prior) if not _is_beside(place, seen[over])]
        for over, multiples in stages
    ]
    return [stage for stage in new if stage]


def _is_beside(place: CurvePoint, seen: list[CurvePoint]) -> bool:
    return any(abs(place.along - other.along) <= BESIDE * place.along for other in seen)


@dataclass(frozen=True, eq=False)
class _CurveBudget:
    """The budget of a curve beside the answer, in drawn random numbers."""

    solver: Solver
    study: Study
    found: Found

    def affordable(self, stages: Sequence[Sequence[CurvePoint]]) -> list[CurvePoint]:
        """The first stage, and as many more as leave enough replicates to each glance."""
        some: list[CurvePoint] = []
        for stage in stages:
            more = [*some, *(place for place in stage if _can_be_simulated(place))]
            if some and self._replicates_each(more) < ENOUGH:
                break
            some = more
        return some

    def _replicates_each(self, wanted: Sequence[CurvePoint]) -> float:
        """That each glance can have."""
        spent = sum(one.replicates * _study_width(study) for study, one in self.found.items() if one.replicates)
        numbers = sum(map(_study_width, self._unknown_studies(wanted)))
        return SHARE * spent / numbers if numbers else math.inf

    def _unknown_studies(self, wanted: Sequence[CurvePoint]) -> list[Study]:
        studies = dict.fromkeys(study for place in wanted for study in place.studies)
        return [study for study in studies if study not in self.found]

    def simulate(self, wanted: Sequence[CurvePoint]) -> Found:
        """Their powers; none where an interrupt came first, for the answer itself is there."""
        missing, runner = self._unknown_studies(wanted), self.solver.runner
        effort = self.solver.question.effort(self.study)
        replicates = int(min(effort.replicates, max(self._replicates_each(wanted), LEAST)))
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
        return all(planning.block_size(study) > 0 for study in place.studies)
    except TellapartError:
        return False


def _study_width(study: Study) -> int:
    return study.population.width(study.test.needs, study.design)
