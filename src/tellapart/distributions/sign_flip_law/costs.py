"""How long each way to a tail takes, about, in nanoseconds: what the choice between them depends on."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.sign_flip_law.subset_sums import SubsetSums

PATIENCE = 1e9
"""Nanoseconds, about, that one exact way may take for all rows together before a faster one is looked for."""

ROW_PATIENCE = 3e7
"""Nanoseconds, about, that counting one row exactly may take: inversion is as good as exact for long rows."""


def counting_time(sums: SubsetSums) -> FloatArray:
    return np.minimum(_convolution_time(sums), grouping_time(sums))


def _convolution_time(sums: SubsetSums) -> FloatArray:
    time = sums.count * (3e3 + 0.6 * sums.threshold)
    return np.where(sums.whole & (sums.threshold < 1e7), time, np.inf)


def grouping_time(sums: SubsetSums) -> FloatArray:
    return np.asarray(8e4 + np.where(sums.whole, 50.0, 150.0) * sums.listed)


def enumeration_time(sums: SubsetSums) -> FloatArray:
    return np.where(sums.count <= 40, 50.0 * np.exp2(0.5 * np.minimum(sums.count, 40)), np.inf)
