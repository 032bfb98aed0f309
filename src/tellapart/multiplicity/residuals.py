"""What is left of every column of a family when its mean is taken off: the world in which all systems are equal."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.arrays import STATISTIC_NOISE, BoolArray, FloatArray, IntArray
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import Family

HELD = 1 << 22
"""Marks of shared items held at once."""


@dataclass(frozen=True, eq=False)
class Shared:
    """What pairs share: how many items of each unit by column, `(column, unit)`; items and units by pair, `(pair,)`."""

    sizes: FloatArray
    items: FloatArray
    units: FloatArray


@dataclass(frozen=True, eq=False)
class Residuals:
    """Deviations from the mean, `(column, unit)`, by item or summed by cluster; a pair's are those of B less those of A.

    `items` and `units` are what each pair shares, and `noise` the norm of deviations that rounding alone leaves, `(pair,)` each.
    """

    columns: FloatArray
    a: IntArray
    b: IntArray
    items: FloatArray
    units: FloatArray
    noise: FloatArray | float = 0.0

    @classmethod
    def of(cls, board: Board, family: Family) -> "Residuals":
        noise = STATISTIC_NOISE * family.sizes
        if board.complete:
            counts = (board.values.shape[1], board.units)
            items, units = (np.full(len(family.a), float(count)) for count in counts)
            return cls(board.residuals(), family.a, family.b, items, units, noise)
        shared = shared_by(board, family)
        of_columns = shared.sizes.sum(axis=1, keepdims=True)
        columns = family.columns - shared.sizes * (family.totals[:, np.newaxis] / of_columns)
        return cls(columns, family.a, family.b, shared.items, shared.units, noise)

    @cached_property
    def squares(self) -> FloatArray:
        """The sum of squared deviations of each pair; exactly 0 where B − A is one number on all items."""
        found = Family(self.columns, self.a, self.b, np.zeros(len(self.a))).squares
        return np.where(found > self.noise**2, found, 0.0)

    @property
    def varies(self) -> BoolArray:
        """Which pairs differ by more than one number: what is left of the others is rounding, which leans and fails as it happens to."""
        return np.asarray(self.squares > 0.0)

    def differences(self, pairs: IntArray) -> FloatArray:
        """The deviations of B less those of A, `(pair, unit)`, exactly 0 where B − A is one number."""
        found = self.columns[self.b[pairs]] - self.columns[self.a[pairs]]
        if not self.varies.all():
            found[~self.varies[pairs]] = 0.0
        return np.asarray(found)


def shared_by(board: Board, family: Family) -> Shared:
    """Both columns of a pair are over the items that it shares, so that any pair of a column says how many these are."""
    sizes = np.empty_like(family.columns)
    items, units = np.empty(len(family.a)), np.empty(len(family.a))
    first, second = family.systems
    for block in _blocks(len(family.a), board.values.shape[1]):
        both = board.scored[first[block]] & board.scored[second[block]]
        counts = board.summed(both.astype(np.float64))
        sizes[family.a[block]] = sizes[family.b[block]] = counts
        items[block], units[block] = counts.sum(axis=1), np.count_nonzero(counts, axis=1)
    return Shared(sizes, items, units)


def _blocks(pairs: int, items: int) -> Iterator[slice]:
    step = max(1, HELD // items)
    return (slice(start, start + step) for start in range(0, pairs, step))
