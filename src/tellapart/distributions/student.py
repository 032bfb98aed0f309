"""Student's t: tails with full relative accuracy, and quantiles."""

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray


def t_tails(statistic: FloatArray, df: FloatArray | float) -> tuple[FloatArray, FloatArray]:
    """P(T ≤ t) and P(T ≥ t), both from the smaller tail, which keeps its relative accuracy. Student (1908)."""
    # With many degrees of freedom 1 − P(T ≤ 9) has no digits left; P(T ≤ −9) has all of them.
    small = special.stdtr(df, -np.abs(statistic))
    below = np.asarray(statistic) < 0.0
    return np.where(below, small, 1.0 - small), np.where(below, 1.0 - small, small)


def t_quantile(level: FloatArray | float, df: FloatArray | float) -> FloatArray:
    """The value below which a share `level` of Student's t lies."""
    return np.asarray(special.stdtrit(df, level))
