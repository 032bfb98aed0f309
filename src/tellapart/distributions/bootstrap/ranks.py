"""Ranks among resamples: which of them bounds a tail, which lie beyond a null, which only seem to."""

import numpy as np

from tellapart.arrays import STATISTIC_NOISE, BoolArray, FloatArray
from tellapart.distributions.resampling import Replicates
from tellapart.errors import Unsuitable

Two = tuple[FloatArray, FloatArray]

SLACK = 1e-9
"""Of a rank: 0.025 of 10,000 is 250, and must not become 249 because floats miss it by their last digit."""


def bounding_rank(tail: float, resamples: int) -> int:
    """Which resample, counted from the end, bounds a tail of this size; 0 when there are too few to reach it."""
    return int(np.floor((resamples + 1) * tail + SLACK))


def attained_rank(tail: float, found: Replicates) -> int:
    """The same, refused where there are too few."""
    resamples = found.effects.shape[-1]
    rank = bounding_rank(tail, resamples)
    if rank < 1:
        # One over a usual level is a whole number but for rounding, which must not ask for one resample more.
        raise Unsuitable(
            f"{resamples} resamples cannot reach a tail of {tail:g}; write resamples={int(np.ceil(1.0 / tail - 1e-6)) - 1} or more"
        )
    return rank


def is_tied(gap: FloatArray, found: Replicates) -> BoolArray:
    """Whether gaps are zero up to the rounding of the effects they are between."""
    largest = np.maximum(found.effects.max(axis=-1), -found.effects.min(axis=-1))
    return np.asarray(np.abs(gap) <= STATISTIC_NOISE * largest.reshape(largest.shape + (1,) * (gap.ndim - 1)))


def counts_beyond(found: Replicates, null: float) -> Two:
    """How many resampled effects are at or above `null`, and how many at or below it."""
    gap = found.effects - null
    tied = is_tied(gap, found)
    above, below = ((side | tied).sum(axis=-1).astype(np.float64) for side in (gap > 0.0, gap < 0.0))
    return above, below
