"""Weights under which given differences have a wanted mean: the least change to the sample that does it."""

import numpy as np

from tellapart.arrays import FloatArray

STEPS = 200


def tilted(differences: FloatArray, base: FloatArray, mean: float) -> FloatArray:
    """Weights ∝ base · exp(θ · difference), summing to 1, with this mean; `(*batch, item)` like `base`.

    No value is moved, so bounded scores stay in their range and binary ones stay binary. NaN where the mean is not
    strictly between the smallest and the largest difference that has weight. Efron (1981).
    """
    gap = np.broadcast_to(differences - mean, base.shape)
    held = np.where(base > 0.0, gap, 0.0)
    scale = np.abs(held).max(axis=-1, keepdims=True)
    gap = held / np.where(scale > 0.0, scale, 1.0)
    feasible = (gap.min(axis=-1) < 0.0) & (gap.max(axis=-1) > 0.0)
    weights = _weights(gap, base, _exponent(gap, base, feasible))
    same = scale[..., 0] == 0.0
    return np.where((feasible | same)[..., np.newaxis], weights, np.nan)


def _exponent(gap: FloatArray, base: FloatArray, wanted: np.ndarray) -> FloatArray:
    """θ with Σ w · gap = 0, by Newton's steps kept between bounds that close in on it."""
    theta = np.zeros(base.shape[:-1])
    low, high = np.full_like(theta, -np.inf), np.full_like(theta, np.inf)
    for _ in range(STEPS):
        weights = _weights(gap, base, theta)
        mean = (weights * gap).sum(axis=-1)
        variance = (weights * gap**2).sum(axis=-1) - mean**2
        low, high = np.where(mean < 0.0, theta, low), np.where(mean > 0.0, theta, high)
        moving = wanted & (np.abs(mean) > 1e-16)
        if not moving.any():
            break
        theta = np.where(moving, _step(theta, mean, variance, (low, high)), theta)
    return theta


def _step(theta: FloatArray, mean: FloatArray, variance: FloatArray, bounds: tuple[FloatArray, FloatArray]) -> FloatArray:
    low, high = bounds
    newton = theta - mean / np.where(variance > 0.0, variance, 1.0)
    # A step of more than a doubling trusts a local slope too far; a step outside the bounds trusts it at all.
    reach = 2.0 * np.abs(theta) + 2.0
    newton = np.clip(newton, theta - reach, theta + reach)
    bounded = np.isfinite(low) & np.isfinite(high)
    middle = 0.5 * (np.where(bounded, low, 0.0) + np.where(bounded, high, 0.0))
    return np.where((newton > low) & (newton < high), newton, np.where(bounded, middle, theta + np.sign(-mean) * reach))


def _weights(gap: FloatArray, base: FloatArray, theta: FloatArray) -> FloatArray:
    exponent = np.where(base > 0.0, theta[..., np.newaxis] * gap, -np.inf)
    weights = base * np.exp(exponent - exponent.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
