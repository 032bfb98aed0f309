"""Plans of repeated runs and training seeds: the best number for given costs, and the power that more could reach."""

import math
from dataclasses import replace
from typing import Any

from scipy import special

from tellapart.compute.work import Budget
from tellapart.foundation.errors import UsageError
from tellapart.foundation.formatting import significant
from tellapart.foundation.surfaces import option
from tellapart.numerics.k_samples import RunSummary
from tellapart.numerics.null_laws.noncentral_t import t_items
from tellapart.planning.power import power_of
from tellapart.planning.study import Study
from tellapart.populations import Population
from tellapart.populations.from_evidence import Incomplete
from tellapart.populations.runs import RepeatedRuns
from tellapart.populations.seeds import Seeds
from tellapart.verbs.plan.case import USUAL_POWER
from tellapart.verbs.plan.question import PlanQuestion, several
from tellapart.verbs.plan.seeds import seeds_ceiling


def with_one_run(population: Incomplete) -> RepeatedRuns:
    """The population with one run of each item, where more of them are looked for; of pass@k with k."""
    given = dict(population.given)
    summary = given.get("runs_as")
    return RepeatedRuns(**{**given, "runs": 1 if summary is None else RunSummary.parse(summary).k})


def with_best_runs(one_run: Population, question: PlanQuestion) -> RepeatedRuns:
    """The population with as many runs as are best for the prices, or as few as find the effect on as many items as there are."""
    assert isinstance(one_run, RepeatedRuns)
    if question.most_items is not None:
        return one_run.replace(runs=_fewest_runs(one_run, question.most_items, question))
    if question.cost_run is None:
        raise UsageError(
            f"how many runs are best depends on their price; give {option('runs')}, or {option('cost_run')} (of one run of both systems on an item) and "
            f"{option('cost_item')}"
        )
    known = one_run if one_run.effect is not None else one_run.with_effect(0.0)
    candidates = [known.replace(runs=runs) for runs in range(known.runs, max(question.most_runs, known.runs) + 1)]
    errors = [_error_for_cost(one, question) for one in candidates]
    # Of ties, which rounding would break, the fewest runs.
    best = next(one for one, error in zip(candidates, errors, strict=True) if error <= min(errors) * (1.0 + 1e-9))
    return one_run.replace(runs=best.runs)


def _error_for_cost(population: RepeatedRuns, question: PlanQuestion) -> float:
    """The variance of the effect on whole items that the budget pays for; without a budget, on as many as one unit of it pays for."""
    each = cost_of_item(population, question)
    if each == 0.0:
        return population.sd_difference**2
    items = math.inf if question.budget is None else question.budget // each
    paid = items if 0 < items < math.inf else 1.0 / each
    return population.sd_difference**2 / paid


def _fewest_runs(one_run: RepeatedRuns, items: int, question: PlanQuestion) -> int:
    """By the normal law; refused where endless runs would not do."""
    power = USUAL_POWER if question.power is None else float(several(question.power)[0])
    reach = special.ndtri(1.0 - 0.5 * question.level) + special.ndtri(power)
    own, effect = one_run.item_variance, one_run.known_effect
    enough = items * (effect / reach) ** 2
    if enough <= own:
        needed = math.ceil(own * (reach / effect) ** 2)
        raise UsageError(
            f"{items} items find {significant(reach * math.sqrt(own / items))} at best, whatever the runs; {effect:g} takes {needed:,}"
        )
    runs = range(one_run.runs, question.most_runs + 1)
    found = next((k for k in runs if one_run.replace(runs=k).sd_difference ** 2 <= enough), None)
    if found is None:
        raise UsageError(
            f"{items} items find an effect of {effect:g} with more than {question.most_runs} runs only; give more items, or a larger {option('most_runs')}"
        )
    return found


def items_for_budget(population: Population, question: PlanQuestion) -> PlanQuestion:
    """The question with the items that the budget pays for."""
    assert isinstance(population, RepeatedRuns)
    if question.items is not None:
        raise UsageError(f"the budget says how many items there are; leave {option('items')} or {option('budget')} out")
    each = cost_of_item(population, question)
    items = int(question.budget // each) if question.budget is not None and each > 0.0 else 0
    if items < 2:
        raise UsageError(
            f"a budget of {question.budget:g} does not pay for two items with {population.runs} runs, which cost {2.0 * each:g}; give a larger one"
            if each > 0.0
            else f"items and runs cost nothing, so any number is affordable; give {option('cost_item')} or {option('cost_run')}"
        )
    return replace(question, items=items)


def cost_of_item(population: RepeatedRuns, question: PlanQuestion) -> float:
    """What one item costs with its runs; a run of unlike numbers is counted as their mean."""
    runs = 0.5 * sum(population.runs_of_each)
    return (question.cost_item or 0.0) + runs * (question.cost_run or 0.0)


def run_fields(study: Study, question: PlanQuestion, power: float) -> dict[str, Any]:
    """The cost of a row, and what endless runs, or endless items with these seeds, would reach."""
    population = study.population
    if isinstance(population, Seeds):
        return {"ceiling_items": seeds_ceiling(population, study.test, study.alpha)}
    assert isinstance(population, RepeatedRuns)
    priced = question.cost_run is not None or question.cost_item is not None
    endless_sd = math.sqrt(population.item_variance)
    found: dict[str, Any] = {"cost": study.items * cost_of_item(population, question) if priced else None}
    if study.test.claim != "difference":
        return found
    if endless_sd == 0.0:
        return found | {"ceiling_runs": 1.0, "items_endless_runs": 2}
    scores = RepeatedRuns(effect=population.effect, item_sd=endless_sd, run_sd=0.0, runs=1)
    ceiling = power_of(Study(scores, study.test, study.items, study.alpha), Budget()).power
    needed = t_items(population.known_effect, endless_sd, power, study.alpha, study.test.alternative)[1]
    return found | {
        "ceiling_runs": ceiling,
        "items_endless_runs": int(needed) if math.isfinite(float(needed)) else None,
    }
