"""Differences that lean to one side: what that does to Student's t, and whether it is more than chance."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.arrays import BoolArray, FloatArray

ALPHA = 0.05
"""The level at which sizes are judged, whatever level is asked for: which method suits scores is not to depend on it."""
TOO_LARGE = 0.06
"""The size from which on Student's t claims too much to be the default."""
CERTAIN = 1.2
"""Standard errors of the skewness from which on it is no single outlier: symmetric scores with heavy tails stay below it."""
GROSS = 0.12
"""A size at which one item may be enough: it says that items such as it are there, and not how many."""


@dataclass(frozen=True, eq=False)
class Leaning:
    """The size to expect of a t test at 5 %, and whether the skewness behind it is to be acted on; each `(*batch,)`."""

    size: FloatArray
    acted_on: BoolArray


def one_sided_size(values: FloatArray) -> FloatArray:
    """How often a t test at 5 % of "the mean is above" rejects where it is not, for differences `(*batch, unit)` that lean as these do.

    To order 1/√n it rejects φ(z)·(−g)·(2z² + 1)/(6√n) more often than α (Hall 1992, section 2.6): too often where they lean down, which
    a two-sided test makes up for on its other side.
    """
    centred = _centred(values)
    variance = np.mean(centred * centred, axis=-1)
    third = np.mean(centred * centred * centred, axis=-1)
    skewness = np.divide(third, variance**1.5, out=np.zeros_like(third), where=variance > 0.0)
    z = float(special.ndtri(1.0 - ALPHA))
    density = float(np.exp(-z * z / 2.0) / np.sqrt(2.0 * np.pi))
    return np.asarray(ALPHA - density * skewness * (2.0 * z * z + 1.0) / (6.0 * np.sqrt(values.shape[-1])))


def leaning(values: FloatArray, evenness: float = 1.0) -> Leaning:
    """How differences `(*batch, unit)` lean, judged by their skewness g and excess kurtosis k.

    To order 1/n a two-sided t test of nominal level α rejects φ(z)·z·{g²(z⁴ + 2z² − 3)/9 − k(z² − 3)/6}/n more often than α, z
    being its normal quantile (Hall 1992, section 2.6). Samples look less skewed than what they come from, so the size is rather
    too small; on lognormal and exponential differences and on rare large losses it picks those whose size is above 0.07.
    Units of unlike sizes tell as much as so many times fewer equal ones do: their `evenness`.
    """
    n, centred = values.shape[-1], _centred(values)
    spread = np.sqrt(np.mean(centred**2, axis=-1, keepdims=True))
    # Where nothing varies nothing leans: all moments are 0 then. Arrays that are done with are written over: there may be millions of units.
    z = np.divide(centred, spread, out=centred, where=spread > 0.0)
    squared = z * z  # products, for powers of whole arrays cost ten times as much
    cubed = squared * z
    skewness = np.mean(cubed, axis=-1)
    excess = np.mean(np.square(squared, out=squared), axis=-1) - 3.0 * (spread[..., 0] > 0.0)
    size = np.clip(ALPHA + _excess_rejections(skewness, excess) / (n * evenness), ALPHA, 1.0)
    # Its standard error from the sample itself: an outlier that makes the skewness makes the error as well.
    cubed -= np.multiply(z, 3.0, out=z)
    error = np.sqrt(np.mean(np.square(cubed, out=cubed), axis=-1) / n)
    clear = (size > TOO_LARGE) & (np.abs(skewness) > CERTAIN * error)
    return Leaning(size, np.asarray(clear | (size > GROSS)))


def _centred(values: FloatArray) -> FloatArray:
    """Deviations from the mean of each row."""
    # From the first number: equal ones then deviate by exactly 0, where a rounded mean would leave them all leaning to one side.
    shifted = values - values[..., :1]
    shifted -= shifted.mean(axis=-1, keepdims=True)
    return np.asarray(shifted)


def _excess_rejections(skewness: FloatArray, excess: FloatArray) -> FloatArray:
    """N times what the two-sided t test rejects beyond its level, to first order."""
    z = float(special.ndtri(1.0 - ALPHA / 2.0))
    density = float(np.exp(-z * z / 2.0) / np.sqrt(2.0 * np.pi))
    from_skewness = skewness**2 * (z**4 + 2.0 * z**2 - 3.0) / 9.0
    return np.asarray(density * z * (from_skewness - excess * (z**2 - 3.0) / 6.0))
