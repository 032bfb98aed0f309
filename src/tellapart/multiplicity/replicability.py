"""On how many datasets does it hold? Evidence combined over datasets, `(*batch, dataset)`, NaN where there is none."""

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray, IntArray
from tellapart.decision import rejects
from tellapart.distributions.tails import positive, sided


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
