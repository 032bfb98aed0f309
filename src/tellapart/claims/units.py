"""The unit of two accuracies: fractions, percentages or right answers, told from how they were printed."""

from fractions import Fraction
from typing import Literal

from tellapart.claims.reported import Reported
from tellapart.doors import option
from tellapart.errors import UsageError

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
        # 1 and 0.9 may be percentages of a hard task as well as fractions; nobody prints 0.71 for 0.71 %.
        ambiguous: tuple[Unit, ...] = ("fraction", "percent", "count") if whole else ("fraction", "percent")
        return ("fraction",) if max(a.decimals, b.decimals) >= 2 else ambiguous
    if whole:
        # 71 of 100 items are 71 %, and 73 are more than 50 items hold; else nobody can tell.
        return ("percent",) if items == 100 or high > items else ("percent", "count")
    return ("percent",) if low == 0 or low > 1 else ()


def in_unit(value: Reported, unit: Unit, items: int) -> Reported:
    """The number as a fraction; counts are exact."""
    if unit == "count":
        return value.exact().over(items)
    return value.over(100) if unit == "percent" else value


def ask_for_unit(a: Reported, b: Reported, items: int, possible: tuple[Unit, ...]) -> UsageError:
    """What to say when the unit cannot be told."""
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
            f"{a.text} and {b.text} are no accuracies{counts}; for means of other scores give their sd or se"
        )
    return UsageError(f"{a.text} and {b.text} look like a fraction and a percentage; print both the same way")
