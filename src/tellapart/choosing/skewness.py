"""The one bound that says where Student's t needs a second opinion."""

import numpy as np

from tellapart.arrays import BoolArray, FloatArray

VISIBLY_SKEWED = 0.9
"""The absolute sample skewness above which the studentised bootstrap must agree with Student's t, for every law and number of units.

What it costs and saves is measured in the guide, "How the test is chosen".
"""


def visibly_skewed(values: FloatArray) -> BoolArray:
    """Whether each sample of `(*batch, unit)` is; units that do not vary are not."""
    return np.asarray(np.abs(sample_skewness(values)) > VISIBLY_SKEWED)


def sample_skewness(values: FloatArray) -> FloatArray:
    """The third moment about the mean over the 3/2 power of the second, `(*batch,)`; 0 where nothing varies."""
    # From the first number: equal ones then deviate by exactly 0, where a rounded mean would leave rounding to be skewed.
    shifted = values - values[..., :1]
    centred = shifted - shifted.mean(axis=-1, keepdims=True)
    # In units of the largest: cubes of very large or very small numbers would leave the range of doubles.
    largest = np.abs(centred).max(axis=-1, keepdims=True, initial=0.0)
    centred = np.divide(centred, largest, out=np.zeros_like(centred), where=largest > 0.0)
    squares = centred * centred
    second, third = squares.mean(axis=-1), (squares * centred).mean(axis=-1)
    return np.asarray(np.divide(third, second**1.5, out=np.zeros_like(third), where=second > 0.0))
