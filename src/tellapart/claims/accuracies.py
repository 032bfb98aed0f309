"""The two accuracies of a claim as fractions, whatever unit they were printed in."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from tellapart.claims.claim import Claim
from tellapart.claims.reported import Reported, Unit, ask_for_unit, in_unit, readings
from tellapart.foundation.errors import TellapartError, UsageError


@dataclass(frozen=True)
class AccuracyPair:
    """Two accuracies as fractions with their rounding, and their unit; `guessed` where only the other claims tell it."""

    items: int
    runs: int
    a: Reported
    b: Reported
    unit: Unit
    guessed: bool

    @property
    def answers(self) -> int:
        """How many answers of a system were right or wrong: one per item and run."""
        return self.items * self.runs


def accuracies(claim: Claim, shared: Unit | None) -> AccuracyPair:
    """The two accuracies of a claim; `shared` is the unit of the other claims of a table, for those that leave it open."""
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
    """The units the two accuracies of a claim can be in; one where it is said or certain."""
    if claim.of_counts:
        return ("count",)
    if claim.unit is not None:
        return (claim.unit,)
    return readings(claim.number("a"), claim.number("b"), claim.number_of_items * claim.number_of_runs)


def shared_unit(claims: Iterable[Claim]) -> Unit | None:
    """The unit of the claims whose unit is certain, if they agree on it."""
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
        raise UsageError(f"{name} is {value.text}; with a percent sign it is no {unit}")
    most = {"fraction": 1, "percent": 100, "count": answers}[unit]
    if not 0 <= value.value <= most:
        raise UsageError(f"{name} is {value.text}; as a {unit} it should lie between 0 and {most}")
    if unit == "count" and value.value.denominator != 1:
        raise UsageError(f"{name} is {value.text}; a number of right answers is whole")


def _check_beside_counts(claim: Claim, answers: int) -> None:
    """Counts say more than accuracies; where both are given they must be of the same answers."""
    for count, name in (("correct_a", "a"), ("correct_b", "b")):
        if getattr(claim, name) is None:
            continue
        right, printed = claim.number(count), claim.number(name)
        # A spreadsheet may hold counts beside percentages: which unit the accuracies are in does not matter here.
        readings_of = (in_unit(printed, unit, answers) for unit in get_args(Unit))
        if not any(x.low <= right.value / answers <= x.high for x in readings_of):
            raise UsageError(
                f"{count} is {right.text} of {answers:,}, which does not round to {name} = {printed.text}; give one of them"
            )
