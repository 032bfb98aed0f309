"""Centred studentised bootstrap of all pairs at once: the same resampled items or clusters for every pair."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tellapart.boards.board import Board
from tellapart.boards.family import Family
from tellapart.foundation.arrays import STATISTIC_NOISE, BoolArray, FloatArray, IntArray
from tellapart.foundation.parallel_map import even_ranges
from tellapart.foundation.progress import with_progress
from tellapart.foundation.seeds import Generator, block_of
from tellapart.numerics.resampling.draws import drawn_counts

# Residuals: the columns of a family minus their means, under which all systems are equal.

RESIDUALS_HELD = 1 << 22
"""Indicators of shared items held at once."""


@dataclass(frozen=True, eq=False)
class SharedCounts:
    """Shared items: per column and unit, `(column, unit)`; shared items and units per pair, `(pair,)`."""

    sizes: FloatArray
    items: FloatArray
    units: FloatArray


@dataclass(frozen=True, eq=False)
class Residuals:
    """Deviations from the mean, `(column, unit)`, by item or summed by cluster; those of a pair are B minus A.

    `items` and `units` are the shared ones of each pair, `noise` the norm of deviations due to rounding, `(pair,)` each.
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
        shared = count_shared_items(board, family)
        of_columns = shared.sizes.sum(axis=1, keepdims=True)
        columns = family.columns - shared.sizes * (family.totals[:, np.newaxis] / of_columns)
        return cls(columns, family.a, family.b, shared.items, shared.units, noise)

    @cached_property
    def squares(self) -> FloatArray:
        """The sum of squared deviations of each pair; exactly 0 where B − A is constant."""
        found = Family(self.columns, self.a, self.b, np.zeros(len(self.a))).squares
        return np.where(found > self.noise**2, found, 0.0)

    @property
    def varies(self) -> BoolArray:
        """Pairs whose difference is not constant."""
        return np.asarray(self.squares > 0.0)

    def differences(self, pairs: IntArray) -> FloatArray:
        """The deviations of B minus those of A, `(pair, unit)`, exactly 0 where B − A is constant."""
        found = self.columns[self.b[pairs]] - self.columns[self.a[pairs]]
        if not self.varies.all():
            found[~self.varies[pairs]] = 0.0
        return np.asarray(found)


def count_shared_items(board: Board, family: Family) -> SharedCounts:
    """Shared items of every column, unit and pair; both columns of a pair cover the same items."""
    sizes = np.empty_like(family.columns)
    items, units = np.empty(len(family.a)), np.empty(len(family.a))
    first, second = family.systems
    for block in _pair_blocks(len(family.a), board.values.shape[1]):
        both = board.scored[first[block]] & board.scored[second[block]]
        counts = board.summed(both.astype(np.float64))
        sizes[family.a[block]] = sizes[family.b[block]] = counts
        items[block], units[block] = counts.sum(axis=1), np.count_nonzero(counts, axis=1)
    return SharedCounts(sizes, items, units)


def _pair_blocks(pairs: int, items: int) -> Iterator[slice]:
    step = max(1, RESIDUALS_HELD // items)
    return (slice(start, start + step) for start in range(0, pairs, step))


BLOCK = 1 << 22
"""Weights held at once."""

FEWEST_DIFFERING = 6
"""Pairs that differ on fewer items are not bootstrapped: too many resamples contain none of these and have no variance.

A resample misses all of k items with probability about exp(−k): for six, once in 400.
"""

HELD = 1 << 23
"""Resampled statistics held at once; each group of pairs repeats the same resamples."""

WORTH, FEWEST_DRAWN = 3 << 31, 64
"""Multiplications that make a block worth a task of its own, and fewest resamples of a block."""

PER_DRAW, PER_RATIO, ASKED = 60, 100, 400_000
"""Cost in multiplications of one draw, of one statistic, and four times that of requesting a pair's row."""


@dataclass(frozen=True, eq=False)
class JointBootstrap:
    """Bootstrap |t| of every pair, from centred residuals, so that all systems are equal in each resample.

    No symmetry is assumed; close to nominal from about a hundred items on. Pairs that are not `eligible` have statistic 0 and so
    p = 1; a constant non-zero difference has an infinite statistic and so the smallest p possible. Romano & Wolf (2005).
    """

    family: Family
    residuals: Residuals
    eligible: BoolArray
    resamples: int
    rng: Generator
    exhaustive: bool = False
    pairs_at_once: int | None = None
    """Pairs whose differences are held at once; None for as many as `HELD` allows."""

    @cached_property
    def observed(self) -> FloatArray:
        difference = np.abs(self.family.effects) * self.residuals.items
        error = np.sqrt(self.residuals.squares * self._variance_factor)
        endless = np.where(difference > 0.0, np.inf, 0.0)
        return np.where(self.eligible, np.divide(difference, error, out=endless, where=error > 0.0), 0.0)

    @cached_property
    def scale(self) -> FloatArray:
        return np.ones(len(self.family.a))

    @property
    def _variance_factor(self) -> FloatArray:
        """The factor n / (n − 1) of sums of squares; 1 for a single unit."""
        units = self.residuals.units
        return np.asarray(units / np.maximum(units - 1.0, 1.0))

    def rows(self, order: IntArray) -> Iterator[FloatArray]:
        left, step = self.residuals, self.pairs_at_once or max(1, HELD // self.resamples)
        blocks = range(0, len(order), step)
        for start in with_progress("drawing items again", blocks, len(blocks)):
            pairs = order[start : start + step]
            statistics = self._statistics(left.differences(pairs), pairs)
            yield from np.where((self.eligible & left.varies)[pairs, np.newaxis], statistics, 0.0)

    def _statistics(self, differences: FloatArray, pairs: IntArray) -> FloatArray:
        left = self.residuals
        shared, degrees = (of[pairs, np.newaxis] for of in (left.units, self._variance_factor))
        squared = differences**2
        found = np.empty((len(differences), self.resamples))
        start = 0
        # A copy of the generator: resamples are joint only if every group of pairs gets the same ones.
        for drawn in _draw_count_blocks(differences.shape[1], self.resamples, copy.deepcopy(self.rng)):
            # A sum of differences is a difference of sums: one product for the systems serves all pairs.
            of_columns, squares = left.columns @ drawn.T, squared @ drawn.T
            sums = of_columns[left.b[pairs]] - of_columns[left.a[pairs]]
            spread = np.maximum(squares - sums**2 / shared, 0.0) * degrees
            spread[spread <= STATISTIC_NOISE * squares] = 0.0
            # A resample without variance counts as exceeding every statistic.
            ratio = found[:, start : start + len(drawn)]
            ratio[:] = np.inf
            np.divide(np.abs(sums), np.sqrt(spread), out=ratio, where=spread > 0.0)
            start += len(drawn)
        return found


def joint_bootstrap(board: Board, family: Family, resamples: int, rng: Generator) -> JointBootstrap:
    """The bootstrap of a family: all items of the board are resampled, and each pair uses those that it shares."""
    return JointBootstrap(family, Residuals.of(board, family), bootstrappable_pairs(family), resamples, rng)


@dataclass(frozen=True, eq=False)
class BootstrapBlocks:
    """A bootstrap in blocks of resamples; the first uses the stream itself, each other block a stream of its own."""

    whole: JointBootstrap

    doing = "drawing items again"

    @property
    def cuts(self) -> list[range]:
        count = self.whole.resamples
        return even_ranges(count, -(-count // self._draws_per_batch))

    @property
    def _draws_per_batch(self) -> int:
        columns, units = self.whole.residuals.columns.shape
        pairs = len(self.whole.family.a)
        each = (columns + pairs + PER_DRAW) * units + PER_RATIO * pairs
        return max(FEWEST_DRAWN, int(max(WORTH, ASKED * pairs) // each))

    def block(self, number: int, places: range) -> JointBootstrap:
        block = replace(
            self.whole,
            resamples=len(places),
            rng=block_of(self.whole.rng, number),
            pairs_at_once=max(1, HELD // self.whole.resamples),
        )
        # The observed statistics are the same in all blocks and costly.
        block.__dict__["observed"] = self.whole.observed
        return block


def bootstrappable_pairs(family: Family) -> BoolArray:
    """Pairs that differ on enough units for the bootstrap."""
    step = max(1, BLOCK // max(family.columns.shape[1], 1))
    places = np.arange(len(family.a), dtype=np.int64)
    blocks = [places[start : start + step] for start in range(0, len(places), step)]
    counts = np.concatenate([family.differing(pairs).sum(axis=1) for pairs in blocks])
    return np.asarray(counts >= FEWEST_DIFFERING)


def _draw_count_blocks(units: int, count: int, rng: Generator) -> Iterator[FloatArray]:
    """Blocks `(resample, unit)` of draw counts."""
    step = max(16, BLOCK // units)
    for start in range(0, count, step):
        size = min(step, count - start)
        yield drawn_counts(units, size, rng)
