"""The unit of two accuracies: told from how they were printed, or asked for."""

from fractions import Fraction

import pytest

from tellapart.claims.reported import Reported, Unit, ask_for_unit, in_unit, readings


@pytest.mark.parametrize(
    ("a", "b", "items", "units"),
    [
        ("0.714", "0.706", 1000, ("fraction",)),
        ("0.9", "0.874", 1000, ("fraction",)),
        ("1.00", "0.99", 1000, ("fraction",)),
        ("71.4", "70.6", 1000, ("percent",)),
        ("71.4", "70", 1000, ("percent",)),
        ("71.4%", "70.6%", 1000, ("percent",)),
        ("71.4%", "70.6", 1000, ("percent",)),
        ("714", "706", 1000, ("count",)),
        ("71", "73", 100, ("percent",)),
        ("71", "73", 50, ("percent",)),
        ("71", "73", 1000, ("percent", "count")),
        ("1", "0.9", 1000, ("fraction", "percent")),
        ("0.9", "0.8", 1000, ("fraction", "percent")),
        ("1", "0", 1000, ("fraction", "percent", "count")),
        ("0.9", "71.4", 1000, ()),
        ("71.4%", "0.706", 1000, ()),
        ("1400", "706", 1000, ()),
        ("143.2", "70.6", 1000, ()),
        ("71.4%", "0", 1000, ("percent",)),
        ("0.9%", "0.8%", 1000, ("percent",)),
        ("71.4%", "1", 1000, ()),
        ("71.4", "0", 1000, ("percent",)),
        ("71.4", "1", 1000, ()),
        ("101%", "70%", 1000, ()),
        ("100", "99.5", 1000, ("percent",)),
        ("1000", "706", 1000, ("count",)),
        ("714.0", "706", 1000, ()),
    ],
)
def test_units_are_told_apart(a: str, b: str, items: int, units: tuple[Unit, ...]) -> None:
    """Percent, fraction and count are told from the numbers; more than one reading means asking."""
    assert readings(Reported.read("a", a), Reported.read("b", b), items) == units


@pytest.mark.parametrize(
    ("text", "unit", "value", "half"),
    [
        ("0.71", "fraction", Fraction(71, 100), Fraction(5, 1000)),
        ("71", "percent", Fraction(71, 100), Fraction(5, 1000)),
        ("71", "count", Fraction(71, 200), Fraction(0)),
    ],
)
def test_numbers_as_fractions(text: str, unit: Unit, value: Fraction, half: Fraction) -> None:
    """Percentages keep their rounding, a hundredth of it; counts were not rounded."""
    read = in_unit(Reported.read("a", text), unit, items=200)
    assert (read.value, read.half) == (value, half)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("71", "73", "71 and 73 can be percentages or right answers out of 1000; say which with unit=…"),
        ("1400", "706", "are not accuracies, nor are they right answers out of 1000; for means"),
        ("143.2", "70.6", "143.2 and 70.6 are not accuracies; for means of other scores give their sd or se"),
        ("0.9", "71.4", "look like a fraction and a percentage; print both the same way"),
    ],
)
def test_asking_for_the_unit(a: str, b: str, message: str) -> None:
    """What was found, what it can be, and the way out."""
    first, second = Reported.read("a", a), Reported.read("b", b)
    assert message in str(ask_for_unit(first, second, 1000, readings(first, second, 1000)))
