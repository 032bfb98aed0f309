"""Ranks of absolute differences that carry the sign of the difference: their sums, their ties and their null law."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Self

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray, snap
from tellapart.distributions.sign_flips import FlipTails, sign_flip_tails

Zeros = Literal["drop", "pratt"]

BLOCK = 1 << 15
"""Differences ranked at once: they stay in the processor's cache."""

TABULATED = 256
"""Ranks up to which the law without ties is kept as a table."""


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
        """Ranks within `(row, item)`; values that agree to twelve digits of `scale` are ties."""
        step = max(1, BLOCK // max(values.shape[-1], 1))
        starts = range(0, max(len(values), 1), step)
        blocks = [_sums(_keys(snap(values[i : i + step], scale)), zeros) for i in starts]
        return cls(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))

    @property
    def total(self) -> FloatArray:
        """The sum of the ranks of all non-zero differences."""
        return np.asarray(_triangle(self.held + self.ranked) - _triangle(self.held))

    @property
    def variance(self) -> FloatArray:
        """The variance of `positive` when every sign is a fair coin, given the ties and zeros. Pratt (1959)."""
        squares = _squares(self.held + self.ranked) - _squares(self.held)
        return np.asarray(squares / 4.0 - self.ties / 48.0)


def signed_rank_tails(values: FloatArray, ranks: SignedRanks, zeros: Zeros, scale: float) -> FlipTails:
    """P(V ≤ v) and P(V ≥ v) for the sum of positive ranks, exact given the ties, for every row. Wilcoxon (1945).

    Rows without ties share one table a number of ranks; the others are sign flips of their own midranks.
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
    """Twice the midranks of `(row, item)` with their signs, in ascending order of rank; 0 for zeros."""
    keys = _keys(values)
    first, sizes = _groups(_continues(keys))
    width = keys.shape[-1]
    middle = np.repeat(2.0 * (first % width) + sizes + 1.0, sizes).reshape(keys.shape)
    if zeros == "drop":
        middle -= 2.0 * np.count_nonzero(keys == 0, axis=-1)[:, np.newaxis]
    return np.where(keys == 0, 0.0, np.where(keys & 1, middle, -middle))


@lru_cache(maxsize=512)
def signed_rank_law(ranks: int) -> FloatArray:
    """P(V ≤ v) for v = 0, 1, … up to half the range, V the sum of a random choice of the ranks 1 … `ranks`."""
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


def _keys(values: FloatArray) -> IntArray:
    """Sorted absolute values as whole numbers, the lowest bit telling a positive difference from a negative one."""
    keys = np.abs(values).view(np.int64)
    keys &= -2
    keys |= values > 0.0
    keys.sort(axis=-1)
    return keys


def _sums(keys: IntArray, zeros: Zeros) -> tuple[FloatArray, IntArray, IntArray, IntArray, FloatArray]:
    """The fields of `SignedRanks` from sorted keys."""
    rows, width = keys.shape
    signs = (keys & 1).astype(np.float64)
    positive, positives = (signs @ np.stack([np.arange(1.0, width + 1.0), np.ones(width)], axis=-1)).T
    empty = np.zeros(rows, dtype=np.int64)
    if keys.size and keys[:, 0].min() == 0:
        empty = np.count_nonzero(keys == 0, axis=-1)
    held = empty
    if zeros == "drop" and empty.any():
        positive = positive - empty * positives
        held = np.zeros_like(empty)
    lost, ties = _tie_sums(keys)
    return positive - lost, width - empty, empty, held, ties


def _tie_sums(keys: IntArray) -> tuple[FloatArray, FloatArray]:
    """What midranks take from the positive ranks of each row, and its sum of t³ − t over groups of t ties."""
    lost, ties = np.zeros(len(keys)), np.zeros(len(keys))
    apart = keys.ravel()[1:] ^ keys.ravel()[:-1]
    if apart.size and apart.min() <= 1:
        near = np.zeros(keys.shape, dtype=np.bool_)
        np.less_equal(apart, 1, out=near.ravel()[1:])
        tied = near.any(axis=-1)
        lost[tied], ties[tied] = _run_sums(keys if tied.all() else keys[tied])
    return lost, ties


def _run_sums(keys: IntArray) -> tuple[FloatArray, FloatArray]:
    """The same from runs of equal keys: a group of ties is a run of negative differences, of positive ones, or both.

    Negative ones were ranked first: next to n of them, p positive ones lose p·n/2, and the group has
    (p + n)³ − (p + n) = (p³ − p) + (n³ − n) + 3·p·n·(p + n).
    """
    rows, width = keys.shape
    flat = keys.ravel()
    starts = np.ones(keys.size, dtype=np.bool_)
    np.not_equal(flat[1:], flat[:-1], out=starts[1:])
    starts[::width] = True
    first = np.flatnonzero(starts)
    key, row = flat[first], first // width
    length = np.where(key == 0, 0.0, np.diff(first, append=keys.size))
    both = np.flatnonzero(((key[1:] ^ key[:-1]) == 1) & (row[1:] == row[:-1]))
    negative, positive = length[both], length[both + 1]
    lost = np.bincount(row[both], 0.5 * positive * negative, minlength=rows)
    mixed = np.bincount(row[both], 3.0 * positive * negative * (positive + negative), minlength=rows)
    return lost, mixed + np.bincount(row, length * (length * length - 1.0), minlength=rows)


def _groups(continues: BoolArray) -> tuple[IntArray, IntArray]:
    """Where each group of equal absolute values starts in the flattened rows, and its size."""
    first = np.flatnonzero(~continues)
    return first, np.diff(first, append=continues.size)


def _continues(keys: IntArray) -> BoolArray:
    """Whether a key has the same absolute value as the one before it in its row."""
    same = np.zeros(keys.shape, dtype=np.bool_)
    np.less_equal(keys[:, 1:] ^ keys[:, :-1], 1, out=same[:, 1:])
    return same


def _triangle(n: IntArray) -> FloatArray:
    return np.asarray(0.5 * n * (n + 1.0))


def _squares(n: IntArray) -> FloatArray:
    return np.asarray(n * (n + 1.0) * (2.0 * n + 1.0) / 6.0)
