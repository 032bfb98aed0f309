"""Array types, the axis order `(*batch, item, run, part)` of all scores, and tolerances for rounding errors.

`batch` is empty for real scores and is the replicate axis in simulation; `run` has length 1 without
repeats; `part` holds the sufficient pieces of a metric (1 for plain scores).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
ComplexArray = npt.NDArray[np.complex128]

SMALLEST = float(np.nextafter(0.0, 1.0))
"""The smallest positive double: a p-value underflows to this, never to 0."""

SNAP_DIGITS = 14
"""Scores agree when they agree to this many digits of the largest one: 0.3 - 0.1 and 0.2 are a tie."""

NOISE = 10.0 ** (1 - SNAP_DIGITS)
"""The tolerance for equal differences, relative to the largest score.

Scores are mostly decimals: read, averaged over runs and subtracted, they are off by a few units in the sixteenth digit.
"""

STATISTIC_NOISE = 1e-12
"""The tolerance for equal statistics, relative to the numbers they were made of.

A sum of n numbers is off by at most n·1.1e-16 of their sizes, and by about √n of that as a rule: statistics of the same
scores, added up in another order, stay closer for thousands of items at worst and for tens of millions as a rule.
"""

RESIDUAL_NOISE = 1e-14
"""The size of a cluster's residual sum, relative to its values, that counts as 0: some ninety roundings."""

LARGEST, FINEST = 1e100, 1e-100
"""Scores whose squares stay far from overflow, and largest scores whose squares stay far from underflow."""

EXACT = 2**53
"""Whole numbers up to this have a double each; beyond it the last digits are lost."""


def floats(values: Any) -> FloatArray:
    """An aligned C-ordered float64 array, so that sums have the same bits on every machine they travel to."""
    return np.require(values, dtype=np.float64, requirements=["C", "A"])


def snap(values: FloatArray, scale: float) -> FloatArray:
    """Round to a decimal grid fourteen digits below `scale`, so that float noise makes and breaks no ties."""
    if not (scale > 0.0 and np.isfinite(scale)):
        return values
    digits = SNAP_DIGITS - 1 - int(np.floor(np.log10(scale)))
    if digits > 300:
        return values
    # Dividing by a power of ten that is exact in binary keeps every decimal literal on its own grid point.
    power = 10.0 ** abs(digits)
    grid = np.rint(values * power) if digits >= 0 else np.rint(values / power)
    return np.asarray(grid / power if digits >= 0 else grid * power, dtype=np.float64)


def settle(values: FloatArray, scale: float) -> FloatArray:
    """Make rows that are one number up to float noise exactly that number, so that rounding is not taken for spread."""
    flat = np.ptp(values, axis=-1, keepdims=True) <= NOISE * scale
    if not flat.any():
        return values
    snapped = snap(values, scale)
    return np.where(flat & (np.ptp(snapped, axis=-1, keepdims=True) == 0.0), snapped, values)


SAFE = 1e-3
"""Share of the sum of squares that must be left after taking out the mean, for one pass over the numbers to be enough.

Three of sixteen digits may be lost to the difference; scores far from zero beside their spread lose more, and are passed
over twice. Chan, Golub & LeVeque (1983).
"""


def mean_and_variance(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Row means and unbiased variances of `(*batch, item)`, each `(*batch,)`.

    A row of one repeated number has exactly that mean and variance 0.
    """
    n = values.shape[-1]
    rows = values.reshape(-1, n)
    mean = rows.mean(axis=1)
    squares = np.einsum("ij,ij->i", rows, rows)
    spread = squares - n * mean * mean
    # Written so that NaN, too, is passed over twice.
    cancelled = ~(spread > SAFE * squares)
    if cancelled.any():
        mean[cancelled], spread[cancelled] = _two_passes(rows[cancelled])
    shape = values.shape[:-1]
    return mean.reshape(shape), (spread / max(n - 1, 1)).reshape(shape)


def _two_passes(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and sum of squared deviations, from deviations: constant rows come out exact."""
    # From the first number, not from a rounded mean: equal numbers then have deviations of exactly 0.
    deviations = rows - rows[:, :1]
    shift = deviations.mean(axis=1)
    deviations -= shift[:, np.newaxis]
    return rows[:, 0] + shift, np.einsum("ij,ij->i", deviations, deviations)


def keep_freed_memory() -> None:
    """Have what a block of work frees kept for the next.

    Some allocators keep what is no larger than the largest they saw freed, and would otherwise ask the system for the same megabytes, page by
    page, at every step: that takes as long as the work itself.
    """
    np.empty(1 << 24, dtype=np.uint8)
