"""Walsh averages: the means of every pair of differences, each with itself too, and their order statistics.

There are n(n + 1)/2 of them. Up to a size they are written out; beyond it the value of a given rank is found by halving
an interval and counting, without ever holding them.
"""

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray, IntArray
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
    find = _written_out if n <= WRITTEN_OUT else _counted
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


def _counted(rows: FloatArray, ranks: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    return _of_rank(rows, ranks[0]), _of_rank(rows, ranks[1])


def _of_rank(rows: FloatArray, rank: int) -> FloatArray:
    """The value that `rank` averages do not exceed, by halving, then the average that is nearest to where it ended."""
    low, high = rows[:, 0], rows[:, -1]
    for _ in range(64):
        middle = 0.5 * (low + high)
        enough = _averages_up_to(rows, middle) >= rank
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return _nearest_average(rows, 0.5 * (low + high))


def _averages_up_to(rows: FloatArray, value: FloatArray) -> IntArray:
    """How many Walsh averages of each sorted row are at most `value`: pairs counted both ways, then halved."""
    both_ways = _up_to(rows, 2.0 * value[:, np.newaxis] - rows).sum(axis=-1)
    with_itself = (rows <= value[:, np.newaxis]).sum(axis=-1)
    return np.asarray((both_ways + with_itself) // 2)


def _up_to(rows: FloatArray, bounds: FloatArray) -> IntArray:
    """For every bound, how many entries of its sorted row are at most it: a binary search of all rows at once."""
    low = np.zeros(bounds.shape, dtype=np.int64)
    high = np.full(bounds.shape, rows.shape[-1], dtype=np.int64)
    for _ in range(int(rows.shape[-1]).bit_length()):
        middle = (low + high) // 2
        inside = low < high
        below = inside & (np.take_along_axis(rows, np.minimum(middle, rows.shape[-1] - 1), axis=-1) <= bounds)
        low, high = np.where(below, middle + 1, low), np.where(inside & ~below, middle, high)
    return low


def _nearest_average(rows: FloatArray, value: FloatArray) -> FloatArray:
    """The Walsh average nearest to `value`: the partner of each entry is beside where the search for it ends."""
    place = _up_to(rows, 2.0 * value[:, np.newaxis] - rows)
    partners = [np.clip(place + shift, 0, rows.shape[-1] - 1) for shift in (-1, 0)]
    walsh = np.concatenate([0.5 * (rows + np.take_along_axis(rows, p, axis=-1)) for p in partners], axis=-1)
    best = np.abs(walsh - value[:, np.newaxis]).argmin(axis=-1)
    return np.take_along_axis(walsh, best[:, np.newaxis], axis=-1)[:, 0]
