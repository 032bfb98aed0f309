"""Solver of each study of a grid for its items, its effect or its power."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from tellapart.answers.plan import PlanRow, SmallerEffect
from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.spelling import options
from tellapart.methods.significance import Procedure
from tellapart.planning.power import closed_power, power_of, powers_of
from tellapart.planning.solve import Solution, solve
from tellapart.planning.solved_axes import ItemsAxis
from tellapart.planning.study import PowerResult, Study
from tellapart.planning.uncertainty import assured, with_pilot_uncertainty
from tellapart.populations.population import FEWEST
from tellapart.verbs import evidence
from tellapart.verbs import plan as package
from tellapart.verbs.plan import raters
from tellapart.verbs.plan.case import USUAL_POWER, PlanCase
from tellapart.verbs.plan.choices import Chosen, choices
from tellapart.verbs.plan.question import PlanQuestion

# Items or an effect solved for the test that `compare` will choose there: which test that is depends on the
# answer.

Solve = Callable[[PlanCase], Solution]
Find = Callable[[Study], PowerResult]


def solve_for_chosen_test(case: PlanCase, solve: Solve, find: Find, runner: Runner) -> Solution:
    """The answer whose test is the one chosen at it.

    Solved for the test of a first guess; if another one is chosen at the answer, for that, and so on. Where two tests send
    the answer to each other, one of them takes over in between. Interrupted, the last that was solved stands.
    """
    guess = None if case.population.right_or_wrong else case.guess
    test = choices(case.population, FEWEST).test if guess is None else choices(guess.population, guess.items).test
    seen = dict[Procedure, Solution]()
    with runner.cut_short(lambda: bool(seen)):
        while test not in seen:
            try:
                seen[test] = solution = solve(replace(case, test=test))
            except Unsuitable:
                if case.items is not None or case.assurance is not None:
                    raise
                return _from_the_fewest(case, find)
            there = choices(solution.study.population, solution.items).test
            if there == test:
                return solution
            test = there
        if case.items is not None or case.assurance is not None:
            return solve(case)
        return _between_answers(case, {solution.items for solution in seen.values()}, find)
    return list(seen.values())[-1]


def _from_the_fewest(case: PlanCase, find: Find) -> Solution:
    """Where the search comes to so few items that the test chosen at more of them cannot be run: each number has its own."""
    items = ItemsAxis(case.study(FEWEST), case.power or 1.0, Budget())
    enough = round(items.value_at(items.start))
    while find(replace(case, items=enough).with_chosen_test().study(enough)).power < (case.power or 1.0):
        enough *= 2
    return _between_answers(case, {(FEWEST - 1) * case.population.unit, enough}, find)


def _between_answers(case: PlanCase, answers: set[int], find: Find) -> Solution:
    """The fewest items at which the test chosen there has the power, between answers that contradict each other."""
    unit = case.population.unit
    low, high = min(answers) // unit, max(answers) // unit

    def at(units: int) -> Solution:
        study = replace(case, items=units * unit).with_chosen_test().study(units * unit)
        return Solution(study, find(study), "items", units * unit)

    found = at(high)
    while high - low > 1:
        middle = at(math.ceil((low + high) / 2))
        if middle.result.power >= (case.power or 1.0):
            high, found = middle.items // unit, middle
        else:
            low = middle.items // unit
    return with_pilot_uncertainty(found)


SPARING = 4
"""Of how many replicates one is simulated at the ends of a band."""
NEARLY_NORMAL = 2_000
"""Items from which on the central limit theorem knows an end better than a thousand replicates."""
QUICK_REPLICATES = 1_000
"""Replicates of what is only looked at."""
OFTEN_WRONG = 0.01
"""The share of rejections with the wrong sign from which on power in either direction is not the power to find the effect."""


@dataclass(frozen=True, eq=False)
class Solver:
    """Answers one question at a time; powers that were asked for at given items are there already, found all together."""

    question: PlanQuestion
    runner: Runner
    known: dict[Study, PowerResult]
    seen: dict[str, tuple[tuple[Study, PowerResult], ...]] = field(default_factory=dict)
    """By their test, the studies that were simulated in the last search with it."""
    sparing: int = 1
    """Of how many replicates one is simulated, unless a number of them was asked for."""

    @classmethod
    def of(cls, cases: list[PlanCase], question: PlanQuestion, runner: Runner) -> "Solver":
        studies: dict[Budget, list[Study]] = {}
        for case in cases:
            if case.items is not None and case.power is None:
                study = case.study(case.items)
                studies.setdefault(question.effort(study), []).append(study)
        known = [powers_of(some, budget, runner) for budget, some in studies.items()]
        return cls(question, runner, {study: found for some in known for study, found in some.items()})

    def rows(self, cases: list[PlanCase]) -> tuple[PlanRow, ...]:
        """The answers one by one; when they are interrupted, those there are."""
        rows: list[PlanRow] = []
        with self.runner.cut_short(lambda: bool(rows)):
            for case in cases:
                rows.append(self._with_evidence(case))
                if self.runner.interrupted and case.solved_for != "power":
                    break
        return tuple(rows)

    def _with_evidence(self, case: PlanCase) -> PlanRow:
        if case.prior is None:
            return self.row(case)
        return evidence.solve_with_band(case, self.row, self._row_roughly)

    def _row_roughly(self, case: PlanCase, expected: PlanRow) -> PlanRow:
        """An end of the band: by a formula where that answered what is expected, else from fewer replicates."""
        fewer = self._with_fewer_replicates()
        simulated = expected.replicates is not None
        if expected.engine == "formula" or (simulated and expected.items >= NEARLY_NORMAL):
            with suppress(Unsuitable):
                return replace(fewer, question=replace(self.question, engine="formula")).row(case)
        return fewer.row(case)

    def _with_fewer_replicates(self) -> "Solver":
        """For the ends of what evidence leaves open, which are no more certain than it is."""
        return replace(self, sparing=SPARING, known={}, seen={})

    def row(self, case: PlanCase) -> PlanRow:
        solution = self.solution(case)
        row = _as_row(solution)
        if case.population.name in {"runs", "seeds"}:
            return replace(row, **package.run_fields(solution.study, self.question, case.power or USUAL_POWER))
        if not case.population.by_raters:
            return row
        return replace(row, **raters.rater_fields(solution.study, self.question))

    def solution(self, case: PlanCase) -> Solution:
        if case.power is None:
            return self._power_solution(case)
        if isinstance(case.test, Chosen):
            return solve_for_chosen_test(case, self._solved_case, self.power_at, self.runner)
        return self._solved_case(case)

    def _power_solution(self, case: PlanCase) -> Solution:
        assert case.items is not None
        study = case.study(case.items)
        return with_pilot_uncertainty(Solution(study, self.power_at(study)))

    def _solved_case(self, case: PlanCase) -> Solution:
        assert case.power is not None
        axis = case.axis(case.power, self.runner)
        budget = axis.budget = self._effort(axis.study_at(axis.start))
        solution = solve(axis)
        self.seen[str(case.test)] = solution.seen
        # Glances aside: they have fewer replicates.
        self.known.update({s: found for s, found in solution.seen if not budget.exceeds(found.replicates)})
        if case.assurance is None:
            return with_pilot_uncertainty(solution)
        return assured(solution, case.assurance, budget, self.runner)

    def power_at(self, study: Study) -> PowerResult:
        if study not in self.known:
            closed = closed_power(study, self.question.engine)
            self.known[study] = closed or power_of(study, self._effort(study), self.runner)
        return self.known[study]

    def quick_power(self, study: Study) -> PowerResult:
        """The power, from few replicates where it has to be simulated beside an answer that was not."""
        known = self.known.get(study) or closed_power(study, self.question.engine)
        if known is not None:
            return known
        effort = self._effort(study)
        fewer = replace(effort, replicates=min(effort.replicates, QUICK_REPLICATES), until=None)
        return power_of(study, fewer, self.runner)

    def formula_power(self, study: Study) -> PowerResult:
        """The power by a formula, beside an answer by one that holds for many items only."""
        return self.known.get(study) or power_of(study, Budget("formula"))

    def power_beside(self, study: Study, replicates: int | None) -> PowerResult | None:
        """The power from as many replicates, and thus the random numbers, of an answer. None after an interrupt."""
        effort, runner = self._effort(study), self.runner
        if replicates is not None:
            effort = replace(effort, engine="monte_carlo", replicates=replicates, until=None)
        with runner.unstored(), runner.cut_short(lambda: True):
            found = power_of(study, effort, runner)
        return None if runner.interrupted else found

    def _effort(self, study: Study) -> Budget:
        effort = self.question.effort(study)
        asked = self.question.replicates is not None
        return effort if asked else replace(effort, replicates=spared(effort.replicates, self.sparing))

    def half_effect(self, case: PlanCase, row: PlanRow) -> SmallerEffect | None:
        """The power at half the effect, rounded, and the exaggeration among its detections.

        None where the scores cannot have it, and where an interrupt came first: the answer itself is there.
        """
        half = float(f"{row.effect / 2.0:.{1 if case.solved_for == 'effect' else 4}g}")
        low, high = case.population.effect_range
        if self.runner.interrupted or not low < half < high:
            return None
        halved = replace(case, population=case.population.with_effect(half), items=row.items, power=None)
        with self.runner.cut_short(lambda: True):
            found = self.power_at(halved.with_chosen_test().study(row.items))
            return SmallerEffect(half, found.power, found.type_m)
        return None


def spared(replicates: int, sparing: int = SPARING) -> int:
    """The replicates of an end of the band, fewer than the answer's; with a few hundred, chance moves solved items by a fifth."""
    return max(replicates // sparing, min(replicates, QUICK_REPLICATES))


def _as_row(solution: Solution) -> PlanRow:
    study, found = solution.study, solution.result
    fields = {
        o.name: _plain_value(getattr(study.population, o.name))
        for o in options(type(study.population))
        if o.name != "effect"
    }
    return PlanRow(
        population=str(study.population),
        options=fields,
        test=str(study.test),
        choices=_chosen_shares(study),
        alpha=study.alpha,
        items=solution.items,
        stable_from=solution.stable_from,
        effect=solution.effect,
        power=found.power,
        power_low=found.low,
        power_high=found.high,
        engine=found.engine,
        replicates=found.replicates,
        type_s=found.type_s,
        type_m=found.type_m,
        power_right=_right_sign_power(found),
        solved_low=solution.low,
        solved_high=solution.high,
    )


def _right_sign_power(found: PowerResult) -> float | None:
    """The power in the direction of the effect, where it is not that in either."""
    if found.type_s is None or found.type_s <= OFTEN_WRONG:
        return None
    return found.power * (1.0 - found.type_s)


def _chosen_shares(study: Study) -> dict[str, float] | None:
    """Between which tests the choice falls, where it is planned for and not one of them."""
    return choices(study.population, study.items).spelled if isinstance(study.test, Chosen) else None


def _plain_value(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str, tuple)) else str(value)
