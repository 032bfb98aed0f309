"""The mean of a normal score that is clipped to a range, and the normal mean that gives a wanted one."""

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray
from tellapart.distributions.normal import density
from tellapart.distributions.roots import increasing_root

Range = tuple[float, float]


def clipped_mean(mean: float, sd: float, clip: Range | None) -> float:
    """The mean of a normal variable after values outside the range are moved to its ends; exact."""
    return mean if clip is None else float(_clipped_mean(np.asarray(mean), sd, clip))


def unclipped_mean(target: float, sd: float, clip: Range | None) -> float:
    """The mean before clipping that becomes `target` after it; `target` lies strictly inside the range."""
    if clip is None:
        return target
    # Forty standard deviations below the range nothing reaches into it, to the last bit.
    start = np.asarray(clip[0] - 40.0 * sd)
    return float(
        increasing_root(lambda mean: _clipped_mean(mean, sd, clip) - target, start, np.asarray(target))
    )


def _clipped_mean(mean: FloatArray, sd: float, clip: Range) -> FloatArray:
    low, high = clip
    return np.asarray(low + sd * (_area((mean - low) / sd) - _area((mean - high) / sd)))


def _area(t: FloatArray) -> FloatArray:
    """The area under the normal distribution function up to t: ∫Φ = tΦ(t) + φ(t)."""
    return np.asarray(t * special.ndtr(t) + density(t))
