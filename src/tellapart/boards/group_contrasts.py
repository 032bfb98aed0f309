"""Contrasts of group means with the first group, as `compare --by` reports them.

The sampling units are items or clusters of items. A unit may occur in one group, in several or in all; the standard error of a
contrast allows for the units that its two groups share.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.numerics.null_laws.tails import sided, t_quantile, t_tails

NO_SPREAD = 1e-24
"""A sum of squares this small beside one whole step of the scores is rounding."""


class GroupContrast(NamedTuple):
    """Each later group's mean minus the first group's, with standard error and degrees of freedom, `(*batch, group − 1)`."""

    estimate: FloatArray
    error: FloatArray
    df: FloatArray

    @property
    def pvalue(self) -> FloatArray:
        """Two-sided and unadjusted: t with the contrast's own degrees of freedom."""
        none = np.where(self.estimate == 0.0, 0.0, np.inf)
        ratio = np.divide(self.estimate, self.error, out=none, where=self.error > 0.0)
        return sided(*t_tails(ratio, self.df), "two-sided")

    def bounds(self, level: float, most: float = np.inf) -> tuple[FloatArray, FloatArray]:
        """Unadjusted confidence bounds at `level`, cut to ±`most`, the largest contrast possible."""
        half_width = t_quantile(0.5 + level / 2.0, self.df) * self.error
        return np.maximum(self.estimate - half_width, -most), np.minimum(self.estimate + half_width, most)


def satterthwaite(parts: FloatArray, degrees_of_freedom: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The root of a sum of squared errors, `(part, ...)`, and its degrees of freedom."""
    whole = parts.sum(axis=0)
    share = np.divide(parts, whole, out=np.zeros_like(parts), where=whole > 0.0)
    inverse = np.sum(share**2 / degrees_of_freedom, axis=0)
    return np.sqrt(whole), np.divide(1.0, inverse, out=np.ones_like(whole), where=inverse > 0.0)


@dataclass(frozen=True, eq=False)
class UnitGroupCells:
    """One cell per unit and group in which the unit occurs, `(cell,)` each, ordered by group."""

    unit: IntArray
    group: IntArray
    size: FloatArray
    """Items of the unit in the group."""

    @cached_property
    def group_starts(self) -> IntArray:
        return np.flatnonzero(np.diff(self.group, prepend=-1))

    @cached_property
    def shared(self) -> tuple[IntArray, IntArray]:
        """For units in the first and a later group, their cells in the later group and in the first, `(shared unit,)` each."""
        first = self.group == 0
        at = np.full(int(self.unit.max()) + 1, -1, dtype=np.int64)
        at[self.unit[first]] = np.flatnonzero(first)
        others = np.flatnonzero(~first & (at[self.unit] >= 0))
        return others, at[self.unit[others]]

    @cached_property
    def degrees_of_freedom(self) -> FloatArray:
        """Degrees of freedom of the units in both groups, in the later one only and in the first only, `(3, group − 1)`."""
        others, firsts = self.shared
        rows = []
        for group in range(1, len(self.group_starts)):
            mine = others[self.group[others] == group]
            there = firsts[self.group[others] == group]
            later, first = np.flatnonzero(self.group == group), np.flatnonzero(self.group == 0)
            rows.append([self._df(mine), self._df(np.setdiff1d(later, mine)), self._df(np.setdiff1d(first, there))])
        return np.array(rows).T

    def _df(self, cells: IntArray) -> float:
        """Effective number of units (Kish) minus one, and at least one; infinite without any unit."""
        sizes = self.size[cells]
        alike = float(sizes.sum() ** 2 / np.sum(sizes**2)) if len(sizes) else 0.0
        return max(alike - 1.0, 1.0) if alike else np.inf


@dataclass(frozen=True, eq=False)
class UnitTotals:
    """The sum of each unit's item values within each group, `(cell,)`."""

    cells: UnitGroupCells
    sums: FloatArray

    @classmethod
    def of(cls, values: list[FloatArray], units: list[IntArray]) -> "UnitTotals":
        """Built from the values of the items of each group, `(item,)`, and the unit of each."""
        cells, sums = [], []
        for group, (mine, codes) in enumerate(zip(values, units, strict=True)):
            found, place = np.unique(codes, return_inverse=True)
            sums.append(np.bincount(place, mine))
            sizes = np.bincount(place).astype(np.float64)
            cells.append((found, np.full(len(found), group), sizes))
        unit, group_of, size = (np.concatenate(column) for column in zip(*cells, strict=True))
        return cls(UnitGroupCells(unit.astype(np.int64), group_of.astype(np.int64), size), np.concatenate(sums))

    @cached_property
    def range_of_unit_means(self) -> float:
        """The largest difference between two unit means."""
        return float(np.ptp(self.sums / self.cells.size))

    @cached_property
    def means(self) -> FloatArray:
        starts = self.cells.group_starts
        return np.asarray(np.add.reduceat(self.sums, starts) / np.add.reduceat(self.cells.size, starts))

    @cached_property
    def residuals(self) -> FloatArray:
        """Sums minus size times the group mean."""
        return np.asarray(self.sums - self.means[self.cells.group] * self.cells.size)

    @cached_property
    def contrasts(self) -> GroupContrast:
        return self.contrasts_of(self.sums, self.cells.size)

    @cached_property
    def added(self) -> FloatArray:
        """The contribution of each cell to the error of its group's mean."""
        return self._added(self.sums, self.cells.size)[1]

    def contrasts_moved(self, moved: IntArray) -> GroupContrast:
        """The contrasts of residuals from other cells, `(*batch, cell)`; sizes move with them, so that a large cluster stays large."""
        return self.contrasts_of(self.residuals[moved], self.cells.size[moved])

    def contrasts_of(self, sums: FloatArray, sizes: FloatArray) -> GroupContrast:
        """The contrasts for these sums and sizes, `(*batch, cell)`.

        Units are independent. The squared error is a sum of three parts, from units in both groups, in the later one only and in
        the first only; Satterthwaite's formula combines their degrees of freedom. Without shared units this is Welch's t; with
        all units shared, the paired t of differences. A part without any variation counts one unit as varying. Welch (1947).
        """
        means, added = self._added(sums, sizes)
        parts = self._floored_squares(
            self._squared_contributions(added), np.add.reduceat(sizes, self.cells.group_starts, axis=-1)
        )
        degrees_of_freedom = self.cells.degrees_of_freedom.reshape(3, *(1,) * (parts.ndim - 2), -1)
        return GroupContrast(means[..., 1:] - means[..., :1], *satterthwaite(parts, degrees_of_freedom))

    def _added(self, sums: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The mean of each group, and each cell's CR2-adjusted residual over the group's items. Bell & McCaffrey (2002)."""
        starts, group = self.cells.group_starts, self.cells.group
        totals = np.add.reduceat(sizes, starts, axis=-1)
        means = np.add.reduceat(sums, starts, axis=-1) / totals
        weight = sizes / totals[..., group]
        residuals = sums / totals[..., group] - weight * means[..., group]
        return means, np.asarray(residuals / np.sqrt(1.0 - weight))

    def _squared_contributions(self, added: FloatArray) -> FloatArray:
        """Sums of squared contributions from units in both groups, the later only, the first only, `(3, *batch, group − 1)`."""
        others, firsts = self.cells.shared
        # Squares of unshared units: all squares of the group minus those of its shared units.
        own = np.add.reduceat(added**2, self.cells.group_starts, axis=-1)
        later, first = added[..., others], added[..., firsts]
        both, of_later, of_first = (self._per_group(x**2) for x in (later - first, later, first))
        return np.stack([both, own[..., 1:] - of_later, own[..., :1] - of_first])

    def _floored_squares(self, parts: FloatArray, totals: FloatArray) -> FloatArray:
        """The squares, with that of a single most distant unit wherever units exist and none varies."""
        later, first = totals[..., 1:], np.broadcast_to(totals[..., :1], totals[..., 1:].shape)
        one_unit = (self.range_of_unit_means / np.stack([np.minimum(later, first), later, first])) ** 2
        met = np.isfinite(self.cells.degrees_of_freedom).reshape(3, *(1,) * (parts.ndim - 2), -1)
        return np.where(met, np.where(parts > NO_SPREAD * one_unit, parts, one_unit), 0.0)

    def _per_group(self, of_shared: FloatArray) -> FloatArray:
        """Sums over the units that each later group shares with the first, `(*batch, group − 1)`."""
        found = np.zeros((*of_shared.shape[:-1], len(self.cells.group_starts) - 1))
        groups, begin = np.unique(self.cells.group[self.cells.shared[0]], return_index=True)
        if len(groups):
            found[..., groups - 1] = np.add.reduceat(of_shared, begin, axis=-1)
        return found

    @property
    def cells_per_draw(self) -> int:
        """Cells that one resample goes over."""
        return len(self.sums)

    def contrast_covariance(self) -> FloatArray:
        """Sums over units of products of their contributions to the contrasts."""
        products = np.zeros((len(self.means), len(self.means)))
        for rows in self.rows_by_group_set():
            groups = self.cells.group[rows[0]]
            added = self.added[rows]
            products[np.ix_(groups, groups)] += added.T @ added
        return np.asarray(products[1:, 1:] - products[1:, :1] - products[:1, 1:] + products[0, 0])

    def rows_by_group_count(self) -> list[IntArray]:
        """The cells of units that occur in k groups, `(unit, cell)` for each k."""
        order, starts, met = self._by_unit
        return [order[starts[met == k][:, np.newaxis] + np.arange(k)] for k in np.unique(met)]

    def rows_by_group_set(self) -> list[IntArray]:
        """The cells of units that occur in the same groups, `(unit, cell)` for each set of groups."""
        found = []
        for rows in self.rows_by_group_count():
            _, which = np.unique(self.cells.group[rows], axis=0, return_inverse=True)
            order = np.argsort(which.ravel(), kind="stable")
            found += np.split(rows[order], np.flatnonzero(np.diff(which.ravel()[order])) + 1)
        return found

    @cached_property
    def _by_unit(self) -> tuple[IntArray, IntArray, IntArray]:
        """Cells ordered by unit, where each unit begins among them, and its number of groups."""
        order = np.lexsort((self.cells.group, self.cells.unit))
        _, starts, met = np.unique(self.cells.unit[order], return_index=True, return_counts=True)
        return order, starts, met
