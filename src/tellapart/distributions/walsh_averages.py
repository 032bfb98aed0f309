"""Walsh averages: the means of every pair of differences, each with itself too, and their order statistics.

There are n(n + 1)/2 of them. Up to a size they are written out; beyond it the one of a given rank is selected without
ever holding them all.
"""

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray
from tellapart.distributions.pair_sums import ranked_pair_sum
from tellapart.distributions.signed_ranks import signed_rank_law

WRITTEN_OUT = 1_500
"""Items up to which all averages (a million of them) are written out."""

HELD = 1 << 23
"""Averages, over the batch, held at once."""

EXACT_RANKS = 300
"""Items up to which the law of the signed-rank sum is exact; beyond, the Cornish–Fisher quantile is within a rank or two."""


def pseudo_median(values: FloatArray) -> FloatArray:
    """The median of all Walsh averages of `(*batch, item)`: the centre if differences are symmetric. Hodges & Lehmann (1963)."""
    total = averages(values.shape[-1])
    low, high = order_statistics(values, ((total + 1) // 2, total // 2 + 1))
    return np.asarray(0.5 * (low + high))


def averages(items: int) -> int:
    return items * (items + 1) // 2


def order_statistics(values: FloatArray, ranks: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    """The Walsh averages of two ranks (1 is the smallest), each `(*batch,)`."""
    n = values.shape[-1]
    rows = np.sort(values.reshape(-1, n), axis=-1)
    find = _written_out if n <= WRITTEN_OUT else _selected
    step = max(1, HELD // (averages(n) if n <= WRITTEN_OUT else n))
    found = [find(rows[i : i + step], ranks) for i in range(0, len(rows), step)]
    low, high = (np.concatenate(part).reshape(values.shape[:-1]) for part in zip(*found, strict=True))
    return low, high


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


def _written_out(rows: FloatArray, ranks: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    first, second = np.triu_indices(rows.shape[-1])
    walsh = 0.5 * (rows[:, first] + rows[:, second])
    walsh.partition(sorted({rank - 1 for rank in ranks}), axis=-1)
    return walsh[:, ranks[0] - 1], walsh[:, ranks[1] - 1]


def _selected(rows: FloatArray, ranks: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    low, high = (np.array([0.5 * ranked_pair_sum(row, rank) for row in rows]) for rank in ranks)
    return low, high
