"""Meta-analysis of one pair over several datasets: mean effect, random effects, heterogeneity, replication.

Effects and their variances are `(*batch, dataset)`, NaN where a pair was not compared; datasets are independent.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.numerics.null_laws.tails import positive, sided, t_quantile, t_tails

STEPS = 100
"""Newton's steps at most: each doubles the digits near the root, and far from it the squares fall fast."""


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
    """The mean effect over datasets like these, and where the effect on one new dataset should lie: NaN with only two of them."""

    mean: Estimate
    prediction_low: FloatArray
    prediction_high: FloatArray


def suite_mean(
    effects: FloatArray, variances: FloatArray, dfs: FloatArray, weights: FloatArray, level: float
) -> Estimate:
    """The weighted mean effect on exactly these datasets; equal weights, or items as weights.

    The error comes from items alone, with Satterthwaite degrees of freedom.
    """
    share = np.where(np.isfinite(effects), weights, np.nan)
    share = share / np.nansum(share, axis=-1, keepdims=True)
    effect = np.nansum(share * effects, axis=-1)
    parts = share**2 * variances
    variance = np.nansum(parts, axis=-1)
    total = variance[..., np.newaxis]
    # As shares, because the squares of variances leave the range of doubles before the variances do.
    shares = np.divide(parts, total, out=np.zeros_like(parts), where=total > 0.0)
    inverse = np.nansum(shares**2 / dfs, axis=-1)
    df = np.divide(1.0, inverse, out=np.ones_like(variance), where=inverse > 0.0)
    return _t_estimate(effect, np.sqrt(variance), df, level)


def random_effects(effects: FloatArray, variances: FloatArray, level: float) -> tuple[NewDataset, Heterogeneity]:
    """The effect on datasets not seen yet: Paule–Mandel between-dataset variance, Hartung–Knapp error, t with K − 1.

    For datasets that are a sample of those one cares about, with effects scattered about their mean normally. The scale of
    Hartung & Knapp is never below 1: few effects agree by chance, and the error would be less than items alone make it. The
    prediction interval, of one more dataset, has t with K − 2, as mean and variance between datasets are both estimated; two
    datasets leave none. At 95 % it holds .94 to .98 of the time where datasets scatter twice as much as items make them, and
    down to .85 where they scatter no more than that. Paule & Mandel (1982); Hartung & Knapp (2001); Higgins, Thompson & Spiegelhalter (2009).
    """
    suite = _EffectsByDataset(effects, variances)
    tau_squared = _paule_mandel(suite)
    mean, q, total = suite.weighted(tau_squared)
    error = np.sqrt(np.maximum(q / suite.df, 1.0) / total)
    estimate = _t_estimate(mean, error, suite.df, level)
    # Mean and scatter are both estimated, each for one degree of freedom: of two datasets none is left.
    left = np.where(suite.df > 1.0, suite.df - 1.0, np.nan)
    half_width = t_quantile(0.5 + level / 2.0, left) * np.sqrt(tau_squared + error**2)
    return NewDataset(estimate, mean - half_width, mean + half_width), _cochran_q(suite, tau_squared)


class ShrunkenEffects(NamedTuple):
    """Effects drawn towards their mean, each by how little is known of it, with standard deviations; `(dataset,)` each."""

    effects: FloatArray
    sds: FloatArray
    mean: float
    tau_squared: float


def shrunken_effects(effects: FloatArray, variances: FloatArray) -> ShrunkenEffects:
    """Empirical Bayes estimates by Paule–Mandel's scatter: (1 − B)·effect + B·mean with B = v / (v + τ²).

    Of several effects the largest is largest by chance too: shrunken ones allow for that. Morris (1983).
    """
    suite = _EffectsByDataset(effects, variances)
    tau_squared = _paule_mandel(suite)
    mean, _, total = suite.weighted(tau_squared)
    drawn = variances / (variances + tau_squared)
    sds = np.sqrt((1.0 - drawn) * variances + drawn**2 / total)
    return ShrunkenEffects((1.0 - drawn) * effects + drawn * mean, sds, float(mean), float(tau_squared))


@dataclass(frozen=True, eq=False)
class _EffectsByDataset:
    """Effects on at least two datasets and their variances, NaN where a pair was not compared."""

    effects: FloatArray
    variances: FloatArray

    @cached_property
    def df(self) -> FloatArray:
        return np.asarray(np.isfinite(self.effects).sum(axis=-1) - 1.0)

    def weights(self, tau_squared: FloatArray) -> FloatArray:
        """One over what each effect varies by: its own error and the scatter of true effects."""
        return np.asarray(1.0 / (self.variances + tau_squared[..., np.newaxis]))

    def weighted(self, tau_squared: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The weighted mean, the weighted squares about it, and the sum of weights, at this between-dataset variance."""
        weights = self.weights(tau_squared)
        total = np.nansum(weights, axis=-1)
        mean = np.nansum(weights * self.effects, axis=-1) / total
        q = np.nansum(weights * (self.effects - mean[..., np.newaxis]) ** 2, axis=-1)
        return np.asarray(mean), np.asarray(q), np.asarray(total)

    def over(self, unit: FloatArray) -> "_EffectsByDataset":
        """The heterogeneity in another unit of variance."""
        return _EffectsByDataset(self.effects / np.sqrt(unit)[..., np.newaxis], self.variances / unit[..., np.newaxis])


def _cochran_q(suite: _EffectsByDataset, tau_squared: FloatArray) -> Heterogeneity:
    _, q, _ = suite.weighted(np.zeros_like(tau_squared))
    i_squared = np.divide(np.maximum(q - suite.df, 0.0), q, out=np.zeros_like(q), where=q > 0.0)
    return Heterogeneity(q, positive(special.chdtrc(suite.df, q)), i_squared, tau_squared)


def _paule_mandel(suite: _EffectsByDataset) -> FloatArray:
    """The variance at which the weighted squares equal their degrees of freedom, 0 if they are below them already.

    The squares fall and are convex in the variance, so Newton's steps from 0 only ever move up to the root.
    """
    # In units of the largest variance neither squares nor slopes leave the range of doubles.
    unit = np.nanmax(suite.variances, axis=-1)
    scaled, tau_squared = suite.over(unit), np.zeros_like(unit)
    for _ in range(STEPS):
        mean, q, _ = scaled.weighted(tau_squared)
        squares = (scaled.effects - mean[..., np.newaxis]) ** 2
        slope = np.nansum(scaled.weights(tau_squared) ** 2 * squares, axis=-1)
        step = np.divide(q - scaled.df, slope, out=np.zeros_like(q), where=q > scaled.df)
        tau_squared = tau_squared + step
        # A step below the last digit of the variance moves nothing.
        if (step <= 1e-15 * tau_squared).all():
            break
    return np.asarray(unit * tau_squared)


def _t_estimate(effect: FloatArray, error: FloatArray, df: FloatArray, level: float) -> Estimate:
    """Mean ± t times error; without any spread p is 1 at zero and undefined (NaN) elsewhere."""
    half_width = t_quantile(0.5 + level / 2.0, df) * error
    ratio = np.divide(effect, error, out=np.where(effect == 0.0, 0.0, np.nan), where=error > 0.0)
    return Estimate(effect, effect - half_width, effect + half_width, sided(*t_tails(ratio, df), "two-sided"))


# On how many datasets does it hold? Evidence combined over datasets, `(*batch, dataset)`, NaN where there
# is none.


def stouffer(lower: FloatArray, upper: FloatArray, weights: FloatArray) -> FloatArray:
    """Two-sided p-value of the evidence of all datasets in one direction, from each one's P(T ≤ t) and P(T ≥ t).

    Weighted sum of z-scores; √items as weights. For independent datasets. Stouffer et al. (1949); Lipták (1958).
    """
    # From the smaller tail, which still has digits where the other is 1.
    scores = np.where(lower < upper, special.ndtri(positive(lower)), -special.ndtri(positive(upper)))
    share = np.where(np.isfinite(lower), weights, np.nan)
    z = np.nansum(share * scores, axis=-1) / np.sqrt(np.nansum(share**2, axis=-1))
    return sided(special.ndtr(z), special.ndtr(-z), "two-sided")


def partial_conjunction(pvalues: FloatArray) -> FloatArray:
    """P-values of "fewer than u datasets have an effect" for u = 1 … N: (N − u + 1) times the u-th smallest.

    Under any dependence between datasets; never falling in u. Benjamini & Heller (2008); Dror et al. (2017).
    """
    ordered = np.sort(np.where(np.isfinite(pvalues), pvalues, np.inf), axis=-1)
    count = np.isfinite(pvalues).sum(axis=-1, keepdims=True)
    factor = np.maximum(count - np.arange(pvalues.shape[-1]), 1)
    return np.minimum(np.maximum.accumulate(factor * ordered, axis=-1), 1.0)


def replicated(pvalues: FloatArray, alpha: float) -> IntArray:
    """The largest u for which "at least u datasets have an effect" can be said at `alpha`, `(*batch,)`."""
    return np.asarray(rejects(partial_conjunction(pvalues), alpha).sum(axis=-1), dtype=np.int64)
