"""The standard normal: its density, and the quantile a two-sided level asks for."""

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray


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
