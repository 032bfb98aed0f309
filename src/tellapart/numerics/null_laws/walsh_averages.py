"""Walsh averages: the means of all pairs of differences, each with itself too, and their order statistics.

The signed-rank sum V counts the averages above zero, so the averages of the right ranks bound the centres that Wilcoxon's
test does not reject. Walsh (1949); Hodges & Lehmann (1963).

There are n(n + 1)/2 of them. Up to a size they are written out; beyond it the one of a given rank is selected without
ever holding them all.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.seeds import Generator, stream

# The sum of a given rank among the sums of all pairs of many numbers, without writing the pairs out.
# The partners of each number, in ascending order, are a range. Ranges are narrowed to the pairs between two
# sampled sums until few enough are left to be written out. Every step counts exactly, so chance decides how
# long it takes and never what is found. Johnson & Mizoguchi (1978); Floyd & Rivest (1975) for the sampling.

WRITTEN_OUT = 1 << 18
"""Pairs that are few enough to be written out; so are twice as many as there are numbers."""

FEWEST_SAMPLED, MOST_SAMPLED = 1 << 13, 1 << 17
"""Pairs drawn to see between which sums the wanted one lies: an eighth of the numbers, within these bounds."""

BRACKET = 5.0
"""Standard errors of the sampled rank on either side, missed once in two million: a miss costs one more step."""


def ranked_pair_sum(ordered: FloatArray, rank: int) -> float:
    """The sum of this rank (1 is the smallest) among `x_i + x_j`, i ≤ j, of ascending numbers `(item,)`."""
    items = len(ordered)
    left, rng = _Pairs(ordered, np.arange(items), np.full(items, items), rank), stream(0)
    while left.count > max(WRITTEN_OUT, 2 * items):
        least, most = left.extremes()
        # Halved before they are added: the sum of two of the largest scores would be endless.
        middle = 0.5 * least + 0.5 * most
        # No double lies between: all sums that are left are one number, or two neighbours of it.
        if not least < middle < most:
            return least
        # A bracket that left all pairs in it was of no use, as among equal sums: halving the range always is.
        closer = left.between(*left.bracket(rng))
        left = closer if closer.count < left.count else left.between(middle, middle)
    return float(np.partition(left.sums(np.arange(left.count)), left.rank - 1)[left.rank - 1])


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of each number `x_i` with `x_j`, first[i] ≤ j < last[i]; `rank` is that of the wanted sum among theirs."""

    ordered: FloatArray
    first: IntArray
    last: IntArray
    rank: int

    @property
    def count(self) -> int:
        return int((self.last - self.first).sum())

    def sums(self, which: IntArray) -> FloatArray:
        """The sums of the pairs with these numbers, counted from 0 and one range after the other."""
        ends = np.cumsum(self.last - self.first)
        one = np.searchsorted(ends, which, side="right")
        other = self.last[one] - (ends[one] - which)
        return np.asarray(self.ordered[one] + self.ordered[other])

    def extremes(self) -> tuple[float, float]:
        """The least and the largest sum."""
        some = self.first < self.last
        one, near, far = self.ordered[some], self.first[some], self.last[some] - 1
        return float((one + self.ordered[near]).min()), float((one + self.ordered[far]).max())

    def bracket(self, rng: Generator) -> tuple[float, float]:
        """Two sampled sums between which the wanted one very likely lies."""
        # An eighth of the numbers: sorting so few sums costs little beside one pass over all ranges.
        many = min(max(len(self.ordered) // 8, FEWEST_SAMPLED), MOST_SAMPLED)
        drawn = np.sort(self.sums(rng.integers(0, self.count, size=many)))
        share = self.rank / self.count
        middle, half_width = share * many, BRACKET * np.sqrt(share * (1.0 - share) * many) + 1.0
        low, high = (int(np.clip(middle + side * half_width, 0, many - 1)) for side in (-1.0, 1.0))
        return float(drawn[low]), float(drawn[high])

    def between(self, low: float, high: float) -> "_Pairs":
        """The pairs with sums from `low` to `high` if the wanted one is among them, else those on the side where it is."""
        upper = self._places_of_bound(high, "right")
        up_to_high = int((upper - self.first).sum())
        if self.rank > up_to_high:
            return _Pairs(self.ordered, upper, self.last, self.rank - up_to_high)
        lower = self._places_of_bound(low, "left")
        below = int((lower - self.first).sum())
        if self.rank <= below:
            return _Pairs(self.ordered, self.first, lower, self.rank)
        return _Pairs(self.ordered, lower, upper, self.rank - below)

    def _places_of_bound(self, bound: float, side: Literal["left", "right"]) -> IntArray:
        """Where each range passes the bound on its sums: before the pairs that reach it exactly (left), or after."""
        # In ascending order one binary search begins where the last one ended, which is several times faster.
        partners = _exact_partners(bound, self.ordered, side)[::-1]
        return np.asarray(np.clip(np.searchsorted(self.ordered, partners, side)[::-1], self.first, self.last))


def _exact_partners(bound: float, values: FloatArray, side: Literal["left", "right"]) -> FloatArray:
    """The bound minus the values, rounded away from the pairs that must not be counted: up on the left, down on the right."""
    partners = bound - values
    # What rounding took away, itself exact. Knuth (1997), 4.2.2.
    back = bound - partners
    lost = (bound - (partners + back)) - (values - back)
    if side == "right":
        return np.where(lost < 0.0, np.nextafter(partners, -np.inf), partners)
    return np.where(lost > 0.0, np.nextafter(partners, np.inf), partners)


MOST_ITEMS_WRITTEN_OUT = 1_500
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
    find = _written_out if n <= MOST_ITEMS_WRITTEN_OUT else _selected
    step = _average_rows_at_once(n)
    found = [find(rows[i : i + step], ranks) for i in range(0, len(rows), step)]
    low, high = (np.concatenate(part).reshape(values.shape[:-1]) for part in zip(*found, strict=True))
    return low, high


def _average_rows_at_once(items: int) -> int:
    return max(1, HELD // (averages(items) if items <= MOST_ITEMS_WRITTEN_OUT else items))


def _written_out(rows: FloatArray, ranks: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    first, second = np.triu_indices(rows.shape[-1])
    walsh = 0.5 * (rows[:, first] + rows[:, second])
    walsh.partition(sorted({rank - 1 for rank in ranks}), axis=-1)
    return walsh[:, ranks[0] - 1], walsh[:, ranks[1] - 1]


def _selected(rows: FloatArray, ranks: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    low, high = (np.array([0.5 * ranked_pair_sum(row, rank) for row in rows]) for rank in ranks)
    return low, high
