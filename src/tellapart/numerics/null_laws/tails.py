"""P-values from tail probabilities or resample counts, and normal, t and fair-coin binomial tails."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy import special

from tellapart.foundation.arrays import SMALLEST, STATISTIC_NOISE, FloatArray, IntArray

# The standard normal: its density, and the quantile a two-sided level asks for.


def density(x: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):  # so far out there is nothing
        return np.asarray(np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi))


def between(low: FloatArray, high: FloatArray) -> FloatArray:
    """P(low ≤ Z ≤ high), as a difference of the two smaller tails; 0 for an empty interval."""
    # Right of 0 both tails are near 1; mirrored, they are small, and their difference keeps its digits.
    upper = low > 0.0
    first, last = np.where(upper, -high, low), np.where(upper, -low, high)
    return np.asarray(np.maximum(special.ndtr(last) - special.ndtr(first), 0.0))


def two_sided_quantile(level: float) -> float:
    """The z with a share `level` of the standard normal between −z and z."""
    return -float(special.ndtri((1.0 - level) / 2.0))


# Student's t: tails with full relative accuracy, and quantiles.


def t_tails(statistic: FloatArray, df: FloatArray | float) -> tuple[FloatArray, FloatArray]:
    """P(T ≤ t) and P(T ≥ t), both from the smaller tail, which keeps its relative accuracy. Student (1908)."""
    # With many degrees of freedom 1 − P(T ≤ 9) has no digits left; P(T ≤ −9) has all of them.
    small = special.stdtr(df, -np.abs(statistic))
    below = np.asarray(statistic) < 0.0
    return np.where(below, small, 1.0 - small), np.where(below, 1.0 - small, small)


STEP = 0.02
"""Between logarithms of degrees of freedom at which quantiles are known: cubic between them they err by less than 1e-8 of themselves."""
FEWEST, MOST = -1.0, 16.0
"""The logarithms of the degrees of freedom that are looked up, from 0.37 to 9 million."""


def t_quantiles(level: float, df: FloatArray) -> FloatArray:
    """Quantiles above the median of very many t laws, interpolated in a table: eight digits in a fraction of the time."""
    place = (np.log(df) - FEWEST) / STEP
    if level <= 0.5 or not (place.min(initial=0.0) >= 0.0 and place.max(initial=0.0) <= (MOST - FEWEST) / STEP):
        return t_quantile(level, df)
    # Hermite's cubic between two knots, of their values and slopes: in logarithms of both a quantile is nearly straight.
    values, slopes = _looked_up(level)
    knot = np.minimum(place.astype(np.intp), len(values) - 2)
    x = place - knot
    start, rise = values[knot], values[knot + 1] - values[knot]
    first, last = slopes[knot], slopes[knot + 1]
    return np.asarray(
        np.exp(start + x * (first + x * (3.0 * rise - 2.0 * first - last + x * (first + last - 2.0 * rise))))
    )


@lru_cache(maxsize=16)
def _looked_up(level: float) -> tuple[FloatArray, FloatArray]:
    """Logarithms of quantiles at steps of the logarithm of the degrees of freedom, and their slopes per step by five-point differences."""
    knots = np.arange(-2, round((MOST - FEWEST) / STEP) + 3)
    values = np.log(t_quantile(level, np.exp(FEWEST + STEP * knots)))
    slopes = (values[:-4] - 8.0 * values[1:-3] + 8.0 * values[3:-1] - values[4:]) / 12.0
    return values[2:-2], slopes


def t_quantile(level: FloatArray | float, df: FloatArray | float) -> FloatArray:
    """The value below which a share `level` of Student's t lies."""
    return np.asarray(special.stdtrit(df, level))


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
    """The Monte Carlo standard error of a counted p-value: that of a share of the draws."""
    return np.asarray(np.sqrt(pvalue * (1.0 - pvalue) / (1.0 + resamples)))


def at_least(resampled: FloatArray, observed: FloatArray, scale: FloatArray | float) -> FloatArray:
    """Whether a resampled statistic is as extreme as the observed one, ties counted whatever order sums were made in."""
    return np.asarray(resampled >= observed - STATISTIC_NOISE * np.asarray(scale))


# The fair coin: tails of Binomial(m, 1/2), with full relative accuracy on both sides.
# P(X ≤ x) is the incomplete beta function I(½; m − x, x + 1), a continued fraction of positive terms: the
# smallest tail has as many digits as the largest, where a sum from the other end would leave none. Right to
# the last bit or two up to fifty trials, and at usual p-values to 2e-14 for a thousand.

Tail = Callable[[IntArray, IntArray], FloatArray]


def half_lower(successes: IntArray, trials: IntArray) -> FloatArray:
    """P(X ≤ x) for X ~ Binomial(trials, 1/2), 1 when there were no trials."""
    x, m = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    # Faster than bdtr, and exact at 2⁻ᵐ, where p-values tie with levels such as 0.125.
    # Counts beyond the ends, whose answers are set below, are moved to where the function is defined.
    tail = special.betainc(np.maximum(m - x, 1.0), np.maximum(x, 0.0) + 1.0, 0.5)
    return np.where(x >= m, 1.0, np.where(x < 0.0, 0.0, tail))


def half_mid_lower(successes: IntArray, trials: IntArray) -> FloatArray:
    """The mid-p value: the mean of the tail with the observed count and the tail without it. Lancaster (1961).

    A p-value made of it is uniform on average over tables, not on each: it may reject a little too often.
    """
    return 0.5 * (half_lower(successes, trials) + half_lower(np.asarray(successes) - 1, trials))


def fair_pvalue(
    successes: IntArray, trials: IntArray, alternative: Alternative, lower: Tail = half_lower
) -> FloatArray:
    """The p-value of this many successes of a fair coin: one tail, or twice the smaller one, which alone is computed."""
    if alternative == "two-sided":
        return positive(2.0 * lower(np.minimum(successes, trials - successes), trials))
    return positive(lower(successes if alternative == "less" else trials - successes, trials))


def fair_mid_pvalue(successes: IntArray, trials: IntArray, alternative: Alternative) -> FloatArray:
    """The mid-p value of a fair coin; 1 without any trial."""
    # Nothing was tried: no evidence at all, not the half of it that counting the only outcome half would give.
    return np.where(trials == 0, 1.0, fair_pvalue(successes, trials, alternative, half_mid_lower))


# How often a test rejects in each direction, and what the estimate is on average when it does.


@dataclass(frozen=True, eq=False)
class Rejections:
    """Probabilities of rejecting downwards and upwards, and E[|estimate|; rejected] on each side; each `(*batch,)`.

    Estimates are in the unit of the effect that `type_s` and `type_m` are asked about.
    """

    lower: FloatArray
    upper: FloatArray
    lower_size: FloatArray
    upper_size: FloatArray

    @property
    def power(self) -> FloatArray:
        return np.minimum(self.lower + self.upper, 1.0)

    def rates(self, effect: float) -> tuple[float, float | None, float | None]:
        """Power, and with a true effect the share of wrong signs and the mean exaggeration among rejections."""
        power = float(self.power)
        if effect == 0.0 or power == 0.0:
            return power, None, None
        true = np.asarray(effect)
        return power, float(self.type_s(true)), float(self.type_m(true))

    def type_s(self, effect: FloatArray) -> FloatArray:
        """The share of rejections with the wrong sign; a half without effect, 1 where all that is left has underflown."""
        wrong = np.where(effect > 0.0, self.lower, np.where(effect < 0.0, self.upper, 0.5 * self.power))
        return _ratio_or(wrong, self.lower + self.upper, otherwise=1.0)

    def type_m(self, effect: FloatArray) -> FloatArray:
        """The mean of |estimate / effect| among rejections; infinite without effect."""
        size = self.lower_size + self.upper_size
        return _ratio_or(size, np.abs(effect) * (self.lower + self.upper), otherwise=np.inf)


def _ratio_or(part: FloatArray, whole: FloatArray, otherwise: float) -> FloatArray:
    share = np.full(np.shape(whole), otherwise)
    with np.errstate(over="ignore"):  # the exaggeration of next to no effect
        return np.asarray(np.divide(part, whole, out=share, where=whole > 0.0))
