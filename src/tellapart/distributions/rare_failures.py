"""Rare failures: one or two items far out on one side alone, of a kind of which these items may have been spared others."""

from typing import NamedTuple

import numpy as np
from scipy import special

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.distributions.moments import mean_and_variance

FARTHER = 3.0
"""How many times as far from the middle as the farthest item on the other side a failure lies.

The farthest items of both sides differ so much on one sample in 14 of Student's t with three degrees of freedom, however many items there are,
and on none of normal scores: heavy tails on both sides are no failures. Measured with 50 to 300 items where three failures are expected, small gains
otherwise and equal means, `compare` claimed a difference in 8 to 15 % of samples without it and in 4 to 7 % with it (5 % show no failure, and no test can
know); up to 11 % where gains vary by a third of a failure or more. The price is power (of .8 before): none for normal, uniform and Laplace scores, .01 with three degrees
of freedom, .02 with 2.5, .03 where 5 % of items have five times the spread; .07 at 300 items of which 1 % have ten times the spread, which
look like rare failures. At 2.5 instead of 3 all of these double, and sizes fall by .01; at 4 a third of the gain in size is lost. Nor is a rule by other
means much better: one that was fitted to the ten outermost items, knowing the law of the failures, takes .01 off the sizes at the same price (`docs/guide.md`). Failures that must
also lie 7 standard deviations of the others out cost .01 less power and let sizes rise by as much; so do those that must move the mean by .65 standard errors each, from 200 items on.
"""

FEWEST = 20
"""Items from which on normal scores hardly ever look so: of twelve, one sample in twenty does."""

ENOUGH = 3
"""From so many failures on they show by themselves how often they come, and how far they go."""

CHANCE = 0.05
"""How unlikely it is to be spared as many as are allowed for."""


class Failures(NamedTuple):
    """Items far below all others, each `(*batch,)`: how many there are, how far from the mean on average, and how many more to allow for.

    With these many more so few would be seen one time in twenty.
    """

    seen: IntArray
    distance: FloatArray
    spared: FloatArray


def failures_below(values: FloatArray) -> Failures:
    """The one or two items of `(*batch, item)` that lie far below all others; none where there are more, the other side goes as far, or items are few."""
    mean, variance = mean_and_variance(values)
    seen, distance = np.zeros(np.shape(mean), dtype=np.int64), np.zeros(np.shape(mean))
    some = _may_fail(values, mean, variance)
    if some.any():
        seen[some], average = _far_below(values[some])
        distance[some] = np.where(seen[some] > 0, mean[some] - average, 0.0)
    return Failures(seen, distance, most_expected(seen) - seen)


def _may_fail(values: FloatArray, mean: FloatArray, variance: FloatArray) -> BoolArray:
    """Samples whose lowest item may be a failure.

    No median lies farther from its mean than a standard deviation, so that lowest, highest and spread rule out nearly all samples: those
    of every pair of a board are too many to look for the median of each.
    """
    above, below = values.max(axis=-1) - mean, mean - values.min(axis=-1)
    # A little more than the deviation, so that rounding rules out nothing.
    near = FARTHER * above - below <= (1.0 + FARTHER) * 1.000001 * np.sqrt(variance)
    return np.asarray(near & (values.shape[-1] >= FEWEST))


def _far_below(values: FloatArray) -> tuple[IntArray, FloatArray]:
    """How many items of `(sample, item)` lie far below all others, if these are one or two, and where on average."""
    middle, farthest = np.median(values, axis=-1), values.max(axis=-1)
    fails = middle[:, np.newaxis] - values > FARTHER * (farthest - middle)[:, np.newaxis]
    count = np.count_nonzero(fails, axis=-1)
    average = np.where(fails, values, 0.0).sum(axis=-1) / np.maximum(count, 1)
    return np.where(count < ENOUGH, count, 0), average


def rare_failures(values: FloatArray) -> IntArray:
    """How many of the items `(*batch, item)` are rare failures, on whichever side they are."""
    return np.asarray(failures_below(values).seen + failures_below(-values).seen)


def mean_with_failures(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and variance of `(*batch, item)` with as many more failures below as may have been spared, items staying as many.

    u failures at a distance f from the mean take u·f/n from it and add u·f² to the sum of squares.
    """
    n = values.shape[-1]
    mean, variance = mean_and_variance(values)
    found = failures_below(values)
    added = found.spared * found.distance
    return mean - added / n, variance + added * found.distance / max(n - 1, 1)


def most_expected(seen: IntArray) -> FloatArray:
    """The most failures that can be expected where so few are seen, with 95 % certainty; none where none is seen. Garwood (1936)."""
    return np.where(seen > 0, special.gammaincinv(seen + 1.0, 1.0 - CHANCE), 0.0)
