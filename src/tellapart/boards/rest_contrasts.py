"""Contrasts of each slice with all other items, as `compare --slice` reports them.

Slices may share items, as tags do. Groups are the sets of slices that items are in, so that a deal moves an item with all its tags.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.boards.group_contrasts import GroupContrast, UnitGroupCells, UnitTotals, satterthwaite
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray

ROUNDING = 1e-12
"""A sum of squares this small beside that of all items is rounding."""


@dataclass(frozen=True, eq=False)
class SliceTotals(UnitTotals):
    """Totals by unit and set of slices; `member`, `(set, slice)`, says which slices a set holds."""

    member: BoolArray

    @classmethod
    def of_slices(cls, values: FloatArray, units: IntArray, member: BoolArray) -> "SliceTotals":
        """Built from the items' values and units, `(item,)`, and the slices that they are in, `(item, slice)`."""
        # In the order of the rows themselves, which bytes of eight slices each are sorted several times faster than.
        _, first, which = np.unique(np.packbits(member, axis=1), axis=0, return_index=True, return_inverse=True)
        order = np.argsort(which.ravel(), kind="stable")
        items = np.split(order, np.flatnonzero(np.diff(which.ravel()[order])) + 1)
        centred = values - values.mean()
        found = UnitTotals.of([centred[some] for some in items], [units[some] for some in items])
        return cls(found.cells, found.sums, member[first])

    @cached_property
    def residuals(self) -> FloatArray:
        """Sums minus what least squares on the slices expects: in slices without common items, minus size times the slice's mean."""
        root, group = np.sqrt(self._sizes), self.cells.group
        design = np.column_stack([np.ones(len(self.member)), self.member])
        fitted = design @ np.linalg.lstsq(design * root[:, np.newaxis], self.means * root, rcond=None)[0]
        return np.asarray(self.sums - fitted[group] * self.cells.size)

    @cached_property
    def _sizes(self) -> FloatArray:
        """Items by set of slices."""
        return np.asarray(np.add.reduceat(self.cells.size, self.cells.group_starts))

    @cached_property
    def _side_sizes(self) -> FloatArray:
        """Items in each slice, and outside of it, `(2, slice)`."""
        own = self._sizes @ self.member
        return np.stack([own, self._sizes.sum() - own])

    @cached_property
    def _one_item_each(self) -> bool:
        units = self.cells.unit
        return bool((self.cells.size == 1.0).all() and len(np.unique(units)) == len(units))

    @property
    def cells_per_draw(self) -> int:
        return int(len(self.sums) * self.member.shape[1])

    def contrast_covariance(self) -> FloatArray:
        within, outside = np.where(self.member, 1.0, 0.0), np.where(self.member, 0.0, 1.0)
        weights = within / self._side_sizes[0] - outside / self._side_sizes[1]
        order, starts, _ = self._by_unit
        by_cell = self.residuals[:, np.newaxis] * weights[self.cells.group]
        by_unit = np.add.reduceat(by_cell[order], starts, axis=0)
        return np.asarray(by_unit.T @ by_unit)

    def contrasts_moved(self, moved: IntArray) -> GroupContrast:
        return (
            self._contrasts_of_items(self.residuals[moved]) if self._one_item_each else super().contrasts_moved(moved)
        )

    def contrasts_of(self, sums: FloatArray, sizes: FloatArray) -> GroupContrast:
        """Each slice's mean minus that of all other items: Welch's t, and with clusters that of `UnitTotals`."""
        if self._one_item_each:
            return self._contrasts_of_items(sums)
        found = [side.contrasts_of(merge(sums), merge(sizes)) for merge, side in self._two_groups]
        return GroupContrast(*(np.concatenate(column, axis=-1) for column in zip(*found, strict=True)))

    @cached_property
    def _two_groups(self) -> list[tuple["_Merge", UnitTotals]]:
        """For each slice, the rest and the slice as two groups of units."""
        pairs = []
        for inside in self.member.T:
            merge = _Merge.of(self.cells.unit, inside[self.cells.group])
            pairs.append((merge, UnitTotals(merge.cells(self.cells.size), merge(self.sums))))
        return pairs

    def _contrasts_of_items(self, sums: FloatArray) -> GroupContrast:
        sizes = self._side_sizes.reshape(2, *(1,) * (sums.ndim - 1), -1)
        totals, squares = self._by_side(sums), self._by_side(sums**2)
        means = totals / sizes
        spread = squares - totals * means
        parts = spread / (sizes - 1.0) / sizes
        none = spread <= ROUNDING * squares.sum(axis=0)
        parts = np.where(none, (self.range_of_unit_means / sizes) ** 2, parts)
        return GroupContrast(means[0] - means[1], *satterthwaite(parts, sizes - 1.0))

    def _by_side(self, values: FloatArray) -> FloatArray:
        """Sums over the items of each slice, and over all others, `(2, *batch, slice)`."""
        by_set = np.add.reduceat(values, self.cells.group_starts, axis=-1)
        own = by_set @ self.member.astype(np.float64)
        return np.stack([own, by_set.sum(axis=-1, keepdims=True) - own])


@dataclass(frozen=True, eq=False)
class _Merge:
    """The cells of a unit on one side of a slice, added up."""

    order: IntArray
    starts: IntArray
    unit: IntArray
    inside: IntArray

    @classmethod
    def of(cls, unit: IntArray, inside: BoolArray) -> "_Merge":
        order = np.lexsort((unit, inside))
        side, ordered = inside[order].astype(np.int64), unit[order]
        starts = np.flatnonzero((np.diff(side, prepend=-1) != 0) | (np.diff(ordered, prepend=-1) != 0))
        return cls(order, starts, ordered[starts], side[starts])

    def __call__(self, values: FloatArray) -> FloatArray:
        return np.asarray(np.add.reduceat(values[..., self.order], self.starts, axis=-1))

    def cells(self, sizes: FloatArray) -> UnitGroupCells:
        return UnitGroupCells(self.unit, self.inside, self(sizes))
