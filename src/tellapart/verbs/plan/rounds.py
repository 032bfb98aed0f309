"""How many simulations as long as the one under way a plan will make, before it has made them."""

from tellapart.planning.simulated_root import FEW
from tellapart.planning.study import Study
from tellapart.significance import Procedure
from tellapart.verbs.plan.ask import Ask
from tellapart.verbs.plan.question import PlanQuestion
from tellapart.verbs.plan.solver import SPARING

PLACES, SLOW_PLACES = 11.0, 4.0
"""Numbers of items, or effects, that a search simulates until it has the answer, half the effect among them; the second of a test that
resamples, which looks at few in full."""
COUNTED, SLOW_COUNTED = 16.0, 12.0
"""The same where so few items are enough that each number is looked at."""
ENDS = 2
"""Of the band that evidence leaves open, each a search of its own."""


def rounds(asks: list[Ask], under_way: Study, question: PlanQuestion) -> float:
    """Every ask is a search of its own, which goes from place to place; one on half the items takes half as long."""
    searched = [ask for ask in asks if ask.power is not None]
    alike = [ask for ask in searched if ask.test == under_way.test] or searched
    return sum(_places(ask, under_way, question) for ask in alike) or 1.0


def _places(ask: Ask, under_way: Study, question: PlanQuestion) -> float:
    items = ask.guess.items
    ends = 0.0 if ask.population.supposed is None else ENDS / (1 if question.replicates else SPARING)
    return _simulated(items // ask.population.unit, under_way.test) * (1.0 + ends) * items / under_way.items


def _simulated(units: int, test: Procedure) -> float:
    if units <= FEW:
        return SLOW_COUNTED if test.resampling else COUNTED
    return SLOW_PLACES if test.resampling else PLACES
