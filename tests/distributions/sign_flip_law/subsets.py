"""Subset sums written out: what every way to a tail is compared with."""

import itertools

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums


def asked(values: FloatArray, noise: float = 1e-13) -> SubsetSums:
    """The question that rows of differences ask."""
    rows = np.atleast_2d(np.asarray(values, dtype=np.float64))
    return SubsetSums.of(rows, noise * np.abs(rows).max(axis=-1))[0]


def listed(sums: SubsetSums, row: int = 0) -> tuple[float, float]:
    """P(W ≤ threshold) and P(W < threshold) of one row of few sizes, by writing all subsets out."""
    sizes = [size for size in sums.sizes[row].tolist() if size > 0.0]
    every = np.array([np.dot(sizes, taken) for taken in itertools.product((0.0, 1.0), repeat=len(sizes))])
    slack = 0.25 if sums.whole[row] else sums.tolerance[row]
    chance = 0.5 ** sums.halvings[row]
    at_most = np.mean(every <= sums.threshold[row] + slack) * chance
    return float(at_most), float(np.mean(every < sums.threshold[row] - slack) * chance)
