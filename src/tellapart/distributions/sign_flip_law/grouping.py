"""Sizes that repeat: all subsets of equal sizes at once, meeting in the middle.

Of m equal sizes, how many are taken is all that counts: m + 1 sums with binomial weights in place of 2ᵐ. With g different
sizes a half has (m + 1)^(g/2) sums: 400 ratings differ by a few sizes and are counted exactly in a moment.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.sign_flip_law.subset_sums import SubsetSums, Tail

LISTED = 1 << 20
"""Sums of one half that are worth listing, as 20 different sizes have; or more sizes, where they repeat or few sums count."""


def grouped_tail(sums: SubsetSums) -> Tail | None:
    """The exact tail of a single row whose sizes repeat, or whose threshold is low; None where there are too many sums.

    A size met m times is taken 0 … m times with binomial weights, and sums beyond the threshold are dropped at once.
    """
    groups = _groups(sums.sizes[0])
    farthest = sums.threshold[0] + sums.tolerance[0]
    first, second = (_weighted_sums(half, farthest) for half in _balanced(groups))
    if first is None or second is None:
        return None
    (left, left_weight), (right, right_weight) = first, second
    room = sums.threshold[0] - left
    # A table up to the threshold is faster than a search of all sums, unless it is mostly empty.
    if sums.whole[0] and sums.threshold[0] < 64.0 * len(right):
        fitting = _tabulated(right, right_weight, room.astype(np.int64))
    else:
        # Whole numbers have no tolerance of their own: a quarter is far from any other.
        fitting = _searched(right, right_weight, room, sums.tolerance[0] or 0.25)
    at_most, below = (sums.chance * np.sum(left_weight * weight) for weight in fitting)
    # Only positive numbers are multiplied and added: some tens of roundings, of 1e-16 each.
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
    """The different sizes of a single row, which has no zeros in front, and how often each is met."""
    levels, counts = np.unique(sizes, return_counts=True)
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
        # Beyond a thousand equal sizes binomial coefficients come near the largest double, 1029 over 514.
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
    taken = np.arange(count) + 1.0
    return np.asarray(np.concatenate([[1.0], np.cumprod((count + 1.0 - taken) / taken)]) * 0.5**count)
