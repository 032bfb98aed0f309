"""Approximate power: the noncentral t of nearly normal differences, normal laws of counts, and the central limit theorem."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy import special

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.bootstrap import Bootstrap
from tellapart.methods.significance.both import Both
from tellapart.methods.significance.cluster_t import ClusterT
from tellapart.methods.significance.margins import Equivalence, Margin
from tellapart.methods.significance.mcnemar import McNemar
from tellapart.methods.significance.paired_t import PairedT
from tellapart.methods.significance.procedure import Procedure
from tellapart.numerics.moments import residual_sums
from tellapart.numerics.null_laws.noncentral_t import t_critical, t_power
from tellapart.numerics.null_laws.proportions import connett_power, two_proportion_power
from tellapart.numerics.null_laws.tails import density, sides, two_sided_quantile
from tellapart.planning.formula import by_t
from tellapart.planning.study import LEVEL, MANY, PowerResult, Study
from tellapart.populations.confusion import Confusion
from tellapart.populations.delta_laplace import DeltaLaplace
from tellapart.populations.noise import Noise
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.population import Design, Population
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
    return float(two_proportion_power(study.items, *population.accuracies, study.alpha, study.test.alternative))


APPROXIMATIONS: dict[tuple[str | None, str | None], Callable[[Study], float | None]] = {
    ("mcnemar", "paired_binary"): _connett,
    ("two_proportion_z", "proportions"): _two_proportions,
    ("paired_t", "confusion"): _eight_cells,
}


# Power of tests of a mean on very many items, where the mean is nearly normal and a simulation takes long.

DRAWN = 1 << 20
"""Random numbers from which the spread, the skewness and the kurtosis of a population are taken."""
STEEPEST = math.exp(-0.5) / math.sqrt(2.0 * math.pi)
"""The largest slope of the normal density, one standard deviation from its middle."""

Critical = Literal["t", "bootstrap", "both"]
"""Which critical values the t ratio has to pass: Student's, those that the bootstrap moves, or the farther of the two."""


@dataclass(frozen=True)
class Moments:
    """Moments of the units, items or sums over clusters."""

    spread: float
    """The standard deviation of a mean times the root of its number of items."""
    skewness: float
    kurtosis: float
    """0 for a normal law."""
    units: int

    @property
    def spread_error(self) -> float:
        """How far the spread can be off, in parts of it."""
        return two_sided_quantile(LEVEL) * math.sqrt((self.kurtosis + 2.0) / (4.0 * self.units))


def by_central_limit(study: Study) -> PowerResult | None:
    """The power with how far it can be off; None for a test that is not of a mean, and on a population whose units it does not see."""
    critical = _critical(study)
    units = study.items / study.population.usual_unit
    if critical is None or units < 2.0:
        return None
    moments = _population_moments(study.population)
    if not moments.spread > 0.0:
        return None
    error = moments.spread / math.sqrt(study.items)
    found, *ends = (
        by_t(study, error * factor, units - 1.0)
        for factor in (1.0, 1.0 + moments.spread_error, 1.0 / (1.0 + moments.spread_error))
    )
    moved = list(_skewness_shifts(study, error, units, moments.skewness / math.sqrt(units), critical))
    power = found.power + math.fsum(moved)
    # The term itself, the size of the next one, and what the drawn spread leaves open.
    off = math.fsum(map(abs, moved)) + max(abs(end.power - found.power) for end in ends)
    off += _next_term(_critical_t(study, units), moments, units)
    return replace(
        found, power=_clipped_share(power), low=_clipped_share(power - off), high=_clipped_share(power + off)
    )


def _next_term(limit: float, moments: Moments, units: float) -> float:
    """How much the kurtosis can add: it spreads the limit times the estimated error, whose variance is limit² · kurtosis / 4 units."""
    variance = limit**2 * (abs(moments.kurtosis) + moments.skewness**2) / (4.0 * units)
    return 0.5 * variance * STEEPEST


def _critical_t(study: Study, units: float) -> float:
    """Student's critical value."""
    tails = sides(study.test.alternative) if study.test.claim == "difference" else 1.0
    return float(t_critical(units - 1.0, study.alpha / tails, "greater"))


def _clipped_share(power: float) -> float:
    return min(max(power, 0.0), 1.0)


def _critical(study: Study) -> Critical | None:
    test = study.test
    clustered = study.population.usual_unit > 1
    if test.name == "chosen":
        # On each evaluation one of them, and both have the lower power: by less than is said to be open.
        return "both"
    if isinstance(test, Margin):
        return "t" if _is_t(test.test, clustered=clustered) else None
    if isinstance(test, Both):
        first, second = test.two
        return "both" if _is_t(first, clustered=clustered) and _is_studentised(second) else None
    return "t" if _is_t(test, clustered=clustered) else "bootstrap" if _is_studentised(test) else None


def _is_t(test: Procedure, *, clustered: bool) -> bool:
    return isinstance(test, ClusterT if clustered else PairedT)


def _is_studentised(test: Procedure) -> bool:
    return isinstance(test, Bootstrap) and test.kind == "studentised"


@lru_cache(maxsize=64)
def _population_moments(population: Population) -> Moments:
    """From the same random numbers for every effect, so that power rises smoothly along it."""
    unit = math.ceil(population.usual_unit)
    numbers = max(population.width(object, Design(MANY * unit)) // (MANY * unit), 1)
    items = max(DRAWN // numbers // unit, 2) * unit
    noise = Noise.drawn(population.draws(Design(items)), 1, stream(0))
    sample = population.summary(Differences, noise)
    units = _unit_deviations(sample)
    spread = math.sqrt(float(np.mean(units**2)) * len(units) / items)
    if not spread > 0.0:
        return Moments(0.0, 0.0, 0.0, len(units))
    standard = units / math.sqrt(float(np.mean(units**2)))
    return Moments(spread, float(np.mean(standard**3)), float(np.mean(standard**4)) - 3.0, len(units))


def _unit_deviations(sample: Differences) -> FloatArray:
    """The contribution of each item or cluster to the sum of deviations from the mean."""
    values = sample.values[0]
    if sample.clusters is None:
        return np.asarray(values - values.mean())
    return residual_sums(values, values.mean(), sample.clusters, sample.scale)


def _skewness_shifts(study: Study, error: float, units: float, skewness: float, critical: Critical) -> Iterator[float]:
    """How much the skewness of the mean adds to the rejections on each side that counts."""
    limit = _critical_t(study, units)
    for side, distance in _distances(study):
        # Downwards it is the same, mirrored.
        yield _more_beyond(side * distance / error, limit, side * skewness, critical)


def _distances(study: Study) -> Iterator[tuple[float, float]]:
    """Each side on which the test rejects, with how far the true effect is from what it is held against there."""
    effect, test = study.population.known_effect, study.test
    margin = test.known_margin if isinstance(test, Margin) else 0.0
    two_sided = isinstance(test, Equivalence) or (test.alternative == "two-sided" and not isinstance(test, Margin))
    if two_sided or test.alternative != "less":
        yield 1.0, effect + margin
    if two_sided or test.alternative == "less":
        yield -1.0, effect - margin


def _more_beyond(shift: float, limit: float, skewness: float, critical: Critical) -> float:
    """How much more often than the noncentral t a ratio around `shift` passes the limit on its upper side."""
    moved = 0.0 if critical == "t" else -skewness * (2.0 * limit**2 + 1.0) / 6.0
    if critical == "both":
        moved = max(moved, 0.0)
    there = limit - shift
    bent = -skewness * (limit * there / 2.0 - (there**2 - 1.0) / 6.0) * float(density(np.asarray(there)))
    return bent + float(special.ndtr(-there - moved) - special.ndtr(-there))
