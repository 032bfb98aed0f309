"""Weights under which given differences have a wanted mean: the least change to the sample that does it."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.roots import increasing_root


def tilted(differences: FloatArray, base: FloatArray, mean: float) -> FloatArray:
    """Weights ∝ base · exp(θ · difference), summing to 1, with this mean; `(*batch, item)` like `base`.

    No value is moved, so bounded scores stay in their range and binary ones stay binary. NaN where the mean is not
    strictly between the smallest and the largest difference that has weight. Efron (1981).
    """
    gap = np.where(base > 0.0, differences - mean, 0.0)
    same = (gap == 0.0).all(axis=-1, keepdims=True)
    feasible = (gap.min(axis=-1, keepdims=True) < 0.0) & (gap.max(axis=-1, keepdims=True) > 0.0)
    weights = _balanced(np.where(feasible, gap, 0.0), base)
    return np.where(feasible | same, weights, np.nan)


def _balanced(gap: FloatArray, base: FloatArray) -> FloatArray:
    """Weights ∝ base · exp(θ · gap) under which the gaps have mean zero."""
    # In units of the largest gap the root is of the order of 1, whatever the scores are measured in.
    scale = np.abs(gap).max(axis=-1, keepdims=True)
    gap = gap / np.where(scale > 0.0, scale, 1.0)
    # The sign of the gaps is turned where they must be tilted down, so that every root is looked for above zero.
    gap = np.where((base * gap).sum(axis=-1, keepdims=True) > 0.0, -gap, gap)

    def mean(theta: FloatArray) -> FloatArray:
        return np.asarray((_weights(gap, base, theta) * gap).sum(axis=-1))

    zero = np.zeros(base.shape[:-1])
    return _weights(gap, base, increasing_root(mean, zero, zero + 1.0))


def _weights(gap: FloatArray, base: FloatArray, theta: FloatArray) -> FloatArray:
    exponent = np.where(base > 0.0, theta[..., np.newaxis] * gap, -np.inf)
    # The largest exponent is taken off first, so that none overflows.
    weights = base * np.exp(exponent - exponent.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
