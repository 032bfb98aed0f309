"""Pairwise-comparison models: votes as arrays, and which systems are connected by votes.

`bradley_terry` fits strengths (ties as half a win, or Davidson's ties; an effect of being shown first; Firth's penalty where a system won or
lost every vote) and `covariance` estimates their covariance when votes of a rater or an item are correlated.
"""

from dataclasses import dataclass, replace

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class PairwiseVotes:
    """Each row is a number of equal votes: systems a and b by place, points of a (1, ½ or 0), and 1 where a was shown first, −1 where b was.

    `control` is a number of a less that of b, where strengths are adjusted for one.
    """

    systems: int
    a: IntArray
    b: IntArray
    points: FloatArray
    first: FloatArray
    weights: FloatArray
    control: FloatArray | None = None

    @property
    def total(self) -> float:
        return float(self.weights.sum())

    @property
    def ties(self) -> float:
        return float(self.weights[self.points == 0.5].sum())

    def only(self, rows: IntArray) -> "PairwiseVotes":
        """Some of the rows."""
        control = None if self.control is None else self.control[rows]
        a, b, points = self.a[rows], self.b[rows], self.points[rows]
        return PairwiseVotes(self.systems, a, b, points, self.first[rows], self.weights[rows], control)

    def kinds(self) -> tuple[IntArray, IntArray]:
        """The first row of each kind of vote, and the kind of every row; with a control each is of its own kind."""
        if self.control is not None:
            return np.arange(len(self.a)), np.arange(len(self.a))
        keys = ((self.a * self.systems + self.b) * 3 + (self.first + 1.0).astype(np.int64)) * 3
        _, first, kind = np.unique(keys + (2.0 * self.points).astype(np.int64), return_index=True, return_inverse=True)
        return first, kind

    def collapsed(self) -> "PairwiseVotes":
        """Equal votes in one row each: a fit looks at nothing else."""
        first, kind = self.kinds()
        return replace(self.only(first), weights=np.bincount(kind, weights=self.weights).astype(np.float64))

    def matrix(self, values: FloatArray) -> FloatArray:
        """Values of the rows, summed into `(system, system)`: a over b."""
        size = self.systems
        cells = np.bincount(self.a * size + self.b, weights=values, minlength=size * size)
        return cells.astype(np.float64).reshape(size, size)


def beaten_by(votes: PairwiseVotes) -> BoolArray:
    """Whether the row's system lost to or tied with the column's at least once: arrows from losers to winners."""
    a_lost = votes.matrix(votes.weights * (votes.points < 1.0)) > 0.0
    b_lost = votes.matrix(votes.weights * (votes.points > 0.0)).T > 0.0
    return a_lost | b_lost


def groups_that_met(votes: PairwiseVotes) -> IntArray:
    """The number of each system's group, `(system,)`: systems of different groups never met, not even by way of others."""
    met = beaten_by(votes)
    return _first_of_each(reaches(met | met.T))


def blocks_of_wins(votes: PairwiseVotes) -> IntArray:
    """The number of each system's block: between two blocks that met, one won every vote. One block: strengths are finite. Ford (1957)."""
    there = reaches(beaten_by(votes))
    return _first_of_each(there & there.T)


def parted_without_one(votes: PairwiseVotes, clusters: IntArray) -> BoolArray:
    """Whether two systems are connected only by way of one cluster, `(system, system)`: nothing then tells what other clusters would say.

    Pairs that met in two clusters or more hold together whichever is left out; the others belong to one cluster each.
    """
    size, count = votes.systems, int(clusters.max()) + 1
    pair = np.minimum(votes.a, votes.b) * size + np.maximum(votes.a, votes.b)
    pairs, cluster = np.divmod(np.unique(pair * count + clusters), count)
    met, times = np.unique(pairs, return_counts=True)
    lone = np.isin(pairs, met[times == 1])
    solid = np.zeros(size * size, dtype=np.bool_)
    solid[met[times > 1]] = True
    held = _both_ways(solid, size)
    lone &= ~held.ravel()[pairs]
    parted = np.zeros((size, size), dtype=np.bool_)
    for left_out in np.unique(cluster[lone]).tolist():
        kept = solid.copy()
        kept[pairs[lone & (cluster != left_out)]] = True
        parted |= ~_both_ways(kept, size)
    return parted


def _both_ways(met: BoolArray, size: int) -> BoolArray:
    square = met.reshape(size, size)
    return reaches(square | square.T)


def reaches(arrows: BoolArray) -> BoolArray:
    """Whether the row leads to the column along any number of arrows, itself included."""
    there = arrows | np.eye(len(arrows), dtype=np.bool_)
    for _ in range(max(1, int(np.ceil(np.log2(len(arrows)))))):
        steps = there.astype(np.float32)
        there = steps @ steps > 0.0
    return np.asarray(there)


def _first_of_each(together: BoolArray) -> IntArray:
    """Numbers of groups in the order of their first members, from whether two are of one group."""
    first = np.argmax(together, axis=1)
    return np.unique(first, return_inverse=True)[1].astype(np.int64)
