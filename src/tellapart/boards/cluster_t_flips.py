"""The cluster t statistic of every pair under joint flips of whole clusters."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tellapart.boards.board import Board
from tellapart.boards.family import Family
from tellapart.boards.joint_bootstrap import count_shared_items
from tellapart.boards.joint_flips import FlipBlocks, JointFlips, joint_flips
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray, IntArray
from tellapart.foundation.seeds import Generator
from tellapart.numerics.moments import Variance, cluster_weights

VARIANCE: Variance = "cr2"
"""Keeps its level with uneven clusters; equal to the plain estimator for even clusters and items. Bell & McCaffrey (2002)."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """Cluster sizes of each column, `(column, cluster)`, and the sums behind its CR2 standard error."""

    family: Family
    sizes: FloatArray

    @classmethod
    def of(cls, board: Board, family: Family) -> "Clusters":
        if not board.complete:
            return cls(family, count_shared_items(board, family).sizes)
        sizes = board.summed(np.ones(board.values.shape[1]))
        return cls(family, np.broadcast_to(sizes, family.columns.shape))

    @cached_property
    def weights(self) -> FloatArray:
        return cluster_weights(self.sizes, VARIANCE)

    @cached_property
    def both(self) -> Family:
        """The columns, and the columns times weight and size: both are flipped together."""
        columns = np.concatenate([self.family.columns, self.family.columns * self.weights * self.sizes])
        return replace(self.family, columns=columns)

    @cached_property
    def squares(self) -> FloatArray:
        """Σ w·d² of each pair, invariant under flips."""
        return replace(self.family, columns=self.family.columns * np.sqrt(self.weights)).squares

    @cached_property
    def items(self) -> FloatArray:
        return np.asarray(self.sizes.sum(axis=1)[self.family.a])

    @cached_property
    def lengths(self) -> FloatArray:
        """Σ w·n² of each pair."""
        return np.asarray(np.sum(self.weights * self.sizes**2, axis=1)[self.family.a])

    def flipped(self, block: JointFlips) -> "ClusterFlips":
        return ClusterFlips(self, block.sums, block.exhaustive)


@dataclass(frozen=True, eq=False)
class ClusterFlips:
    """|t| of every pair under joint flips of clusters, its standard error computed anew in every flip.

    With d the sums of a pair by cluster, n their items and N all of them, a flip has the mean m = Σεd / N and the squared error
    Σw(εd − nm)² / N² = (Σwd² − 2m·Σwnεd + m²·Σwn²) / N².
    """

    clusters: Clusters
    sums: FloatArray
    exhaustive: bool

    @property
    def resamples(self) -> int:
        return int(self.sums.shape[1])

    @cached_property
    def observed(self) -> FloatArray:
        family, both = self.clusters.family, self.clusters.both
        totals = both.totals[:, np.newaxis]
        found = [self._t(totals, pair)[0] for pair in range(len(family.a))]
        return np.where(family.effects == 0.0, 0.0, np.array(found))

    @cached_property
    def scale(self) -> FloatArray:
        family = self.clusters.family
        # Where t is large the remaining sum of squares is small and carries the rounding of all terms.
        return np.asarray(family.sizes * family.weights * (1.0 + np.minimum(self.observed, 1e3)) ** 3)

    def rows(self, order: IntArray) -> Iterator[FloatArray]:
        return (self._t(self.sums, int(pair)) for pair in order)

    def _t(self, sums: FloatArray, pair: int) -> FloatArray:
        at, family = self.clusters, self.clusters.family
        a, b, second = family.a[pair], family.b[pair], len(family.columns)
        total, weighted = sums[b] - sums[a], sums[second + b] - sums[second + a]
        mean = total / at.items[pair]
        squares = at.squares[pair] - 2.0 * mean * weighted + mean**2 * at.lengths[pair]
        total = np.where(np.abs(total) > STATISTIC_NOISE * family.sizes[pair], np.abs(total), 0.0)
        spread = np.sqrt(np.maximum(squares, 0.0))
        varies = squares > STATISTIC_NOISE * at.squares[pair]
        none = np.where(total > 0.0, np.inf if at.squares[pair] > 0.0 else 0.0, 0.0)
        return np.asarray(np.divide(total, spread, out=none, where=varies))


@dataclass(frozen=True, eq=False)
class ClusterFlipBlocks:
    """Cluster flips in blocks."""

    clusters: Clusters
    flips: FlipBlocks

    doing = "swapping systems"

    @property
    def cuts(self) -> list[range]:
        return self.flips.cuts

    def block(self, number: int, places: range) -> ClusterFlips:
        return self.clusters.flipped(self.flips.block(number, places))


def cluster_flips(board: Board, family: Family, resamples: int, rng: Generator) -> ClusterFlipBlocks:
    """Cluster flips of a family: all sign patterns where these are few, else random ones."""
    columns = board.summed(board.centred) if board.complete else family.columns
    clusters = Clusters.of(board, replace(family, columns=columns))
    return ClusterFlipBlocks(clusters, joint_flips(clusters.both, resamples, rng))
