"""The overlap where a claim reports it: a discordance, an agreement or a correlation, or a range of one of them."""

from dataclasses import dataclass, replace

from tellapart.claims.accuracies import AccuracyPair
from tellapart.claims.claim import Claim
from tellapart.claims.reported import Reported, Text
from tellapart.claims.tables import Kind, Margins, OverlapLimits
from tellapart.foundation.errors import UsageError
from tellapart.populations.evidence import Band
from tellapart.populations.evidence.evidence import discordance_at, possible_discordance


@dataclass(frozen=True)
class ReportedOverlap:
    """A range of discordance or correlation as it was reported, and as rounding widens it."""

    kind: Kind
    low: float
    high: float
    low_rounded: float
    high_rounded: float

    @property
    def middle(self) -> float:
        return 0.5 * (self.low + self.high)

    def discordance(self, a: float, b: float) -> Band:
        """The share of items that differ, within what these accuracies leave possible."""
        if self.kind == "correlation":
            # The higher the correlation, the fewer items differ.
            shares = [discordance_at(a, b, r) for r in (self.middle, self.high, self.low)]
        else:
            shares = [self.middle, self.low, self.high]
        return Band(*shares).within(*possible_discordance(a, b))

    def applied(self, margins: Margins) -> tuple[Margins, Margins]:
        """The margins with the overlap as reported, and with all that rounding allows."""
        reported = replace(margins.settled, limits=OverlapLimits(self.kind, self.low, self.high))
        return reported, replace(
            margins, limits=OverlapLimits(self.kind, self.low_rounded, self.high_rounded)
        )


def reported_overlap(claim: Claim, pair: AccuracyPair) -> ReportedOverlap | None:
    """What a claim says of the overlap, at most one of the three ways to say it."""
    given = [n for n in ("discordance", "agreement", "correlation") if getattr(claim, n) is not None]
    if not given:
        return None
    if len(given) > 1:
        raise UsageError(f"give one of {', '.join(given)}: each says how far the systems overlap")
    ends = reported_range(given[0], getattr(claim, given[0]))
    if given[0] == "correlation":
        if pair.runs > 1:
            raise UsageError(
                "a correlation beside runs may be of single runs or of their means; give the discordance of single runs instead"
            )
        return correlation_range(ends)
    shares = [_share(given[0], end, pair) for end in ends]
    # One minus a range turns it round; half a digit stays half a digit.
    if given[0] == "agreement":
        shares = [replace(s, value=1 - s.value) for s in reversed(shares)]
    low, high = shares[0], shares[-1]
    return ReportedOverlap(
        "discordance",
        float(low.value),
        float(high.value),
        max(float(low.low), 0.0),
        min(float(high.high), 1.0),
    )


def correlation_range(ends: list[Reported]) -> ReportedOverlap:
    low, high = ends[0], ends[-1]
    if not (-1 <= low.value <= high.value <= 1) or low.percent or high.percent:
        raise UsageError(f"correlation is {_text(ends)}; it should lie between -1 and 1")
    return ReportedOverlap(
        "correlation",
        float(low.value),
        float(high.value),
        max(float(low.low), -1.0),
        min(float(high.high), 1.0),
    )


def reported_range(name: str, printed: Text) -> list[Reported]:
    """One number, or the two ends of low:high."""
    parts = str(printed).split(":")
    ends = [Reported.read(name, part) for part in parts]
    if len(ends) > 2 or ends[0].value > ends[-1].value:
        raise UsageError(
            f"{name} is {str(printed)!r}; it should be a number or low:high, the lower end first"
        )
    return ends


def _share(name: str, value: Reported, pair: AccuracyPair) -> Reported:
    """A share of items as a fraction: percent where it carries the sign, exceeds 1, or stands beside percentages."""
    if value.value < 0 or value.value > 100:
        raise UsageError(f"{name} is {value.text}; it should be a share of the items, such as 0.12 or 12 %")
    if value.percent or value.value > 1:
        return value.over(100)
    if pair.unit == "percent" and value.value != 0:
        raise UsageError(
            f"{name} is {value.text} beside accuracies in percent; write {value.text} % or {float(value.value) * 100:g} %"
        )
    return value


def _text(ends: list[Reported]) -> str:
    return ":".join(end.text for end in ends)
