"""Power that is nearly that of a closed form: the noncentral t of differences that are not normal, and normal laws of counts."""

import math
from collections.abc import Callable
from dataclasses import replace

from tellapart.methods.significance.mcnemar import McNemar
from tellapart.numerics.null_laws.noncentral_t import t_power
from tellapart.numerics.null_laws.proportions import connett_power, two_proportion_power
from tellapart.planning.formula import by_t
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.confusion import Confusion
from tellapart.populations.delta_laplace import DeltaLaplace
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.proportions import Proportions

FEWEST_DIFFERING = 300
"""Items that contribute to a difference from which on its mean is so near to normal that the noncentral t will do."""
USUAL_LEVEL, OFF, OFF_BELOW = 0.05, 2.0, 4.0
"""How far that is off, times their number: at the usual level and above it, and below it. Measured from 300 of them up, with no
zeros and with 97 % of them, at levels from 0.05 to 0.001: at most 2 and 3.9."""


def nearly_normal(study: Study, *, approximate: bool) -> PowerResult | None:
    """The noncentral t of differences that are not normal, with how far it can be off; too few of them are simulated."""
    population = study.population
    assert isinstance(population, DeltaLaplace)
    differing = (1.0 - population.zero_share) * study.items
    if differing < FEWEST_DIFFERING and not approximate:
        return None
    found = by_t(study, population.sd_difference / math.sqrt(study.items), study.items - 1.0)
    off = (OFF if study.alpha >= USUAL_LEVEL else OFF_BELOW) / differing
    return replace(found, low=max(found.power - off, 0.0), high=min(found.power + off, 1.0))


def _connett(study: Study) -> float | None:
    test, population = study.test, study.population
    assert isinstance(test, McNemar)
    assert isinstance(population, PairedBinary)
    if test.variant != "asymptotic":
        return None
    share = sum(population.discordant_probabilities())
    return float(connett_power(study.items, share, population.known_effect, study.alpha, test.alternative))


def _eight_cells(study: Study) -> float:
    """The normal law with the spread that the gradient of the metric gives."""
    population = study.population
    assert isinstance(population, Confusion)
    ratio = population.known_effect * math.sqrt(study.items) / population.sd_difference
    return float(t_power(ratio, math.inf, study.alpha, study.test.alternative))


def _two_proportions(study: Study) -> float | None:
    population = study.population
    assert isinstance(population, Proportions)
    return float(
        two_proportion_power(study.items, *population.accuracies, study.alpha, study.test.alternative)
    )


APPROXIMATIONS: dict[tuple[str | None, str | None], Callable[[Study], float | None]] = {
    ("mcnemar", "paired_binary"): _connett,
    ("two_proportion_z", "proportions"): _two_proportions,
    ("paired_t", "confusion"): _eight_cells,
}
