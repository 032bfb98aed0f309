"""Pairs whose differences lean to one side by themselves: how many there are, and on how few items that rests."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.leaning import leaning
from tellapart.multiplicity.residuals import Residuals

HELD = 1 << 22
"""Differences held at once."""

UNSEEN = 7.2
"""How many times alpha rare failures would add if none of them were expected to be seen, where items are drawn again.

Measured on boards of steady and risky systems with 30 to 200 items: about 2.6 times alpha where three failures of each risky system
are expected, twice alpha where four are, no more than the level from seven on. What falls like exp(−k/2) fits these.
"""

WORRYING = 1.4
"""How many times alpha the error must be to be worth a word: 0.07 at 0.05."""


@dataclass(frozen=True, eq=False)
class LeaningPairs:
    """Of every pair that leans, the units that make it: those beyond one standard deviation on the longer side, `(pair,)` each.

    `tails` is how many they are, `sizes` how far they lie from the mean, and `shares` how much of the sum of squares is theirs.
    """

    tails: FloatArray
    sizes: FloatArray
    shares: FloatArray

    def __len__(self) -> int:
        return len(self.tails)

    def told_error(self, alpha: float) -> float | None:
        """The family-wise error of units drawn again, where so few make pairs lean that others like them may not be seen.

        A failure that none of the items shows cannot be drawn again: a system that was lucky looks better than it is, and safely so.
        """
        if not len(self):
            return None
        found = alpha * (1.0 + UNSEEN * float(np.exp(-np.median(self.tails) / 2.0)))
        return min(found, 1.0) if found >= WORRYING * alpha else None


def leaning_pairs(left: Residuals) -> LeaningPairs:
    """Those that `compare` would take to lean, each pair alone."""
    step = max(1, HELD // left.columns.shape[1])
    places = np.arange(len(left.a), dtype=np.int64)
    blocks = [_tails(left, places[start : start + step]) for start in range(0, len(places), step)]
    return LeaningPairs(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


def _tails(left: Residuals, some: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    differences = left.differences(some)
    differences = differences[leaning(differences).acted_on]
    longer = np.sign(np.sum(differences**3, axis=1, keepdims=True))
    squares = np.sum(differences**2, axis=1)
    spread = np.sqrt(squares / left.columns.shape[1])
    # Whatever leans has a unit beyond one standard deviation on its longer side.
    beyond = np.where(differences * longer > spread[:, np.newaxis], np.abs(differences), 0.0)
    counts = np.asarray(np.count_nonzero(beyond, axis=1), dtype=np.float64)
    return counts, beyond.sum(axis=1) / counts, np.sum(beyond**2, axis=1) / squares
