"""Bootstrap draws of items or whole clusters: the effect and its standard error in every resample.

A metric is a function of mean parts, so a resample is a vector of weights: how often each unit was drawn. Weighted sums
of the units' parts give the effect; its standard error is the weighted spread of what each unit contributes through the metric's
gradient there. No item is ever copied, and products of parts, of which a hundred classes have many, are never summed.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tellapart.data.summaries import Parts
from tellapart.foundation.arrays import FloatArray, IntArray, snap
from tellapart.foundation.errors import TooFew
from tellapart.foundation.parallel_map import even_ranges, numbered_calls, parallel_map
from tellapart.foundation.progress import with_progress
from tellapart.foundation.seeds import Generator, block_of, move_past, position
from tellapart.numerics.moments import cluster_sums
from tellapart.numerics.resampling.resampled_sums import DRAWN, DrawnUnits, SumTable, gathered

# How often each unit is met when as many as there are are drawn with replacement.

EQUAL_UNITS = 8
"""Units per distinct unit from which drawing counts is cheaper than drawing units.

A multinomial draw takes one binomial per distinct unit, which costs as much as drawing some five to fifteen units.
"""


COUNTED_ALONE = 500
"""Units from which on counting one resample costs more than calling for it."""


def many_alike(distinct: int, units: int) -> bool:
    return distinct <= units // EQUAL_UNITS


def distinct_rows(rows: FloatArray) -> tuple[IntArray, IntArray]:
    """Where each distinct row is first met, and how many there are of it; found column by column."""
    code = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        values, place = np.unique(column, return_inverse=True)
        # Numbered anew after each column: products of two numbers of rows do not overflow, those of all columns would.
        code = np.unique(code * len(values) + place, return_inverse=True)[1]
    _, first, counts = np.unique(code, return_index=True, return_counts=True)
    return first, counts


def drawn_counts(units: int, size: int, rng: Generator, held: FloatArray | None = None) -> FloatArray:
    """How often each unit was drawn in `size` resamples, `(resample, unit)`; written over what is `held`, if that is long enough."""
    drawn = rng.integers(0, units, size=(size, units))
    if units >= COUNTED_ALONE:
        # Counters of one resample stay in the nearest cache, and memory that was used before is there at once.
        counts = np.empty((size, units)) if held is None or len(held) < size else held[:size]
        for row, one in zip(counts, drawn, strict=True):
            row[:] = np.bincount(one, minlength=units)
        return counts
    # Resamples are told apart by multiples of the number of units, so that one count serves all.
    drawn += units * np.arange(size)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)


HELD = 1 << 21
"""Resampled numbers held at once: entries of a large batch are worked on in groups, each with its own draws."""

WORTH = 1 << 26
"""Products that make a piece of the resamples worth handing out."""

PER_DRAW, PER_COUNT = 4, 40
"""Products that take as long as one draw of a unit, and as one draw of how often equal units are met."""

NEAR = 1 << 16
"""Resampled numbers that a processor keeps at hand, with what is made of them."""


class Replicates(NamedTuple):
    """The observed effects, `(entry,)`, and those of the resamples, `(entry, resample)`.

    `influence`, `(entry, unit)`, is what each item or cluster adds to the effect.
    """

    effect: FloatArray
    error: FloatArray
    effects: FloatArray
    errors: FloatArray
    influence: FloatArray

    def in_pieces(self) -> Iterator["Replicates"]:
        """Entry by entry, as many together as stay near the processor."""
        entries, resamples = self.effects.shape
        step = _entries_nearby(resamples)
        for start in range(0, entries, step):
            yield Replicates._make(part[start : start + step] for part in self)


def _entries_nearby(resamples: int) -> int:
    return max(1, NEAR // resamples)


def map_replicates(
    sample: Parts, resamples: int, rng: Generator, answer: Callable[[Replicates], tuple[FloatArray, ...]]
) -> tuple[FloatArray, ...]:
    """The results of `answer` for the bootstrap of each batch entry, `(*batch,)` each.

    Entries of a batch that fit in memory together share their draws: every entry's answer is a fair bootstrap, and
    together they cost little more than one.
    """
    batch = sample.a.shape[:-2]
    answers = [answer(few) for found in _replicates_by_group(sample, resamples, rng) for few in found.in_pieces()]
    return tuple(np.concatenate(found).reshape(batch) for found in zip(*answers, strict=True))


def _replicates_by_group(sample: Parts, resamples: int, rng: Generator) -> Iterable["Replicates"]:
    """The resamples of each group of entries; those of a single evaluation are kept with it, for its test and its interval ask for the same."""
    if sample.a.ndim > 2:
        return (_draw_replicates(units, resamples, rng) for units in _entry_groups(sample, resamples))
    kept: dict[tuple[int, bytes], list[Replicates]] = sample.__dict__.setdefault("resampled", {})
    key = resamples, position(rng)
    if key not in kept:
        kept[key] = [_draw_replicates(units, resamples, rng) for units in _entry_groups(sample, resamples)]
    return kept[key]


def _entry_groups(sample: Parts, resamples: int) -> Iterator[DrawnUnits]:
    parts = _joint_parts(sample)
    entries = parts.reshape(-1, *parts.shape[-2:])
    size = 1 if _better_alone(entries[0], sample) else _entries_at_once(resamples, *entries.shape[1:])
    for start in range(0, len(entries), size):
        yield _drawn_units(entries[start : start + size], sample)


def _better_alone(parts: FloatArray, sample: Parts) -> bool:
    """Whether draws of the few kinds of items that each evaluation has, as of confusion tables, cost less than draws that many share."""
    alike = many_alike(len(np.unique(_unit_keys(parts))), len(parts))
    return alike and len(parts) >= COUNTED_ALONE and not sample.metric.linear and sample.clusters is None


def _entries_at_once(resamples: int, items: int, parts: int) -> int:
    # Each unit has its parts, its contribution and its weight.
    return max(1, HELD // (4 * resamples + (2 * parts + 3) * items))


def _joint_parts(sample: Parts) -> FloatArray:
    if sample.metric.linear:
        return sample.differences.values[..., np.newaxis]
    return np.concatenate([sample.a, sample.b], axis=-1)


def _drawn_units(parts: FloatArray, sample: Parts) -> DrawnUnits:
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
    return DrawnUnits(centred, sizes, means, sample.metric, scale)


def _draw_replicates(units: DrawnUnits, resamples: int, rng: Generator) -> Replicates:
    drawing = _Drawing.of(units)
    pieces = drawing.pieces(resamples)
    if len(pieces) == 1:
        found = [drawing.effects_and_errors(resamples, rng)]
    else:
        drawn = parallel_map(_piece, (drawing, rng), numbered_calls(pieces), drawn=True)
        found = list(with_progress("drawing items again", drawn, len(pieces)))
        move_past(rng, len(pieces))
    effects, errors = (np.concatenate(parts, axis=1) for parts in zip(*found, strict=True))
    observed, error = SumTable.of(units).effect_and_error(np.ones((1, units.count)), units)
    return Replicates(observed[:, 0], error[:, 0], effects, errors, units.influence)


def _piece(subject: tuple["_Drawing", Generator], start: int, stop: int, number: int) -> tuple[FloatArray, FloatArray]:
    """Some of the resamples, from a stream of their own."""
    drawing, rng = subject
    return drawing.effects_and_errors(stop - start, block_of(rng, number))


def _draws_at_once(units: DrawnUnits) -> int:
    # Each draw has the weights of all units, and of each entry what is summed, with what is made of the sums.
    return max(1, DRAWN // max(units.count, 5 * units.parts[:, 0].size))


@dataclass(frozen=True, eq=False)
class _Drawing:
    """The units that are drawn, and how many there are of each where equal ones are drawn together.

    Equal units are one unit drawn that much more often: for scores of few levels this saves nearly all of the work.
    """

    units: DrawnUnits
    drawn: DrawnUnits
    counts: IntArray | None

    @classmethod
    def of(cls, units: DrawnUnits) -> "_Drawing":
        n = units.count
        # Entries of a batch share their draws, and hardly ever their equal units.
        if len(units.parts) == 1 and many_alike(len(np.unique(_unit_keys(units.parts[0]))), n):
            first, counts = distinct_rows(np.column_stack([units.parts[0], units.sizes]))
            if many_alike(len(first), n):
                fewer = replace(units, parts=units.parts[:, first], sizes=units.sizes[first])
                return cls(units, fewer, counts)
        return cls(units, units, None)

    def pieces(self, resamples: int) -> list[range]:
        """Pieces of the resamples that are worth handing out; entries of a batch share their draws, and are not cut."""
        of_draw = PER_DRAW if self.counts is None else PER_COUNT
        each = self.drawn.count * (self.drawn.parts.shape[-1] + of_draw)
        number = max(1, resamples * each // WORTH) if len(self.units.parts) == 1 else 1
        return even_ranges(resamples, number)

    def effects_and_errors(self, resamples: int, rng: Generator) -> tuple[FloatArray, FloatArray]:
        """Effects and errors of every entry, `(entry, resample)`."""
        if self.counts is None and self.units.plain and len(self.units.parts) == 1:
            return gathered(self.units, resamples, rng)
        entries = len(self.units.parts)
        effects, errors = np.empty((entries, resamples)), np.empty((entries, resamples))
        table, step, draw = SumTable.of(self.drawn), _draws_at_once(self.drawn), self._draws(rng)
        blocks = range(0, resamples, step)
        for start in with_progress("drawing items again", blocks, len(blocks)):
            rows = slice(start, min(start + step, resamples))
            weights = draw(rows.stop - rows.start)
            effects[:, rows], errors[:, rows] = table.effect_and_error(weights, self.units)
        return effects, errors

    def _draws(self, rng: Generator) -> Callable[[int], FloatArray]:
        """A function that draws a given number of weight vectors."""
        n, counts = self.units.count, self.counts
        if counts is not None:
            return lambda size: rng.multinomial(n, counts / n, size).astype(np.float64)
        held = np.empty((_draws_at_once(self.units), n)) if n >= COUNTED_ALONE else None
        return lambda size: drawn_counts(n, size, rng, held)


def _unit_keys(parts: FloatArray) -> FloatArray:
    """One number per unit, equal where all parts are: a quick look at whether many are alike."""
    return np.asarray(parts @ np.sqrt(np.arange(2.0, 2.0 + parts.shape[-1])))
