"""Power without simulation or approximation, where a test decides by how many items each system alone got right."""

from dataclasses import replace
from functools import lru_cache
from typing import Protocol, runtime_checkable

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.decision import rejects
from tellapart.distributions.discordant import (
    Decision,
    Region,
    critical_region,
    discordant_curve,
    discordant_inside,
    discordant_rejections,
)
from tellapart.distributions.tails import Alternative
from tellapart.planning.error_rates import certain, from_rejections
from tellapart.planning.study import PowerResult, Study
from tellapart.seeds import stream
from tellapart.significance.procedure import Outcome, Procedure
from tellapart.summaries import Discordance

ENGINE = "exact"
NEAR = 5_000
"""Divided by the number of items: how far around a solution sizes are looked at one by one, where each takes a while."""
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
        return _region(study.test, study.items, study.alpha, int(m[0]), int(m[-1]))

    if study.test.claim == "equivalence":
        return certain(ENGINE, float(discordant_inside(study.items, win, loss, region)))
    return from_rejections(study, ENGINE, discordant_rejections(study.items, win, loss, region))


@lru_cache(maxsize=REMEMBERED)
def _region(test: Procedure, items: int, alpha: float, first: int, last: int) -> Region:
    """Where the test rejects, or for equivalence where it does not; kept, because a solver for the effect asks again."""
    m = np.arange(first, last + 1)
    decides = _decision(test, items, alpha)
    if test.claim == "equivalence":
        return critical_region(lambda wins, m: ~decides(wins, m), m, "two-sided")
    known = test.critical_counts(m, items, alpha) if isinstance(test, KnowsRegion) else None
    return Region(*known) if known is not None else critical_region(decides, m, _direction(test))


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


def exact_curve(study: Study, sizes: IntArray) -> FloatArray | None:
    """The exact power at many numbers of items: what a test does at m discordant items is worked out once for all.

    A test whose decision at m depends on the number of items besides is asked size by size, and only near `study.items`;
    farther away its power is taken to be below it on the left and above it on the right.
    """
    chances = _chances(study)
    if chances is None or study.test.claim != "difference":
        return None
    if (
        isinstance(study.test, KnowsRegion)
        and study.test.critical_counts(np.arange(1), 2, study.alpha) is not None
    ):
        return _one_by_one(study, sizes)
    most = int(sizes.max())
    return discordant_curve(
        sizes, *chances, lambda m: _region(study.test, most, study.alpha, int(m[0]), int(m[-1]))
    )


def _one_by_one(study: Study, sizes: IntArray) -> FloatArray:
    powers = (sizes > study.items).astype(np.float64)
    for i in np.flatnonzero(np.abs(sizes - study.items) <= max(NEAR // study.items, 8)):
        found = exact(replace(study, items=int(sizes[i])))
        powers[i] = 0.0 if found is None else found.power
    return powers


def _chances(study: Study) -> tuple[float, float] | None:
    """How likely an item is won and lost, where that and the test's own p-values are all there is to know."""
    counts = isinstance(study.test, DecidesByCounts) or study.test.needs is Discordance
    return study.population.discordant_probabilities() if counts and study.alpha < 0.5 else None
