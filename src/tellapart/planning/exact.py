"""Exact power of tests on counts of right answers, by enumeration."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol, runtime_checkable

import numpy as np
from scipy import special

from tellapart.data.summaries import Discordance, Proportion, SeparateCounts
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.procedure import Outcome, Procedure
from tellapart.numerics.null_laws.discordant import (
    Decision,
    Region,
    band,
    critical_region,
    discordant_curve,
    discordant_inside,
    discordant_rates,
)
from tellapart.numerics.null_laws.tails import Alternative, Rejections
from tellapart.planning.study import PowerResult, Study
from tellapart.planning.tally import certain, from_rates, from_rejections
from tellapart.populations.population import FEWEST, Population, discordant_chances

ENGINE = "exact"
TOGETHER, ONE_BY_ONE = 500, 24
"""How many sizes beyond the last tooth are looked at on each side: where all powers come together, and where one by one.

On sixty random studies no number of interest lay beyond the teeth; these are room for tests with wider ones, as many as
are computed while a user would wait for one search.
"""
STEPS = 4
"""A region reaches from one multiple of a step to another, the step being a power of two of a quarter to half its length."""
TABLE = 4096
"""Numbers of discordant items up to which the region of a test that decides by counts alone is worked out at once."""
REMEMBERED = 32
"""Rejection regions kept; each takes some ten kilobytes."""


@runtime_checkable
class DecidesByCounts(Protocol):
    """A test of differences that looks only at how many items each system won."""

    def on_counts(self, wins: IntArray, losses: IntArray) -> Outcome:
        """The outcome when only the numbers of items won and lost are known."""


@runtime_checkable
class KnowsRegion(Protocol):
    """A test that can say where it rejects faster than its p-values can be searched for it."""

    def critical_counts(self, discordant: IntArray, items: int, alpha: float) -> tuple[IntArray, IntArray] | None:
        """The most wins that reject downwards and the fewest that reject upwards; None to have p-values searched."""


def exact(study: Study) -> PowerResult | None:
    """The power of a test on counts, summed over every table; None for other tests, populations or alpha ≥ ½.

    The test's own p-values say where it rejects, so any test whose p-value falls towards the edges can be asked.
    """
    return exact_powers([study]).get(study)


def exact_powers(studies: Sequence[Study]) -> dict[Study, PowerResult]:
    """The power of each study that has an exact one; of those that reject to either side all at once."""
    chances = _all_chances(studies)
    tables = {study: _regions(study) for study in chances}
    alone = {
        study: _exact_alone(study, *found)
        for study, found in chances.items()
        if sum(found) <= 0.0 or study.test.claim == "equivalence"
    }
    rest = [study for study in chances if study not in alone]
    cases = [(study.design.items, *chances[study], tables[study], _claimed_effect(study)) for study in rest]
    rates = discordant_rates(cases)
    return alone | {study: from_rates(ENGINE, *found) for study, found in zip(rest, rates, strict=True)}


def _exact_alone(study: Study, win: float, loss: float) -> PowerResult:
    """Of systems that never differ, and of equivalence, which rejects between two ends."""
    if win + loss <= 0.0:  # the one table there is: nobody wins an item
        decides = _decision(study.test, study.items, study.alpha)
        return certain(ENGINE, float(decides(np.zeros(1, np.int64), np.zeros(1, np.int64))[0]))
    return certain(ENGINE, float(discordant_inside(study.items, win, loss, _regions(study))))


def _regions(study: Study, items: int | None = None) -> Callable[[IntArray], Region]:
    """Where the test rejects at some numbers of discordant items, or for equivalence where it does not."""
    test, items, alpha = study.test, items or study.items, study.alpha
    if _decides_by_counts_alone(test, alpha):
        return lambda m: (
            _wide_region(test, TABLE, alpha, 0, TABLE).cut(0, m) if m[-1] <= TABLE else _region(test, items, alpha, m)
        )
    return lambda m: _region(test, items, alpha, m)


@lru_cache(maxsize=64)
def _decides_by_counts_alone(test: Procedure, alpha: float) -> bool:
    """Whether the test looks at the numbers of items won and lost, however many others there are."""
    counts = isinstance(test, DecidesByCounts) and test.claim == "difference"
    return counts and _known_counts(test, np.arange(1), 2, alpha) is None


def _region(test: Procedure, items: int, alpha: float, m: IntArray) -> Region:
    # Cut out of a wider region: a solver for the effect asks for slightly different numbers again and again.
    first, last = int(m[0]), int(m[-1])
    step = 1 << ((last - first) // STEPS).bit_length()
    start = first // step * step
    wide = _wide_region(test, items, alpha, start, min(-(-last // step) * step, items))
    return wide.cut(start, m)


@lru_cache(maxsize=REMEMBERED)
def _wide_region(test: Procedure, items: int, alpha: float, first: int, last: int) -> Region:
    m = np.arange(first, last + 1)
    decides = _decision(test, items, alpha)
    if test.claim == "equivalence":
        return critical_region(lambda wins, m: ~decides(wins, m), m, "two-sided")
    known = _known_counts(test, m, items, alpha)
    return Region(*known) if known is not None else critical_region(decides, m, _counted_direction(test))


def _known_counts(test: Procedure, discordant: IntArray, items: int, alpha: float) -> tuple[IntArray, IntArray] | None:
    return test.critical_counts(discordant, items, alpha) if isinstance(test, KnowsRegion) else None


def _counted_direction(test: Procedure) -> Alternative:
    if test.claim == "non-inferiority" and test.alternative != "less":
        return "greater"
    return test.alternative


def _decision(test: Procedure, items: int, alpha: float) -> Decision:
    """Whether the test rejects, given wins and discordant items."""
    rng = stream(0)

    def outcome(wins: IntArray, losses: IntArray) -> Outcome:
        nobody, others = np.zeros_like(wins), items - wins - losses
        return test.apply(Discordance(nobody, wins, losses, others), rng)

    if isinstance(test, DecidesByCounts) and _known_counts(test, np.arange(1), 2, alpha) is None:
        on_counts = test.on_counts
        return lambda wins, m: rejects(on_counts(wins, m - wins).pvalue, alpha)
    return lambda wins, m: rejects(outcome(wins, m - wins).pvalue, alpha)


def exact_curve(study: Study) -> tuple[IntArray, FloatArray] | None:
    """Numbers of items around the study's own, as far as saw-teeth can reach, and the exact power at each.

    Where what a test does at m discordant items is the same for any number of items, it is worked out once for all sizes.
    """
    chances = _discordant_chances(study)
    if chances is None:
        return None
    sizes = _sizes_around(study.items, sum(chances), TOGETHER)
    most = int(sizes[-1])
    if _decides_by_discordant(study, sum(chances), most):
        return sizes, discordant_curve(sizes, *chances, _regions(study, most))
    sizes = _sizes_around(study.items, sum(chances), ONE_BY_ONE)
    found = (exact(study.resized(items=n)) for n in sizes.tolist())
    return sizes, np.array([0.0 if one is None else one.power for one in found])


def _sizes_around(items: int, share: float, least: int) -> IntArray:
    """All sizes that a tooth can touch.

    Teeth are √(items / share) wide where all items differ. Where fewer do, chance in their number wipes teeth out, by as
    much as it takes from the first harmonic of a saw-tooth of that width.
    """
    tooth = 2.0 * math.sqrt(items / max(share, 1.0 / items)) * math.exp(-2.0 * math.pi**2 * (1.0 - share))
    farthest = math.ceil(tooth) + least
    return np.arange(max(FEWEST, items - farthest), items + farthest + 1)


def _decides_by_discordant(study: Study, share: float, most: int) -> bool:
    """Whether the test rejects by wins and losses alone, however many other items there are, up to this many in all."""
    if _decides_by_counts_alone(study.test, study.alpha):
        return True
    if study.test.claim != "difference" or _known_counts(study.test, np.arange(1), 2, study.alpha) is not None:
        return False
    # Asked with as few items as there can be and with the most that are looked at: a test that looks at ties differs there.
    m, _ = band(study.items, min(share, 1.0))
    few, many = (_region(study.test, n, study.alpha, m) for n in (int(m[-1]), most))
    return bool((few.lower == many.lower).all() and (few.upper == many.upper).all())


def _discordant_chances(study: Study) -> tuple[float, float] | None:
    """How likely an item is won and lost, where that and the test's own p-values are all there is to know."""
    return _discordant_probabilities(study.population) if _is_counted(study) else None


def _is_counted(study: Study) -> bool:
    """Whether the test looks at counts, at a level of less than a half: from there on both sides would reject the same table."""
    counts = isinstance(study.test, DecidesByCounts) or study.test.needs is Discordance
    return counts and study.alpha < 0.5


def _all_chances(studies: Sequence[Study]) -> dict[Study, tuple[float, float]]:
    """The probabilities of each study by discordant items alone."""
    if len(studies) > 1:
        counting = [study for study in studies if _is_counted(study)]
        every = discordant_chances([study.population for study in counting])
        return {study: found for study, found in zip(counting, every, strict=True) if found is not None}
    return {study: found for study in studies if (found := _discordant_chances(study)) is not None}


@lru_cache(maxsize=256)
def _discordant_probabilities(population: Population) -> tuple[float, float] | None:
    return population.discordant_probabilities()


def _claimed_effect(study: Study) -> float:
    """The true effect of a test of a difference; 0 where the test is about a margin."""
    effect = study.population.effect if study.test.claim == "difference" else None
    return effect or 0.0


# Power where systems answer different items, right or wrong: every pair of counts, summed.

SEPARATE_ENGINE = "exact"
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
    return None if found is None else from_rejections(study, SEPARATE_ENGINE, found)


def counted_rejections(
    test: Procedure, alpha: float, items: tuple[int, int], accuracies: tuple[float, float]
) -> Rejections | None:
    """How often a test on counts rejects to each side, each system with its own number of items; None for too many of them."""
    (a, chance_a), (b, chance_b) = (_likely(n, p) for n, p in zip(items, accuracies, strict=True))
    if len(a) * len(b) > MOST_TABLES:
        return None
    counts = _separate_counts(a[:, np.newaxis], b, items)
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


def _separate_counts(a: IntArray, b: IntArray, items: tuple[int, int]) -> SeparateCounts:
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
