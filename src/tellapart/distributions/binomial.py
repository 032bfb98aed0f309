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


def half_mid_tails(successes: IntArray, trials: IntArray) -> tuple[FloatArray, FloatArray]:
    """The same tails with the observed count counted half: the mean of the tail with it and the tail without it."""
    return _mid_lower(successes, trials), _mid_lower(trials - successes, trials)


def _mid_lower(successes: IntArray, trials: IntArray) -> FloatArray:
    return 0.5 * (half_lower(successes, trials) + half_lower(np.asarray(successes) - 1, trials))
