"""The tails of an observed sum among its sign flips: the door to the law."""

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
