"""Choice of the joint resampling for a leaderboard: sign flips, plus the bootstrap for visibly skewed pairs."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tellapart.boards.board import Board
from tellapart.boards.cluster_t_flips import cluster_flips
from tellapart.boards.family import Family
from tellapart.boards.joint_bootstrap import BootstrapBlocks, Residuals, joint_bootstrap
from tellapart.boards.joint_flips import joint_flips
from tellapart.boards.joint_pvalues import (
    JointPvalues,
    LargestPvalues,
    Resampling,
    ResamplingPvalues,
    parallel_joint_pvalues,
)
from tellapart.choosing.pairs import visibly_skewed
from tellapart.foundation.arrays import BoolArray, IntArray
from tellapart.foundation.seeds import Generator, stream

DRAWN = 1 << 32
"""Products that drawing items again may take: beyond, as few resamples as keep within it."""

PER_STATISTIC = 100
"""Products that take as long as making one statistic of its sums."""

FEWEST_DRAWN = 1_999
"""Resamples of items that are drawn however long it takes: a p-value of 0.05 is then known to 0.005."""

MOST_UNITS = 1 << 14
"""Above this many items nothing is resampled: it would take minutes, and such a mean is hardly skewed."""

HELD = 1 << 22
"""Differences held at once."""


@dataclass(frozen=True, eq=False)
class Resampled:
    """How many resamples of a family are drawn, and how many at the least; `chance` numbers the random streams that are its own."""

    resamples: int
    needed: int
    chance: tuple[int, tuple[int, ...]]

    def pvalues(self, board: Board, family: Family, by: Resampling) -> LargestPvalues:
        """By flips, by draws, or by flips and where differences are visibly skewed by the larger p-value of both."""
        every = np.ones(len(family.a), dtype=np.bool_)
        if by == "bootstrap":
            return LargestPvalues((ResamplingPvalues("bootstrap", self._drawn(board, family, self.resamples), every),))
        flips = ResamplingPvalues("flips", self._flipped(board, family), every)
        again = drawn_pairs(board, family) if by == "both" else ~every
        if not again.any():
            return LargestPvalues((flips,))
        drawn = self._drawn(board, family, self._affordable(board, family))
        return LargestPvalues((flips, ResamplingPvalues("bootstrap", drawn, again)))

    def _flipped(self, board: Board, family: Family) -> JointPvalues:
        flips = joint_flips if board.clusters is None else lambda *asked: cluster_flips(board, *asked)
        return parallel_joint_pvalues(flips(family, self.resamples, self._stream(0)))

    def _drawn(self, board: Board, family: Family, resamples: int) -> JointPvalues:
        return parallel_joint_pvalues(BootstrapBlocks(joint_bootstrap(board, family, resamples, self._stream(3))))

    def _affordable(self, board: Board, family: Family) -> int:
        cost = len(family.a) * (board.units + PER_STATISTIC)
        return min(self.resamples, max(FEWEST_DRAWN, self.needed, DRAWN // cost))

    def _stream(self, number: int) -> Generator:
        seed, piece = self.chance
        return stream(seed, number, *piece)


def drawn_pairs(board: Board, family: Family) -> BoolArray:
    """For which pairs items are drawn again too, `(pair,)`: the visibly skewed ones, and all where these are as many as one system has.

    A critical value of many pairs lies so far out that skewness counts which is not visible yet, and a system that was spared its failures
    shows none. Of equal systems, false claims on boards judged pair by pair, as here, and by flips alone: .42, .00 and .42 with MTEB's 183 systems
    on 41 tasks drawn again; .25, .12 and .58 with 60 items and half of ten systems failing on 5 %; .13, .06 and .26 with 30 items and half of them
    lognormal. With normal scores it costs no power; with heavy tails (t with 3 df) .02 at 200 items, .04 at 60, .09 at 30 and .18 at 15.
    """
    skewed = skewed_pairs(board, family)
    return np.ones_like(skewed) if np.count_nonzero(skewed) >= len(board.systems) - 1 else skewed


def skewed_pairs(board: Board, family: Family) -> BoolArray:
    """Whose differences are visibly skewed, `(pair,)`: between items, or what is left of clusters' sums; none of right or wrong answers.

    Those differ by −1, 0 or 1, as often either way if the systems are equal: swapping them is exact.
    """
    skewed = np.zeros(len(family.a), dtype=np.bool_)
    if board.units > MOST_UNITS or _two_valued(board):
        return skewed
    left = Residuals.of(board, family)
    for pairs in _blocks(board, len(family.a)):
        values = left.differences(pairs)
        skewed[pairs] = visibly_skewed(values if board.complete else values[:, _shared(board, family, pairs)])
    return skewed


def _blocks(board: Board, pairs: int) -> Iterator[IntArray]:
    """Pairs whose differences are held together; of those that have items of their own one at a time."""
    step = max(1, HELD // board.units) if board.complete else 1
    return (np.arange(start, min(start + step, pairs)) for start in range(0, pairs, step))


def _shared(board: Board, family: Family, pairs: IntArray) -> BoolArray:
    """Which units this pair has in common."""
    (first,), (second,) = (side[pairs] for side in family.systems)
    both = board.scored[first] & board.scored[second]
    return np.asarray(board.summed(both.astype(np.float64)) > 0.0)


def _two_valued(board: Board) -> bool:
    if board.binary_scores is not None:
        return True
    low, high = np.nanmin(board.values), np.nanmax(board.values)
    either = (board.values == low) | (board.values == high) | ~board.scored
    return board.clusters is None and bool(either.all())
