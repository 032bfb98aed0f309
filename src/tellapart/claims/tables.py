"""All 2 × 2 tables that two reported accuracies allow.

Given its margins, a table is determined by the gap (right answers of B minus those of A) and the number of discordant items,
which for each gap takes every second value between two limits.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tellapart.claims.reported import Reported
from tellapart.foundation.arrays import FloatArray, IntArray

# The range of p-values that a claim allows.

Range = tuple[float, float]


@dataclass(frozen=True)
class PValues:
    """P-values of all compatible results: at the reported values, with rounding, and at the assumed overlap.

    `usual_low` is the smallest over the assumed band of overlaps, with rounding.
    """

    low: float
    high: float
    low_rounded: float
    high_rounded: float
    expected: float
    usual_low: float

    @classmethod
    def nested(cls, reported: Range, rounded: Range, expected: float, usual_low: float) -> "PValues":
        """Nested ranges: the reported range cut to the rounded one, and the expected p-value cut to the reported range."""
        low, high = (min(max(p, rounded[0]), rounded[1]) for p in reported)
        supposed = min(max(expected, low), high)
        return cls(low, high, *rounded, supposed, min(max(usual_low, rounded[0]), supposed))


Kind = Literal["discordance", "correlation"]

SLACK = 1e-9
"""Floating-point tolerance of a limit, in items."""


@dataclass(frozen=True)
class RightAnswers:
    """The range of counts of right answers that round to a reported accuracy, and the nearest one."""

    low: int
    high: int
    nearest: int

    @classmethod
    def of(cls, accuracy: Reported, items: int) -> "RightAnswers":
        """Counts that round to the accuracy under any rule for halves, computed with exact fractions."""
        low = max(math.ceil(accuracy.low * items), 0)
        high = min(math.floor(accuracy.high * items), items)
        return cls(low, high, min(max(round(accuracy.value * items), low), high))

    @property
    def possible(self) -> bool:
        return self.low <= self.high

    @property
    def at_nearest(self) -> "RightAnswers":
        return RightAnswers(self.nearest, self.nearest, self.nearest)


@dataclass(frozen=True)
class OverlapLimits:
    """A range of discordance, or of the correlation of right-or-wrong scores."""

    kind: Kind
    low: float
    high: float


@dataclass(frozen=True)
class Margins:
    """The right answers of two systems, and known limits of their overlap."""

    items: int
    a: RightAnswers
    b: RightAnswers
    limits: OverlapLimits | None = None

    @property
    def at_nearest(self) -> "Margins":
        """The margins at the counts nearest to the reported accuracies."""
        return Margins(self.items, self.a.at_nearest, self.b.at_nearest, self.limits)

    @property
    def gap(self) -> int:
        return self.b.nearest - self.a.nearest

    @property
    def extremes(self) -> tuple["Margins", "Margins"]:
        """The margins with the largest difference in either direction."""
        ends = ((self.a.low, self.b.high), (self.a.high, self.b.low))
        apart = (Margins(self.items, RightAnswers(a, a, a), RightAnswers(b, b, b), self.limits) for a, b in ends)
        first, second = apart
        return first, second


@dataclass(frozen=True, eq=False)
class PossibleTables:
    """For each possible gap, the fewest and the most discordant items.

    `widened`: no whole number of items has the known overlap, and the adjacent ones were taken.
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
    """The tables compatible with the margins and the limits of the overlap."""
    n, a, b = margins.items, margins.a, margins.b
    gaps = np.arange(b.low - a.high, b.high - a.low + 1, dtype=np.int64)
    # The right answers of A compatible with each gap and the range of B.
    low, high = np.maximum(a.low, b.low - gaps), np.minimum(a.high, b.high - gaps)
    # Discordance is largest where half of all answers are right.
    right = 2 * np.clip((n - gaps) // 2, low, high) + gaps
    every = PossibleTables(n, gaps, np.abs(gaps), np.minimum(right, 2 * n - right))
    if margins.limits is None:
        return every
    first, last = _discordance_limits(margins, margins.limits, gaps, low, high)
    # Wins + losses and wins − losses have the same parity.
    odd = np.abs(gaps) % 2
    start, end = (first - odd) / 2.0, (last - odd) / 2.0
    within = _tables_between(every, odd + 2 * np.ceil(start - SLACK), odd + 2 * np.floor(end + SLACK))
    if within.any:
        return within
    # A rounded share may fall between two numbers of items: then both neighbours count.
    around = _tables_between(every, odd + 2 * np.floor(start + SLACK), odd + 2 * np.ceil(end - SLACK))
    return replace(around, widened=True)


def _tables_between(every: PossibleTables, least: FloatArray, greatest: FloatArray) -> PossibleTables:
    """The tables with discordant items between these limits, gap by gap."""
    fewest = np.maximum(every.fewest, least.astype(np.int64))
    most = np.minimum(every.most, greatest.astype(np.int64))
    kept = fewest <= most
    return PossibleTables(every.items, every.gaps[kept], fewest[kept], most[kept])


def _discordance_limits(
    margins: Margins, limits: OverlapLimits, gaps: IntArray, low: IntArray, high: IntArray
) -> tuple[FloatArray, FloatArray]:
    """The limits as unrounded numbers of discordant items for each gap."""
    n = margins.items
    if limits.kind == "discordance":
        return np.full(len(gaps), limits.low * n), np.full(len(gaps), limits.high * n)
    # At a fixed correlation, discordance is largest where half of all answers are right, and smallest at an end of the range.
    middle = np.clip((n - gaps) // 2, low, high)
    ends = np.stack([_discordant(x, gaps, n, limits.high) for x in (low, high)])
    return ends.min(axis=0), _discordant(middle, gaps, n, limits.low)


def _discordant(right_a: IntArray, gaps: IntArray, items: int, correlation: float) -> FloatArray:
    """The unrounded number of discordant items at a correlation of right-or-wrong scores.

    The formula of `evidence.overlap.discordance_at`, for arrays of counts.
    """
    a, b = right_a / items, (right_a + gaps) / items
    spread = np.sqrt(np.maximum(a * (1.0 - a) * b * (1.0 - b), 0.0))
    return np.asarray(items * (a + b - 2.0 * (a * b + correlation * spread)))
