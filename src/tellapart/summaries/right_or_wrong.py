"""Scores that are right or wrong."""

import numpy as np

from tellapart.arrays import BoolArray, IntArray
from tellapart.scores import Pair
from tellapart.summaries.summary import Aggregation


def is_binary(pair: Pair) -> bool:
    """Whether every score is 0 or 1 and each item was run once."""
    single = pair.a.shape[-2:] == (1, 1) and pair.b.shape[-2:] == (1, 1)
    return single and all(bool(((x == 0.0) | (x == 1.0)).all()) for x in (pair.a, pair.b))


def is_right_or_wrong(sample: object, metric: Aggregation) -> bool:
    """Whether a sample is a pair of such scores, and their mean is what counts."""
    return isinstance(sample, Pair) and metric.linear and is_binary(sample)


def count(which: BoolArray) -> IntArray:
    """Of how many items something is true, `(*batch,)`."""
    return np.asarray(which.sum(axis=-1), dtype=np.int64)
