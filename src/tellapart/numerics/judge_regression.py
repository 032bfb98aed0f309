"""Difference of two systems from a few human labels and a judge on all items: regression, clusters and strata."""

from typing import NamedTuple

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.numerics.moments import cluster_sums

FEWEST_LABELS, FEWEST_CLUSTERS = 20, 10
"""Labelled items, and clusters of these, that this was measured with at the least."""
FEW_DIFFER = 10
"""Labelled items that differ below which two are added: chosen among never, 5, 10, 15 and always by coverage."""

LITTLE = 1.05
"""Times the labels, up to which the judge is said to add little."""


class JudgeEstimate(NamedTuple):
    """The corrected difference, its standard error and degrees of freedom, and the slope on the judge, each `(*batch,)`."""

    effect: FloatArray
    error: FloatArray
    df: FloatArray
    slope: FloatArray


def judge_slope(human: FloatArray, judge: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Least-squares slope, the judge's deviations from their mean and the sum of their squares; 0 where the judge is constant."""
    deviations = judge - judge.mean(axis=-1, keepdims=True)
    deviations = np.where(np.ptp(judge, axis=-1)[..., np.newaxis] == 0.0, 0.0, deviations)
    squares = np.einsum("...i,...i->...", deviations, deviations)
    products = np.einsum("...i,...i->...", deviations, human - human.mean(axis=-1, keepdims=True))
    return np.divide(products, squares, out=np.zeros_like(squares), where=squares > 0.0), deviations, squares


def regression(
    human: FloatArray, judge: FloatArray, everywhere: FloatArray, added: FloatArray | None = None
) -> JudgeEstimate:
    """Regression estimate from labelled items `(*batch, label)` and the judge on all of them `(*batch, item)`, with HC3.

    ȳ + β(F̄ − f̄), with the variance Σ g²(e/(1 − h))² + β² s²(F)/M and n − 2 degrees of freedom. `added`, `(*batch,)`, is
    the size of two labelled items, one of each sign at the judge's mean, that are added where it is not 0. Where a single
    item sets the slope, its residual tells nothing, and labels alone decide. Cochran (1977); MacKinnon & White (1985).
    """
    moments = everywhere.mean(axis=-1), everywhere.var(axis=-1, ddof=1), everywhere.shape[-1]
    return regression_by_moments(human, judge, moments, np.zeros(human.shape[:-1]) if added is None else added)


def regression_by_moments(
    human: FloatArray, judge: FloatArray, everywhere: tuple[FloatArray, FloatArray, int], added: FloatArray
) -> JudgeEstimate:
    """The same from the mean and variance of the judge's differences on all items, and the number of these."""
    labels, (overall, spread, items) = human.shape[-1], everywhere
    count = (labels + 2.0 * (added > 0.0))[..., np.newaxis]
    slope, deviations, squares = judge_slope(human, judge)
    lone = np.max(deviations**2, axis=-1) / np.where(squares > 0.0, squares, 1.0) + 1.0 / count[..., 0] > 1.0 - 1e-9
    slope, deviations = np.where(lone, 0.0, slope), np.where(lone[..., np.newaxis], 0.0, deviations)
    mean = human.sum(axis=-1) / count[..., 0]
    shift = overall - judge.mean(axis=-1)
    residuals = human - mean[..., np.newaxis] - slope[..., np.newaxis] * deviations
    relative = deviations / np.where(squares > 0.0, squares, 1.0)[..., np.newaxis]
    leverage = 1.0 / count + deviations * relative
    weights = 1.0 / count + relative * shift[..., np.newaxis]
    variance = ((weights * residuals / (1.0 - leverage)) ** 2).sum(axis=-1)
    of_added = ((added - mean) ** 2 + (added + mean) ** 2) / (count[..., 0] - 1.0) ** 2
    variance = variance + np.where(added > 0.0, of_added, 0.0)
    variance = variance + slope**2 * spread / items
    return JudgeEstimate(mean + slope * shift, np.sqrt(variance), np.full_like(mean, labels - 2.0), slope)


def clustered_regression(
    human: FloatArray, judge: FloatArray, everywhere: FloatArray, place: IntArray, clusters: IntArray
) -> JudgeEstimate:
    """The same estimate where items come in clusters: their summed influences vary independently.

    An item's influence is β(F − F̄)/M, plus e/n where it is labelled at `place`. Squares of the G labelled clusters are summed times
    G/(G − 2), those of the others as they are; G − 2 degrees of freedom. Liang & Zeger (1986).
    """
    labels, items = human.shape[-1], everywhere.shape[-1]
    slope, deviations, _ = judge_slope(human, judge)
    mean, overall = human.mean(axis=-1), everywhere.mean(axis=-1)
    influence = slope[..., np.newaxis] * (everywhere - overall[..., np.newaxis]) / items
    influence[..., place] += (human - mean[..., np.newaxis] - slope[..., np.newaxis] * deviations) / labels
    squares = cluster_sums(influence, clusters) ** 2
    labelled = np.isin(np.unique(clusters), clusters[place])
    known = float(labelled.sum())
    variance = squares[..., labelled].sum(axis=-1) * known / (known - 2.0) + squares[..., ~labelled].sum(axis=-1)
    effect = mean + slope * (overall - judge.mean(axis=-1))
    return JudgeEstimate(effect, np.sqrt(variance), np.full_like(mean, known - 2.0), slope)


def stratified(human: FloatArray, strata: IntArray, place: IntArray) -> JudgeEstimate:
    """The mean of labels drawn at random within strata `(item,)`, each weighted by its share of all items.

    Variance Σ W² s²/n + Σ W(ȳ − estimate)²/M, with Welch–Satterthwaite degrees of freedom, at most n less the strata. Cochran (1977).
    """
    shares, counts, means, variances = stratum_moments(human, strata, place)
    effect = means @ shares
    within = shares**2 * variances / counts
    between = ((means - effect[..., np.newaxis]) ** 2 @ shares) / len(strata)
    total, most = within.sum(axis=-1) + between, len(place) - len(shares)
    spread = (within**2 / (counts - 1.0)).sum(axis=-1)
    df = np.divide(total**2, spread, out=np.full_like(total, most), where=spread > 0.0)
    return JudgeEstimate(effect, np.sqrt(total), np.minimum(df, most), np.zeros_like(total))


def stratum_moments(
    human: FloatArray, strata: IntArray, place: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Each stratum's share of the items, number of labels, and mean and variance of these; `strata` are codes 0, 1, …"""
    shares = np.bincount(strata) / len(strata)
    chosen: list[BoolArray] = [strata[place] == code for code in range(len(shares))]
    parts = [human[..., which] for which in chosen]
    counts = np.array([float(which.sum()) for which in chosen])
    means = np.stack([part.mean(axis=-1) for part in parts], axis=-1)
    return shares, counts, means, np.stack([part.var(axis=-1, ddof=1) for part in parts], axis=-1)
