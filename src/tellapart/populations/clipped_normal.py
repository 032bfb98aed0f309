"""The mean of a normal score that is clipped to a range, and the normal mean that gives a wanted one."""

import math

Range = tuple[float, float]


def clipped_mean(mean: float, sd: float, clip: Range | None) -> float:
    """The mean of a normal variable after values outside the range are moved to its ends; exact."""
    if clip is None:
        return mean
    low, high = clip
    return low + sd * (_area((mean - low) / sd) - _area((mean - high) / sd))


def unclipped_mean(target: float, sd: float, clip: Range | None) -> float:
    """The mean before clipping that becomes `target` after it; `target` lies strictly inside the range."""
    if clip is None:
        return target
    # Forty standard deviations outside the range nothing is left to clip, to the last bit.
    below, above = clip[0] - 40.0 * sd, clip[1] + 40.0 * sd
    while True:
        middle = 0.5 * (below + above)
        if middle in {below, above}:
            return middle
        if clipped_mean(middle, sd, clip) < target:
            below = middle
        else:
            above = middle


def _area(t: float) -> float:
    """The area under the normal distribution function up to t: ∫Φ = tΦ(t) + φ(t)."""
    return t * 0.5 * math.erfc(-t / math.sqrt(2.0)) + math.exp(-0.5 * t * t) / math.sqrt(2.0 * math.pi)
