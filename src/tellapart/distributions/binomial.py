"""The fair coin: tails of Binomial(m, 1/2), with full relative accuracy on both sides."""

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray, IntArray


def half_tails(successes: IntArray, trials: IntArray) -> tuple[FloatArray, FloatArray]:
    """P(X ≤ x) and P(X ≥ x) for X ~ Binomial(trials, 1/2)."""
    lower = half_lower(successes, trials)
    return lower, half_lower(trials - successes, trials)


def half_lower(successes: IntArray, trials: IntArray) -> FloatArray:
    """P(X ≤ x) for a fair coin, 1 when there were no trials."""
    x, m = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    # Faster than bdtr, and exact at 2⁻ᵐ, where p-values tie with levels such as 0.125.
    tail = special.betainc(np.maximum(m - x, 1.0), np.maximum(x, 0.0) + 1.0, 0.5)
    return np.where(x >= m, 1.0, np.where(x < 0.0, 0.0, tail))


def half_point(successes: IntArray, trials: IntArray) -> FloatArray:
    """P(X = x) for a fair coin, in logarithms so that it neither overflows nor underflows early."""
    x, m = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    return np.asarray(
        np.exp(special.gammaln(m + 1) - special.gammaln(x + 1) - special.gammaln(m - x + 1) - m * np.log(2.0))
    )
