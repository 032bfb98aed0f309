"""Power without simulation or approximation, where a test decides by how many items each system alone got right."""

import math
from functools import lru_cache
from typing import Protocol, runtime_checkable

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.decision import rejects
from tellapart.distributions.discordant import (
    Decision,
    Region,
    band,
    critical_region,
    discordant_curve,
    discordant_inside,
    discordant_rejections,
)
from tellapart.distributions.tails import Alternative
from tellapart.planning.error_rates import certain, from_rejections
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.design import FEWEST
from tellapart.seeds import stream
from tellapart.significance.procedure import Outcome, Procedure
from tellapart.summaries import Discordance

ENGINE = "exact"
TOGETHER, ONE_BY_ONE = 500, 24
"""How many sizes beyond the last tooth are looked at on each side: where all powers come together, and where one by one.

On sixty random studies no number of interest lay beyond the teeth; these are room for tests with wider ones, as many as
are computed while a user would wait for one search.
"""
STEPS = 4
"""A region reaches from one multiple of a step to another, the step being a power of two of a quarter to half its length."""
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

    def critical_counts(
        self, discordant: IntArray, items: int, alpha: float
    ) -> tuple[IntArray, IntArray] | None:
        """The most wins that reject downwards and the fewest that reject upwards; None to have p-values searched."""


def exact(study: Study) -> PowerResult | None:
    """The power of a test on counts, summed over every table; None for other tests, populations or alpha ≥ ½.

    The test's own p-values say where it rejects, so any test whose p-value falls towards the edges can be asked.
    """
    chances = _chances(study)
    if chances is None:
        return None
    win, loss = chances

    def region(m: IntArray) -> Region:
        return _region(study.test, study.items, study.alpha, m)

    if win + loss <= 0.0:  # the one table there is: nobody wins an item
        decides = _decision(study.test, study.items, study.alpha)
        return certain(ENGINE, float(decides(np.zeros(1, np.int64), np.zeros(1, np.int64))[0]))
    if study.test.claim == "equivalence":
        return certain(ENGINE, float(discordant_inside(study.items, win, loss, region)))
    return from_rejections(study, ENGINE, discordant_rejections(study.items, win, loss, region))


def _region(test: Procedure, items: int, alpha: float, m: IntArray) -> Region:
    """Where the test rejects at these numbers of discordant items, or for equivalence where it does not."""
    # Cut out of a wider region: a solver for the effect asks for slightly different numbers again and again.
    first, last = int(m[0]), int(m[-1])
    step = 1 << ((last - first) // STEPS).bit_length()
    start = first // step * step
    wide = _wide_region(test, items, alpha, start, min(-(-last // step) * step, items))
    return Region(wide.lower[first - start :][: len(m)], wide.upper[first - start :][: len(m)])


@lru_cache(maxsize=REMEMBERED)
def _wide_region(test: Procedure, items: int, alpha: float, first: int, last: int) -> Region:
    m = np.arange(first, last + 1)
    decides = _decision(test, items, alpha)
    if test.claim == "equivalence":
        return critical_region(lambda wins, m: ~decides(wins, m), m, "two-sided")
    known = _known_counts(test, m, items, alpha)
    return Region(*known) if known is not None else critical_region(decides, m, _direction(test))


def _known_counts(
    test: Procedure, discordant: IntArray, items: int, alpha: float
) -> tuple[IntArray, IntArray] | None:
    return test.critical_counts(discordant, items, alpha) if isinstance(test, KnowsRegion) else None


def _direction(test: Procedure) -> Alternative:
    if test.claim == "non-inferiority" and test.alternative != "less":
        return "greater"
    return test.alternative


def _decision(test: Procedure, items: int, alpha: float) -> Decision:
    """Whether the test rejects, given wins and discordant items."""
    rng = stream(0)

    def outcome(wins: IntArray, losses: IntArray) -> Outcome:
        nobody, others = np.zeros_like(wins), items - wins - losses
        return test.apply(Discordance(nobody, wins, losses, others), rng)

    on_counts = test.on_counts if isinstance(test, DecidesByCounts) else outcome
    return lambda wins, m: rejects(on_counts(wins, m - wins).pvalue, alpha)


def exact_curve(study: Study) -> tuple[IntArray, FloatArray] | None:
    """Numbers of items around the study's own, as far as saw-teeth can reach, and the exact power at each.

    Where what a test does at m discordant items is the same for any number of items, it is worked out once for all sizes.
    """
    chances = _chances(study)
    if chances is None:
        return None
    sizes = _around(study.items, sum(chances), TOGETHER)
    most = int(sizes[-1])
    if _decides_by_discordant(study, sum(chances), most):
        return sizes, discordant_curve(sizes, *chances, lambda m: _region(study.test, most, study.alpha, m))
    sizes = _around(study.items, sum(chances), ONE_BY_ONE)
    found = (exact(study.resized(items=n)) for n in sizes.tolist())
    return sizes, np.array([0.0 if one is None else one.power for one in found])


def _around(items: int, share: float, least: int) -> IntArray:
    """All sizes that a tooth can touch.

    Teeth are √(items / share) wide where all items differ. Where fewer do, chance in their number wipes teeth out, by as
    much as it takes from the first harmonic of a saw-tooth of that width.
    """
    tooth = 2.0 * math.sqrt(items / max(share, 1.0 / items)) * math.exp(-2.0 * math.pi**2 * (1.0 - share))
    farthest = math.ceil(tooth) + least
    return np.arange(max(FEWEST, items - farthest), items + farthest + 1)


def _decides_by_discordant(study: Study, share: float, most: int) -> bool:
    """Whether the test rejects the same numbers of wins however many other items there are, up to so many in all."""
    if (
        study.test.claim != "difference"
        or _known_counts(study.test, np.arange(1), 2, study.alpha) is not None
    ):
        return False
    # Asked with as few items as there can be and with the most that are looked at: a test that looks at ties differs there.
    m, _ = band(study.items, min(share, 1.0))
    few, many = (_region(study.test, n, study.alpha, m) for n in (int(m[-1]), most))
    return bool((few.lower == many.lower).all() and (few.upper == many.upper).all())


def _chances(study: Study) -> tuple[float, float] | None:
    """How likely an item is won and lost, where that and the test's own p-values are all there is to know."""
    counts = isinstance(study.test, DecidesByCounts) or study.test.needs is Discordance
    # From a level of a half on both sides would reject the same table, and no region has two ends.
    return study.population.discordant_probabilities() if counts and study.alpha < 0.5 else None
