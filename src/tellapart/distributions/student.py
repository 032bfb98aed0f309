"""Student's t: tails with full relative accuracy, and quantiles."""

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray


def t_tails(statistic: FloatArray, df: FloatArray | float) -> tuple[FloatArray, FloatArray]:
    """P(T ≤ t) and P(T ≥ t), each computed from its own side, so that neither is a difference from 1."""
    return np.asarray(special.stdtr(df, statistic)), np.asarray(special.stdtr(df, -np.asarray(statistic)))


def t_quantile(level: FloatArray | float, df: FloatArray | float) -> FloatArray:
    """The value below which a share `level` of Student's t lies."""
    return np.asarray(special.stdtrit(df, level))
