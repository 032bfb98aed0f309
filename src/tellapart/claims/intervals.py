"""Intervals as papers print them: of a difference, or of each mean; half their width tells a standard error."""

import math
import re
from dataclasses import dataclass

from tellapart.claims.claim import Claim
from tellapart.claims.reported import Reported, Text
from tellapart.distributions.student import t_quantile
from tellapart.errors import UsageError

USUAL_LEVEL = 0.95
_PLUS_MINUS = re.compile(r"(?:±|\+/-|\+-)\s*(.+)")
_BETWEEN = re.compile(r"\s*(?::|;|,|–|—|…|\.\.\.?|\bto\b|(?<=[\d%])\s*-(?=\s*[\d.]))\s*")
"""A hyphen is a dash only after a number: before one it is a minus."""


@dataclass(frozen=True)
class ReportedInterval:
    """Half the width of a reported interval, with what rounding of its ends leaves, and its middle where both ends are known."""

    text: str
    half: float
    low: float
    high: float
    middle: float | None
    slack: float
    """By how much rounding may have moved the middle."""

    @classmethod
    def read(cls, name: str, printed: Text) -> "ReportedInterval":
        text = str(printed).strip().strip("[]()").strip()
        if arm := _PLUS_MINUS.fullmatch(text):
            width = _end(name, printed, arm[1])
            if width.value <= 0:
                raise _no_interval(name, printed)
            return cls(text, float(width.value), float(width.low), float(width.high), None, 0.0)
        parts = _BETWEEN.split(text)
        if len(parts) != 2:
            raise _no_interval(name, printed)
        low, high = (_end(name, printed, part) for part in parts)
        if low.value >= high.value:
            raise _no_interval(name, printed)
        rounding = float(low.half + high.half) / 2.0
        half = float(high.value - low.value) / 2.0
        middle = float(high.value + low.value) / 2.0
        return cls(text, half, half - rounding, half + rounding, middle, rounding)

    def deviations(self, level: float, items: int) -> tuple[float, float, float]:
        """The standard deviation of an item's value behind it, and over its rounding: Student's interval turned round."""
        factor = math.sqrt(items) / float(t_quantile(0.5 + level / 2.0, items - 1.0))
        return self.half * factor, max(self.low, 0.0) * factor, self.high * factor


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


def _end(name: str, printed: Text, part: str) -> Reported:
    try:
        return Reported.read(name, part.replace("−", "-"))
    except UsageError:
        raise _no_interval(name, printed) from None


def _no_interval(name: str, printed: Text) -> UsageError:
    text = str(printed)
    shown = text if len(text) <= 40 else f"{text[:40]}…"
    return UsageError(
        f"{name} is {shown!r}; it should be low:high, the lower end first, or ± and half its width"
    )
