"""Joint sign flips: one sign an item, or a cluster, applied to every pair at once.

If two systems are equally good, each item's difference could as well have had the other sign. One sign for all pairs
keeps how they hang together. Work is done for systems, not for pairs: a flipped difference is a difference of flipped
sums, and flips leave its sum of squares as it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.multiplicity.board import Family
from tellapart.seeds import Generator

BLOCK = 1 << 23
"""Signs held at once."""


@dataclass(frozen=True, eq=False)
class SignFlips:
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
    def weights(self) -> FloatArray:
        root = np.sqrt(self.family.squares)
        return np.divide(1.0, root, out=np.zeros_like(root), where=root > 0.0)

    @cached_property
    def observed(self) -> FloatArray:
        totals = self.family.columns.sum(axis=1)
        return np.asarray(np.abs(totals[self.family.b] - totals[self.family.a]) * self.weights)

    @cached_property
    def scale(self) -> FloatArray:
        norms = self.family.norms
        return np.asarray((norms[self.family.a] + norms[self.family.b]) * self.weights)

    def rows(self, order: IntArray) -> Iterator[FloatArray]:
        row = np.empty(self.resamples)
        a, b = self.family.a[order], self.family.b[order]
        for first, second, weight in zip(a, b, self.weights[order], strict=True):
            np.subtract(self.sums[second], self.sums[first], out=row)
            np.abs(row, out=row)
            yield np.multiply(row, weight, out=row)


def sign_flips(family: Family, resamples: int, rng: Generator) -> SignFlips:
    """All patterns of signs where there are no more of them than resamples asked for, else so many random ones.

    A pattern and its opposite give the same statistics, so the first sign is never flipped when all are listed.
    """
    units = family.columns.shape[1]
    patterns = 2 ** max(units - 1, 0) - 1 if units <= 60 else resamples + 1
    exhaustive = patterns <= resamples
    blocks = _every_pattern(units) if exhaustive else _random_patterns(units, resamples, rng)
    totals = family.columns.sum(axis=1)[:, np.newaxis]
    sums = np.empty((len(family.columns), min(patterns, resamples)))
    start = 0
    for flips in blocks:
        turned = np.matmul(family.columns, flips.T, out=sums[:, start : start + len(flips)])
        np.subtract(totals, 2.0 * turned, out=turned)
        start += len(flips)
    return SignFlips(family, sums, exhaustive)


def _random_patterns(units: int, count: int, rng: Generator) -> Iterator[FloatArray]:
    """Blocks `(flip, unit)` of fair coins, 1 turns a sign; each block overwrites the one before."""
    step = min(count, max(64, BLOCK // units))
    flips = np.empty((step, units))
    for start in range(0, count, step):
        size = min(step, count - start)
        # Whole words a flip: the generator rounds up to them, so that blocks of any size draw the same flips.
        coins = np.frombuffer(rng.bytes(size * 4 * -(-units // 32)), dtype=np.uint8).reshape(size, -1)
        flips[:size] = np.unpackbits(coins, axis=1, count=units)
        yield flips[:size]


def _every_pattern(units: int) -> Iterator[FloatArray]:
    """Every way to turn signs but the first one, leaving out turning none."""
    patterns = np.arange(1, 2 ** max(units - 1, 0), dtype=np.int64)
    yield ((patterns[:, np.newaxis] << 1 >> np.arange(units)) & 1).astype(np.float64)
