"""Items or an effect solved for the test that `compare` will choose there: which test that is depends on the answer."""

import math
from collections.abc import Callable
from dataclasses import replace

from tellapart.errors import Unsuitable
from tellapart.planning.budget import Budget
from tellapart.planning.items_axis import ItemsAxis
from tellapart.planning.solve import Solution
from tellapart.planning.study import PowerResult, Study
from tellapart.planning.uncertainty import with_pilot_uncertainty
from tellapart.populations.design import FEWEST
from tellapart.significance import Procedure
from tellapart.verbs.plan.ask import Ask
from tellapart.verbs.plan.choices import choices
from tellapart.workers import Runner

Solve = Callable[[Ask], Solution]
Find = Callable[[Study], PowerResult]


def solved_as_chosen(ask: Ask, solve: Solve, find: Find, runner: Runner) -> Solution:
    """The answer whose test is the one chosen at it.

    Solved for the test of a first guess; if another one is chosen at the answer, for that, and so on. Where two tests send
    the answer to each other, one of them takes over in between. Interrupted, the last that was solved stands.
    """
    test, seen = choices(ask.guess.population, ask.guess.items).test, dict[Procedure, Solution]()
    with runner.cut_short(lambda: bool(seen)):
        while test not in seen:
            try:
                seen[test] = solution = solve(replace(ask, test=test))
            except Unsuitable:
                if ask.items is not None or ask.assurance is not None:
                    raise
                return _from_the_fewest(ask, find)
            there = choices(solution.study.population, solution.items).test
            if there == test:
                return solution
            test = there
        if ask.items is not None or ask.assurance is not None:
            return solve(ask)
        return _between(ask, {solution.items for solution in seen.values()}, find)
    return list(seen.values())[-1]


def _from_the_fewest(ask: Ask, find: Find) -> Solution:
    """Where the search comes to so few items that the test chosen at more of them cannot be run: each number has its own."""
    items = ItemsAxis(ask.study(FEWEST), ask.power or 1.0, Budget())
    enough = round(items.value_at(items.start))
    while find(replace(ask, items=enough).as_chosen().study(enough)).power < (ask.power or 1.0):
        enough *= 2
    return _between(ask, {(FEWEST - 1) * ask.population.unit, enough}, find)


def _between(ask: Ask, answers: set[int], find: Find) -> Solution:
    """The fewest items at which the test chosen there has the power, between answers that contradict each other."""
    unit = ask.population.unit
    low, high = min(answers) // unit, max(answers) // unit

    def at(units: int) -> Solution:
        study = replace(ask, items=units * unit).as_chosen().study(units * unit)
        return Solution(study, find(study), "items", units * unit)

    found = at(high)
    while high - low > 1:
        middle = at(math.ceil((low + high) / 2))
        if middle.result.power >= (ask.power or 1.0):
            high, found = middle.items // unit, middle
        else:
            low = middle.items // unit
    return with_pilot_uncertainty(found)
