"""A mean in several groups, and how it changed since the first: every change against the same first group, judged together.

The sample are units, which are items or clusters of items. A unit may be met in one group, in several or in all: what it adds
to two groups is then not independent, and the error of their change says so.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.numerics.null_laws.tails import sided, t_quantile, t_tails

NO_SPREAD = 1e-24
"""A sum of squares this small beside one whole step of the scores is rounding."""


class Change(NamedTuple):
    """The change of each group's mean since the first group's, its standard error and degrees of freedom, `(*batch, group − 1)`."""

    change: FloatArray
    error: FloatArray
    df: FloatArray

    @property
    def pvalue(self) -> FloatArray:
        """Two-sided, of each change alone: t with the change's own degrees of freedom."""
        none = np.where(self.change == 0.0, 0.0, np.inf)
        ratio = np.divide(self.change, self.error, out=none, where=self.error > 0.0)
        return sided(*t_tails(ratio, self.df), "two-sided")

    def bounds(self, level: float, most: float = np.inf) -> tuple[FloatArray, FloatArray]:
        """What each change may be where its own p-value must stay above 1 − level, and no change can be larger than `most`."""
        half_width = t_quantile(0.5 + level / 2.0, self.df) * self.error
        return np.maximum(self.change - half_width, -most), np.minimum(self.change + half_width, most)


@dataclass(frozen=True, eq=False)
class UnitPlaces:
    """Where units stand: one place per unit and group that it is met in, `(place,)` each, in the order of groups."""

    unit: IntArray
    group: IntArray
    size: FloatArray
    """Items of the unit in the group."""

    @cached_property
    def starts(self) -> IntArray:
        return np.flatnonzero(np.diff(self.group, prepend=-1))

    @cached_property
    def shared(self) -> tuple[IntArray, IntArray]:
        """The places of units that are in the first group and in another, `(unit in both,)`: in the other group, and in the first."""
        first = self.group == 0
        at = np.full(int(self.unit.max()) + 1, -1, dtype=np.int64)
        at[self.unit[first]] = np.flatnonzero(first)
        others = np.flatnonzero(~first & (at[self.unit] >= 0))
        return others, at[self.unit[others]]

    @cached_property
    def freedom(self) -> FloatArray:
        """Degrees of freedom of the units in both groups, in the later one only and in the first only, `(3, group − 1)`."""
        others, firsts = self.shared
        rows = []
        for group in range(1, len(self.starts)):
            mine = others[self.group[others] == group]
            there = firsts[self.group[others] == group]
            later, first = np.flatnonzero(self.group == group), np.flatnonzero(self.group == 0)
            rows.append(
                [self._df(mine), self._df(np.setdiff1d(later, mine)), self._df(np.setdiff1d(first, there))]
            )
        return np.array(rows).T

    def _df(self, places: IntArray) -> float:
        """One less than the number of units of one size that weigh as much; a single unit counts as two."""
        sizes = self.size[places]
        alike = float(sizes.sum() ** 2 / np.sum(sizes**2)) if len(sizes) else 0.0
        return max(alike - 1.0, 1.0) if alike else np.inf


@dataclass(frozen=True, eq=False)
class Lifts:
    """What each unit adds to the mean of each group it is met in: the sum of its items there, `(place,)`."""

    places: UnitPlaces
    sums: FloatArray

    @classmethod
    def of(cls, values: list[FloatArray], units: list[IntArray]) -> "Lifts":
        """From the values of the items of each group, `(item,)`, and the unit of each."""
        places, sums = [], []
        for group, (mine, codes) in enumerate(zip(values, units, strict=True)):
            found, place = np.unique(codes, return_inverse=True)
            sums.append(np.bincount(place, mine))
            sizes = np.bincount(place).astype(np.float64)
            places.append((found, np.full(len(found), group), sizes))
        unit, group_of, size = (np.concatenate(column) for column in zip(*places, strict=True))
        return cls(UnitPlaces(unit.astype(np.int64), group_of.astype(np.int64), size), np.concatenate(sums))

    @cached_property
    def widest_gap(self) -> float:
        """How far apart units lie at most: what one unit that was not met may differ by."""
        return float(np.ptp(self.sums / self.places.size))

    @cached_property
    def means(self) -> FloatArray:
        starts = self.places.starts
        return np.asarray(np.add.reduceat(self.sums, starts) / np.add.reduceat(self.places.size, starts))

    @cached_property
    def residuals(self) -> FloatArray:
        """Sums about the mean of their own group."""
        return np.asarray(self.sums - self.means[self.places.group] * self.places.size)

    @cached_property
    def change(self) -> Change:
        return self.change_of(self.sums, self.places.size)

    @cached_property
    def added(self) -> FloatArray:
        """What each place adds to the error of its group's mean."""
        return self._added(self.sums, self.places.size)[1]

    def change_of(self, sums: FloatArray, sizes: FloatArray) -> Change:
        """The changes were these the sums and sizes, `(*batch, place)`, at the places.

        The error is that of independent units: its square is the sum of squares of what each unit adds to the change, apart for
        the units in both groups, in the later one only and in the first only, each part with its own degrees of freedom.
        Without units in common that is Welch's t, with all in common the paired t of differences of differences.
        Units that do not vary count as if one of them had: no spread is not certainty. Welch (1947).
        """
        means, added = self._added(sums, sizes)
        parts = self._never_zero(self._squares(added), np.add.reduceat(sizes, self.places.starts, axis=-1))
        whole = parts.sum(axis=0)
        share = np.divide(parts, whole, out=np.zeros_like(parts), where=whole > 0.0)
        freedom = self.places.freedom.reshape(3, *(1,) * (parts.ndim - 2), -1)
        inverse = np.sum(share**2 / freedom, axis=0)
        df = np.divide(1.0, inverse, out=np.ones_like(whole), where=inverse > 0.0)
        return Change(means[..., 1:] - means[..., :1], np.sqrt(whole), df)

    def _added(self, sums: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The mean of each group, and what each place adds to its error: its residual over the items of the group.

        A large cluster pulls its group's mean towards itself, which CR2 allows for. Bell & McCaffrey (2002).
        """
        starts, group = self.places.starts, self.places.group
        totals = np.add.reduceat(sizes, starts, axis=-1)
        means = np.add.reduceat(sums, starts, axis=-1) / totals
        weight = sizes / totals[..., group]
        residuals = sums / totals[..., group] - weight * means[..., group]
        return means, np.asarray(residuals / np.sqrt(1.0 - weight))

    def _squares(self, added: FloatArray) -> FloatArray:
        """Of what units add to each change: those in both groups, in the later only, in the first only, `(3, *batch, group − 1)`."""
        others, firsts = self.places.shared
        # Squares of the units of one group alone are all of its squares less those of the units that it shares.
        own = np.add.reduceat(added**2, self.places.starts, axis=-1)
        later, first = added[..., others], added[..., firsts]
        both, of_later, of_first = (self._per_group(x**2) for x in (later - first, later, first))
        return np.stack([both, own[..., 1:] - of_later, own[..., :1] - of_first])

    def _never_zero(self, parts: FloatArray, totals: FloatArray) -> FloatArray:
        """The squares, with one unit that reaches furthest where units are met and none varies."""
        later, first = totals[..., 1:], np.broadcast_to(totals[..., :1], totals[..., 1:].shape)
        one_unit = (self.widest_gap / np.stack([np.minimum(later, first), later, first])) ** 2
        met = np.isfinite(self.places.freedom).reshape(3, *(1,) * (parts.ndim - 2), -1)
        return np.where(met, np.where(parts > NO_SPREAD * one_unit, parts, one_unit), 0.0)

    def _per_group(self, of_shared: FloatArray) -> FloatArray:
        """Sums over the units that each later group has in common with the first, `(*batch, group − 1)`."""
        found = np.zeros((*of_shared.shape[:-1], len(self.places.starts) - 1))
        groups, begin = np.unique(self.places.group[self.places.shared[0]], return_index=True)
        if len(groups):
            found[..., groups - 1] = np.add.reduceat(of_shared, begin, axis=-1)
        return found
