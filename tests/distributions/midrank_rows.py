"""Rows of differences with and without ties, and their midranks by scipy."""

import numpy as np
from scipy import stats

from tellapart.foundation.arrays import FloatArray

KINDS = {"all different": 12, "tenths": 1, "ratings": 0}


def drawn(decimals: int, rows: int = 40, items: int = 30) -> FloatArray:
    return np.round(np.random.default_rng(decimals).normal(0.2, 1.2, size=(rows, items)), decimals)


def ranked_by_scipy(row: FloatArray, zeros: str) -> tuple[FloatArray, FloatArray]:
    """Midranks of the non-zero absolute values, and the values' signs."""
    kept = row[row != 0.0]
    if zeros == "drop":
        return np.asarray(stats.rankdata(np.abs(kept))), np.sign(kept)
    return np.asarray(stats.rankdata(np.abs(row))[row != 0.0]), np.sign(kept)
