"""Joint sign flips: one sign per item, or per cluster, applied to every pair at once.

If two systems are equally good, each item's difference could as well have had the other sign. One sign for all pairs
keeps how they hang together. Work is done for systems, not for pairs: a flipped difference is a difference of flipped
sums, and flips leave its sum of squares as it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.boards.binary_scores import PackedBits
from tellapart.boards.family import Family
from tellapart.data.score_storage import blocks_of, is_large
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.progress import with_progress
from tellapart.foundation.seeds import Generator, ahead

SIGNS = 1 << 20
"""Signs held at once: few enough to stay close to the processor."""

FEWEST_FLIPS = 128
"""Flips multiplied at once, however many signs that makes: each time, all scores are read again."""

FLIPS_OF_BLOCKS = 1 << 10
"""Flips at once of a board that is looked at in blocks: each time, all of it is read, or made numbers, again."""

FLIPS = 1 << 14
"""Flips whose sums are held at once."""

HELD = 1 << 25
"""Sums held at once: pairs that each have items of their own make many columns."""

WORTH = 1 << 31
"""Products that make a block worth handing out: about a third of a second."""

PER_STATISTIC, ASKED = 32, 400_000
"""Products that take as long as looking at one statistic, and four times as long as asking for the row of one pair."""


@dataclass(frozen=True, eq=False)
class JointFlips:
    """|Σd| / √Σd² of every pair under joint sign flips: it orders flips as the t statistic does.

    `sums` are the flipped sums of the columns, `(column, flip)`.
    """

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
    """The patterns of signs of a family, in blocks that fit in memory; `count` of them, all there are or random ones.

    A pattern and its opposite give the same statistics, so the first sign is never turned when all are listed.
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
    def _in_blocks(self) -> bool:
        return self.family.binary_scores is not None or is_large(self.family.columns)

    @cached_property
    def cuts(self) -> list[range]:
        step = _flips_at_once(len(self.family.columns), self.units, len(self.family.a))
        if self._in_blocks:
            step = max(step, FLIPS_OF_BLOCKS)
        return [range(start, min(start + step, self.count)) for start in range(0, max(self.count, 1), step)]

    def block(self, _: int, places: range) -> JointFlips:
        """These flips, wherever they are computed, of a stream of which nothing was drawn before."""
        words = places.start * _words(self.units)
        return self._flipped(places, self.rng if self.exhaustive else ahead(self.rng, words))

    def __iter__(self) -> Iterator[JointFlips]:
        """One block after the other, drawn from the stream itself."""
        for places in with_progress(self.doing, self.cuts, len(self.cuts)):
            yield self._flipped(places, self.rng)

    def _flipped(self, places: range, rng: Generator) -> JointFlips:
        if self._in_blocks and not self.exhaustive:
            coins = _coins(self.units, len(places), rng)
            marks = self.family.binary_scores
            found = _coin_sums(self.family.columns, coins) if marks is None else marks.coin_sums(coins)
            sums = self.family.totals[:, np.newaxis] - 2.0 * found
            return JointFlips(self.family, sums, self.exhaustive)
        turned = _listed(self.units, places) if self.exhaustive else _random(self.units, len(places), rng)
        return JointFlips(self.family, _flipped_sums(self.family, turned, len(places)), self.exhaustive)


def joint_flips(family: Family, resamples: int, rng: Generator) -> FlipBlocks:
    """All patterns of signs where there are no more of them than resamples asked for, else so many random ones."""
    units = family.columns.shape[1]
    # Beyond sixty units no number of resamples lists them all, and two to their power would leave 64 bits.
    patterns = 2 ** max(units - 1, 0) - 1 if units <= 60 else resamples + 1
    return FlipBlocks(family, min(patterns, resamples), patterns <= resamples, rng)


def _flips_at_once(columns: int, units: int, pairs: int) -> int:
    """How many flips make a block: enough that being cut costs little, and whole products of matrices."""
    each = columns * units + PER_STATISTIC * pairs
    worth = max(WORTH, ASKED * pairs) // each + 1
    most = min(FLIPS, max(FEWEST_FLIPS, HELD // columns))
    product = _multiplied_at_once(units)
    return min(most, -(-worth // product) * product)


def _multiplied_at_once(units: int) -> int:
    return max(FEWEST_FLIPS, SIGNS // max(units, 1))


def _words(units: int) -> int:
    """Words of 32 bits per flip: the generator rounds up to them, so that blocks of any size draw the same flips."""
    return -(-units // 32)


def _flipped_sums(family: Family, blocks: Iterator[FloatArray], count: int) -> FloatArray:
    """The sum of every column with signs turned, `(column, flip)`: its total less twice what was turned."""
    sums = np.empty((len(family.columns), count))
    start = 0
    for turned in blocks:
        part = np.matmul(family.columns, turned.T, out=sums[:, start : start + len(turned)])
        np.multiply(part, -2.0, out=part)
        np.add(part, family.totals[:, np.newaxis], out=part)
        start += len(turned)
    return sums


def _coin_sums(columns: FloatArray, coins: PackedBits) -> FloatArray:
    """The sum of every column over the units whose coin shows 1, `(column, flip)`; coins are packed bits."""
    found, start = np.zeros((len(columns), len(coins))), 0
    for block in blocks_of(columns) if len(coins) else ():
        stop = start + block.shape[1]
        bits = np.unpackbits(coins[:, start // 8 : -(-stop // 8)], axis=1, count=stop - start)
        found += block @ bits.T.astype(np.float64)
        start = stop
    return found


def _coins(units: int, count: int, rng: Generator) -> PackedBits:
    """Fair coins as bits, `(flip, byte)`."""
    return np.frombuffer(rng.bytes(4 * count * _words(units)), dtype=np.uint8).reshape(
        count, 4 * _words(units)
    )


def _random(units: int, count: int, rng: Generator) -> Iterator[FloatArray]:
    """Blocks `(flip, unit)` of fair coins, 1 turns a sign; each block overwrites the one before."""
    step = max(1, min(count, _multiplied_at_once(units)))
    turned = np.empty((step, units))
    for start in range(0, count, step):
        size = min(step, count - start)
        turned[:size] = np.unpackbits(_coins(units, size, rng), axis=1, count=units)
        yield turned[:size]


def _listed(units: int, places: range) -> Iterator[FloatArray]:
    """These of the ways to turn signs but the first one, of which the first way turns none and is left out."""
    patterns = 1 + np.array(places, dtype=np.int64)
    yield ((patterns[:, np.newaxis] << 1 >> np.arange(units)) & 1).astype(np.float64)
