"""Ranks of absolute differences with the sign of the difference: their sums, their ties and their null law."""

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Literal, Self

import numpy as np

from tellapart.arrays import FloatArray, IntArray, snap
from tellapart.distributions.sign_flips import FlipTails, sign_flip_tails

Zeros = Literal["drop", "pratt"]

BLOCK = 1 << 16
"""Differences ranked at once: they stay in the processor's cache."""

TABULATED = 256
"""Ranks up to which the law without ties is kept as a table."""

_SIGNLESS = np.int64(~1)


@dataclass(frozen=True, eq=False)
class SignedRanks:
    """Sums over the ranks of non-zero differences, each `(row,)`.

    `positive` is the sum of the ranks of positive differences, `ranked` the number of non-zero ones, `zeros` that of
    zeros, `ties` the sum of t³ − t over groups of t equal absolute values other than zero.
    """

    positive: FloatArray
    ranked: IntArray
    zeros: IntArray
    ties: FloatArray

    @classmethod
    def of(cls, values: FloatArray, zeros: Zeros, scale: float) -> Self:
        """Ranks of `(row, item)`, equal to twelve digits of `scale` being a tie; with `pratt`, zeros hold the first ranks."""
        step = max(1, BLOCK // max(values.shape[-1], 1))
        blocks = [_rank(snap(values[i : i + step], scale), zeros) for i in range(0, max(len(values), 1), step)]
        return cls(*(np.concatenate([getattr(b, f.name) for b in blocks]) for f in fields(cls)))
