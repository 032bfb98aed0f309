"""The two accuracies of a claim as fractions, and the overlap of their errors where the claim reports it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import get_args

from tellapart.claims.claim import Claim
from tellapart.claims.reported import Reported, Text, Unit, ask_for_unit, in_unit, readings
from tellapart.claims.tables import Kind, Margins, OverlapLimits
from tellapart.foundation.errors import TellapartError, UsageError
from tellapart.populations.evidence import Band
from tellapart.populations.evidence.evidence import discordance_at, possible_discordance


@dataclass(frozen=True)
class AccuracyPair:
    """Two accuracies as fractions with their rounding, and their unit; `guessed` where it was inferred from the other claims."""

    items: int
    runs: int
    a: Reported
    b: Reported
    unit: Unit
    guessed: bool

    @property
    def answers(self) -> int:
        """Answers per system: one per item and run."""
        return self.items * self.runs


def accuracies(claim: Claim, shared: Unit | None) -> AccuracyPair:
    """The two accuracies of a claim; `shared` is the unit of the other claims of a table, used where the claim is ambiguous."""
    items, runs = claim.number_of_items, claim.number_of_runs
    answers = items * runs
    names = ("correct_a", "correct_b") if claim.of_counts else ("a", "b")
    decimals = claim.number_of_decimals
    a, b = (claim.number(name).with_decimals(decimals) for name in names)
    possible = possible_units(claim)
    # A table prints all its accuracies in one unit: a row of 90 and 91 beside rows of 71.4 and 70.6 is in percent too.
    guessed = len(possible) > 1 and shared in possible
    if len(possible) != 1 and not guessed:
        raise ask_for_unit(a, b, answers, possible)
    unit = shared if guessed and shared is not None else possible[0]
    for name, value in zip(names, (a, b), strict=True):
        _check_accuracy(name, value, unit, answers)
    if claim.of_counts:
        _check_beside_counts(claim, answers)
    return AccuracyPair(items, runs, in_unit(a, unit, answers), in_unit(b, unit, answers), unit, guessed)


def possible_units(claim: Claim) -> tuple[Unit, ...]:
    """The units in which the two accuracies can have been printed; one where it is given or certain."""
    if claim.of_counts:
        return ("count",)
    if claim.unit is not None:
        return (claim.unit,)
    return readings(claim.number("a"), claim.number("b"), claim.number_of_items * claim.number_of_runs)


def shared_unit(claims: Iterable[Claim]) -> Unit | None:
    """The common unit of the claims whose unit is certain; None where they disagree."""
    units: set[Unit] = set()
    for claim in claims:
        try:
            possible = () if claim.of_means else possible_units(claim)
        except TellapartError:
            continue
        if len(possible) == 1:
            units.add(possible[0])
    return units.pop() if len(units) == 1 else None


def _check_accuracy(name: str, value: Reported, unit: Unit, answers: int) -> None:
    if value.percent and unit != "percent":
        raise UsageError(f"{name} is {value.text}; a {unit} has no percent sign")
    most = {"fraction": 1, "percent": 100, "count": answers}[unit]
    if not 0 <= value.value <= most:
        raise UsageError(f"{name} is {value.text}; as a {unit} it should lie between 0 and {most}")
    if unit == "count" and value.value.denominator != 1:
        raise UsageError(f"{name} is {value.text}; a number of right answers is whole")


def _check_beside_counts(claim: Claim, answers: int) -> None:
    """Refuse accuracies that contradict the counts given beside them."""
    for count, name in (("correct_a", "a"), ("correct_b", "b")):
        if getattr(claim, name) is None:
            continue
        right, printed = claim.number(count), claim.number(name)
        # The accuracies may be in any unit here.
        readings_of = (in_unit(printed, unit, answers) for unit in get_args(Unit))
        if not any(x.low <= right.value / answers <= x.high for x in readings_of):
            raise UsageError(
                f"{count} is {right.text} of {answers:,}, which does not round to {name} = {printed.text}; give one of them"
            )


# The overlap as reported: a discordance, an agreement or a correlation, or a range of one of them.


@dataclass(frozen=True)
class ReportedOverlap:
    """A reported range of discordance or correlation, exact and widened by rounding."""

    kind: Kind
    low: float
    high: float
    low_rounded: float
    high_rounded: float

    @property
    def middle(self) -> float:
        return 0.5 * (self.low + self.high)

    def discordance(self, a: float, b: float) -> Band:
        """The discordance, within what these accuracies allow."""
        if self.kind == "correlation":
            # The higher the correlation, the fewer items differ.
            shares = [discordance_at(a, b, r) for r in (self.middle, self.high, self.low)]
        else:
            shares = [self.middle, self.low, self.high]
        return Band(*shares).within(*possible_discordance(a, b))

    def limit_margins(self, margins: Margins) -> tuple[Margins, Margins]:
        """The margins with the overlap as reported, and widened by rounding."""
        reported = replace(margins.at_nearest, limits=OverlapLimits(self.kind, self.low, self.high))
        return reported, replace(margins, limits=OverlapLimits(self.kind, self.low_rounded, self.high_rounded))


def reported_overlap(claim: Claim, pair: AccuracyPair) -> ReportedOverlap | None:
    """The overlap of a claim, given as at most one of discordance, agreement and correlation."""
    given = [n for n in ("discordance", "agreement", "correlation") if getattr(claim, n) is not None]
    if not given:
        return None
    if len(given) > 1:
        raise UsageError(f"give one of {', '.join(given)}: each gives the overlap of the systems")
    ends = reported_range(given[0], getattr(claim, given[0]))
    if given[0] == "correlation":
        if pair.runs > 1:
            raise UsageError(
                "a correlation beside runs may be of single runs or of their means; give the discordance of single runs instead"
            )
        return correlation_range(ends)
    shares = [_fraction_in_unit(given[0], end, pair) for end in ends]
    # One minus a range swaps its ends; the rounding stays the same.
    if given[0] == "agreement":
        shares = [replace(s, value=1 - s.value) for s in reversed(shares)]
    low, high = shares[0], shares[-1]
    return ReportedOverlap(
        "discordance", float(low.value), float(high.value), max(float(low.low), 0.0), min(float(high.high), 1.0)
    )


def correlation_range(ends: list[Reported]) -> ReportedOverlap:
    low, high = ends[0], ends[-1]
    if not (-1 <= low.value <= high.value <= 1) or low.percent or high.percent:
        raise UsageError(f"correlation is {_joined_text(ends)}; it should lie between -1 and 1")
    return ReportedOverlap(
        "correlation", float(low.value), float(high.value), max(float(low.low), -1.0), min(float(high.high), 1.0)
    )


def reported_range(name: str, printed: Text) -> list[Reported]:
    """One number, or the two ends of low:high."""
    parts = str(printed).split(":")
    ends = [Reported.read(name, part) for part in parts]
    if len(ends) > 2 or ends[0].value > ends[-1].value:
        raise UsageError(f"{name} is {str(printed)!r}; it should be a number or low:high, the lower end first")
    return ends


def _fraction_in_unit(name: str, value: Reported, pair: AccuracyPair) -> Reported:
    """A share of items as a fraction; read as percent with a percent sign or above 1."""
    if value.value < 0 or value.value > 100:
        raise UsageError(f"{name} is {value.text}; it should be a share of the items, such as 0.12 or 12 %")
    if value.percent or value.value > 1:
        return value.over(100)
    if pair.unit == "percent" and value.value != 0:
        raise UsageError(
            f"{name} is {value.text} beside accuracies in percent; write {value.text} % or {float(value.value) * 100:g} %"
        )
    return value


def _joined_text(ends: list[Reported]) -> str:
    return ":".join(end.text for end in ends)
