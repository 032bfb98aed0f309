"""Votes between systems as arrays: who met whom, who was shown first, who won."""

from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class PairwiseVotes:
    """Each row is a number of equal votes: systems a and b by place, points of a (1, ½ or 0), and 1 where a was shown first, −1 where b was."""

    systems: int
    a: IntArray
    b: IntArray
    points: FloatArray
    first: FloatArray
    weights: FloatArray

    @property
    def total(self) -> float:
        return float(self.weights.sum())

    @property
    def ties(self) -> float:
        return float(self.weights[self.points == 0.5].sum())

    def collapsed(self) -> "PairwiseVotes":
        """Equal votes in one row each: a fit looks at nothing else."""
        keys = ((self.a * self.systems + self.b) * 3 + (self.first + 1.0).astype(np.int64)) * 3
        keys = keys + (2.0 * self.points).astype(np.int64)
        kinds, where = np.unique(keys, return_inverse=True)
        weights = np.bincount(where, weights=self.weights).astype(np.float64)
        pairs, outcome = np.divmod(kinds, 3)
        pairs, first = np.divmod(pairs, 3)
        a, b = np.divmod(pairs, self.systems)
        return PairwiseVotes(self.systems, a, b, outcome / 2.0, first - 1.0, weights)

    def matrix(self, values: FloatArray) -> FloatArray:
        """Values of the rows, summed into `(system, system)`: a over b."""
        size = self.systems
        cells = np.bincount(self.a * size + self.b, weights=values, minlength=size * size)
        return cells.astype(np.float64).reshape(size, size)
