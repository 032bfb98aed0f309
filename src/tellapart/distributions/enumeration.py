"""All subsets counted, without listing them: the sums of two halves are sorted and matched, meeting in the middle."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.subset_sums import SubsetSums, Tail

BLOCK = 1 << 16
"""Sums of halves worked on at once, of rows short enough: they stay in the processor's cache."""

LISTED = 1 << 20
"""Sums of one half that are worth listing: 20 different sizes, or more where sizes repeat or few sums are in reach."""


def enumerated_tails(sums: SubsetSums) -> Tail:
    """The exact tail of rows of at most some 40 sizes: 2^(k/2) sums a half. Horowitz & Sahni (1974)."""
    rows, width = sums.sizes.shape
    step = max(1, BLOCK >> (-(-width // 2)))
    return Tail.joined([_enumerate(sums[i : i + step]) for i in range(0, rows, step)])


def _enumerate(sums: SubsetSums) -> Tail:
    rows, width = sums.sizes.shape
    sizes, reach, slack = _whole_numbers(sums)
    left, right = _all_sums(sizes[:, ::2]), _all_sums(sizes[:, 1::2])
    room = reach[:, np.newaxis] - left
    slack = slack[:, np.newaxis]
    pairs = np.exp2(sums.halvings + width)
    at_most = _fitting(2 * right, 2 * (room + slack) + 1) / pairs
    return Tail(at_most, _fitting(2 * right, 2 * (room - slack) - 1) / pairs, np.zeros(rows))


def _fitting(sums: IntArray, rooms: IntArray) -> FloatArray:
    """How many pairs of an (even) sum and an (odd) room there are, in each row, with the sum below the room.

    Sorted together, a room at place p with r rooms before it has p − r sums before it.
    """
    merged = np.concatenate([sums, rooms], axis=-1)
    merged.sort(axis=-1)
    merged &= 1
    count = rooms.shape[-1]
    return np.asarray(merged @ np.arange(merged.shape[-1]) - count * (count - 1) // 2, dtype=np.float64)


def _whole_numbers(sums: SubsetSums) -> tuple[IntArray, IntArray, IntArray]:
    """Sizes, reach and tolerance in whole numbers, fine enough that rounding stays below the tolerance."""
    room = 58 - int(np.ceil(np.log2(max(sums.sizes.shape[-1], 2))))
    _, exponent = np.frexp(sums.sizes.max(axis=-1, initial=0.0))
    unit = np.where(sums.whole, 1.0, np.ldexp(1.0, room - exponent))
    sizes = np.rint(sums.sizes * unit[:, np.newaxis]).astype(np.int64)
    reach = np.rint(sums.reach * unit).astype(np.int64)
    slack = np.where(sums.whole, 0.0, np.ceil(sums.tolerance * unit) + sums.sizes.shape[-1])
    return sizes, reach, slack.astype(np.int64)


def _all_sums(sizes: IntArray) -> IntArray:
    """The sums of all subsets of each row, `(row, 2^items)`."""
    sums = np.zeros((len(sizes), 1), dtype=np.int64)
    for column in sizes.T:
        sums = np.concatenate([sums, sums + column[:, np.newaxis]], axis=-1)
    return sums


def grouped_tail(sums: SubsetSums) -> Tail | None:
    """The exact tail of a single row whose sizes repeat, or whose reach is short; None where there are too many sums.

    A size met m times is taken 0 … m times with binomial weights, and sums beyond the reach are dropped at once.
    """
    groups = _groups(sums.sizes[0])
    farthest = sums.reach[0] + sums.tolerance[0]
    first, second = (_weighted_sums(half, farthest) for half in _balanced(groups))
    if first is None or second is None:
        return None
    (left, left_weight), (right, right_weight) = first, second
    room = sums.reach[0] - left
    if sums.whole[0] and sums.reach[0] < 64.0 * len(right):
        fitting = _tabulated(right, right_weight, room.astype(np.int64))
    else:
        fitting = _searched(right, right_weight, room, sums.tolerance[0] or 0.25)
    at_most, below = (sums.chance * np.sum(left_weight * weight) for weight in fitting)
    return Tail(at_most, below, 1e-14 * at_most)


def _tabulated(sums: FloatArray, weights: FloatArray, room: IntArray) -> tuple[FloatArray, FloatArray]:
    """The weight of all sums at most, and below, each room, for whole numbers that are not too far apart."""
    law = np.bincount(sums.astype(np.int64), weights, int(room.max()) + 1)
    running = np.concatenate([[0.0], np.cumsum(law)])
    return running[room + 1], running[room]


def _searched(
    sums: FloatArray, weights: FloatArray, room: FloatArray, slack: float
) -> tuple[FloatArray, FloatArray]:
    """The weight of all sums at most, and below, each room, sums closer than the slack being ties."""
    order = np.argsort(sums)
    ordered, running = sums[order], np.concatenate([[0.0], np.cumsum(weights[order])])
    return running[np.searchsorted(ordered, room + slack)], running[np.searchsorted(ordered, room - slack)]


def _groups(sizes: FloatArray) -> list[tuple[float, int]]:
    levels, counts = np.unique(sizes[sizes > 0.0], return_counts=True)
    return list(zip(levels.tolist(), counts.tolist(), strict=True))


def _balanced(groups: Sequence[tuple[float, int]]) -> tuple[list[tuple[float, int]], list[tuple[float, int]]]:
    """Groups dealt to two halves so that both have about as many sums."""
    halves: tuple[list[tuple[float, int]], list[tuple[float, int]]] = ([], [])
    lengths = [1.0, 1.0]
    for size, count in sorted(groups, key=lambda group: (-group[1], -group[0])):
        shorter = int(lengths[1] < lengths[0])
        halves[shorter].append((size, count))
        lengths[shorter] *= count + 1.0
    return halves


def _weighted_sums(
    groups: Sequence[tuple[float, int]], farthest: float
) -> tuple[FloatArray, FloatArray] | None:
    sums, weights = np.zeros(1), np.ones(1)
    for size, count in groups:
        taken = np.arange(min(count, int(farthest // size)) + 1.0)
        if len(taken) * len(sums) > 4 * LISTED or count > 1000:
            return None
        longer = (sums + size * taken[:, np.newaxis]).ravel()
        heavier = (weights * _binomial(count)[: len(taken), np.newaxis]).ravel()
        near = longer <= farthest
        sums, weights = longer[near], heavier[near]
    return (sums, weights) if len(sums) <= LISTED else None


@lru_cache(maxsize=1024)
def _binomial(count: int) -> FloatArray:
    """P(X = 0), P(X = 1), … for X ~ Binomial(count, 1/2)."""
    taken = np.arange(1.0, count + 1.0)
    return np.asarray(np.concatenate([[1.0], np.cumprod((count + 1.0 - taken) / taken)]) * 0.5**count)
