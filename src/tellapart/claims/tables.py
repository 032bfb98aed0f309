"""Every table that two reported accuracies leave possible.

With the margins fixed, a table is given by its gap (right answers of B minus those of A) and its number of discordant
items; for each gap those lie between a fewest and a most, in steps of two.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tellapart.claims.reported import Reported
from tellapart.foundation.arrays import FloatArray, IntArray

# The p-values that a claim leaves possible, from the least to the greatest.

Range = tuple[float, float]


@dataclass(frozen=True)
class PValues:
    """The p-values of every result that fits: at the reported values, with rounding, and at the supposed overlap.

    `usual_low` is the smallest at any overlap in the band that was supposed, rounding included.
    """

    low: float
    high: float
    low_rounded: float
    high_rounded: float
    expected: float
    usual_low: float

    @classmethod
    def nested(cls, reported: Range, rounded: Range, expected: float, usual_low: float) -> "PValues":
        """The expected one within the range at the reported values, and that within what rounding allows.

        Numbers taken as exact may fit no table that prints as they do; then the nearest that does stands for them.
        """
        low, high = (min(max(p, rounded[0]), rounded[1]) for p in reported)
        supposed = min(max(expected, low), high)
        return cls(low, high, *rounded, supposed, min(max(usual_low, rounded[0]), supposed))


Kind = Literal["discordance", "correlation"]

SLACK = 1e-9
"""Items by which rounding of floats may move a limit."""


@dataclass(frozen=True)
class RightAnswers:
    """The numbers of right answers that a reported accuracy can stand for, and the one nearest to it."""

    low: int
    high: int
    nearest: int

    @classmethod
    def of(cls, accuracy: Reported, items: int) -> "RightAnswers":
        """Every count that rounds to the accuracy, whichever way halves were rounded.

        Fractions, not floats: whether 0.5 of an item is a half must not hang on the 16th digit.
        """
        low = max(math.ceil(accuracy.low * items), 0)
        high = min(math.floor(accuracy.high * items), items)
        return cls(low, high, min(max(round(accuracy.value * items), low), high))

    @property
    def possible(self) -> bool:
        return self.low <= self.high

    @property
    def settled(self) -> "RightAnswers":
        return RightAnswers(self.nearest, self.nearest, self.nearest)


@dataclass(frozen=True)
class OverlapLimits:
    """What is known of the overlap: a range of discordance, or of the correlation of right-or-wrong scores."""

    kind: Kind
    low: float
    high: float


@dataclass(frozen=True)
class Margins:
    """Two systems' right answers out of so many items, and what is known of their overlap."""

    items: int
    a: RightAnswers
    b: RightAnswers
    limits: OverlapLimits | None = None

    @property
    def settled(self) -> "Margins":
        """The same at the counts nearest to the reported accuracies."""
        return Margins(self.items, self.a.settled, self.b.settled, self.limits)

    @property
    def gap(self) -> int:
        return self.b.nearest - self.a.nearest

    @property
    def furthest(self) -> tuple["Margins", "Margins"]:
        """The counts furthest apart, either way, that the reported accuracies can stand for."""
        ends = ((self.a.low, self.b.high), (self.a.high, self.b.low))
        apart = (
            Margins(self.items, RightAnswers(a, a, a), RightAnswers(b, b, b), self.limits) for a, b in ends
        )
        first, second = apart
        return first, second


@dataclass(frozen=True, eq=False)
class PossibleTables:
    """For each possible gap, the fewest and the most discordant items that a table with it can have.

    `widened` says that no whole number of items has the overlap that is known, and that those next to it were taken.
    """

    items: int
    gaps: IntArray
    fewest: IntArray
    most: IntArray
    widened: bool = False

    @property
    def any(self) -> bool:
        return len(self.gaps) > 0


def tables(margins: Margins) -> PossibleTables:
    """The tables that the margins, and what is known of the overlap, leave possible."""
    n, a, b = margins.items, margins.a, margins.b
    gaps = np.arange(b.low - a.high, b.high - a.low + 1, dtype=np.int64)
    # The right answers of A that a table with each gap can have, so that those of B stay possible too.
    low, high = np.maximum(a.low, b.low - gaps), np.minimum(a.high, b.high - gaps)
    # Systems can differ most when half of all answers are right.
    right = 2 * np.clip((n - gaps) // 2, low, high) + gaps
    every = PossibleTables(n, gaps, np.abs(gaps), np.minimum(right, 2 * n - right))
    if margins.limits is None:
        return every
    first, last = _limited(margins, margins.limits, gaps, low, high)
    # Discordant items are wins plus losses and the gap is their difference: both are odd, or both even.
    odd = np.abs(gaps) % 2
    start, end = (first - odd) / 2.0, (last - odd) / 2.0
    within = _between(every, odd + 2 * np.ceil(start - SLACK), odd + 2 * np.floor(end + SLACK))
    if within.any:
        return within
    # A share printed with few digits may fall between two numbers of items: then the tables on both sides of it count.
    around = _between(every, odd + 2 * np.floor(start + SLACK), odd + 2 * np.ceil(end - SLACK))
    return replace(around, widened=True)


def _between(every: PossibleTables, least: FloatArray, greatest: FloatArray) -> PossibleTables:
    """Those tables that have no fewer and no more discordant items than these, gap by gap."""
    fewest = np.maximum(every.fewest, least.astype(np.int64))
    most = np.minimum(every.most, greatest.astype(np.int64))
    kept = fewest <= most
    return PossibleTables(every.items, every.gaps[kept], fewest[kept], most[kept])


def _limited(
    margins: Margins, limits: OverlapLimits, gaps: IntArray, low: IntArray, high: IntArray
) -> tuple[FloatArray, FloatArray]:
    """The discordant items, not rounded, between which the limits leave a table with each gap."""
    n = margins.items
    if limits.kind == "discordance":
        return np.full(len(gaps), limits.low * n), np.full(len(gaps), limits.high * n)
    # At one correlation, systems differ most where half of all answers are right, and least at an end of what is possible.
    middle = np.clip((n - gaps) // 2, low, high)
    ends = np.stack([_discordant(x, gaps, n, limits.high) for x in (low, high)])
    return ends.min(axis=0), _discordant(middle, gaps, n, limits.low)


def _discordant(right_a: IntArray, gaps: IntArray, items: int, correlation: float) -> FloatArray:
    """The discordant items, not rounded, when right-or-wrong scores with these counts correlate so.

    The formula of `evidence.overlap.discordance_at`, for arrays of counts.
    """
    a, b = right_a / items, (right_a + gaps) / items
    spread = np.sqrt(np.maximum(a * (1.0 - a) * b * (1.0 - b), 0.0))
    return np.asarray(items * (a + b - 2.0 * (a * b + correlation * spread)))
