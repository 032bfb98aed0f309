"""Cochran's rule: critical values and tails by a weighted mean of the quantiles of several t distributions."""

from collections.abc import Sequence

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws.tails import t_quantile, t_tails
from tellapart.numerics.roots import increasing_root


def weighted_t_quantile(level: FloatArray | float, weights: Sequence[FloatArray], dfs: Sequence[float]) -> FloatArray:
    """The weighted mean of the laws' quantiles; weights add up to 1. Cochran & Cox (1950)."""
    return np.asarray(sum(weight * t_quantile(level, df) for weight, df in zip(weights, dfs, strict=True)))


def weighted_t_tails(
    ratio: FloatArray, weights: Sequence[FloatArray], dfs: Sequence[float]
) -> tuple[FloatArray, FloatArray]:
    """The tails at which the weighted quantile is the ratio itself, each `(*batch,)`; NaN where the ratio is."""
    fewest, size = min(dfs), np.abs(ratio)
    known = np.isfinite(size)

    def excess(quantile: FloatArray) -> FloatArray:
        tail = t_tails(quantile, fewest)[1]
        # From the smaller tail, which keeps its digits.
        mean = -weighted_t_quantile(tail, weights, dfs)
        return np.where(known, mean - size, quantile)

    # Of equal tails the law with the fewest degrees of freedom has the largest quantile, which is at least the ratio.
    least = np.where(known, size, 0.0)
    quantile = increasing_root(excess, least, 2.0 * least + 1.0)
    below, above = t_tails(np.copysign(quantile, ratio), fewest)
    return np.where(np.isnan(size), np.nan, below), np.where(np.isnan(size), np.nan, above)
