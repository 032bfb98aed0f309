"""Power of tests of a mean on very many items, where the mean is nearly normal and a simulation takes long.

The t ratio's law by its Edgeworth expansion: the noncentral t and one term for the skewness of the mean. The studentised
bootstrap knows that term, and moves its critical values by it. Hall (1992).
"""

import math
from collections.abc import Iterator
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
from tellapart.methods.significance.paired_t import PairedT
from tellapart.methods.significance.procedure import Procedure
from tellapart.numerics.moments import residual_sums
from tellapart.numerics.null_laws.noncentral_t import t_critical
from tellapart.numerics.null_laws.tails import density, sides, two_sided_quantile
from tellapart.planning.formula import by_t
from tellapart.planning.study import LEVEL, PowerResult, Study
from tellapart.planning.work import MANY
from tellapart.populations.noise import Noise
from tellapart.populations.population import Design, Population

DRAWN = 1 << 20
"""Random numbers from which the spread, the skewness and the kurtosis of a population are taken."""
STEEPEST = math.exp(-0.5) / math.sqrt(2.0 * math.pi)
"""The largest slope of the normal density, one standard deviation from its middle."""

Critical = Literal["t", "bootstrap", "both"]
"""Which critical values the t ratio has to pass: Student's, those that the bootstrap moves, or the farther of the two."""


@dataclass(frozen=True)
class Moments:
    """Of the units, which are items or sums over clusters, as so many drawn ones have them."""

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
    moments = _moments(study.population)
    if not moments.spread > 0.0:
        return None
    error = moments.spread / math.sqrt(study.items)
    found, *ends = (
        by_t(study, error * factor, units - 1.0)
        for factor in (1.0, 1.0 + moments.spread_error, 1.0 / (1.0 + moments.spread_error))
    )
    moved = list(_moved(study, error, units, moments.skewness / math.sqrt(units), critical))
    power = found.power + math.fsum(moved)
    # The term itself, the size of the next one, and what the drawn spread leaves open.
    off = math.fsum(map(abs, moved)) + max(abs(end.power - found.power) for end in ends)
    off += _next_term(_limit(study, units), moments, units)
    return replace(found, power=_share(power), low=_share(power - off), high=_share(power + off))


def _next_term(limit: float, moments: Moments, units: float) -> float:
    """How much the kurtosis can add: it spreads the limit times the estimated error, whose variance is limit² · kurtosis / 4 units."""
    variance = limit**2 * (abs(moments.kurtosis) + moments.skewness**2) / (4.0 * units)
    return 0.5 * variance * STEEPEST


def _limit(study: Study, units: float) -> float:
    """Student's critical value."""
    tails = sides(study.test.alternative) if study.test.claim == "difference" else 1.0
    return float(t_critical(units - 1.0, study.alpha / tails, "greater"))


def _share(power: float) -> float:
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
def _moments(population: Population) -> Moments:
    """From the same random numbers for every effect, so that power rises smoothly along it."""
    unit = math.ceil(population.usual_unit)
    numbers = max(population.width(object, Design(MANY * unit)) // (MANY * unit), 1)
    items = max(DRAWN // numbers // unit, 2) * unit
    noise = Noise.drawn(population.draws(Design(items)), 1, stream(0))
    sample = population.summary(Differences, noise)
    units = _units(sample)
    spread = math.sqrt(float(np.mean(units**2)) * len(units) / items)
    if not spread > 0.0:
        return Moments(0.0, 0.0, 0.0, len(units))
    standard = units / math.sqrt(float(np.mean(units**2)))
    return Moments(spread, float(np.mean(standard**3)), float(np.mean(standard**4)) - 3.0, len(units))


def _units(sample: Differences) -> FloatArray:
    """What each item, or cluster, adds to the sum of the deviations from the mean."""
    values = sample.values[0]
    if sample.clusters is None:
        return np.asarray(values - values.mean())
    return residual_sums(values, values.mean(), sample.clusters, sample.scale)


def _moved(study: Study, error: float, units: float, skewness: float, critical: Critical) -> Iterator[float]:
    """How much the skewness of the mean adds to the rejections on each side that counts."""
    limit = _limit(study, units)
    for side, distance in _distances(study):
        # Downwards it is the same, mirrored.
        yield _beyond(side * distance / error, limit, side * skewness, critical)


def _distances(study: Study) -> Iterator[tuple[float, float]]:
    """Each side on which the test rejects, with how far the true effect is from what it is held against there."""
    effect, test = study.population.known_effect, study.test
    margin = test.known_margin if isinstance(test, Margin) else 0.0
    two_sided = isinstance(test, Equivalence) or (
        test.alternative == "two-sided" and not isinstance(test, Margin)
    )
    if two_sided or test.alternative != "less":
        yield 1.0, effect + margin
    if two_sided or test.alternative == "less":
        yield -1.0, effect - margin


def _beyond(shift: float, limit: float, skewness: float, critical: Critical) -> float:
    """How much more often than the noncentral t a ratio around `shift` passes the limit on its upper side."""
    moved = 0.0 if critical == "t" else -skewness * (2.0 * limit**2 + 1.0) / 6.0
    if critical == "both":
        moved = max(moved, 0.0)
    there = limit - shift
    bent = -skewness * (limit * there / 2.0 - (there**2 - 1.0) / 6.0) * float(density(np.asarray(there)))
    return bent + float(special.ndtr(-there - moved) - special.ndtr(-there))
