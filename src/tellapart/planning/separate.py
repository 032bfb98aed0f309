"""Power where systems answer different items, right or wrong: every pair of counts, summed."""

from typing import Protocol, runtime_checkable

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray, IntArray
from tellapart.decision import rejects
from tellapart.distributions.rejections import Rejections
from tellapart.planning.error_rates import from_rejections
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.design import FEWEST
from tellapart.seeds import stream
from tellapart.significance.procedure import Procedure
from tellapart.summaries import Proportion, SeparateCounts

ENGINE = "exact"
DEVIATIONS, COUNTS = 9.2, 45.0
"""Standard deviations, and counts, around the mean of a binomial that hold all but 1e-18 of it."""
MOST_TABLES = 1 << 22
"""Pairs of counts that are summed within a second or so; beyond, power is simulated."""
AROUND = 24
"""Numbers of items looked at on each side of one, for teeth that one count more or less makes."""


@runtime_checkable
class KnowsAccuracies(Protocol):
    """A population of right or wrong answers that are independent within and between systems."""

    @property
    def accuracies(self) -> tuple[float, float]:
        """How often A and B are right."""


def separate(study: Study) -> PowerResult | None:
    """The power of a test on the counts of two systems, by its own p-value of every pair; None for other studies.

    None too for so many items that a simulation is faster.
    """
    population = study.population
    if study.test.needs is not SeparateCounts or not isinstance(population, KnowsAccuracies):
        return None
    found = counted_rejections(study.test, study.alpha, (study.items, study.items), population.accuracies)
    return None if found is None else from_rejections(study, ENGINE, found)


def counted_rejections(
    test: Procedure, alpha: float, items: tuple[int, int], accuracies: tuple[float, float]
) -> Rejections | None:
    """How often a test on counts rejects to each side, each system with its own number of items; None for too many of them."""
    (a, chance_a), (b, chance_b) = (_likely(n, p) for n, p in zip(items, accuracies, strict=True))
    if len(a) * len(b) > MOST_TABLES:
        return None
    counts = _pair(a[:, np.newaxis], b, items)
    outcome = test.apply(counts, stream(0))
    chance = np.where(rejects(outcome.pvalue, alpha), chance_a[:, np.newaxis] * chance_b, 0.0)
    down, size = outcome.direction < 0.0, np.abs(counts.effect)
    lower, upper = np.where(down, chance, 0.0), np.where(down, 0.0, chance)
    return Rejections(lower.sum(), upper.sum(), (lower * size).sum(), (upper * size).sum())


def separate_curve(study: Study) -> tuple[IntArray, FloatArray] | None:
    """Numbers of items around the study's own, and the power at each."""
    if separate(study) is None:
        return None
    sizes = np.arange(max(FEWEST, study.items - AROUND), study.items + AROUND + 1)
    found = (separate(study.resized(items=n)) for n in sizes.tolist())
    return sizes, np.array([0.0 if one is None else one.power for one in found])


def _pair(a: IntArray, b: IntArray, items: tuple[int, int]) -> SeparateCounts:
    a, b = np.broadcast_arrays(a, b)
    of_a, of_b = (np.full(a.shape, n) for n in items)
    return SeparateCounts(Proportion(a, of_a), Proportion(b, of_b))


def _likely(items: int, accuracy: float) -> tuple[IntArray, FloatArray]:
    """The numbers of right answers that have any chance, and their chances."""
    farthest = DEVIATIONS * np.sqrt(items * accuracy * (1.0 - accuracy)) + COUNTS
    low, high = (int(np.clip(items * accuracy + side * farthest, 0, items)) for side in (-1.0, 1.0))
    counts = np.arange(low, high + 1)
    x = counts.astype(np.float64)
    ways = special.gammaln(items + 1.0) - special.gammaln(x + 1.0) - special.gammaln(items - x + 1.0)
    chances = np.exp(ways + special.xlogy(x, accuracy) + special.xlogy(items - x, 1.0 - accuracy))
    return counts, chances / chances.sum()
