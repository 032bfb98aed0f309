"""Printed numbers: their value, their decimals, and p-values with their relation."""

from fractions import Fraction

import pytest

from tellapart.claims.reported import Reported, ReportedP
from tellapart.foundation.errors import UsageError


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
