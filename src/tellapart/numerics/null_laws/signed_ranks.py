"""Midranks and signed-rank sums of differences, with counts of ties."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from tellapart.foundation.arrays import NOISE, BoolArray, FloatArray, IntArray, snap
from tellapart.numerics.common_step import common_step

# Ranks within every row of a batch, ties sharing the mean of theirs.


def midranks(values: FloatArray) -> FloatArray:
    """Ranks 1, 2, … of `(*batch, item)` along the items; equal values share the mean of their ranks."""
    return ranks_and_ties(values)[0]


def ranks_and_ties(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """The midranks of `(*batch, item)`, and how many items share each: the latter in ascending order of rank.

    In a group of t ties each member counts t, so that Σ(t² − 1) over items is Σ(t³ − t) over groups, which variances of
    rank sums are short by.
    """
    # Which of several equal values comes first does not matter: they share one rank.
    order = np.argsort(values, axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    first, last = _tie_bounds(ordered)
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, 1.0 + 0.5 * (first + last), axis=-1)
    return ranks, last - first + 1


def _tie_bounds(ordered: FloatArray) -> tuple[IntArray, IntArray]:
    """For every place in a sorted row the first and the last place with the same value."""
    places = np.broadcast_to(np.arange(ordered.shape[-1]), ordered.shape)
    changes = ordered[..., 1:] != ordered[..., :-1]
    edge = np.ones((*ordered.shape[:-1], 1), dtype=np.bool_)
    first = np.maximum.accumulate(np.concatenate([edge, changes], axis=-1) * places, axis=-1)
    ends = np.where(np.concatenate([changes, edge], axis=-1), places, ordered.shape[-1])
    return first, np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]


# Differences whose sizes are all apart, as those of continuous scores are, in the order of their sizes: by
# short keys.
# Each size is cut to 30 bits, and twice that is the key of a positive difference, one less that of a
# negative one. Sorting such keys takes half as long as sorting the numbers, and where neighbours are two
# steps apart their order is that of the sizes and no two of these tie. Rows in which some are nearer are
# left to a way that looks at every digit.

ShortKeys = npt.NDArray[np.int32]

STEPS = 2.0**30 - 1.0
"""The largest size in steps: thirty bits, so that twice of it stays a positive 32-bit integer."""
APART = 5
"""Keys so far apart, whatever their signs, are of sizes two steps apart."""


def short_keys(values: FloatArray, scale: float) -> tuple[BoolArray, ShortKeys, IntArray] | None:
    """For `(row, item)`: rows without ties, sorted keys (odd for negative values), and the number of zeros.

    None where steps would be as fine as the grid, fourteen digits below `scale`, on which ties are judged.
    """
    largest = float(max(values.max(initial=0.0), -values.min(initial=0.0)))
    if not largest > 4.0 * STEPS * NOISE * scale or not np.isfinite(largest):
        return None
    keys = (values * (STEPS / largest)).astype(np.int32)
    # All bits of a negative number but its size: 2·|k| − 1 of them, and 2·k of the others.
    negative = keys >> 31
    keys <<= 1
    keys ^= negative
    keys.sort(axis=-1)
    gaps = keys[:, 1:] - keys[:, :-1]
    apart = (gaps.min(axis=-1, initial=APART) >= APART) & (keys[:, 0] >= APART)
    zeros = np.zeros(len(values), dtype=np.int64)
    rows = np.flatnonzero(keys[:, 0] == 0)
    if len(rows):
        zeros[rows] = np.count_nonzero(values[rows] == 0.0, axis=-1)
        apart[rows] = _apart_but_zeros(gaps[rows], zeros[rows])
    return apart, keys, zeros


def _apart_but_zeros(gaps: ShortKeys, zeros: IntArray) -> BoolArray:
    """For rows whose first key is 0: whether it is a zero, and all later keys differ from it and from each other."""
    among_zeros = np.arange(gaps.shape[-1]) < zeros[:, np.newaxis] - 1
    wide = np.where(among_zeros, np.int32(APART), gaps)
    return np.asarray((wide.min(axis=-1, initial=APART) >= APART) & (zeros > 0))


Zeros = Literal["drop", "pratt"]
Sums = tuple[FloatArray, IntArray, IntArray, IntArray, FloatArray]

BLOCK = 1 << 16
"""Differences ranked at once: they stay in the processor's cache."""

COARSE = 0.75
"""Sizes, beside the number of items, up to which differences on a common step are counted rather than sorted.

Counting takes two places per size; beyond this there is more to add up than there is to sort.
"""


@dataclass(frozen=True, eq=False)
class SignedRanks:
    """Sums over the ranks of non-zero differences, each `(row,)`.

    `positive` is the sum of the ranks of positive differences; `ranked` counts non-zero differences, `zeros` the others,
    and `held` those of the others that hold the first ranks (`pratt`); `ties` is the sum of t³ − t over groups of t equal
    absolute differences other than zero.
    """

    positive: FloatArray
    ranked: IntArray
    zeros: IntArray
    held: IntArray
    ties: FloatArray

    @classmethod
    def of(cls, values: FloatArray, zeros: Zeros, scale: float) -> Self:
        """Ranks within `(row, item)`; values that agree to fourteen digits of `scale` are ties."""
        rows = _rank_rows_at_once(values.shape[-1])
        way = _way(values[:1], zeros, scale)
        blocks = [way(values[i : i + rows]) for i in range(0, max(len(values), 1), rows)]
        if len(blocks) == 1:
            return cls(*blocks[0])
        return cls(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))

    @property
    def total(self) -> FloatArray:
        """The sum of the ranks of all non-zero differences."""
        return _ranks_after(self.held, self.ranked)

    @property
    def variance(self) -> FloatArray:
        """The variance of `positive` when every sign is a fair coin, given the ties and zeros. Pratt (1959)."""
        squares = _sum_of_squared_ranks(self.held + self.ranked) - _sum_of_squared_ranks(self.held)
        return np.asarray(squares / 4.0 - self.ties / 48.0)


def _rank_rows_at_once(items: int) -> int:
    return max(1, BLOCK // max(items, 1))


def _keys(values: FloatArray) -> IntArray:
    """Sorted absolute values, read as whole numbers, with a lowest bit that tells negative differences.

    One sort of plain floats then gives ranks, ties and signs; sorting places would take several times as long. The last bit
    of the mantissa is free: values are snapped to a grid of 1e-13 times the power of ten below their scale. Differences of
    scores, moved by a margin, are less than thirty such powers, whose last bit is 30·2⁻⁵² = 6.7e-15: a fifteenth of the grid.
    So two different values never get one key, and equal ones differ in this bit alone. Doubles that are not negative have
    the order of their bits. Scores below `arrays.FINEST`, where no grid is left, are refused at the door.
    """
    sizes = np.abs(values)
    # The same memory, read as whole numbers: setting a bit here changes the number that is sorted there.
    keys = sizes.view(np.int64)
    keys &= -2
    keys |= values < 0.0
    sizes.sort(axis=-1)
    return keys


def _way(first: FloatArray, zeros: Zeros, scale: float) -> Callable[[FloatArray], Sums]:
    """How to rank rows like the first: its sizes are all apart, or a few multiples of one step, or neither."""
    found = short_keys(first, scale)
    if found is not None and found[0].all():
        return lambda values: _short_sums(values, zeros, scale)
    step = _coarse_step(first, scale)
    return lambda values: _stepped_sums(values, zeros, scale, step)


def _coarse_step(first: FloatArray, scale: float) -> float:
    """The step of which the first row is made of a few multiples, as ratings are; 0 where there is none."""
    if not first.size:
        return 0.0
    sizes = np.abs(snap(first, scale))
    step = float(common_step(sizes, np.array([NOISE * scale]))[0])
    return step if sizes.max() <= COARSE * first.shape[-1] * step else 0.0


def _stepped_sums(values: FloatArray, zeros: Zeros, scale: float, step: float) -> Sums:
    """The sums of a few rows: by counting where there are few sizes, else by sorting."""
    if step > 0.0:
        levels = values / step
        whole = np.rint(levels)
        most, off = max(int(np.abs(whole).max()), 1), float(np.abs(levels - whole).max()) * step
        if most <= COARSE * values.shape[-1] and off <= NOISE * scale:
            return _counted_sums(whole.astype(np.int64), most, zeros)
    return _signed_rank_sums(_keys(snap(values, scale)), zeros)


def _short_sums(values: FloatArray, zeros: Zeros, scale: float) -> Sums:
    """The sums of rows whose sizes are all apart by short keys, and of the others by all their digits."""
    found = short_keys(values, scale)
    if found is None:
        return _signed_rank_sums(_keys(snap(values, scale)), zeros)
    apart, keys, empty = found
    sums = _summed(keys, np.zeros(len(keys)), np.zeros(len(keys)), empty, zeros)
    rest = np.flatnonzero(~apart)
    if len(rest):
        for every, some in zip(sums, _signed_rank_sums(_keys(snap(values[rest], scale)), zeros), strict=True):
            every[rest] = some
    return sums


def _counted_sums(levels: IntArray, most: int, zeros: Zeros) -> Sums:
    """The fields of `SignedRanks` from whole multiples of a step, at most `most` of them in size: ranks are counts."""
    rows, width = levels.shape
    wide = 2 * most + 1
    places = levels + (most + wide * np.arange(rows)[:, np.newaxis])
    counts = np.bincount(places.ravel(), minlength=rows * wide).reshape(rows, wide)
    empty, positive = counts[:, most], counts[:, most + 1 :]
    tied = positive + counts[:, most - 1 :: -1]
    held = empty if zeros == "pratt" else np.zeros_like(empty)
    midranks = held[:, np.newaxis] + np.cumsum(tied, axis=-1) - 0.5 * (tied - 1.0)
    ties = (tied * (tied * tied - 1.0)).sum(axis=-1)
    return (positive * midranks).sum(axis=-1), width - empty, empty, held, ties


def _signed_rank_sums(keys: IntArray, zeros: Zeros) -> Sums:
    """The fields of `SignedRanks` from sorted keys."""
    return _summed(keys, *_tie_sums(keys), zeros)


def _summed(keys: IntArray | ShortKeys, gained: FloatArray, ties: FloatArray, empty: IntArray, zeros: Zeros) -> Sums:
    """Signed ranks where the tie contribution, the sum over ties and the zeros of each row are known."""
    width = keys.shape[-1]
    signs = (keys & 1).astype(np.float64)
    negative, negatives = (signs @ _ranks_and_ones(width)).T
    held = empty if zeros == "pratt" else np.zeros_like(empty)
    ranked = width - empty
    negative = negative - gained - (empty - held) * negatives
    return _ranks_after(held, ranked) - negative, ranked, empty, held, ties


@lru_cache(maxsize=16)
def _ranks_and_ones(width: int) -> FloatArray:
    """`(width, 2)`: one matrix product for the sum of negative ranks and their number."""
    return np.stack([np.arange(1.0, width + 1.0), np.ones(width)], axis=-1)


def _tie_sums(keys: IntArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Midranks' contribution to the positive differences of each row, its sum of t³ − t over groups of t ties, its zeros.

    In a group, positive differences were ranked first: beside n negative ones, p of them gain p·n/2.
    """
    rows, width = keys.shape
    flat = keys.ravel()
    apart = flat[1:] ^ flat[:-1]
    # Real scores rarely tie, and then nothing is left to correct.
    if not apart.size or apart.min() > 1:
        return np.zeros(rows), np.zeros(rows), np.count_nonzero(keys[:, :1] == 0, axis=-1)
    first, last, turn = _tie_groups(apart, width)
    begin = np.searchsorted(first, width * np.arange(rows + 1))
    size = last - first + 1
    empty = _zeros_in_front(keys, size, begin)
    mixed = np.flatnonzero((flat[first] ^ flat[last]) == 1)
    beside = np.zeros(len(first))
    beside[mixed] = 0.5 * (turn - first[mixed] + 1) * (last[mixed] - turn)
    cubes = _row_sums(size * (size * size - 1.0), begin)
    return _row_sums(beside, begin), cubes - empty * (empty * empty - 1.0), empty


def _tie_groups(apart: IntArray, width: int) -> tuple[IntArray, IntArray, IntArray]:
    """Where, in the flattened rows, each group of ties begins, where it ends, and where its positive part ends if mixed."""
    links = np.zeros(len(apart) + 2, dtype=np.bool_)
    np.less_equal(apart, 1, out=links[1:-1])
    # The last of a row and the first of the next are neighbours in memory only.
    links[:-1:width] = False
    edges = np.flatnonzero(links[1:] != links[:-1])
    turn = np.flatnonzero(apart == 1)
    return edges[::2], edges[1::2], turn[links[turn + 1]]


def _zeros_in_front(keys: IntArray, size: IntArray, begin: IntArray) -> IntArray:
    """How many zeros each row has: none, one, or the group of ties it begins with."""
    empty = (keys[:, 0] == 0).astype(np.int64)
    several = np.flatnonzero(np.count_nonzero(keys[:, :2] == 0, axis=-1) == 2)
    empty[several] = size[begin[several]]
    return np.asarray(empty)


def _row_sums(weights: FloatArray, begin: IntArray) -> FloatArray:
    """Sums of the weights from begin[i] up to begin[i + 1]."""
    # Half-integers below 2⁵³: differences of running sums are exact.
    running = np.concatenate([[0.0], np.cumsum(weights)])
    return np.asarray(running[begin[1:]] - running[begin[:-1]])


def _ranks_after(held: IntArray, ranked: IntArray) -> FloatArray:
    """The sum of the `ranked` ranks that follow the first `held`."""
    return np.asarray(ranked * (held + 0.5 * (ranked + 1.0)))


def _sum_of_squared_ranks(n: IntArray) -> FloatArray:
    return np.asarray(n * (n + 1.0) * (2.0 * n + 1.0) / 6.0)
