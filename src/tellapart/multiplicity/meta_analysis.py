"""One pair of systems on several datasets: the effect on this suite, and on a dataset not seen yet.

Effects and their variances are `(*batch, dataset)`, NaN where a pair was not compared; datasets are independent.
"""

from typing import NamedTuple

import numpy as np
from scipy import special

from tellapart.arrays import BoolArray, FloatArray
from tellapart.distributions.student import t_quantile, t_tails
from tellapart.distributions.tails import positive, sided

STEPS = 100
"""Newton's steps at most: each doubles the digits near the root, and far from it the squares fall fast."""

AGREEING = 1e-9
"""Effects that scatter less than this share of what items alone make agree to the digit: the scatter says nothing then."""


class Estimate(NamedTuple):
    """An effect with its interval and two-sided p-value, each `(*batch,)`."""

    effect: FloatArray
    low: FloatArray
    high: FloatArray
    pvalue: FloatArray


class Heterogeneity(NamedTuple):
    """How much the effect varies between datasets beyond chance: Cochran's Q, its p-value, I² and the variance τ²."""

    q: FloatArray
    pvalue: FloatArray
    i_squared: FloatArray
    tau_squared: FloatArray


class NewDataset(NamedTuple):
    """The mean effect over datasets like these, and where the effect on one new dataset should lie."""

    mean: Estimate
    prediction_low: FloatArray
    prediction_high: FloatArray


def suite_mean(
    effects: FloatArray, variances: FloatArray, dfs: FloatArray, weights: FloatArray, level: float
) -> Estimate:
    """The weighted mean effect on exactly these datasets; equal weights, or items as weights.

    The error comes from items alone, with Satterthwaite degrees of freedom.
    """
    present = np.isfinite(effects)
    share = np.where(present, weights, 0.0)
    share = share / share.sum(axis=-1, keepdims=True)
    effect = np.sum(share * np.where(present, effects, 0.0), axis=-1)
    parts = share**2 * np.where(present, variances, 0.0)
    variance = parts.sum(axis=-1)
    shares_of_variance = parts / np.where(variance > 0.0, variance, 1.0)[..., np.newaxis]
    inverse = np.sum(shares_of_variance**2 / np.where(present, dfs, 1.0), axis=-1)
    df = np.divide(1.0, inverse, out=np.ones_like(variance), where=inverse > 0.0)
    return _estimate(effect, np.sqrt(variance), df, level)


def random_effects(
    effects: FloatArray, variances: FloatArray, level: float
) -> tuple[NewDataset, Heterogeneity]:
    """The effect on a dataset not seen yet: Paule–Mandel between-dataset variance, Hartung–Knapp error, t with K − 1.

    For datasets that are a sample of those one cares about, with effects scattered about their mean normally. The prediction
    interval has the same t. Effects that agree to the digit, as shares of few items do by chance, have no scatter to measure
    an error by: it is then that of the items alone. Paule & Mandel (1982); Hartung & Knapp (2001); Higgins, Thompson &
    Spiegelhalter (2009).
    """
    present = np.isfinite(effects)
    y, v = np.where(present, effects, 0.0), np.where(present, variances, 1.0)
    df = present.sum(axis=-1) - 1.0
    unit = np.max(np.where(present, v, 0.0), axis=-1)
    tau_squared = unit * _paule_mandel(y / np.sqrt(unit)[..., np.newaxis], v / unit[..., np.newaxis], present)
    mean, q, total = _weighted(y, v, present, tau_squared)
    ratio = np.divide(q, df, out=np.zeros_like(q), where=df > 0.0)
    error = np.sqrt(np.where(ratio > AGREEING, ratio, 1.0) / total)
    estimate = _estimate(mean, error, np.maximum(df, 1.0), level)
    half_width = t_quantile(0.5 + level / 2.0, np.maximum(df, 1.0)) * np.sqrt(tau_squared + error**2)
    return NewDataset(estimate, mean - half_width, mean + half_width), _heterogeneity(
        y, v, present, tau_squared
    )


def _heterogeneity(
    y: FloatArray, v: FloatArray, present: BoolArray, tau_squared: FloatArray
) -> Heterogeneity:
    _, q, _ = _weighted(y, v, present, np.zeros_like(tau_squared))
    df = present.sum(axis=-1) - 1.0
    excess = np.maximum(q - df, 0.0)
    i_squared = np.divide(excess, q, out=np.zeros_like(q), where=q > 0.0)
    return Heterogeneity(q, positive(special.chdtrc(np.maximum(df, 1.0), q)), i_squared, tau_squared)


def _weighted(
    y: FloatArray, v: FloatArray, present: BoolArray, tau_squared: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The weighted mean, the weighted squares about it, and the sum of weights, at this between-dataset variance."""
    weights = _weights(v, present, tau_squared)
    total = weights.sum(axis=-1)
    mean = np.sum(weights * y, axis=-1) / total
    q = np.sum(weights * (y - mean[..., np.newaxis]) ** 2, axis=-1)
    return np.asarray(mean), np.asarray(q), np.asarray(total)


def _weights(v: FloatArray, present: BoolArray, tau_squared: FloatArray) -> FloatArray:
    """One over what each effect varies by: its own error and the scatter of true effects."""
    return np.where(present, 1.0 / (v + tau_squared[..., np.newaxis]), 0.0)


def _paule_mandel(y: FloatArray, v: FloatArray, present: BoolArray) -> FloatArray:
    """The variance at which the weighted squares equal their degrees of freedom, 0 if they are below them already.

    The squares fall and are convex in the variance, so Newton's steps from 0 only ever move up to the root.
    """
    df = present.sum(axis=-1) - 1.0
    tau_squared = np.zeros(y.shape[:-1])
    for _ in range(STEPS):
        mean, q, _ = _weighted(y, v, present, tau_squared)
        slope = np.sum(_weights(v, present, tau_squared) ** 2 * (y - mean[..., np.newaxis]) ** 2, axis=-1)
        step = np.divide(q - df, slope, out=np.zeros_like(q), where=(slope > 0.0) & (q > df))
        tau_squared = tau_squared + step
        # A step below the last digit of the variance moves nothing.
        if (step <= 1e-15 * tau_squared).all():
            break
    return tau_squared


def _estimate(effect: FloatArray, error: FloatArray, df: FloatArray, level: float) -> Estimate:
    """Mean ± t times error; without any spread p is 1 at zero and undefined (NaN) elsewhere."""
    half_width = t_quantile(0.5 + level / 2.0, df) * error
    ratio = np.divide(effect, error, out=np.where(effect == 0.0, 0.0, np.nan), where=error > 0.0)
    return Estimate(effect, effect - half_width, effect + half_width, sided(*t_tails(ratio, df), "two-sided"))
