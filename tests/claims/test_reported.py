"""Printed numbers: their decimals, their unit, and what is asked when the unit cannot be told."""

from fractions import Fraction

import pytest

from tellapart.claims.reported import Reported, ReportedP
from tellapart.claims.units import Unit, readings
from tellapart.errors import UsageError


@pytest.mark.parametrize(
    ("text", "value", "half"),
    [
        ("0.714", Fraction(714, 1000), Fraction(5, 10_000)),
        ("0.70", Fraction(7, 10), Fraction(5, 1000)),
        ("0.7", Fraction(7, 10), Fraction(5, 100)),
        (".7", Fraction(7, 10), Fraction(5, 100)),
        ("71.4", Fraction(714, 10), Fraction(5, 100)),
        ("71", Fraction(71), Fraction(1, 2)),
        ("1e-3", Fraction(1, 1000), Fraction(5, 10_000)),
        ("7.1e1", Fraction(71), Fraction(1, 2)),
    ],
)
def test_decimals_count(text: str, value: Fraction, half: Fraction) -> None:
    """A number is known to half a unit of its last printed digit; trailing zeros count."""
    read = Reported.read("a", text)
    assert (read.value, read.half) == (value, half)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "71,4",
        "0.7.1",
        "nan",
        "1e999",
        "--3",
        "٣",
        "1e400",
        "1e150",
        "0." + "7" * 6000,
        "1e" + "9" * 5000,
    ],
)
def test_no_numbers(text: str) -> None:
    """What is no number is refused by name."""
    with pytest.raises(UsageError, match="b is"):
        Reported.read("b", text)


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
    ],
)
def test_units_are_told_apart(a: str, b: str, items: int, units: tuple[Unit, ...]) -> None:
    """Percent, fraction and count are told from the numbers; more than one reading means asking."""
    assert readings(Reported.read("a", a), Reported.read("b", b), items) == units


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0.04", 0.035, 0.045),
        ("<0.05", 0.0, 0.05),
        ("p < .05", 0.0, 0.05),
        ("> 0.1", 0.1, 1.0),
        ("p=1e-3", 5e-4, 1.5e-3),
    ],
)
def test_reported_pvalues(text: str, low: float, high: float) -> None:
    """A p-value is known to its rounding, or up to its relation."""
    read = ReportedP.read(text)
    assert (read.low, read.high) == pytest.approx((low, high))


@pytest.mark.parametrize("text", ["n.s.", "1.2", "-0.1", "5%", ""])
def test_no_pvalues(text: str) -> None:
    """What cannot be a p-value is refused."""
    with pytest.raises(UsageError, match="reported_p"):
        ReportedP.read(text)
