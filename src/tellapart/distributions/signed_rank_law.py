"""The null law of the sum of the ranks of positive differences, when every sign is a fair coin.

V is the sum of a random half of the ranks 1 … n: how many subsets have each sum is counted rank by rank, and kept as a
table. With ties the ranks are those of the row itself, so that its law is the sign-flip law of its midranks. Exact for
independent differences that are symmetric about zero; skewed ones move V, though their mean is zero. Wilcoxon (1945).
"""

from functools import lru_cache

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray, IntArray, snap
from tellapart.distributions.midranks import midranks
from tellapart.distributions.sign_flip_law import FlipTails, sign_flip_tails
from tellapart.distributions.signed_ranks import SignedRanks, Zeros

TABULATED = 256
"""Ranks up to which the law without ties is kept as a table: the largest has sixteen thousand entries."""

EXACT_RANKS = 300
"""Items up to which the law of the signed-rank sum is exact; beyond, the Cornish–Fisher quantile is within a rank or two."""


def signed_rank_tails(values: FloatArray, ranks: SignedRanks, zeros: Zeros, scale: float) -> FlipTails:
    """P(V ≤ v) and P(V ≥ v) for the sum of positive ranks, exact given the ties, for every row. Wilcoxon (1945).

    Rows without ties share one table per number of ranks; the others are sign flips of their own midranks.
    """
    shared = (ranks.ties == 0.0) & (ranks.held == 0) & (ranks.ranked <= TABULATED)
    lower, upper, error = (np.zeros(len(values)) for _ in range(3))
    lower[shared], upper[shared] = _tabulated(ranks.positive[shared], ranks.ranked[shared])
    method = "exact law of signed ranks"
    if not shared.all():
        own = sign_flip_tails(signed_midranks(snap(values[~shared], scale), zeros), scale=0.0)
        lower[~shared], upper[~shared], error[~shared] = own.lower, own.upper, own.error
        method = f"{method}; {own.method}" if shared.any() else own.method
    sign = np.sign(2.0 * ranks.positive - ranks.total)
    return FlipTails(
        lower, upper, error, sign, f"{method}, conditional on midranks" if ranks.ties.any() else method
    )


def signed_midranks(values: FloatArray, zeros: Zeros) -> FloatArray:
    """Twice the midranks of the absolute values of `(row, item)`, whole numbers, with the signs of the values; 0 for zeros."""
    doubled = 2.0 * midranks(np.abs(values))
    zero = values == 0.0
    if zeros == "drop":
        doubled -= 2.0 * np.count_nonzero(zero, axis=-1)[:, np.newaxis]
    return np.where(zero, 0.0, np.copysign(doubled, values))


@lru_cache(maxsize=512)
def signed_rank_law(ranks: int) -> FloatArray:
    """P(V ≤ v) for v = 0, 1, … up to half the range, V the sum of a random choice of the ranks 1 … `ranks`."""
    # V and its mirror image are alike: half of the table says it all. Counts stay whole up to 2⁵³, and finite up to 1023 ranks.
    half = ranks * (ranks + 1) // 4
    counts = np.zeros(half + 1)
    counts[0] = 1.0
    for rank in range(1, ranks + 1):
        counts[rank:] += counts[: max(half + 1 - rank, 0)].copy()
    law = np.ldexp(np.cumsum(counts), -ranks)
    law.flags.writeable = False
    return law


def _tabulated(positive: FloatArray, ranked: IntArray) -> tuple[FloatArray, FloatArray]:
    lower, upper = np.empty(len(positive)), np.empty(len(positive))
    for ranks in np.unique(ranked).tolist():
        rows = ranked == ranks
        v, most = positive[rows].astype(np.int64), ranks * (ranks + 1) // 2
        lower[rows], upper[rows] = _lower(v, most, ranks), _lower(most - v, most, ranks)
    return lower, upper


def _lower(v: IntArray, most: int, ranks: int) -> FloatArray:
    law = signed_rank_law(ranks)
    near = v < len(law)
    mirrored = np.clip(most - v - 1, -1, len(law) - 1)
    beyond = np.where(mirrored >= 0, 1.0 - law[np.maximum(mirrored, 0)], 1.0)
    return np.where(near, law[np.where(near, v, 0)], beyond)


def signed_rank_quantile(probability: float, items: int) -> int:
    """The smallest v with P(V ≤ v) ≥ `probability` ≤ 1/2, V the sum of the ranks of positive differences without ties.

    Exact up to 300 items; beyond, the normal quantile with continuity and a correction for the fourth cumulant.
    """
    if items > EXACT_RANKS:
        return _signed_rank_approximation(probability, items)
    # A probability that is a multiple of 2^-n must not miss its own rank by a rounding.
    wanted = probability - 10.0 * np.finfo(np.float64).eps
    return int(np.searchsorted(signed_rank_law(items), wanted))


def _signed_rank_approximation(probability: float, items: int) -> int:
    n = float(items)
    variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0
    fourth = -n * (n + 1.0) * (2.0 * n + 1.0) * (3.0 * n * n + 3.0 * n - 1.0) / 240.0
    z = float(special.ndtri(probability))
    z += fourth / (24.0 * variance**2) * (z**3 - 3.0 * z)
    return max(0, int(np.ceil(n * (n + 1.0) / 4.0 + z * np.sqrt(variance) - 0.5)))
