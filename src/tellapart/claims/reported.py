"""Numbers as papers print them: with their decimals and percent signs, and p-values with their relation."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option

Text = str | int | float | Decimal
"""A reported number; text keeps the trailing zeros that a float forgets."""

_NUMBER = re.compile(r"([+-]?(?:\d+\.?(\d*)|\.(\d+)))(?:[eE]([+-]?\d{1,3}))?\s*(%?)", re.ASCII)
LONGEST = 300
"""Characters of a number, and its power of ten: what is longer is no measurement."""
LARGEST = 10**100
"""Numbers whose squares are still numbers."""
_PVALUE = re.compile(r"(?:p\s*(?:-?value)?\s*)?([=<>≤≥]?)\s*(.*)", re.IGNORECASE)


@dataclass(frozen=True)
class Reported:
    """A printed number: its value, and half a unit of its last digit, by which rounding may have moved it.

    Kept as fractions: no float is 0.715, and half a digit decides which numbers of right answers round to it.
    """

    text: str
    value: Fraction
    half: Fraction
    decimals: int
    percent: bool = False

    @classmethod
    def read(cls, name: str, printed: Text) -> "Reported":
        text = str(printed).strip()
        match = _NUMBER.fullmatch(text) if len(text) <= LONGEST else None
        if match is None or abs(int(match[4] or 0)) > LONGEST:
            raise _no_number(name, text)
        # 7.1e1 has no decimals, 1e-3 has three: the power of ten moves the last digit that was printed.
        decimals = len(match[2] or match[3] or "") - int(match[4] or 0)
        value = Fraction(match[1]) * Fraction(10) ** int(match[4] or 0)
        if abs(value) >= LARGEST:
            raise _no_number(name, text)
        return cls(text, value, Fraction(1, 2) / Fraction(10) ** decimals, decimals, bool(match[5]))

    @property
    def whole(self) -> bool:
        """Whether it was printed without a decimal point or percent sign."""
        return self.text.isdigit()

    @property
    def low(self) -> Fraction:
        return self.value - self.half

    @property
    def high(self) -> Fraction:
        return self.value + self.half

    def exact(self) -> "Reported":
        return replace(self, half=Fraction(0))

    def over(self, scale: int) -> "Reported":
        return replace(self, value=self.value / scale, half=self.half / scale)

    def with_decimals(self, decimals: int | None) -> "Reported":
        """The number with this many decimals, where a spreadsheet has dropped trailing zeros."""
        if decimals is None or decimals <= self.decimals:
            return self
        return replace(self, half=Fraction(1, 2) / Fraction(10) ** decimals, decimals=decimals)


def _no_number(name: str, text: str) -> UsageError:
    shown = text if len(text) <= 40 else f"{text[:40]}…"
    advice = ". A decimal comma must be a point" if re.fullmatch(r"[+-]?\d+,\d+%?", text) else ""
    return UsageError(f"{name} is {shown!r}; it should be a number such as 0.714 or 71.4{advice}")


@dataclass(frozen=True)
class ReportedP:
    """A reported p-value: the range it leaves after rounding, or after "<" and ">"; `plain` where it is a number."""

    text: str
    low: float
    high: float
    plain: bool

    @classmethod
    def read(cls, printed: Text) -> "ReportedP":
        match = _PVALUE.fullmatch(str(printed).strip())
        relation, number = (match[1], match[2]) if match else ("", "")
        value = Reported.read("reported_p", number)
        if not 0 <= value.value <= 1 or value.percent:
            raise UsageError(f"reported_p is {str(printed)!r}; it should lie between 0 and 1")
        low, high = max(float(value.low), 0.0), min(float(value.high), 1.0)
        # "<" was printed as a bound, not as a rounded number.
        if relation in {"<", "≤"}:
            low, high = 0.0, float(value.value)
        if relation in {">", "≥"}:
            low, high = float(value.value), 1.0
        shown = f"p {relation or '='} {value.text}"
        return cls(shown, low, high, relation in {"", "="})


# The unit of two accuracies: fractions, percentages or right answers, told from how they were printed.

Unit = Literal["fraction", "percent", "count"]

FEW_POINTS = Fraction(1, 10)
"""Points of accuracy below which a bare difference beside percentages may be a fraction: 0.02 of two points."""


def readings(a: Reported, b: Reported, items: int) -> tuple[Unit, ...]:
    """The units in which two accuracies can have been printed; none if they cannot share one."""
    low, high = sorted((a.value, b.value))
    whole = a.whole and b.whole
    if a.percent or b.percent:
        # Beside 71.4% a bare 70.6 has only lost its sign; a bare 0.706 is a fraction.
        bare = [x.value for x in (a, b) if not x.percent]
        return ("percent",) if high <= 100 and all(x == 0 or x > 1 for x in bare) else ()
    if high > 100:
        return ("count",) if whole and high <= items else ()
    if high <= 1:
        # 1 and 0.9 may be percentages of a hard task as well as fractions; 0.71 is not a usual way to print 0.71 %.
        ambiguous: tuple[Unit, ...] = ("fraction", "percent", "count") if whole else ("fraction", "percent")
        return ("fraction",) if max(a.decimals, b.decimals) >= 2 else ambiguous
    if whole:
        # 71 of 100 items are 71 %, and 73 are more than 50 items hold; otherwise the unit is ambiguous.
        return ("percent",) if items == 100 or high > items else ("percent", "count")
    return ("percent",) if low == 0 or low > 1 else ()


def in_unit(value: Reported, unit: Unit, items: int) -> Reported:
    """The number as a fraction; counts are exact."""
    if unit == "count":
        return value.exact().over(items)
    return value.over(100) if unit == "percent" else value


def ask_for_unit(a: Reported, b: Reported, items: int, possible: tuple[Unit, ...]) -> UsageError:
    """The error where the unit is ambiguous."""
    if possible:
        names = {"fraction": "fractions", "percent": "percentages", "count": f"right answers out of {items}"}
        words = " or ".join(names[unit] for unit in possible)
        return UsageError(
            f"{a.text} and {b.text} can be {words}; say which with {option('unit')} (a column unit in a table)"
        )
    largest = max(a.value, b.value)
    if largest > 100:
        counts = f", nor are they right answers out of {items}" if a.whole and b.whole else ""
        return UsageError(
            f"{a.text} and {b.text} are not accuracies{counts}; for means of other scores give their sd or se"
        )
    return UsageError(f"{a.text} and {b.text} look like a fraction and a percentage; print both the same way")
