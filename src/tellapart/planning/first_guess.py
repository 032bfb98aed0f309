"""What a z test would need, where a search begins: how far an effect is from what cannot be found, and how far items spread."""

import math

import numpy as np

from tellapart.planning.study import Study
from tellapart.populations.population import Population
from tellapart.seeds import stream
from tellapart.summaries import contributions

LOOK = 500
"""Items, or clusters of them, drawn to see the spread of a population that cannot say it: within 7 %, and a search that
begins there has brackets of 25 %."""


def distance_to_claim(study: Study) -> float:
    """How far the true effect is from where the test could not find it: from 0, or from the margin."""
    test, effect = study.test, study.population.known_effect
    if test.claim == "difference":
        return abs(effect)
    from tellapart.significance.margins import Equivalence, NonInferiority  # noqa: PLC0415  (few plans are about a margin)

    if isinstance(test, Equivalence):
        return test.known_margin - abs(effect)
    if isinstance(test, NonInferiority):
        return test.known_margin + (-effect if test.alternative == "less" else effect)
    return abs(effect)


def item_spread(population: Population) -> float:
    """The standard deviation of an item's difference, such that a mean of independent clusters has it over √items."""
    known = population.sd_difference
    # Without any spread every unit will do, for a search only begins there; whole rounds of raters would hide how raters spread.
    if known is not None and (population.unit == 1 or population.by_raters):
        return known or 1.0
    drawn = population.draw(LOOK * population.unit, 1, stream(0))
    a, b = (contributions(scores, population.metric) for scores in (drawn.a, drawn.b))
    differences = (b - a).reshape(LOOK, population.unit)
    return float(np.std(differences.mean(axis=1)) * math.sqrt(population.unit)) or 1.0
