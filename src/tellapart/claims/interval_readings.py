"""What an interval may be that does not lie around the number it is reported for: in another unit, turned round, half a width."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tellapart.claims.intervals import ReportedInterval, Values
from tellapart.claims.reported import Reported

FEW_DECIMALS = 15
"""Decimals that are written out; smaller numbers have a power of ten."""
Reading = Literal["in fractions", "in percent", "of A - B", "half a width"]


@dataclass(frozen=True)
class OtherReading:
    """What an interval would be, and how it is then printed beside its number."""

    kind: Reading
    text: str


def other_reading(interval: ReportedInterval, values: Values, *, of_difference: bool) -> OtherReading | None:
    """The first under which it lies around one of these values; None where there is none."""
    if interval.ends is None:
        return None
    (least, most), (low, high) = values, interval.ends
    if low.value == -high.value:
        return OtherReading("half a width", f"±{high.text}")
    if interval.centred_on((least / 100, most / 100)):
        return OtherReading("in fractions", f"{_shifted(low, 2)}:{_shifted(high, 2)}")
    if interval.centred_on((least * 100, most * 100)):
        return OtherReading("in percent", f"{_shifted(low, -2)}:{_shifted(high, -2)}")
    if of_difference and interval.centred_on((-most, -least)):
        return OtherReading("of A - B", f"{_shifted(high, 0, -1)}:{_shifted(low, 0, -1)}")
    return None


def _shifted(end: Reported, places: int, sign: int = 1) -> str:
    """With its decimal point so many places to the right, in as many digits as were printed."""
    value, decimals = float(sign * end.value * Fraction(10) ** places), max(end.decimals - places, 0)
    digits = f"{value:.{decimals}f}" if decimals <= FEW_DECIMALS else f"{value:.{FEW_DECIMALS}g}"
    return f"{digits}%" if end.percent else digits
