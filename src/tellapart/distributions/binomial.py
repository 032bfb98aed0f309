"""The fair coin: tails of Binomial(m, 1/2), with full relative accuracy on both sides.

P(X ≤ x) is the incomplete beta function I(½; m − x, x + 1), a continued fraction of positive terms: the smallest tail has as
many digits as the largest, where a sum from the other end would leave none. Right to the last bit or two up to
fifty trials, and at usual p-values to 2e-14 for a thousand.
"""

from collections.abc import Callable

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.tails import Alternative, positive

Tail = Callable[[IntArray, IntArray], FloatArray]


def half_lower(successes: IntArray, trials: IntArray) -> FloatArray:
    """P(X ≤ x) for X ~ Binomial(trials, 1/2), 1 when there were no trials."""
    x, m = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    # Faster than bdtr, and exact at 2⁻ᵐ, where p-values tie with levels such as 0.125.
    # Counts beyond the ends, whose answers are set below, are moved to where the function is defined.
    tail = special.betainc(np.maximum(m - x, 1.0), np.maximum(x, 0.0) + 1.0, 0.5)
    return np.where(x >= m, 1.0, np.where(x < 0.0, 0.0, tail))


def half_mid_lower(successes: IntArray, trials: IntArray) -> FloatArray:
    """The same with the observed count counted half: the mean of the tail with it and the tail without it. Lancaster (1961).

    A p-value made of it is uniform on average over tables, not on each: it may reject a little too often.
    """
    return 0.5 * (half_lower(successes, trials) + half_lower(np.asarray(successes) - 1, trials))


def fair_pvalue(
    successes: IntArray, trials: IntArray, alternative: Alternative, lower: Tail = half_lower
) -> FloatArray:
    """How far so many successes are from a fair coin's: one tail, or twice the smaller one, which alone is computed."""
    if alternative == "two-sided":
        return positive(2.0 * lower(np.minimum(successes, trials - successes), trials))
    return positive(lower(successes if alternative == "less" else trials - successes, trials))


def fair_mid_pvalue(successes: IntArray, trials: IntArray, alternative: Alternative) -> FloatArray:
    """The same with what was seen counted half; 1 without any trial."""
    # Nothing was tried: no evidence at all, not the half of it that counting the only outcome half would give.
    return np.where(trials == 0, 1.0, fair_pvalue(successes, trials, alternative, half_mid_lower))
