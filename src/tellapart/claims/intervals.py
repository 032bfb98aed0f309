"""Reported intervals, of a difference or of each mean, and the standard error that follows from their width."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from tellapart.claims.claim import Claim
from tellapart.claims.reported import Reported, Text
from tellapart.foundation.errors import UsageError
from tellapart.numerics.null_laws.tails import t_quantile

USUAL_LEVEL = 0.95
Values = tuple[Fraction, Fraction]
"""The lowest and the highest number that rounds to what was printed."""
_PLUS_MINUS = re.compile(r"(?:±|\+/-|\+-)\s*(.+)")
_BETWEEN = re.compile(r"\s*(?::|;|,|–|—|…|\.\.\.?|\bto\b|(?<=[\d%])\s*-(?=\s*[\d.]))\s*")
"""A hyphen is a dash only after a number: before one it is a minus."""


@dataclass(frozen=True)
class ReportedInterval:
    """Half the width of a reported interval, with what rounding of its ends leaves, and its ends where both are known."""

    text: str
    half: float
    low: float
    high: float
    ends: tuple[Reported, Reported] | None

    @classmethod
    def read(cls, name: str, printed: Text) -> "ReportedInterval":
        text = str(printed).strip().strip("[]()").strip()
        if arm := _PLUS_MINUS.fullmatch(text):
            width = _interval_end(name, printed, arm[1])
            if width.value <= 0:
                raise _no_interval(name, printed)
            return cls(text, float(width.value), float(width.low), float(width.high), None)
        parts = _BETWEEN.split(text)
        if len(parts) != 2:
            raise _no_interval(name, printed)
        low, high = (_interval_end(name, printed, part) for part in parts)
        if low.value >= high.value:
            raise _no_interval(name, printed)
        rounding = float(low.half + high.half) / 2.0
        half = float(high.value - low.value) / 2.0
        return cls(text, half, half - rounding, half + rounding, (low, high))

    @property
    def middles(self) -> Values | None:
        """The lowest and the highest number that it may lie around; None where only its width is known."""
        if self.ends is None:
            return None
        low, high = self.ends
        return (low.low + high.low) / 2, (low.high + high.high) / 2

    def holds(self, values: Values) -> bool:
        """Whether any value of this range may lie in it, as far as rounding leaves; around what one is unknown, any does."""
        return self.ends is None or not (values[1] < self.ends[0].low or values[0] > self.ends[1].high)

    def centred_on(self, values: Values) -> bool:
        """Whether any value of this range may be its middle."""
        return self.middles is None or not (values[1] < self.middles[0] or values[0] > self.middles[1])

    def deviations(self, level: float, items: int) -> tuple[float, float, float]:
        """The standard deviation of an item's value behind it, and over its rounding."""
        factor = deviation_per_width(level, items)
        return self.half * factor, max(self.low, 0.0) * factor, self.high * factor


def deviation_per_width(level: float, items: int) -> float:
    """An item's standard deviation for every unit of half a width: Student's interval turned round."""
    return math.sqrt(items) / float(t_quantile(0.5 + level / 2.0, items - 1.0))


def interval_level(claim: Claim) -> float:
    """The level that the intervals of a claim have."""
    if claim.ci_level is None:
        return USUAL_LEVEL
    printed = Reported.read("ci_level", claim.ci_level)
    level = float(printed.value) / (100.0 if printed.percent or printed.value > 1 else 1.0)
    if not 0.0 < level < 1.0:
        raise UsageError(f"ci_level is {printed.text}; it should lie between 0 and 1, usually 0.95")
    return level


def reported_interval(claim: Claim, name: str) -> ReportedInterval | None:
    printed = getattr(claim, name)
    return None if printed is None else ReportedInterval.read(name, printed)


def _interval_end(name: str, printed: Text, part: str) -> Reported:
    try:
        return Reported.read(name, part.replace("−", "-"))
    except UsageError:
        raise _no_interval(name, printed) from None


def _no_interval(name: str, printed: Text) -> UsageError:
    text = str(printed)
    shown = text if len(text) <= 40 else f"{text[:40]}…"
    return UsageError(f"{name} is {shown!r}; it should be low:high, the lower end first, or ± and half its width")
