"""Rare failures of single pairs: what each shows one or two of, and how many more it has to bear before it is told apart."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.rare_failures import failures_below
from tellapart.multiplicity.residuals import Residuals

HELD = 1 << 22
"""Differences held at once."""


@dataclass(frozen=True, eq=False)
class PairFailures:
    """Failures that each pair may have been spared on the side that leads, `(pair,)`: how many more, and how far from the mean they lie."""

    counts: FloatArray
    sizes: FloatArray

    @property
    def pairs(self) -> int:
        """How many pairs show any."""
        return int(np.count_nonzero(self.counts))


def pair_failures(left: Residuals, effects: FloatArray) -> PairFailures:
    """As `compare` would reckon with them, pair by pair: against the side that an effect points to, the other claims nothing."""
    step = max(1, HELD // left.columns.shape[1])
    places = np.arange(len(left.a), dtype=np.int64)
    blocks = [_spared(left, effects, places[start : start + step]) for start in range(0, len(places), step)]
    return PairFailures(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


def _spared(left: Residuals, effects: FloatArray, some: IntArray) -> tuple[FloatArray, FloatArray]:
    found = failures_below(left.differences(some) * np.sign(effects[some])[:, np.newaxis])
    return found.spared, found.distance
