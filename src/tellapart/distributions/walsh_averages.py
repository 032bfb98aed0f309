"""Walsh averages: the means of every pair of differences, each with itself too, and their order statistics.

The signed-rank sum V counts the averages above zero, so the averages of the right ranks bound the centres that Wilcoxon's
test does not reject. Walsh (1949); Hodges & Lehmann (1963).

There are n(n + 1)/2 of them. Up to a size they are written out; beyond it the one of a given rank is selected without
ever holding them all.
"""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.pair_sums import ranked_pair_sum

WRITTEN_OUT = 1_500
"""Items up to which all averages (a million of them) are written out."""

HELD = 1 << 23
"""Averages, over the batch, held at once."""


def averages(items: int) -> int:
    return items * (items + 1) // 2


def order_statistics(values: FloatArray, ranks: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    """The Walsh averages of two ranks (1 is the smallest), each `(*batch,)`."""
    n = values.shape[-1]
    # Sorted, because selection needs it, and so that both ways see the pairs in one order.
    rows = np.sort(values.reshape(-1, n), axis=-1)
    find = _written_out if n <= WRITTEN_OUT else _selected
    step = _rows_at_once(n)
    found = [find(rows[i : i + step], ranks) for i in range(0, len(rows), step)]
    low, high = (np.concatenate(part).reshape(values.shape[:-1]) for part in zip(*found, strict=True))
    return low, high


def _rows_at_once(items: int) -> int:
    return max(1, HELD // (averages(items) if items <= WRITTEN_OUT else items))


def _written_out(rows: FloatArray, ranks: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    first, second = np.triu_indices(rows.shape[-1])
    walsh = 0.5 * (rows[:, first] + rows[:, second])
    walsh.partition(sorted({rank - 1 for rank in ranks}), axis=-1)
    return walsh[:, ranks[0] - 1], walsh[:, ranks[1] - 1]


def _selected(rows: FloatArray, ranks: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    low, high = (np.array([0.5 * ranked_pair_sum(row, rank) for row in rows]) for rank in ranks)
    return low, high
