"""Sign flips restated as subset sums: the probability that a random subset sums to at most a threshold.

Flipping signs of differences dᵢ gives S = Σ ±|dᵢ|, and S = T − 2W with T = Σ|dᵢ| and W the sum of the sizes whose
sign came out negative. So P(S ≥ s) = P(W ≤ r) with r the sum of the sizes that were negative: a sum of positive
numbers, free of cancellation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.numerics.common_step import common_step


@dataclass(frozen=True, eq=False)
class Tail:
    """P(W ≤ threshold), P(W < threshold) and how far each may be off, each `(row,)`."""

    at_most: FloatArray
    below: FloatArray
    error: FloatArray

    def __getitem__(self, rows: IntArray | BoolArray | slice) -> Self:
        return type(self)(self.at_most[rows], self.below[rows], self.error[rows])

    @classmethod
    def joined(cls, tails: Sequence["Tail"]) -> Self:
        """The rows of several tails, one after the other."""
        if len(tails) == 1:
            return cls(tails[0].at_most, tails[0].below, tails[0].error)
        return cls(*(np.concatenate([getattr(t, f.name) for t in tails]) for f in fields(cls)))


@dataclass(frozen=True, eq=False)
class SubsetSums:
    """Sizes `(row, item)`, ascending, and the `threshold` `(row,)` that the sum of those taken is compared with.

    A size of 0 takes no part. `halvings` counts coins that must all fall one way on top. On a lattice (`whole`) sizes
    and threshold are whole numbers; elsewhere sums closer than `tolerance` are a tie.
    """

    sizes: FloatArray
    threshold: FloatArray
    halvings: FloatArray
    whole: BoolArray
    tolerance: FloatArray

    @classmethod
    def of(cls, values: FloatArray, noise: FloatArray) -> tuple[Self, FloatArray]:
        """The sums no larger than that of the observed minority sign, and the sign of the majority (0 for a tie).

        `values` are `(row, item)`; `noise`, `(row,)`, is how far each may be off.
        """
        sizes = np.abs(values)
        # What is noise alone is no difference.
        sizes[sizes <= 0.5 * noise[:, np.newaxis]] = 0.0
        step = common_step(sizes, noise)
        whole = step > 0.0
        # Differences of 1e-300 or 1e300 have squares that no double holds.
        scale = np.where(whole, step, _binary_scale(sizes))
        units = sizes / scale[:, np.newaxis]
        if whole.any():
            units = np.where(whole[:, np.newaxis], np.rint(units), units)
        positive, negative = (np.where(side, units, 0.0).sum(axis=-1) for side in (values > 0.0, values < 0.0))
        # A sum of k sizes is off by k times the noise and by the rounding of k additions; on a lattice both are rounded away.
        slack = 0.5 * noise / scale + 1e-15 * units.max(axis=-1, initial=0.0)
        tolerance = np.where(whole, 0.0, slack * _taking_part(units))
        lead = positive - negative
        sign = np.where(np.abs(lead) > tolerance, np.sign(lead), 0.0)
        # The minority: the smaller its sum, the more sizes pass it alone and drop out.
        threshold = np.minimum(positive, negative)
        return cls(units, threshold, np.zeros(len(units)), whole, tolerance).reduced(), sign

    def reduced(self) -> Self:
        """The question without the sizes that cannot be taken, because one alone passes the threshold.

        Their coins must all fall one way, each with probability 1/2: far in the tail this is most of the answer.
        """
        beyond = self.sizes > (self.threshold + self.tolerance)[:, np.newaxis]
        sizes = np.where(beyond, 0.0, self.sizes)
        width = int(_taking_part(sizes).max(initial=0))
        # Ascending, so that zeros of shorter rows come first and columns that are 0 throughout can go.
        sizes = np.sort(sizes, axis=-1)[:, sizes.shape[-1] - width :]
        halvings = self.halvings + beyond.sum(axis=-1)
        return type(self)(sizes, self.threshold, halvings, self.whole, self.tolerance)

    def split(self) -> Self:
        """Each question with the largest size left, then with it taken: two rows for one, each half as likely.

        Every row has a size; the answers of row i and of row i + `len(self)` add up to that of row i.
        """
        sizes, largest = self.sizes[:, :-1], self.sizes[:, -1]
        return type(self)(
            np.tile(sizes, (2, 1)),
            np.concatenate([self.threshold, np.maximum(self.threshold - largest, 0.0)]),
            np.tile(self.halvings + 1.0, 2),
            np.tile(self.whole, 2),
            np.tile(self.tolerance, 2),
        ).reduced()

    def __len__(self) -> int:
        return len(self.sizes)

    def __getitem__(self, rows: IntArray | slice) -> Self:
        """Some of the rows, in ascending order."""
        sizes = self.sizes[rows]
        if len(sizes) == len(self):
            return self
        width = int(_taking_part(sizes).max(initial=0))
        return type(self)(
            sizes[:, sizes.shape[-1] - width :],
            self.threshold[rows],
            self.halvings[rows],
            self.whole[rows],
            self.tolerance[rows],
        )

    @cached_property
    def total(self) -> FloatArray:
        """The sum of all sizes that take part."""
        return np.asarray(self.sizes.sum(axis=-1))

    @cached_property
    def count(self) -> IntArray:
        """How many sizes take part."""
        return _taking_part(self.sizes)

    @cached_property
    def chance(self) -> FloatArray:
        """The probability that all forced coins fall as they must."""
        return np.asarray(np.exp2(-self.halvings))

    @cached_property
    def single(self) -> FloatArray:
        """The probability of one choice of all coins: no tail that is not empty is smaller."""
        return np.asarray(np.exp2(-self.halvings - self.count))

    @cached_property
    def tied(self) -> BoolArray:
        """Rows in which a size is met twice."""
        return np.asarray(((self.sizes[:, 1:] == self.sizes[:, :-1]) & (self.sizes[:, 1:] > 0.0)).any(axis=-1))

    @cached_property
    def listed(self) -> FloatArray:
        """About how many different sums half of the sizes have: its square is how many all have, at most."""
        rows, width = self.sizes.shape
        flat = self.sizes.ravel()
        starts = np.ones(len(flat), dtype=np.bool_)
        np.not_equal(flat[1:], flat[:-1], out=starts[1:])
        starts[:: max(width, 1)] = True
        first = np.flatnonzero(starts)
        bits = np.log2(np.diff(first, append=len(flat)) + 1.0) * (flat[first] > 0.0)
        halves = 0.5 * np.bincount(first // max(width, 1), bits, minlength=rows)
        # More than can be listed is as good as infinite.
        return np.asarray(np.exp2(np.minimum(halves, 64.0)))


def _taking_part(sizes: FloatArray) -> IntArray:
    return np.asarray((sizes > 0.0).sum(axis=-1), dtype=np.int64)


def _binary_scale(sizes: FloatArray) -> FloatArray:
    """A power of two near the largest size, so that scaling is exact and nothing over- or underflows."""
    _, exponent = np.frexp(sizes.max(axis=-1, initial=0.0))
    # Doubles end at 2^-1022 and 2^1023: one over the scale is one too.
    return np.asarray(np.ldexp(1.0, np.clip(exponent, -1000, 1000)))
