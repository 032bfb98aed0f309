"""Null distribution of a sum of differences under random sign flips, computed without sampling.

Under the null hypothesis the sign of every difference may be flipped. How often is the sum then as large as the observed
one? There are 2ⁿ flips, which are never listed. `subset_sums` turns the question into one about positive numbers;
`choice_of_method` tries these methods in order until every row of a batch has its tail:

1. closed form: all differences have one sign, or one outweighs all others together;
2. `whole_numbers.binomial_tails`: differences of one size are a binomial count;
3. `whole_numbers.fourier_tails`: whole numbers, many rows: one Fourier sum for the batch, after an inversion at few nodes
   (7.) where that is as good and much faster;
4. `whole_numbers.convolution_tail` or `enumeration.grouped_tail`: whole numbers or repeated sizes, row by row, where quick;
5. `enumeration.enumerated_tails`: up to some forty sizes, the sums of two halves matched in the middle;
6. a size that dwarfs all others is taken or left, and both halves begin again;
7. `inversion` of the characteristic function along the `contour` through the saddlepoint (`NodeProducts` are its values,
   `secondary_peaks` what they may have missed), for everything longer.

Methods 1 to 6 are exact up to rounding, and so is the inversion of a few hundred differences; elsewhere it gives its error.
Expected times alone decide between methods. Metrics that are no sum have no such law: they are computed again after
`random_flips`.
"""

from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import NOISE, FloatArray
from tellapart.numerics.sign_flip_law.choice_of_method import settled
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums


@dataclass(frozen=True, eq=False)
class FlipTails:
    """P(S ≤ s) and P(S ≥ s) of the observed sum s, how far each may be off, and the sign of s, each `(*batch,)`."""

    lower: FloatArray
    upper: FloatArray
    error: FloatArray
    sign: FloatArray
    method: str


def sign_flip_tails(values: FloatArray, scale: float | None = None) -> FlipTails:
    """Tails of the sum of `(*batch, item)` among all its sign flips, ties counted. Fisher (1935).

    Exact if, under the null, every value is as likely as its negative: differences of two systems whose scores on an item
    may be swapped are. Where differences are skewed around a mean of zero, or items come in clusters, they are not, and
    the tails are too small. Values are known to fourteen digits of `scale` (else of the largest one): sums that differ by
    no more are ties. Zeros take no part.
    """
    rows = values.reshape(-1, values.shape[-1])
    size = np.abs(rows).max(axis=-1, initial=0.0) if scale is None else np.full(len(rows), scale)
    sums, sign = SubsetSums.of(rows, NOISE * size)
    ledger = settled(sums)
    near, far = ledger.tail.at_most, 1.0 - ledger.tail.below
    lower, upper = np.where(sign > 0.0, far, near), np.where(sign < 0.0, far, near)
    batch = values.shape[:-1]
    return FlipTails(
        lower.reshape(batch),
        upper.reshape(batch),
        ledger.tail.error.reshape(batch),
        sign.reshape(batch),
        ledger.described,
    )
