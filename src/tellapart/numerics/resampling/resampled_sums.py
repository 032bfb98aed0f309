"""Weighted sums of parts in resamples of units, the effect of each, and its standard error."""

from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Aggregation
from tellapart.foundation.arrays import NOISE, STATISTIC_NOISE, FloatArray
from tellapart.foundation.progress import with_progress
from tellapart.foundation.seeds import Generator

DRAWN = 1 << 20
"""Weights held at once; what units contribute to each resample is held a fifth as long, so that it stays in a processor's cache."""

NEARBY = 1 << 16
"""Drawn numbers that a processor keeps at hand."""

SPREADLESS = STATISTIC_NOISE**2
"""Contributions that differ by rounding alone have squares that differ by its square."""


@dataclass(frozen=True, eq=False)
class DrawnUnits:
    """The units that are drawn: `parts`, `(entry, unit, part)`, are sums about the mean parts; `sizes` are items per unit.

    The parts are the difference B − A for a plain mean, else A's parts followed by B's.
    """

    parts: FloatArray
    sizes: FloatArray
    means: FloatArray
    metric: Aggregation
    scale: float

    @property
    def count(self) -> int:
        return len(self.sizes)

    @property
    def plain(self) -> bool:
        """Whether single items are drawn for a mean: then sums of differences and of their squares are all there is to it."""
        return self.metric.linear and bool((self.sizes == 1.0).all())

    def moved_by(self, moved: FloatArray) -> FloatArray:
        """Mean parts `(entry, resample, part)` so far from the observed ones; one that no drawn item has is zero, not what rounding left of it."""
        means = self.means[:, np.newaxis] + moved
        return means if self.metric.linear else np.where(np.abs(means) <= NOISE * self.scale, 0.0, means)

    def effect(self, means: FloatArray, items: FloatArray) -> FloatArray:
        """The metric of B minus that of A in resamples; the number of items varies where clusters are drawn."""
        if self.metric.linear:
            return means[..., 0]
        a, b = np.moveaxis(self.metric.value(self._of_each(means), _for_two_systems(items)), -1, 0)
        return np.asarray(b - a)

    def slopes(self, means: FloatArray, items: FloatArray) -> FloatArray:
        if self.metric.linear:
            return np.ones_like(means)
        slopes = self.metric.gradient(self._of_each(means), _for_two_systems(items))
        np.negative(slopes[..., 0, :], out=slopes[..., 0, :])
        return slopes.reshape(means.shape)

    @staticmethod
    def _of_each(means: FloatArray) -> FloatArray:
        """The mean parts of A and of B one below the other: for one call, few numbers cost as much as none."""
        return means.reshape(*means.shape[:-1], 2, -1)

    @property
    def influence(self) -> FloatArray:
        return np.asarray(np.einsum("eup,ep->eu", self.parts, self.slopes(self.means, self.sizes.sum())))


def _for_two_systems(items: FloatArray) -> FloatArray:
    """The number of items, once per system."""
    return np.asarray(items)[..., np.newaxis]


@dataclass(frozen=True, eq=False)
class SumTable:
    """The columns summed over resamples, `(unit, sum)`: parts and size of each unit; for a plain mean, differences, then their squares.

    Beside it the parts with the sizes below them, `(entry, part + 1, unit)`, and the sums of their squares, `(entry, part)`.
    """

    columns: FloatArray
    parts: FloatArray
    squares: FloatArray

    @classmethod
    def of(cls, units: DrawnUnits) -> "SumTable":
        by_unit = np.moveaxis(units.parts, 0, 1).reshape(units.count, -1)
        # Of a plain mean the sum of squares is all that its spread takes.
        columns = np.column_stack([by_unit, by_unit**2 if units.plain else units.sizes])
        sizes = np.broadcast_to(units.sizes, (len(units.parts), 1, units.count))
        parts = np.concatenate([np.moveaxis(units.parts, 1, 2), sizes], axis=1)
        return cls(columns, parts, np.square(units.parts).sum(axis=1))

    def effect_and_error(self, weights: FloatArray, units: DrawnUnits) -> tuple[FloatArray, FloatArray]:
        """The effect and its standard error, `(entry, resample)`, in resamples with these weights, `(resample, unit)`."""
        if units.plain:
            # One row per sum: what comes next goes along the resamples of an entry, and finds them side by side.
            found = self.columns.T @ weights.T
            return _mean_and_error(found[: len(units.parts)], found[len(units.parts) :], units)
        found = weights @ self.columns
        sums = np.moveaxis(found[:, :-1].reshape(len(weights), len(units.parts), -1), 1, 0)
        return self._by_influence(sums, found[:, -1], weights, units)

    def _by_influence(
        self, sums: FloatArray, items: FloatArray, weights: FloatArray, units: DrawnUnits
    ) -> tuple[FloatArray, FloatArray]:
        """A unit of n items contributes slope·(its parts − n·mean parts) to the effect.

        The error is the root of the summed squares of these, over the number of items.
        """
        moved = sums / items[:, np.newaxis]
        means = units.moved_by(moved)
        slopes = units.slopes(means, items)
        shift = np.einsum("erp,erp->er", slopes, moved)
        # Sizes stand below the parts, so that one product takes off the mean too.
        squares = self._summed_squares(np.concatenate([slopes, -shift[..., np.newaxis]], axis=-1), weights)
        # Squares that cancel to rounding are none: such a resample has no spread.
        own = np.einsum("erp,ep->er", slopes**2, self.squares)
        squares = np.where(squares > SPREADLESS * own, squares, 0.0) * units.count / (units.count - 1.0)
        return units.effect(means, items), np.sqrt(squares) / items

    def _summed_squares(self, slopes: FloatArray, weights: FloatArray) -> FloatArray:
        """The weighted sum of squares of the units' contributions along these slopes, `(entry, resample, part + 1)`."""
        squares = np.empty(slopes.shape[:2])
        step = _resampled_sums_at_once(self.parts)
        for start in range(0, len(weights), step):
            rows = slice(start, start + step)
            contributed = np.matmul(slopes[:, rows], self.parts)
            np.square(contributed, out=contributed)
            np.vecdot(contributed, weights[rows], out=squares[:, rows])
        return squares


def _resampled_sums_at_once(parts: FloatArray) -> int:
    return max(1, DRAWN // (5 * parts[:, 0].size))


def gathered(units: DrawnUnits, resamples: int, rng: Generator) -> tuple[FloatArray, FloatArray]:
    """Effect and error, `(1, resample)`, of single items of one evaluation: drawn numbers are looked up, and none is counted."""
    values, count = np.ascontiguousarray(units.parts[0, :, 0]), units.count
    sums, squares = np.empty((1, resamples)), np.empty((1, resamples))
    held = np.empty((max(1, NEARBY // count), count))
    blocks = range(0, resamples, len(held))
    for start in with_progress("drawing items again", blocks, len(blocks)):
        rows = slice(start, min(start + len(held), resamples))
        drawn = rng.integers(0, count, size=(rows.stop - start, count))
        met = values.take(drawn, mode="clip", out=held[: len(drawn)])
        met.sum(axis=1, out=sums[0, rows])
        np.einsum("ri,ri->r", met, met, out=squares[0, rows])
    return _mean_and_error(sums, squares, units)


def _mean_and_error(sums: FloatArray, squares: FloatArray, units: DrawnUnits) -> tuple[FloatArray, FloatArray]:
    """Effects and errors for a mean of single items: two sums and no slopes; simulations spend their time here, so nothing is held twice."""
    count = float(units.count)
    moved = sums / count
    around_zero = moved * sums
    own = squares + around_zero
    spread = np.subtract(squares, around_zero, out=around_zero)
    own *= STATISTIC_NOISE
    spread[spread <= own] = 0.0
    spread *= 1.0 / (count * (count - 1.0))
    return np.add(moved, units.means, out=moved), np.sqrt(spread, out=spread)
