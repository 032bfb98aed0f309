"""Joint sign flips: one sign per item, or per cluster, applied to every pair at once.

If two systems are equally good, each item's difference could as well have had the other sign. One sign for all pairs
keeps how they hang together. Work is done for systems, not for pairs: a flipped difference is a difference of flipped
sums, and flips leave its sum of squares as it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.multiplicity.family import Family
from tellapart.progress import stepped
from tellapart.seeds import Generator

SIGNS = 1 << 20
"""Signs held at once: few enough to stay close to the processor."""

FEWEST_FLIPS = 128
"""Flips multiplied at once, however many signs that makes: each time, all scores are read again."""

FLIPS = 1 << 14
"""Flips whose sums are held at once."""

HELD = 1 << 25
"""Sums held at once: pairs that each have items of their own make many columns."""


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


def joint_flips(family: Family, resamples: int, rng: Generator) -> Iterator[JointFlips]:
    """All patterns of signs where there are no more of them than resamples asked for, else so many random ones.

    They come in blocks that fit in memory. A pattern and its opposite give the same statistics, so the first sign is never
    turned when all are listed.
    """
    units = family.columns.shape[1]
    # Beyond sixty units no number of resamples lists them all, and two to their power would leave 64 bits.
    patterns = 2 ** max(units - 1, 0) - 1 if units <= 60 else resamples + 1
    exhaustive = patterns <= resamples
    count = min(patterns, resamples)
    step = min(FLIPS, max(FEWEST_FLIPS, HELD // len(family.columns)))
    blocks = range(0, max(count, 1), step)
    for start in stepped("swapping systems", blocks, len(blocks)):
        places = range(start, min(start + step, count))
        turned = _listed(units, places) if exhaustive else _random(units, len(places), rng)
        yield JointFlips(family, _flipped_sums(family, turned, len(places)), exhaustive)


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


def _random(units: int, count: int, rng: Generator) -> Iterator[FloatArray]:
    """Blocks `(flip, unit)` of fair coins, 1 turns a sign; each block overwrites the one before."""
    step = min(count, max(FEWEST_FLIPS, SIGNS // units))
    turned = np.empty((step, units))
    for start in range(0, count, step):
        size = min(step, count - start)
        # Whole words per flip: the generator rounds up to them, so that blocks of any size draw the same flips.
        coins = np.frombuffer(rng.bytes(size * 4 * -(-units // 32)), dtype=np.uint8).reshape(size, -1)
        turned[:size] = np.unpackbits(coins, axis=1, count=units)
        yield turned[:size]


def _listed(units: int, places: range) -> Iterator[FloatArray]:
    """These of the ways to turn signs but the first one, of which the first way turns none and is left out."""
    patterns = 1 + np.array(places, dtype=np.int64)
    yield ((patterns[:, np.newaxis] << 1 >> np.arange(units)) & 1).astype(np.float64)
