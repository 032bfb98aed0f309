"""Intervals that were reported beside two means: what they imply, and whether they are of these at all."""

import math
from collections.abc import Iterator
from typing import Any

from tellapart.claims.claim import Claim
from tellapart.claims.interval_readings import other_reading
from tellapart.claims.intervals import ReportedInterval, Values, interval_level
from tellapart.claims.means import MeanPair
from tellapart.evidence.overlap import possible_discordance
from tellapart.results.note import Note


def another_interval(pair: MeanPair) -> Note | None:
    """Which interval does not hold the number that it is reported for, rounding allowed for; None where all do."""
    numbers = {"ci_a": (pair.a.low, pair.a.high), "ci_b": (pair.b.low, pair.b.high)}
    for role, interval in {"ci": pair.interval, "ci_a": pair.sides[0], "ci_b": pair.sides[1]}.items():
        values = numbers.get(role, pair.printed_effects)
        if interval is not None and not interval.holds(values):
            said = {"role": role, "interval": interval.text}
            return Note("interval_without_its_number", {**said, **_read_otherwise(interval, values, role)})
    return None


def _read_otherwise(interval: ReportedInterval, values: Values, role: str) -> dict[str, Any]:
    other = other_reading(interval, values, of_difference=role == "ci")
    return {"reading": other and other.kind, "instead": other and other.text}


def said_by_interval(claim: Claim, pair: MeanPair) -> Iterator[Note]:
    """What a reported interval of the difference implies, and whether it lies around this difference."""
    interval, direct = pair.interval, pair.of_difference
    if interval is None or direct is None:
        return
    sd = direct[0]
    spread = {"se": sd / math.sqrt(pair.items), "sd": sd, "correlation": pair.implied_correlation}
    said = {"interval": interval.text, "level": interval_level(claim), **spread}
    yield Note("interval_implies", {**said, "discordance": _implied_discordance(pair, sd)})
    if interval.ends is not None and not interval.centred_on(pair.printed_effects):
        low, high = interval.ends
        where = {"middle": float(low.value + high.value) / 2.0, "excludes_zero": low.low > 0 or high.high < 0}
        other = _read_otherwise(interval, pair.printed_effects, "ci")
        yield Note("interval_elsewhere", {"interval": interval.text, **where, **other})


def _implied_discordance(pair: MeanPair, sd: float) -> float | None:
    """The share of items on which right-or-wrong answers would have to differ; None where the scores can be none."""
    scale = 100.0 if pair.a.percent or max(pair.a.value, pair.b.value) > 1 else 1.0
    a, b = (float(side.value) / scale for side in (pair.a, pair.b))
    share = (sd / scale) ** 2 * (pair.items - 1.0) / pair.items + (b - a) ** 2
    if pair.spread is not None or not (min(a, b) >= 0.0 and max(a, b) <= 1.0):
        return None
    least, most = possible_discordance(a, b)
    return share if least <= share <= most else None
