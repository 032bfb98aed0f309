"""Drawing items, or whole clusters, with replacement: the effect and its standard error in every resample.

A metric is a function of mean parts, so a resample is a vector of weights: how often each unit was drawn. Weighted sums
of the units' parts give the effect; its standard error is the weighted spread of what each unit contributes through the metric's
gradient there. No item is ever copied, and products of parts, of which a hundred classes have many, are never summed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tellapart.arrays import NOISE, STATISTIC_NOISE, FloatArray, snap
from tellapart.distributions.clusters import cluster_sums
from tellapart.distributions.unit_draws import COUNTED_ALONE, distinct_rows, drawn_counts, many_alike
from tellapart.errors import TooFew
from tellapart.progress import stepped
from tellapart.seeds import Generator
from tellapart.summaries import Aggregation, Parts

DRAWN = 1 << 20
"""Weights held at once; what units contribute to each resample is held a fifth as long, so that it stays in a processor's cache."""

SPREADLESS = STATISTIC_NOISE**2
"""Contributions that differ by rounding alone have squares that differ by its square."""

HELD = 1 << 21
"""Resampled numbers held at once: entries of a large batch are worked on in groups, each with its own draws."""

NEAR = 1 << 16
"""Resampled numbers that a processor keeps at hand, with what is made of them."""


class Replicates(NamedTuple):
    """What was observed, `(entry,)`, and what the resamples gave, `(entry, resample)`.

    `influence`, `(entry, unit)`, is what each item or cluster adds to the effect; `sizes`, `(unit,)`, is of how many items.
    """

    effect: FloatArray
    error: FloatArray
    effects: FloatArray
    errors: FloatArray
    influence: FloatArray
    sizes: FloatArray

    def in_pieces(self) -> Iterator["Replicates"]:
        """Entry by entry, as many together as stay near the processor."""
        entries, resamples = self.effects.shape
        for start in range(0, entries, step := max(1, NEAR // resamples)):
            few = (part[start : start + step] for part in self[:-1])
            yield Replicates._make((*few, self.sizes))


@dataclass(frozen=True, eq=False)
class _Units:
    """What is drawn: `parts`, `(entry, unit, part)`, are sums about the mean parts; `sizes` are items per unit.

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
        """The metric of B minus that of A in resamples of so many items, whose number varies where clusters are drawn."""
        if self.metric.linear:
            return means[..., 0]
        a, b = np.moveaxis(self.metric.value(self._of_each(means), _beside(items)), -1, 0)
        return np.asarray(b - a)

    def slopes(self, means: FloatArray, items: FloatArray) -> FloatArray:
        if self.metric.linear:
            return np.ones_like(means)
        slopes = self.metric.gradient(self._of_each(means), _beside(items))
        np.negative(slopes[..., 0, :], out=slopes[..., 0, :])
        return slopes.reshape(means.shape)

    @staticmethod
    def _of_each(means: FloatArray) -> FloatArray:
        """The mean parts of A and of B one below the other: for one call, few numbers cost as much as none."""
        return means.reshape(*means.shape[:-1], 2, -1)

    @property
    def influence(self) -> FloatArray:
        return np.asarray(np.einsum("eup,ep->eu", self.parts, self.slopes(self.means, self.sizes.sum())))


def in_groups(
    sample: Parts,
    resamples: int,
    rng: Generator,
    answer: Callable[[Replicates], tuple[FloatArray, ...]],
) -> tuple[FloatArray, ...]:
    """What `answer` makes of the bootstrap of each batch entry, `(*batch,)` each.

    Entries of a batch that fit in memory together share their draws: every entry's answer is a fair bootstrap, and
    together they cost little more than one.
    """
    batch = sample.a.shape[:-2]
    answers = [
        answer(few)
        for units in _groups(sample, resamples)
        for few in _replicates(units, resamples, rng).in_pieces()
    ]
    return tuple(np.concatenate(found).reshape(batch) for found in zip(*answers, strict=True))


def _groups(sample: Parts, resamples: int) -> Iterator[_Units]:
    parts = _joint_parts(sample)
    entries = parts.reshape(-1, *parts.shape[-2:])
    size = _entries_at_once(resamples, *entries.shape[1:])
    for start in range(0, len(entries), size):
        yield _units(entries[start : start + size], sample)


def _entries_at_once(resamples: int, items: int, parts: int) -> int:
    # Each unit has its parts, its contribution and its weight.
    return max(1, HELD // (4 * resamples + (2 * parts + 3) * items))


def _joint_parts(sample: Parts) -> FloatArray:
    if sample.metric.linear:
        return sample.differences.values[..., np.newaxis]
    return np.concatenate([sample.a, sample.b], axis=-1)


def _units(parts: FloatArray, sample: Parts) -> _Units:
    # Deviations from the first item keep constant scores exactly constant.
    shifted = parts - parts[:, :1]
    shift = shifted.mean(axis=1, keepdims=True)
    scale = max(float(np.abs(x).max(initial=0.0)) for x in (sample.a, sample.b))
    # Sums about the mean keep their digits where sums of squares about zero would cancel.
    centred = snap(shifted - shift, scale)
    means = (parts[:, :1] + shift)[:, 0]
    sizes = np.ones(parts.shape[1])
    if sample.clusters is not None:
        sizes = np.unique(sample.clusters, return_counts=True)[1].astype(np.float64)
        centred = np.moveaxis(cluster_sums(np.moveaxis(centred, 1, -1), sample.clusters), -1, 1)
    if len(sizes) < 2:
        what = "item" if sample.clusters is None else "cluster"
        raise TooFew(f"there is only one {what}; at least two are needed to draw from")
    return _Units(centred, sizes, means, sample.metric, scale)


def _replicates(units: _Units, resamples: int, rng: Generator) -> Replicates:
    drawn, draw = _drawing(units, rng)
    entries = len(units.parts)
    effects, errors = np.empty((entries, resamples)), np.empty((entries, resamples))
    table, step = _Table.of(drawn), _draws_at_once(drawn)
    blocks = range(0, resamples, step)
    for start in stepped("drawing items again", blocks, len(blocks)):
        rows = slice(start, min(start + step, resamples))
        effects[:, rows], errors[:, rows] = table.effect_and_error(draw(rows.stop - rows.start), units)
    observed, error = _Table.of(units).effect_and_error(np.ones((1, units.count)), units)
    return Replicates(observed[:, 0], error[:, 0], effects, errors, units.influence, units.sizes)


def _draws_at_once(units: _Units) -> int:
    # Each draw has the weights of all units, and of each entry what is summed, with what is made of the sums.
    return max(1, DRAWN // max(units.count, 5 * units.parts[:, 0].size))


def _beside(items: FloatArray) -> FloatArray:
    """The same number of items for each of two systems."""
    return np.asarray(items)[..., np.newaxis]


def _drawing(units: _Units, rng: Generator) -> tuple[_Units, Callable[[int], FloatArray]]:
    """The units that are drawn, and a function that draws so many vectors of weights for them.

    Equal units are one unit drawn that much more often: for scores of few levels this saves nearly all of the work.
    """
    n = units.count
    # Entries of a batch share their draws, and hardly ever their equal units.
    if len(units.parts) == 1 and many_alike(len(np.unique(_mixed(units.parts[0]))), n):
        first, counts = distinct_rows(np.column_stack([units.parts[0], units.sizes]))
        if many_alike(len(first), n):
            fewer = replace(units, parts=units.parts[:, first], sizes=units.sizes[first])
            return fewer, lambda size: rng.multinomial(n, counts / n, size).astype(np.float64)
    held = np.empty((_draws_at_once(units), n)) if n >= COUNTED_ALONE else None
    return units, lambda size: drawn_counts(n, size, rng, held)


def _mixed(parts: FloatArray) -> FloatArray:
    """One number per unit, equal where all parts are: a quick look at whether many are alike."""
    return np.asarray(parts @ np.sqrt(np.arange(2.0, 2.0 + parts.shape[-1])))


@dataclass(frozen=True, eq=False)
class _Table:
    """What is summed over resamples, `(unit, sum)`: parts and size of each unit; of a plain mean, differences, then their squares.

    Beside it the parts with the sizes below them, `(entry, part + 1, unit)`, and the sums of their squares, `(entry, part)`.
    """

    columns: FloatArray
    parts: FloatArray
    squares: FloatArray

    @classmethod
    def of(cls, units: _Units) -> "_Table":
        by_unit = np.moveaxis(units.parts, 0, 1).reshape(units.count, -1)
        # Of a plain mean the sum of squares is all that its spread takes.
        columns = np.column_stack([by_unit, by_unit**2 if units.plain else units.sizes])
        sizes = np.broadcast_to(units.sizes, (len(units.parts), 1, units.count))
        parts = np.concatenate([np.moveaxis(units.parts, 1, 2), sizes], axis=1)
        return cls(columns, parts, np.square(units.parts).sum(axis=1))

    def effect_and_error(self, weights: FloatArray, units: _Units) -> tuple[FloatArray, FloatArray]:
        """The effect and its standard error, `(entry, resample)`, in resamples with these weights, `(resample, unit)`."""
        if units.plain:
            # One row per sum: what comes next goes along the resamples of an entry, and finds them side by side.
            found = self.columns.T @ weights.T
            return _mean_and_error(found[: len(units.parts)], found[len(units.parts) :], units)
        found = weights @ self.columns
        sums = np.moveaxis(found[:, :-1].reshape(len(weights), len(units.parts), -1), 1, 0)
        return self._by_influence(sums, found[:, -1], weights, units)

    def _by_influence(
        self, sums: FloatArray, items: FloatArray, weights: FloatArray, units: _Units
    ) -> tuple[FloatArray, FloatArray]:
        """A unit of n items contributes slope·(its parts − n·mean parts) to the effect.

        The error is the root of the summed squares of these, over the number of items.
        """
        moved = sums / items[:, np.newaxis]
        means = units.moved_by(moved[:, :, :])
        slopes = units.slopes(means, items)
        shift = np.einsum("erp,erp->er", slopes, moved)
        # Sizes stand below the parts, so that one product takes off the mean too.
        squares = self._summed_squares(np.concatenate([slopes, -shift[..., np.newaxis]], axis=-1), weights)
        # Squares that cancel to rounding are none: such a resample has no spread.
        own = np.einsum("erp,ep->er", slopes**2, self.squares)
        squares = np.where(squares > SPREADLESS * own, squares, 0.0) * units.count / (units.count - 1.0)
        return units.effect(means, items), np.sqrt(squares) / items

    def _summed_squares(self, slopes: FloatArray, weights: FloatArray) -> FloatArray:
        """Of what units contribute along these slopes, `(entry, resample, part + 1)`, the squares summed with these weights."""
        squares = np.empty(slopes.shape[:2])
        step = max(1, DRAWN // (5 * self.parts[:, 0].size))
        for start in range(0, len(weights), step):
            rows = slice(start, start + step)
            contributed = np.matmul(slopes[:, rows], self.parts)
            np.square(contributed, out=contributed)
            np.vecdot(contributed, weights[rows], out=squares[:, rows])
        return squares


def _mean_and_error(sums: FloatArray, squares: FloatArray, units: _Units) -> tuple[FloatArray, FloatArray]:
    """The same for a mean of single items: two sums, and no slopes; simulations spend their time here, so nothing is held twice."""
    count = float(units.count)
    moved = sums / count
    around_zero = moved * sums
    own = squares + around_zero
    spread = np.subtract(squares, around_zero, out=around_zero)
    own *= STATISTIC_NOISE
    spread[spread <= own] = 0.0
    spread *= 1.0 / (count * (count - 1.0))
    return np.add(moved, units.means, out=moved), np.sqrt(spread, out=spread)
