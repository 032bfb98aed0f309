"""From tail probabilities or counts to a p-value: one rule for sides, one for resamples, never 0."""

from typing import Literal

import numpy as np

from tellapart.arrays import SMALLEST, STATISTIC_NOISE, FloatArray

Alternative = Literal["two-sided", "less", "greater"]


def sides(alternative: Alternative) -> float:
    """How many tails of the null law the alternative looks at: by this a level is shared out and an error of one tail grows."""
    return 2.0 if alternative == "two-sided" else 1.0


def sided(lower: FloatArray, upper: FloatArray, alternative: Alternative) -> FloatArray:
    """The p-value from P(T ≤ t) and P(T ≥ t): one tail, or twice the smaller one.

    Twice is the price of looking at both sides: at most alpha/2 is spent on each, however skewed the law is.
    """
    p = {"less": lower, "greater": upper, "two-sided": 2.0 * np.minimum(lower, upper)}[alternative]
    return positive(p)


def positive(pvalue: FloatArray) -> FloatArray:
    """Keep a p-value in (0, 1]: rounding above 1 and underflow to 0 are not answers. NaN (undefined) stays."""
    return np.clip(np.asarray(pvalue, dtype=np.float64), SMALLEST, 1.0)


def counted(extreme: FloatArray, resamples: int) -> FloatArray:
    """The p-value of a resampling test: the observed arrangement is one of those counted. Phipson & Smyth (2010).

    Under the null the observed one and `resamples` others are in random order, so that (1 + count) / (1 + resamples) is at
    most alpha with a chance of at most alpha. Without the ones it could be 0, and would reject too often.
    """
    return np.asarray((1.0 + extreme) / (1.0 + resamples))


def allowed(resamples: int, alpha: float) -> int:
    """The most resamples that may be as extreme where the counted p-value is to be at most alpha; −1 where even none is too many."""
    # alpha · (1 + resamples) is a whole number for the usual choices, and must not be rounded to the one below it.
    return int(np.floor(alpha * (1 + resamples) + 1e-9)) - 1


def counting_error(pvalue: FloatArray, resamples: int) -> FloatArray:
    """The Monte Carlo standard error of a counted p-value: that of a share of so many draws."""
    return np.asarray(np.sqrt(pvalue * (1.0 - pvalue) / (1.0 + resamples)))


def at_least(resampled: FloatArray, observed: FloatArray, scale: FloatArray | float) -> FloatArray:
    """Whether a resampled statistic is as extreme as the observed one, ties counted whatever order sums were made in."""
    return np.asarray(resampled >= observed - STATISTIC_NOISE * np.asarray(scale))
