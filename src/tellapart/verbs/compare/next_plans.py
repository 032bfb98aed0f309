"""The plan that follows a comparison with runs or seeds: the numbers that were seen, for `plan runs` or `plan seeds`."""

import math

from tellapart.answers.comparison import Detectable, Repeats
from tellapart.answers.parts import NextPlan, SeedsResult

RUNS, SEEDS = (1, 2, 5, 10), (3, 5, 10)
"""Numbers of runs of each item, and of seeds, that are asked about."""


def next_plan(
    runs: Repeats | None, seeds: SeedsResult | None, items: int, detectable: Detectable | None
) -> NextPlan | None:
    """Runs or seeds for the effect that these items detect; None where that is not known, or neither varies."""
    if detectable is None:
        return None
    effect = _to_digits(detectable.effect, 2)
    if seeds is not None:
        return _plan_of_seeds(seeds, items, effect)
    # Of groups the same items met again are no runs: their parts of the variance are not known.
    return None if runs is None else _plan_of_runs(runs, effect)


def _plan_of_runs(found: Repeats, effect: float) -> NextPlan | None:
    """None where one run of an item told nothing about chance."""
    spreads = found.item_variance, found.within_item_variance_a, found.within_item_variance_b
    known = [one for one in spreads if one is not None]
    if len(known) < len(spreads) or not any(known):
        return None
    rates = found.disagreement_a, found.disagreement_b, found.discordance_one_run
    a, b, discordance = rates
    if a is None or b is None or discordance is None:
        numbers = dict(zip(("item_sd", "run_sd", "run_sd_b"), map(math.sqrt, known), strict=True))
    else:
        # Chance may have left items less room than any law does: then as little as there can be.
        discordance = max(discordance, 1.001 * (0.5 * (a + b) + effect * effect))
        numbers = {"discordance": discordance, "disagreement": a, "disagreement_b": b}
    return None if (discordance or 0.0) > 1.0 else _with_rounded("runs", numbers, {"runs": RUNS}, effect)


def _plan_of_seeds(found: SeedsResult, items: int, effect: float) -> NextPlan | None:
    """None where seeds are fixed, or nothing varies."""
    if found.sds is None or not any(found.sds.values()):
        return None
    both = {
        name: math.hypot(found.sds[f"{name}_a"], found.sds[f"{name}_b"]) / math.sqrt(2.0)
        for name in ("seed", "seed_item")
    }
    numbers = {"seed_sd": both["seed"], "item_sd": found.sds["item"], "seed_item_sd": both["seed_item"]}
    return _with_rounded("seeds", numbers, {"seeds": SEEDS, "items": (items,)}, effect)


def _with_rounded(
    population: str, numbers: dict[str, float], sizes: dict[str, tuple[int, ...]], effect: float
) -> NextPlan:
    return NextPlan(population, {name: _to_digits(value, 4) for name, value in numbers.items()}, sizes, effect)


def _to_digits(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")
