"""Range of p-values compatible with a reported interval of the difference, by its position and width.

An interval around the difference is Student's turned round, and its ends and the two means are roundings of the same numbers.
One to whose middle the difference is not near (a bootstrap's, Tango's) has two arms: the one towards 0 says whether it excludes
0, the other and half its width say what a symmetric interval would.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

import numpy as np

from tellapart.claims.intervals import ReportedInterval, Values, deviation_per_width
from tellapart.claims.means import MeanPair, pvalues_of_means
from tellapart.claims.reported import Reported
from tellapart.claims.tables import PValues

Place = tuple[float, float]
"""A difference, and how far an interval reaches from it."""


def interval_pvalues(pair: MeanPair, level: float) -> PValues:
    """Over every difference and every pair of ends that round to what was printed."""
    assert pair.interval is not None, "an interval was reported"
    assert pair.interval.ends is not None, "both of its ends were"
    low, high = pair.interval.ends
    if pair.interval.centred_on(pair.printed_effects):
        return _centred(pair, low, high, level)
    return _with_two_arms(pair, low, high, level)


def _centred(pair: MeanPair, low: Reported, high: Reported, level: float) -> PValues:
    assert pair.interval is not None, "an interval that lies around the difference"
    least, most = map(float, pair.effects)
    (p,) = _pvalues_at(pair, level, [(min(max(pair.effect, least), most), pair.interval.half)])
    rounded = _pvalues_at(pair, level, _corners(least, most, low, high))
    outermost = min(rounded), max(rounded)
    return PValues.nested((p, p), outermost, p, outermost[0])


def _corners(least: float, most: float, low: Reported, high: Reported) -> list[Place]:
    """The largest and smallest ratio of middle to half-width: at the corners of all values that round to the printed ones."""
    ends = product((low.low, low.high), (high.low, high.high))
    middles = {min(max(float(a + b) / 2.0, least), most) for a, b in ends} | {least, most}
    if least <= 0.0 <= most:
        middles.add(0.0)
    lows, highs = (tuple(map(float, (end.low, end.high))) for end in (low, high))
    shortest = [(x, max(x - lows[1], highs[0] - x)) for x in middles]
    return shortest + [(x, min(x - lows[0], highs[1] - x)) for x in middles]


def _with_two_arms(pair: MeanPair, low: Reported, high: Reported, level: float) -> PValues:
    """The expected one is the more cautious of what the arm towards 0 and half the width say: what is likely is what both show."""
    assert pair.interval is not None, "an interval that does not lie around the difference"
    effect, half = pair.effect, pair.interval.half
    down, up = _arms(effect, float(low.value), float(high.value))
    facing, other = (down, up) if effect >= 0.0 else (up, down)
    own, averted, width = _pvalues_at(pair, level, [(effect, facing), (effect, other), (effect, half)])
    rounded = _pvalues_at(pair, level, _arm_corners(pair, low, high))
    outermost = min(rounded), max(rounded)
    reported = min(own, averted), max(own, averted)
    return PValues.nested(reported, outermost, max(own, width), outermost[0])


def _arm_corners(pair: MeanPair, low: Reported, high: Reported) -> list[Place]:
    inside = {min(max(x, low.low), high.high) for x in pair.printed_effects}
    effects = {*map(float, inside), *([0.0] if min(inside) <= 0 <= max(inside) else [])}
    ends = product(effects, (low.low, low.high), (high.low, high.high))
    return [(x, arm) for x, a, b in ends for arm in _arms(x, float(a), float(b))]


def _arms(effect: float, low: float, high: float) -> Place:
    return max(effect - low, 0.0), max(high - effect, 0.0)


def _pvalues_at(pair: MeanPair, level: float, places: Iterable[Place]) -> list[float]:
    effects, reach = np.array(list(places)).T
    sds = np.maximum(reach, 0.0) * deviation_per_width(level, pair.items)
    found: list[float] = pvalues_of_means(effects, sds, pair.items).tolist()
    return found


# What an interval may be that does not lie around the number it is reported for: in another unit, turned
# round, half a width.

FEW_DECIMALS = 15
"""Decimals that are written out; smaller numbers have a power of ten."""
Reading = Literal["in fractions", "in percent", "of A - B", "half a width"]


@dataclass(frozen=True)
class OtherReading:
    """An interval read in another way, and its printed form beside its number."""

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
    """A number with its decimal point moved to the right, in as many digits as were printed."""
    value, decimals = float(sign * end.value * Fraction(10) ** places), max(end.decimals - places, 0)
    digits = f"{value:.{decimals}f}" if decimals <= FEW_DECIMALS else f"{value:.{FEW_DECIMALS}g}"
    return f"{digits}%" if end.percent else digits
