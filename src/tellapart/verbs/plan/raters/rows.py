"""Rater columns in the rows of a plan: raters, ratings, cost, and the limits of more raters or items."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tellapart.answers.parts import Note
from tellapart.compute.work import Budget
from tellapart.data.summaries.rater_samples import ByRaters
from tellapart.foundation.errors import UsageError
from tellapart.foundation.formatting import percent
from tellapart.foundation.quantities import MOST_TOGETHER
from tellapart.foundation.surfaces import option
from tellapart.methods.significance import Procedure
from tellapart.planning.power import power_of
from tellapart.planning.raters import fewest_raters, items_ceiling, raters_ceiling
from tellapart.planning.study import Study
from tellapart.populations import Population
from tellapart.populations.ordinal import Ordinal
from tellapart.populations.pilot_ratings import PilotRatings
from tellapart.populations.rating_designs import PAIRED, RATERS_APART, SPREADS
from tellapart.populations.ratings import RatedSystems
from tellapart.verbs.plan.choices import CHOSEN
from tellapart.verbs.plan.question import PlanQuestion

ON_STEPS = 0.05
"""How much the power of ratings on steps with endless items may lie above that of the ratings before they were cut: less than so much
where both were simulated."""
LOOKED = 2_000
"""Simulated evaluations of equal systems, where a test averages over raters."""


def rater_fields(study: Study, question: PlanQuestion) -> dict[str, Any]:
    """Raters, ratings and their cost, and how far more items or more raters would go."""
    population = study.population
    assert isinstance(population, RatedSystems | Ordinal)
    ratings = population.ratings(study.items)
    counted = {
        "raters": population.raters,
        "ratings": ratings,
        "cost": question.prices.cost(ratings, study.items, population.raters) if question.priced else None,
    }
    return counted | (_row_limits(population, study) if isinstance(population, RatedSystems) else {})


def raters_of(population: Population) -> int:
    assert isinstance(population, RatedSystems | Ordinal)
    return population.raters


def with_raters(population: Population, items: int, multiples: tuple[float, ...]) -> Iterator[Population]:
    """The ratings with fewer and more raters, as far as the design allows and raters share the items equally."""
    if not isinstance(population, RatedSystems):
        return
    step = 1 if population.design == PAIRED else 2
    least = max(4 if population.design in RATERS_APART else 2, population.per_item or 0)
    for raters in sorted({round(population.raters * by / step) * step for by in multiples}):
        if least <= raters <= MOST_TOGETHER and items % (other := population.replace(raters=raters)).unit == 0:
            yield other


def averages_raters(test: Procedure) -> bool:
    """Whether a test sees averages over raters, as if no others were meant."""
    return test != CHOSEN and not issubclass(test.needs, ByRaters)


def averaging_note(study: Study) -> Iterator[Note]:
    """How often such a test finds a difference that is none: other raters would differ."""
    if averages_raters(study.test) and study.test.claim == "difference":
        equal = power_of(study.with_effect(0.0), Budget(replicates=LOOKED))
        yield Note("averages_raters", {"test": str(study.test), "size": equal.power, "alpha": study.alpha})


def _row_limits(population: RatedSystems, study: Study) -> dict[str, Any]:
    if averages_raters(study.test):
        return {}
    limited = study.test.claim == "difference" and study.alpha < 0.5
    return {
        "df": population.precision(study.items).df,
        "ceiling_items": items_ceiling(study) if limited else None,
        "ceiling_raters": raters_ceiling(study) if limited else None,
    }


def check_reachable(study: Study, power: float) -> None:
    """No number of items makes up for too few raters."""
    slack = 0.0
    if isinstance(study.population, Ordinal):
        study, slack = replace(study, population=study.population.inner), ON_STEPS
    population = study.population
    if (
        not isinstance(population, RatedSystems)
        or averages_raters(study.test)
        or study.test.claim != "difference"
        or study.alpha >= 0.5
    ):
        return
    most = items_ceiling(study)
    if most + slack >= power:
        return
    enough = fewest_raters(study, power)
    others = "and no number of raters reaches" if enough is None else f"{enough} could reach"
    raise UsageError(
        f"{population.raters} raters reach at most {percent(round(most, 3))} power, whatever the items; {others} {percent(power)}. "
        f"Give more {option('raters')}, or ask for a larger effect"
    )


def pilot_note(population: Population) -> Iterator[Note]:
    """The source of the spreads, and those that it could not estimate."""
    if isinstance(population, PilotRatings):
        spreads = {name: getattr(population, name) for name in SPREADS}
        fitted = {"raters": population.pilot_raters, "items": population.pilot_items}
        yield Note("spreads_of_pilot_ratings", {**fitted, "spreads": spreads})
