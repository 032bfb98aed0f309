"""Joint sign flips: one sign per item, or per cluster, applied to all pairs at once.

Under the null hypothesis each item's difference is symmetric about 0. The same signs for all pairs keep their dependence. Sums are
flipped per system, not per pair: a flipped difference is a difference of flipped sums, and its sum of squares does not change.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.boards.binary_scores import PackedBits
from tellapart.boards.family import Family
from tellapart.data.score_storage import blocks_of
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.progress import with_progress
from tellapart.foundation.seeds import Generator, ahead

SIGNS = 1 << 20
"""Signs held at once, to fit the processor's cache."""

FEWEST_FLIPS = 128
"""Fewest flips per matrix product: each product reads all scores again."""

FLIPS_OF_BLOCKS = 1 << 10
"""Fewest flips per block for a board that is read in blocks of items."""

FLIPS = 1 << 14
"""Flips whose sums are held at once."""

HELD = 1 << 25
"""Sums held at once; pairwise-complete items make many columns."""

WORTH = 1 << 31
"""Multiplications that make a block worth a task of its own: about a third of a second."""

PER_STATISTIC, ASKED = 32, 400_000
"""Cost in multiplications of one statistic, and four times the cost of requesting a pair's row."""


@dataclass(frozen=True, eq=False)
class JointFlips:
    """|Σd| / √Σd² of every pair under joint sign flips, a monotone function of |t|; `sums` are flipped column sums, `(column, flip)`."""

    family: Family
    sums: FloatArray
    exhaustive: bool

    @property
    def resamples(self) -> int:
        return int(self.sums.shape[1])

    @cached_property
    def observed(self) -> FloatArray:
        totals = self.family.totals
        return np.asarray(np.abs(totals[self.family.b] - totals[self.family.a]) * self.family.weights)

    @cached_property
    def scale(self) -> FloatArray:
        return np.asarray(self.family.sizes * self.family.weights)

    def rows(self, order: IntArray) -> Iterator[FloatArray]:
        row = np.empty(self.resamples)
        a, b = self.family.a[order], self.family.b[order]
        for first, second, weight in zip(a, b, self.family.weights[order], strict=True):
            np.subtract(self.sums[second], self.sums[first], out=row)
            np.abs(row, out=row)
            yield np.multiply(row, weight, out=row)


@dataclass(frozen=True, eq=False)
class FlipBlocks:
    """`count` sign patterns of a family in blocks that fit in memory: all patterns, or random ones.

    A pattern and its negative give the same statistics, so the first sign is fixed in an exhaustive list.
    """

    family: Family
    count: int
    exhaustive: bool
    rng: Generator

    doing = "swapping systems"

    @property
    def units(self) -> int:
        return int(self.family.columns.shape[1])

    @cached_property
    def _flips_by_matrix_product(self) -> bool:
        return self.family.binary_scores is not None or self.family.large

    @cached_property
    def cuts(self) -> list[range]:
        step = _flips_at_once(len(self.family.columns), self.units, len(self.family.a))
        if self._flips_by_matrix_product:
            step = max(step, FLIPS_OF_BLOCKS)
        return [range(start, min(start + step, self.count)) for start in range(0, max(self.count, 1), step)]

    def block(self, _: int, places: range) -> JointFlips:
        """These flips, from the start of an unused random stream skipped ahead to them."""
        words = places.start * _words_per_flip(self.units)
        return self._flip_batch(places, self.rng if self.exhaustive else ahead(self.rng, words))

    def __iter__(self) -> Iterator[JointFlips]:
        """Blocks in order, drawn from the stream itself."""
        for places in with_progress(self.doing, self.cuts, len(self.cuts)):
            yield self._flip_batch(places, self.rng)

    def _flip_batch(self, places: range, rng: Generator) -> JointFlips:
        if self._flips_by_matrix_product and not self.exhaustive:
            coins = _coins(self.units, len(places), rng)
            marks = self.family.binary_scores
            found = _coin_sums(self.family.columns, coins) if marks is None else marks.coin_sums(coins)
            sums = self.family.totals[:, np.newaxis] - 2.0 * found
            return JointFlips(self.family, sums, self.exhaustive)
        turned = _every_sign_pattern(self.units, places) if self.exhaustive else _random(self.units, len(places), rng)
        return JointFlips(self.family, _flipped_sums(self.family, turned, len(places)), self.exhaustive)


def joint_flips(family: Family, resamples: int, rng: Generator) -> FlipBlocks:
    """All sign patterns where these are at most `resamples`, else random ones."""
    units = family.columns.shape[1]
    # Beyond sixty units the number of patterns exceeds 64 bits.
    patterns = 2 ** max(units - 1, 0) - 1 if units <= 60 else resamples + 1
    return FlipBlocks(family, min(patterns, resamples), patterns <= resamples, rng)


def _flips_at_once(columns: int, units: int, pairs: int) -> int:
    """Flips per block: enough work per task, in a whole number of matrix products."""
    each = columns * units + PER_STATISTIC * pairs
    worth = max(WORTH, ASKED * pairs) // each + 1
    most = min(FLIPS, max(FEWEST_FLIPS, HELD // columns))
    product = _multiplied_at_once(units)
    return min(most, -(-worth // product) * product)


def _multiplied_at_once(units: int) -> int:
    return max(FEWEST_FLIPS, SIGNS // max(units, 1))


def _words_per_flip(units: int) -> int:
    """32-bit words per flip, so that blocks of any size draw the same flips."""
    return -(-units // 32)


def _flipped_sums(family: Family, blocks: Iterator[FloatArray], count: int) -> FloatArray:
    """Flipped sums of the columns, `(column, flip)`: the total minus twice the sum over negative signs."""
    sums = np.empty((len(family.columns), count))
    start = 0
    for turned in blocks:
        part = np.matmul(family.columns, turned.T, out=sums[:, start : start + len(turned)])
        np.multiply(part, -2.0, out=part)
        np.add(part, family.totals[:, np.newaxis], out=part)
        start += len(turned)
    return sums


def _coin_sums(columns: FloatArray, coins: PackedBits) -> FloatArray:
    """The sum of every column over the units whose bit is 1, `(column, flip)`."""
    found, start = np.zeros((len(columns), len(coins))), 0
    for block in blocks_of(columns) if len(coins) else ():
        stop = start + block.shape[1]
        bits = np.unpackbits(coins[:, start // 8 : -(-stop // 8)], axis=1, count=stop - start)
        found += block @ bits.T.astype(np.float64)
        start = stop
    return found


def _coins(units: int, count: int, rng: Generator) -> PackedBits:
    """Random bits, `(flip, byte)`."""
    return np.frombuffer(rng.bytes(4 * count * _words_per_flip(units)), dtype=np.uint8).reshape(
        count, 4 * _words_per_flip(units)
    )


def _random(units: int, count: int, rng: Generator) -> Iterator[FloatArray]:
    """Blocks `(flip, unit)` of random bits, 1 for a negative sign; each block overwrites the previous one."""
    step = max(1, min(count, _multiplied_at_once(units)))
    turned = np.empty((step, units))
    for start in range(0, count, step):
        size = min(step, count - start)
        turned[:size] = np.unpackbits(_coins(units, size, rng), axis=1, count=units)
        yield turned[:size]


def _every_sign_pattern(units: int, places: range) -> Iterator[FloatArray]:
    """The sign patterns with these numbers, 1 for a negative sign; the pattern without any is left out."""
    patterns = 1 + np.array(places, dtype=np.int64)
    yield ((patterns[:, np.newaxis] << 1 >> np.arange(units)) & 1).astype(np.float64)
