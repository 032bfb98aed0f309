"""Student's t where items or clusters lean to one side: its tails moved by the skewness that they show. Hall (1992)."""

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.clusters import cluster_sizes, residual_sums
from tellapart.distributions.student import t_quantile, t_tails

EVENED = 0.75
"""The power of its size that a cluster's sum is divided by: 1/2 if its items were independent, 1 if they were all alike."""

FEW = 10
MOST, MOST_OF_FEW = 0.3, 0.2
"""How large the skewness of a mean is taken to be at most, and of fewer clusters than `FEW`: of so few, samples of what is symmetric look
as skewed as this half of the time, and to follow them further would cost more power than it saves in false claims.

Fitted to clusters, even to one that holds half of the items, with normal, exponential, lognormal and t effects (3 df), and held against
others: uniform, Laplace, gamma, Weibull and rare ones. Of 6 to 49 clusters with exponential effects .02 to .09 of comparisons claim falsely where
Student's t does in .06 to .12; of 10 and more with lognormal ones up to .11 where it does in up to .18. Power given away on symmetric effects is up to
.08, with Laplace's and one cluster that holds half of the items up to .10, and at 6 clusters up to .12. Larger limits hold closer to 5 % and
give more away; smaller ones the reverse: of the limits that were tried none has both. Rare bad clusters no limit holds: 8 % of ten make .37.
"""

FARTHEST = 3.0
"""Normal quantiles up to which a t is moved by more the larger it is; beyond, the expansion says nothing, and all are moved alike."""


def skewness_of_mean(values: FloatArray, codes: IntArray, scale: float | None = None) -> FloatArray:
    """The skewness of the mean of differences `(*batch, item)` in clusters, as far as it is followed; 0 where nothing varies.

    That of the clusters' sums, evened by their sizes and corrected for how few they are, over the root of their number.
    """
    evened = evened_sums(values, codes, scale)
    clusters = evened.shape[-1]
    evened = evened - evened.mean(axis=-1, keepdims=True)
    most = MOST if clusters >= FEW else MOST_OF_FEW
    return np.asarray(np.clip(skewness_over_root(evened, np.array(clusters)), -most, most))


def skewness_over_root(deviations: FloatArray, units: IntArray) -> FloatArray:
    """The skewness of a mean of so many units, from their deviations `(*batch, place)`, which are 0 where there is no unit.

    That of the sample, corrected for how few they are, over the root of their number; 0 for fewer than three, and where nothing varies.
    """
    # In units of the largest: cubes of very large or very small scores would leave the range of doubles.
    largest = np.abs(deviations).max(axis=-1, keepdims=True, initial=0.0)
    scaled = np.divide(deviations, largest, out=np.zeros_like(deviations), where=largest > 0.0)
    squared = scaled * scaled
    enough = np.maximum(units, 3)
    second, third = squared.sum(axis=-1) / enough, (squared * scaled).sum(axis=-1) / enough
    skewness = np.divide(third, second**1.5, out=np.zeros_like(third), where=second > 0.0)
    # √(n(n − 1))/(n − 2) times the skewness of a sample, over √n.
    return np.asarray(skewness * np.sqrt(enough - 1.0) / (enough - 2.0))


def evened_sums(values: FloatArray, codes: IntArray, scale: float | None = None) -> FloatArray:
    """What each cluster adds to the sum of deviations from the mean, as if all were of one size: large ones lean by no more than others do."""
    sums = residual_sums(values, values.mean(axis=-1), codes, scale)
    return np.asarray(sums / cluster_sizes(codes) ** EVENED)


def leaning_tails(
    statistic: FloatArray, df: FloatArray, skewness: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """P(T ≤ t) and P(T ≥ t) as large as Student's or as those of a t moved by its skewness, whichever is larger."""
    lower, upper = t_tails(statistic, df)
    score = moved(np.where(lower < upper, special.ndtri(lower), -special.ndtri(upper)), skewness)
    return np.maximum(lower, special.ndtr(score)), np.maximum(upper, special.ndtr(-score))


def leaning_quantiles(
    quantile: FloatArray | float, df: FloatArray, skewness: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The t from which on both upper tails are at most that of this normal quantile, and the one down to which both lower ones are."""
    ends = np.broadcast_to(quantile, skewness.shape)
    above = np.maximum(moved_back(ends, skewness), ends)
    below = np.minimum(moved_back(-ends, skewness), -ends)
    return -t_quantile(special.ndtr(-above), df), t_quantile(special.ndtr(below), df)


def moved(score: FloatArray, skewness: FloatArray) -> FloatArray:
    """A t on the scale of the normal, without what the skewness k of the mean does to it: z + kz²/3 + k²z³/27 + k/6, which never falls."""
    near = np.clip(score, -FARTHEST, FARTHEST)
    return np.asarray(_transformed(near, skewness) + (score - near))


def moved_back(score: FloatArray, skewness: FloatArray) -> FloatArray:
    """The inverse."""
    ends = (_transformed(np.full_like(skewness, end), skewness) for end in (-FARTHEST, FARTHEST))
    near = np.clip(score, *ends)
    # (1 + kz/3)³ = 1 + k(y − k/6), its root by logarithms: k may be tiny.
    grown = np.expm1(np.log1p(skewness * (near - skewness / 6.0)) / 3.0)
    back = np.divide(3.0 * grown, skewness, out=np.array(near), where=skewness != 0.0)
    return np.asarray(back + (score - near))


def _transformed(z: FloatArray, k: FloatArray) -> FloatArray:
    return np.asarray(z + k * z**2 / 3.0 + k**2 * z**3 / 27.0 + k / 6.0)
