"""Search for the rating design with the most power for a budget, or the lowest cost for a power."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from tellapart.answers.plan import DesignForCost, SearchedDesigns
from tellapart.data.summaries.rater_samples import ByRaters
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option
from tellapart.methods.significance import Procedure
from tellapart.planning.rater_designs import RaterDesign
from tellapart.planning.rater_search import RaterSearch
from tellapart.planning.study import FEWER
from tellapart.populations import Population
from tellapart.populations.from_evidence import Incomplete
from tellapart.populations.pilot_ratings import PilotRatings
from tellapart.populations.rating_designs import PAIRED
from tellapart.populations.ratings import RatedSystems
from tellapart.verbs.plan.case import USUAL_POWER, PlanCase
from tellapart.verbs.plan.choices import choices
from tellapart.verbs.plan.question import PlanQuestion, several

SMALLEST = 2
"""Raters, and items, of the smallest crossing there is."""

AROUND = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Multiples of a cost for which the strongest designs are looked up."""
QUICK_RATERS, FEWEST = 30, 300
"""Raters up to which a thousand fits are a matter of half a second, and the replicates that are left with very many."""


def is_searched(populations: list[Population], question: PlanQuestion) -> bool:
    """Whether the number of raters is what is asked for."""
    open_raters = any(isinstance(one, Incomplete) and "raters" in one.lacking for one in populations)
    return question.budget is not None or open_raters


def searched(populations: list[Population], question: PlanQuestion) -> tuple[list[PlanCase], SearchedDesigns]:
    """The best design and, where it is another, the best full crossing, each as a question about its power; and what was searched."""
    _check_searchable(populations, question)
    search = _rater_search(populations, question)
    power = None if question.budget is not None else _wanted_power(question)
    if question.budget is not None:
        _check_budget(search, question.budget)
        best, crossed = search.strongest(question.budget)
    else:
        best, crossed = search.cheapest(power or USUAL_POWER)
    if best is None:
        raise UsageError(
            f"no design of up to {max(search.raters)} raters reaches {power:g} power; give more {option('most_raters')}, or a larger effect"
        )
    chosen = [best] if crossed is None or crossed == best else [best, crossed]
    prices = question.prices
    told = SearchedDesigns(
        question.budget,
        power,
        prices.rating,
        prices.item,
        prices.rater,
        min(search.raters),
        max(search.raters),
        tuple(_for_costs(search, question.budget or best.cost, chosen)),
    )
    return [_ask(search, populations, design) for design in chosen], told


def _for_costs(search: RaterSearch, cost: float, chosen: list[RaterDesign]) -> Iterator[DesignForCost]:
    """From the lowest cost up, those that were chosen among them; one that costs no more and finds no less stands for both."""
    beside = search.for_costs(by * cost for by in AROUND)
    designs = sorted({*chosen, *beside}, key=lambda one: (one.kind, one.cost, -one.power))
    best: dict[str, float] = {}
    for one in designs:
        if one.power > best.get(one.kind, 0.0):
            best[one.kind] = one.power
            yield DesignForCost(one.kind, one.cost, one.raters, one.per_item, one.items, one.power)


def with_fewer_replicates(question: PlanQuestion, cases: list[PlanCase]) -> PlanQuestion:
    """The question with fewer replicates unless their number is given: a search is often repeated.

    A fit takes longer the more raters there are.
    """
    if question.replicates is not None:
        return question
    raters = max(QUICK_RATERS, *(getattr(case.population, "raters", 0) for case in cases))
    return replace(question, replicates=max(FEWEST, FEWER * QUICK_RATERS // raters))


def _check_searchable(populations: list[Population], question: PlanQuestion) -> None:
    first = populations[0]
    if not isinstance(first, RatedSystems) and not _is_incomplete(first):
        raise UsageError(
            f"{option('budget')} is for ratings, and {first.name} is planned; leave it out, or plan ratings"
        )
    if first.effect is None or any(one.effect != first.effect for one in populations):
        raise UsageError(f"a search for a design needs one effect to find; give {option('effect')}")
    if question.items is not None and question.budget is None:
        raise UsageError(
            f"without {option('raters')} both raters and items are searched for; give {option('raters')}, or leave {option('items')} out"
        )
    if question.items is not None:
        raise UsageError(
            f"items are searched for; leave {option('items')} out, or give {option('raters')} and no {option('budget')}"
        )
    if question.budget is not None and question.power is not None:
        raise UsageError("give a budget to find the most power for it, or a power to find the lowest cost; not both")
    if _rating_option(first, "design") not in {None, PAIRED}:
        raise UsageError(f"a search is over designs whose raters rate both systems; leave {option('design')} out")


def _wanted_power(question: PlanQuestion) -> float:
    given = several(question.power)
    if len(given) > 1:
        raise UsageError("a search has one power to reach; run it once per power")
    return USUAL_POWER if given[0] is None else float(given[0])


def _rater_search(populations: list[Population], question: PlanQuestion) -> RaterSearch:
    first = populations[0]
    given = sorted({count for one in populations if (count := _given_raters(one)) is not None})
    raters = tuple(given) or tuple(range(SMALLEST, question.most_raters + 1))
    population = _ratings_with_raters(first, raters[0], None).with_numbers
    assert isinstance(population, RatedSystems)
    prices = question.prices
    if prices.rating == 0.0 and prices.item == 0.0:
        raise UsageError(
            f"ratings and items cost nothing, so any number is affordable; give {option('cost_rating')} or {option('cost_item')}"
        )
    return RaterSearch(population, _test_for(question), question.level, prices, raters)


def _given_raters(population: Population) -> int | None:
    """The number of raters that somebody gave; that of a pilot is only where its spreads come from."""
    if isinstance(population, PilotRatings) and population.raters == population.pilot_raters:
        return None
    raters: int | None = _rating_option(population, "raters")
    return raters


def _test_for(question: PlanQuestion) -> Callable[[RatedSystems, int], Procedure]:
    """The test of a design: the one that was named, else what `compare` will choose there."""
    named = several(question.test)[0]
    if named is None:
        return lambda population, items: choices(population, items).test
    test = Procedure.parse(named)
    if not issubclass(test.needs, ByRaters) or test.claim != "difference":
        raise UsageError(f"a search uses tests of raters and items, and {test} is not one; leave {option('test')} out")
    return lambda population, items: test  # noqa: ARG005  (whatever the design)


def _is_incomplete(population: Population) -> bool:
    return isinstance(population, Incomplete) and population.kind is RatedSystems


def _rating_option(population: Population, name: str) -> Any:
    """An option of ratings, whether complete or not; None where it is not given."""
    return population.given.get(name) if isinstance(population, Incomplete) else getattr(population, name, None)


def _ratings_with_raters(population: Population, raters: int, per_item: int | None) -> Population:
    """The ratings with this many raters, and the evidence for their spreads."""
    if isinstance(population, Incomplete):
        per_item = None if per_item == raters else per_item
    return population.replace(raters=raters, per_item=per_item)


def _check_budget(search: RaterSearch, budget: float) -> None:
    prices, least = search.prices, search.raters[0]
    cost = 2 * SMALLEST * least * prices.rating + SMALLEST * prices.item + least * prices.rater
    if cost > budget:
        raise UsageError(
            f"a budget of {budget:g} does not pay for {least} raters on {SMALLEST} items, which cost {cost:g}; give a larger one"
        )


def _ask(search: RaterSearch, populations: list[Population], design: RaterDesign) -> PlanCase:
    per_item = None if design.crossed else design.per_item
    population = _ratings_with_raters(populations[0], design.raters, per_item)
    rated = population.with_numbers
    assert isinstance(rated, RatedSystems)
    test = search.test_for(rated, design.items)
    return PlanCase.of(population, test, items=design.items, power=None, alpha=search.alpha).checked()
