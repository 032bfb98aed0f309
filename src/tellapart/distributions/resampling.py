"""Drawing items, or whole clusters, with replacement: the effect and its standard error in every resample.

A metric is a function of mean parts, so a resample is a vector of weights: how often each unit was drawn. Weighted sums
of the units' parts and of their products give the effect and, through the metric's gradient, its standard error; no
item is ever copied.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tellapart.arrays import NOISE, STATISTIC_NOISE, FloatArray, IntArray, snap
from tellapart.distributions.clusters import cluster_sums
from tellapart.errors import TooFew
from tellapart.seeds import Generator
from tellapart.summaries import Aggregation, Parts

DRAWN = 1 << 20
"""Weights held at once."""

HELD = 1 << 21
"""Resampled numbers held at once: entries of a large batch are worked on in groups, each with its own draws."""

EQUAL_UNITS = 8
"""So many times fewer distinct units than units make drawing how often each is met cheaper than drawing units.

A multinomial draw takes one binomial per distinct unit, which costs as much as drawing some five to fifteen units.
"""


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
        """Mean parts so far from the observed ones; one that no drawn item has is zero, and not what rounding left of it."""
        means = self.means + moved
        return means if self.metric.linear else np.where(np.abs(means) <= NOISE * self.scale, 0.0, means)

    def effect(self, means: FloatArray, items: FloatArray) -> FloatArray:
        """The metric of B minus that of A in resamples of so many items, whose number varies where clusters are drawn."""
        if self.metric.linear:
            return means[..., 0]
        a, b = np.split(means, 2, axis=-1)
        return np.asarray(self.metric.value(b, items) - self.metric.value(a, items))

    def slopes(self, means: FloatArray, items: FloatArray) -> FloatArray:
        if self.metric.linear:
            return np.ones_like(means)
        a, b = np.split(means, 2, axis=-1)
        return np.concatenate([-self.metric.gradient(a, items), self.metric.gradient(b, items)], axis=-1)

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
    answers = [answer(_replicates(units, resamples, rng)) for units in _groups(sample, resamples)]
    return tuple(np.concatenate(found).reshape(batch) for found in zip(*answers, strict=True))


def _groups(sample: Parts, resamples: int) -> Iterator[_Units]:
    parts = _joint_parts(sample)
    entries = parts.reshape(-1, *parts.shape[-2:])
    size = _entries_at_once(resamples, *entries.shape[1:])
    for start in range(0, len(entries), size):
        yield _units(entries[start : start + size], sample)


def _entries_at_once(resamples: int, items: int, parts: int) -> int:
    return max(1, HELD // (4 * resamples + _columns(parts) * items))


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
    table, draw = _drawing(units, rng)
    entries = len(units.parts)
    effects, errors = np.empty((entries, resamples)), np.empty((entries, resamples))
    effect_and_error = _mean_and_error if units.plain else _effect_and_error
    step = _draws_at_once(len(table), entries * _columns(units.parts.shape[-1]))
    for start in range(0, resamples, step):
        rows = slice(start, min(start + step, resamples))
        weights = draw(rows.stop - rows.start)
        sums = np.matmul(weights, table.reshape(len(table), -1)).reshape(len(weights), *table.shape[1:])
        effect, error = effect_and_error(sums, units)
        effects[:, rows], errors[:, rows] = effect.T, error.T
    once = _columns_of(units.parts, units.sizes).sum(axis=1)
    observed, error = _effect_and_error(once, units)
    return Replicates(observed, error, effects, errors, units.influence, units.sizes)


def _draws_at_once(weights: int, sums: int) -> int:
    return max(1, DRAWN // max(weights, sums))


def _drawing(units: _Units, rng: Generator) -> tuple[FloatArray, Callable[[int], FloatArray]]:
    """The units' columns, `(unit, entry, column)`, and a function that draws so many vectors of weights for them.

    Equal units are one unit drawn that much more often: for scores of few levels this saves nearly all of the work.
    """
    n = units.count
    # Entries of a batch share their draws, and hardly ever their equal units.
    if len(units.parts) == 1:
        first, counts = _distinct(np.column_stack([units.parts[0], units.sizes]))
        if _many_alike(len(first), n):
            table = _table(units.parts[:, first], units.sizes[first], plain=units.plain)
            return np.moveaxis(table, 0, 1), lambda size: rng.multinomial(n, counts / n, size).astype(
                np.float64
            )
    table = np.ascontiguousarray(np.moveaxis(_table(units.parts, units.sizes, plain=units.plain), 0, 1))
    return table, lambda size: drawn_counts(n, size, rng)


def _many_alike(distinct: int, units: int) -> bool:
    return distinct <= units // EQUAL_UNITS


def _distinct(rows: FloatArray) -> tuple[IntArray, IntArray]:
    """Where each distinct row is first met, and how many there are of it; found column by column."""
    code = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        values, place = np.unique(column, return_inverse=True)
        code = np.unique(code * len(values) + place, return_inverse=True)[1]
    _, first, counts = np.unique(code, return_index=True, return_counts=True)
    return first, counts


def drawn_counts(units: int, size: int, rng: Generator) -> FloatArray:
    """How often each unit was drawn in `size` resamples, `(resample, unit)`."""
    drawn = rng.integers(0, units, size=(size, units))
    # Resamples are told apart by multiples of the number of units, so that one count serves all.
    drawn += units * np.arange(size)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)


def _table(parts: FloatArray, sizes: FloatArray, *, plain: bool) -> FloatArray:
    return np.concatenate([parts, parts * parts], axis=-1) if plain else _columns_of(parts, sizes)


def _columns(parts: int) -> int:
    return (parts + 1) + (parts + 1) * (parts + 2) // 2


def _columns_of(parts: FloatArray, sizes: FloatArray) -> FloatArray:
    """What is summed over a resample, `(entry, unit, column)`: parts and size of each unit, then all their products."""
    sized = np.broadcast_to(sizes[:, np.newaxis], (*parts.shape[:-1], 1))
    row = np.concatenate([parts, sized], axis=-1)
    first, second = np.triu_indices(row.shape[-1])
    return np.concatenate([row, row[..., first] * row[..., second]], axis=-1)


def _mean_and_error(sums: FloatArray, units: _Units) -> tuple[FloatArray, FloatArray]:
    """The same for a mean of single items: two sums in place of five, and no slopes; simulations spend their time here."""
    count = float(units.count)
    moved = sums[..., 0] / count
    own = sums[..., 1] + moved * moved * count
    squares = own - 2.0 * (moved * sums[..., 0])
    squares = np.where(squares > STATISTIC_NOISE * own, squares, 0.0) * units.count / (units.count - 1.0)
    return units.means[:, 0] + moved, np.sqrt(squares) / count


def _effect_and_error(sums: FloatArray, units: _Units) -> tuple[FloatArray, FloatArray]:
    """The effect and its standard error, `(…, entry)`, from sums `(…, entry, column)`.

    A unit of n items contributes slope·(its parts − n·mean parts) to the effect; the error is the root of the summed
    squares of these, over the number of items.
    """
    width = units.parts.shape[-1] + 1
    items = sums[..., width - 1]
    moved = sums[..., : width - 1] / items[..., np.newaxis]
    means = units.moved_by(moved)
    slopes = units.slopes(means, items)
    whole = np.concatenate([slopes, -np.einsum("...p,...p->...", slopes, moved)[..., np.newaxis]], axis=-1)
    first, second = np.triu_indices(width)
    terms = whole[..., first] * whole[..., second] * sums[..., width:]
    own = terms[..., first == second].sum(axis=-1)
    # A quadratic form in the slopes: products of different columns occur twice in it and once in the table.
    squares = own + 2.0 * terms[..., first != second].sum(axis=-1)
    # Squares that cancel to rounding are none: such a resample has no spread.
    squares = np.where(squares > STATISTIC_NOISE * own, squares, 0.0) * units.count / (units.count - 1.0)
    return units.effect(means, items), np.sqrt(squares) / items
