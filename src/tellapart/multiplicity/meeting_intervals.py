"""Intervals that do not say more than the pairs do: systems that are not told apart have intervals that meet."""

import numpy as np

from tellapart.arrays import FloatArray, IntArray


def meeting(low: FloatArray, high: FloatArray, a: IntArray, b: IntArray) -> tuple[FloatArray, FloatArray]:
    """The bounds `(system,)`, widened to the middle of the gap wherever the intervals of one of these pairs leave one.

    Wider intervals hold whenever the narrower ones did, so nothing that was promised of them is lost; no pair is told apart by it.
    """
    above, below = np.concatenate([a, b]), np.concatenate([b, a])
    gaps = high[below] < low[above]
    above, below = above[gaps], below[gaps]
    # Bounds are halved first: their sum could overflow.
    middle = 0.5 * high[below] + 0.5 * low[above]
    wider_low, wider_high = low.copy(), high.copy()
    np.minimum.at(wider_low, above, middle)
    np.maximum.at(wider_high, below, middle)
    return wider_low, wider_high
