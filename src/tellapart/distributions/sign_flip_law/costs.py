"""How long each way to a tail takes, about, in nanoseconds: what the choice between them depends on.

The numbers were fitted to timings and are right within a factor of ten on other machines. They decide which way is taken
and so how long an answer takes; every way is exact or says how far off it is. They are written here and not measured at
run time, because the same scores must give the same bits everywhere.
"""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.sign_flip_law.subset_sums import SubsetSums

PATIENCE = 1e9
"""Nanoseconds, about, that one exact way may take for all rows together before a faster one is looked for."""

ROW_PATIENCE = 3e7
"""Nanoseconds, about, that counting one row exactly may take: inversion is as good as exact for long rows."""


def counting_time(sums: SubsetSums) -> FloatArray:
    """Of the faster exact count of each row."""
    return np.minimum(_convolution_time(sums), grouping_time(sums))


def _convolution_time(sums: SubsetSums) -> FloatArray:
    """One vector addition per size, as long as the threshold: 3 µs for the call, 0.6 ns per number."""
    time = sums.count * (3e3 + 0.6 * sums.threshold)
    # A longer vector of counts would take 80 megabytes and more.
    return np.where(sums.whole & (sums.threshold < 1e7), time, np.inf)


def grouping_time(sums: SubsetSums) -> FloatArray:
    """80 µs for the calls; then each sum of a half is looked up in a table, or searched for in three times as long."""
    return np.asarray(8e4 + np.where(sums.whole, 50.0, 150.0) * sums.listed)


def enumeration_time(sums: SubsetSums) -> FloatArray:
    """All 2^(k/2) sums of a half are sorted; beyond forty sizes they would take tens of megabytes per row."""
    return np.where(sums.count <= 40, 50.0 * np.exp2(0.5 * np.minimum(sums.count, 40)), np.inf)
