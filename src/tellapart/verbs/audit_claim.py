"""A published comparison as it was printed, and what can be read from it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import get_args

from tellapart.errors import UsageError
from tellapart.verbs.audit_numbers import (
    LONGEST,
    Reported,
    ReportedP,
    Text,
    Unit,
    ask_for_unit,
    in_unit,
    readings,
)
from tellapart.wording import one_line

ROLES: dict[str, tuple[str, ...]] = {
    "name": ("claim", "paper", "model", "system"),
    "dataset": ("task", "benchmark"),
    "items": ("n", "size", "test_size", "examples", "questions"),
    "a": ("accuracy_a", "baseline", "previous_best", "score_a", "mean_a"),
    "b": ("accuracy_b", "new", "model_accuracy", "score_b", "mean_b"),
    "correct_a": ("right_a", "count_a"),
    "correct_b": ("right_b", "count_b"),
    "discordance": ("disagreement",),
    "agreement": ("overlap",),
    "correlation": ("rho", "r"),
    "sd": ("std",),
    "sd_a": ("std_a",),
    "sd_b": ("std_b",),
    "se": ("sem", "stderr", "standard_error"),
    "se_a": ("sem_a", "stderr_a"),
    "se_b": ("sem_b", "stderr_b"),
    "se_difference": ("se_diff",),
    "systems": (),
    "seeds": (),
    "seed_sd": (),
    "reported_p": ("p", "p_value", "pvalue"),
    "effect": ("plausible_effect",),
    "unit": (),
    "decimals": (),
}
"""What a column of a table of claims can say, and the names it is known by besides."""

MOST_ITEMS = 10**7
FEW_POINTS = 0.1
"""Points of accuracy below which a bare number beside percentages may be a fraction."""
_SPREADS = ("sd", "sd_a", "sd_b", "se", "se_a", "se_b", "se_difference")


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One published comparison. Give numbers as text where they were printed: 0.70 has two decimals, 0.7 has one.

    `a` and `b` are accuracies (fractions, percentages or right answers) or, with an sd or se, means of any score; `sd` and
    `se` are of each system's item scores and mean. `discordance`, `agreement` and `correlation` may be ranges low:high.
    `systems` is how many were compared, `seeds` of how many runs the best was reported, `effect` a difference that is
    plausible beforehand and `seed_sd` the spread of runs, both in the unit of a and b.
    """

    a: Text | None = None
    b: Text | None = None
    items: Text | None = None
    name: str = ""
    dataset: str | None = None
    correct_a: Text | None = None
    correct_b: Text | None = None
    discordance: Text | None = None
    agreement: Text | None = None
    correlation: Text | None = None
    sd: Text | None = None
    sd_a: Text | None = None
    sd_b: Text | None = None
    se: Text | None = None
    se_a: Text | None = None
    se_b: Text | None = None
    se_difference: Text | None = None
    systems: Text | None = None
    seeds: Text | None = None
    seed_sd: Text | None = None
    reported_p: Text | None = None
    effect: Text | None = None
    unit: str | None = None
    decimals: Text | None = None
    line: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", one_line(self.name))
        if self.dataset is not None:
            object.__setattr__(self, "dataset", one_line(self.dataset))
        if self.unit is not None and self.unit not in get_args(Unit):
            raise UsageError(f"unit is {self.unit!r}; it should be {' or '.join(get_args(Unit))}")

    @property
    def printed(self) -> dict[str, Text]:
        """What was given, by name."""
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in given.items() if value not in {None, ""} and name != "line"}

    @property
    def of_means(self) -> bool:
        """Whether it is about means of numbers rather than about right and wrong."""
        return any(getattr(self, name) is not None for name in _SPREADS)


@dataclass(frozen=True)
class Context:
    """What every claim may carry besides its numbers."""

    systems: int | None
    seeds: int | None
    seed_sd: float | None
    reported_p: ReportedP | None
    effect: float | None


@dataclass(frozen=True)
class AccuracyPair:
    """Two accuracies as fractions with their rounding, the unit they were printed in, and what tells it."""

    items: int
    a: Reported
    b: Reported
    unit: Unit
    guessed: bool


def context(claim: Claim, unit: Unit | None) -> Context:
    """What a claim says besides its numbers; `unit` is that of its accuracies, None for means."""
    return Context(
        whole_number(claim, "systems", least=2),
        whole_number(claim, "seeds", least=1),
        _difference(claim, "seed_sd", unit),
        None if claim.reported_p is None else ReportedP.read(claim.reported_p),
        _difference(claim, "effect", unit),
    )


def _difference(claim: Claim, name: str, unit: Unit | None) -> float | None:
    """A difference in the unit of the answer, given in the unit of the two numbers it is about."""
    if getattr(claim, name) is None:
        return None
    value = Reported.read(name, getattr(claim, name))
    if value.value <= 0:
        raise UsageError(f"{name} is {value.text}; it should be above 0")
    if unit is None:
        return float(value.value)
    if value.percent or (unit == "percent" and value.value >= FEW_POINTS):
        return float(value.value) / 100.0
    if unit == "percent":
        raise UsageError(
            f"{name} is {value.text} beside accuracies in percent; write {value.text}% or {100 * float(value.value):g}%"
        )
    if value.value >= 1:
        raise UsageError(
            f"{name} is {value.text}; it should be below 1, for {value.text}% write {float(value.value) / 100:g}"
        )
    return float(value.value)


def whole_number(claim: Claim, name: str, least: int, most: int = 10**6) -> int | None:
    printed = getattr(claim, name)
    if printed is None:
        return None
    text = str(printed).strip()
    text = text.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+", text) else text
    if (
        not re.fullmatch(r"\d{1,12}(\.0*)?", text, re.ASCII)
        or not least <= int(text.partition(".")[0]) <= most
    ):
        shown = text if len(text) <= 40 else f"{text[:40]}…"
        raise UsageError(f"{name} is {shown!r}; it should be a whole number from {least} to {most:,}")
    return int(text.partition(".")[0])


def decimals_of(claim: Claim) -> int | None:
    return whole_number(claim, "decimals", least=0, most=LONGEST)


def positive_number(claim: Claim, name: str) -> Reported | None:
    if getattr(claim, name) is None:
        return None
    value = Reported.read(name, getattr(claim, name))
    if value.value <= 0 or value.percent:
        raise UsageError(f"{name} is {value.text}; it should be a number above 0")
    return value


def items_of(claim: Claim) -> int:
    items = whole_number(claim, "items", least=2, most=MOST_ITEMS)
    if items is None:
        raise UsageError("items is missing: on how many items were the systems compared?")
    return items


def needed(claim: Claim, name: str) -> Reported:
    if getattr(claim, name) is None:
        raise UsageError(f"{name} is missing; give a and b, or correct_a and correct_b")
    return Reported.read(name, getattr(claim, name))


def unit_readings(claim: Claim) -> tuple[Unit, ...]:
    """The units the two accuracies of a claim can be in; one where it is said or certain."""
    if claim.correct_a is not None or claim.correct_b is not None:
        return ("count",)
    if claim.unit is not None:
        return (claim.unit,)  # type: ignore[return-value]  # checked by the constructor
    return readings(needed(claim, "a"), needed(claim, "b"), items_of(claim))


def accuracies(claim: Claim, company: Unit | None) -> AccuracyPair:
    """The two accuracies as fractions; `company` is the unit of the other rows of a table, for rows that leave it open."""
    items = items_of(claim)
    by_count = claim.correct_a is not None or claim.correct_b is not None
    names = ("correct_a", "correct_b") if by_count else ("a", "b")
    decimals = decimals_of(claim)
    a, b = (needed(claim, name).with_decimals(decimals) for name in names)
    possible = unit_readings(claim)
    guessed = len(possible) > 1 and company in possible
    if len(possible) != 1 and not guessed:
        raise ask_for_unit(a, b, items, possible)
    unit = company if guessed and company is not None else possible[0]
    for name, value in zip(names, (a, b), strict=True):
        _check_accuracy(name, value, unit, items)
    if by_count:
        _check_beside_counts(claim, items)
    return AccuracyPair(items, in_unit(a, unit, items), in_unit(b, unit, items), unit, guessed)


def _check_beside_counts(claim: Claim, items: int) -> None:
    """Counts say more than accuracies; where both are given they must be of the same answers."""
    for count, name in (("correct_a", "a"), ("correct_b", "b")):
        if getattr(claim, name) is None:
            continue
        right, printed = needed(claim, count), needed(claim, name)
        readings_of = (in_unit(printed, unit, items) for unit in get_args(Unit))
        if not any(x.low <= right.value / items <= x.high for x in readings_of):
            raise UsageError(
                f"{count} is {right.text} of {items:,}, which does not round to {name} = {printed.text}; give one of them"
            )


def _check_accuracy(name: str, value: Reported, unit: Unit, items: int) -> None:
    if value.percent and unit != "percent":
        raise UsageError(f"{name} is {value.text}; with a percent sign it is no {unit}")
    most = {"fraction": 1, "percent": 100, "count": items}[unit]
    if not 0 <= value.value <= most:
        raise UsageError(f"{name} is {value.text}; as a {unit} it should lie between 0 and {most}")
    if unit == "count" and value.value.denominator != 1:
        raise UsageError(f"{name} is {value.text}; a number of right answers is whole")


def claim_from(cells: Mapping[str, Text], line: int) -> Claim:
    """The claim in a row of a table."""
    return Claim(**cells, line=line)  # type: ignore[arg-type]  # names are text by their role
