"""Exact subset counts by meeting in the middle: the sums of two halves are sorted and matched.

A subset of k sizes is a subset of one half and one of the other. For every sum of the one, the sums of the other that fit
into what room is left are counted in one sorted pass: 2^(k/2) numbers are sorted instead of 2ᵏ listed. All in whole
numbers, so that nothing is rounded and a tie is a tie. Horowitz & Sahni (1974).
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums, Tail

BLOCK = 1 << 16
"""Sums of halves worked on at once, of rows short enough: they stay in the processor's cache."""


def enumerated_tails(sums: SubsetSums) -> Tail:
    """The exact tail of rows of at most some 40 sizes: 2^(k/2) sums per half."""
    rows, width = sums.sizes.shape
    step = _matched_rows_at_once(width)
    return Tail.joined([_enumerate(sums[i : i + step]) for i in range(0, rows, step)])


def _matched_rows_at_once(width: int) -> int:
    return max(1, BLOCK >> (-(-width // 2)))


def _enumerate(sums: SubsetSums) -> Tail:
    rows, width = sums.sizes.shape
    sizes, threshold, slack = _whole_numbers(sums)
    left, right = _all_sums(sizes[:, ::2]), _all_sums(sizes[:, 1::2])
    room = threshold[:, np.newaxis] - left
    slack = slack[:, np.newaxis]
    pairs = np.exp2(sums.halvings + width)
    at_most = _pairs_below(2 * right, 2 * (room + slack) + 1) / pairs
    return Tail(at_most, _pairs_below(2 * right, 2 * (room - slack) - 1) / pairs, np.zeros(rows))


def _pairs_below(sums: IntArray, rooms: IntArray) -> FloatArray:
    """How many pairs of an (even) sum and an (odd) room there are, in each row, with the sum below the room.

    Sorted together, a room at place p with r rooms before it has p − r sums before it. The lowest bit tells them apart
    after one sort of plain numbers, which is several times faster than sorting places. Sums come up and rooms down.
    """
    merged = np.concatenate([sums, rooms[:, ::-1]], axis=-1)
    merged.sort(axis=-1, kind="stable")
    merged &= 1
    count = rooms.shape[-1]
    return np.asarray(merged @ np.arange(merged.shape[-1]) - count * (count - 1) // 2, dtype=np.float64)


def _whole_numbers(sums: SubsetSums) -> tuple[IntArray, IntArray, IntArray]:
    """Sizes, threshold and tolerance in whole numbers, fine enough that rounding stays below the tolerance."""
    # Sums of all sizes stay below 2⁵⁸, and doubled with a slack below 2⁶³; the largest size keeps its 53 bits up to 32 sizes.
    room = 58 - int(np.ceil(np.log2(max(sums.sizes.shape[-1], 2))))
    _, exponent = np.frexp(sums.sizes.max(axis=-1, initial=0.0))
    unit = np.where(sums.whole, 1.0, np.ldexp(1.0, room - exponent))
    sizes = np.rint(sums.sizes * unit[:, np.newaxis]).astype(np.int64)
    threshold = np.rint(sums.threshold * unit).astype(np.int64)
    # Rounding moves each size by half a unit at most.
    slack = np.where(sums.whole, 0.0, np.ceil(sums.tolerance * unit) + sums.sizes.shape[-1])
    return sizes, threshold, slack.astype(np.int64)


def _all_sums(sizes: IntArray) -> IntArray:
    """The sums of all subsets of each row, `(row, 2^items)`, from the smallest up."""
    sums = np.zeros((len(sizes), 1), dtype=np.int64)
    for column in sizes.T:
        sums = np.concatenate([sums, sums + column[:, np.newaxis]], axis=-1)
        # Two ascending runs, which a stable sort merges in one pass.
        sums.sort(axis=-1, kind="stable")
    return sums


# Sizes that repeat: all subsets of equal sizes at once, meeting in the middle.
# Of m equal sizes, how many are taken is all that counts: m + 1 sums with binomial weights in place of 2ᵐ.
# With g different sizes a half has (m + 1)^(g/2) sums: 400 ratings differ by a few sizes and are counted
# exactly in a moment.

LISTED = 1 << 20
"""Sums of one half that are worth listing, as 20 different sizes have; or more sizes, where they repeat or few sums count."""


def grouped_tail(sums: SubsetSums) -> Tail | None:
    """The exact tail of a single row whose sizes repeat, or whose threshold is low; None where there are too many sums.

    A size met m times is taken 0 … m times with binomial weights, and sums beyond the threshold are dropped at once.
    """
    groups = _size_counts(sums.sizes[0])
    farthest = sums.threshold[0] + sums.tolerance[0]
    first, second = (_weighted_sums(half, farthest) for half in _balanced_halves(groups))
    if first is None or second is None:
        return None
    (left, left_weight), (right, right_weight) = first, second
    room = sums.threshold[0] - left
    # A table up to the threshold is faster than a search of all sums, unless it is mostly empty.
    if sums.whole[0] and sums.threshold[0] < 64.0 * len(right):
        fitting = _weights_by_table(right, right_weight, room.astype(np.int64))
    else:
        # Whole numbers have no tolerance of their own: a quarter is far from any other.
        fitting = _weights_by_search(right, right_weight, room, sums.tolerance[0] or 0.25)
    at_most, below = (sums.chance * np.sum(left_weight * weight) for weight in fitting)
    # Only positive numbers are multiplied and added: some tens of roundings, of 1e-16 each.
    return Tail(at_most, below, 1e-14 * at_most)


def _weights_by_table(sums: FloatArray, weights: FloatArray, room: IntArray) -> tuple[FloatArray, FloatArray]:
    """The weight of all sums at most, and below, each room, for whole numbers that are not too far apart."""
    law = np.bincount(sums.astype(np.int64), weights, int(room.max()) + 1)
    running = np.concatenate([[0.0], np.cumsum(law)])
    return running[room + 1], running[room]


def _weights_by_search(
    sums: FloatArray, weights: FloatArray, room: FloatArray, slack: float
) -> tuple[FloatArray, FloatArray]:
    """The weight of all sums at most, and below, each room, sums closer than the slack being ties."""
    order = np.argsort(sums)
    ordered, running = sums[order], np.concatenate([[0.0], np.cumsum(weights[order])])
    return running[np.searchsorted(ordered, room + slack)], running[np.searchsorted(ordered, room - slack)]


def _size_counts(sizes: FloatArray) -> list[tuple[float, int]]:
    """The different sizes of a single row, which has no zeros in front, and how often each is met."""
    levels, counts = np.unique(sizes, return_counts=True)
    return list(zip(levels.tolist(), counts.tolist(), strict=True))


def _balanced_halves(groups: Sequence[tuple[float, int]]) -> tuple[list[tuple[float, int]], list[tuple[float, int]]]:
    """Groups dealt to two halves so that both have about as many sums."""
    halves: tuple[list[tuple[float, int]], list[tuple[float, int]]] = ([], [])
    lengths = [1.0, 1.0]
    for size, count in sorted(groups, key=lambda group: (-group[1], -group[0])):
        shorter = int(lengths[1] < lengths[0])
        halves[shorter].append((size, count))
        lengths[shorter] *= count + 1.0
    return halves


def _weighted_sums(groups: Sequence[tuple[float, int]], farthest: float) -> tuple[FloatArray, FloatArray] | None:
    sums, weights = np.zeros(1), np.ones(1)
    for size, count in groups:
        taken = np.arange(min(count, int(farthest // size)) + 1.0)
        # Beyond a thousand equal sizes binomial coefficients come near the largest double, 1029 over 514.
        if len(taken) * len(sums) > 4 * LISTED or count > 1000:
            return None
        longer = (sums + size * taken[:, np.newaxis]).ravel()
        heavier = (weights * _fair_binomial(count)[: len(taken), np.newaxis]).ravel()
        near = longer <= farthest
        sums, weights = longer[near], heavier[near]
    return (sums, weights) if len(sums) <= LISTED else None


@lru_cache(maxsize=1024)
def _fair_binomial(count: int) -> FloatArray:
    """P(X = 0), P(X = 1), … for X ~ Binomial(count, 1/2)."""
    taken = np.arange(count) + 1.0
    return np.asarray(np.concatenate([[1.0], np.cumprod((count + 1.0 - taken) / taken)]) * 0.5**count)
