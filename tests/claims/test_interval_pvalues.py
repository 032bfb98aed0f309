"""What a reported interval of the difference leaves of p-values, against a grid of all that rounds to what was printed."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.claims.claim import Claim
from tellapart.claims.interval_pvalues import OtherReading, interval_pvalues, other_reading
from tellapart.claims.intervals import ReportedInterval
from tellapart.claims.means import MeanPair, means
from tellapart.claims.reported import Reported


def pair(**printed: Any) -> MeanPair:
    return means(Claim(**{"a": "71", "b": "73", "items": 2000, **printed}))


def student(effect: Any, width: Any, items: int, level: float = 0.95) -> Any:
    """The p-value of a difference, by Student's interval that reaches so far from it."""
    return 2.0 * stats.t.sf(np.abs(effect) / width * stats.t.ppf(0.5 + level / 2.0, items - 1), items - 1)


def roundings(value: Reported) -> Any:
    return np.linspace(float(value.low), float(value.high), 61)


@pytest.mark.parametrize(
    "printed",
    [
        {"ci": "0.5:3.5"},
        {"a": ".6", "b": ".7", "items": 400, "ci": "0.02:0.18"},
        {"a": ".6", "b": ".7", "items": 400, "ci": "0.01:0.15"},
        {"a": "0.73", "b": "0.71", "items": 50, "ci": "-0.06:0.01"},
        {"a": "0.71", "b": "0.71", "items": 50, "ci": "-0.02:0.03"},
        {"a": "71.0", "b": "73.0", "ci": "0:4"},
    ],
    ids=str,
)
def test_an_interval_around_the_difference(printed: dict[str, Any]) -> None:
    """Every pair of ends whose middle the two means allow."""
    found = pair(**printed)
    assert found.interval is not None
    assert found.interval.ends is not None
    low, high = np.meshgrid(*map(roundings, found.interval.ends))
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    least, most = map(float, found.printed_effects)
    possible = (middle >= least - 1e-12) & (middle <= most + 1e-12)
    p = student(middle, half, found.items)[possible]
    told = interval_pvalues(found, 0.95)
    assert (told.low_rounded, told.high_rounded) == pytest.approx((p.min(), p.max()), rel=0.02, abs=1e-12)
    assert told.low_rounded <= p.min() * (1.0 + 1e-9)
    assert told.high_rounded >= p.max() * (1.0 - 1e-9)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("ends", ["0.01:0.19", "0.02:0.18", "-0.19:-0.01"])
def test_an_interval_that_excludes_0_is_significant_at_its_level(ends: str, level: float) -> None:
    """Even where its nearer end is one unit of the last digit from 0, as means of one decimal must not hide."""
    a, b = (".7", ".6") if ends.startswith("-") else (".6", ".7")
    assert interval_pvalues(pair(a=a, b=b, items=400, ci=ends), level).high_rounded <= 1.0 - level


@pytest.mark.parametrize(
    ("printed", "toward", "away"),
    [
        ({"a": "71.0", "b": "73.0", "ci": "0.5:4.5"}, 1.5, 2.5),
        ({"a": "73.0", "b": "71.0", "ci": "-4.5:-0.5"}, 1.5, 2.5),
        ({"a": "71.0", "b": "73.0", "ci": "-1.5:4.0"}, 3.5, 2.0),
    ],
    ids=str,
)
def test_an_interval_with_arms_of_different_length(printed: dict[str, Any], toward: float, away: float) -> None:
    """Between what its two arms say; expected is the more cautious of the arm towards 0 and half the width."""
    told = interval_pvalues(pair(**printed), 0.95)
    by_arm, by_other = (float(student(2.0, arm, 2000)) for arm in (toward, away))
    assert (told.low, told.high) == pytest.approx((min(by_arm, by_other), max(by_arm, by_other)))
    assert told.expected == pytest.approx(max(by_arm, float(student(2.0, (toward + away) / 2.0, 2000))))
    assert told.low_rounded < told.low < told.high < told.high_rounded


def test_rounding_of_arms_against_a_grid() -> None:
    """Every difference and every pair of ends that round to what was printed."""
    found = pair(a="71.0", b="73.0", ci="0.5:4.5")
    assert found.interval is not None
    assert found.interval.ends is not None
    effect, low, high = np.meshgrid(np.linspace(1.9, 2.1, 41), *map(roundings, found.interval.ends))
    p = np.stack([student(effect, effect - low, 2000), student(effect, high - effect, 2000)])
    told = interval_pvalues(found, 0.95)
    assert (told.low_rounded, told.high_rounded) == pytest.approx((p.min(), p.max()), rel=1e-9, abs=0.0)


def test_a_difference_at_an_end() -> None:
    """Nothing is left of one arm: p is as small as can be, and what is expected is what the width says."""
    told = interval_pvalues(pair(a="71.0", b="73.0", ci="2.0:6.0"), 0.95)
    assert told.low < 1e-99
    assert told.expected == pytest.approx(float(student(2.0, 2.0, 2000)))


@pytest.mark.parametrize(
    ("ci", "reading"),
    [
        ("0.005:0.035", OtherReading("in fractions", "0.5:3.5")),
        ("-0.012:0.052", OtherReading("in fractions", "-1.2:5.2")),
        ("50:350", OtherReading("in percent", "0.50:3.50")),
        ("-3.5:-0.5", OtherReading("of A - B", "0.5:3.5")),
        ("-3.5:-0.50", OtherReading("of A - B", "0.50:3.5")),
        ("-0.9:0.9", OtherReading("half a width", "±0.9")),
        ("3:5", None),
        ("±0.9", None),
        ("0.2e-20:3.8e-20", None),
    ],
)
def test_what_else_an_interval_may_be(ci: str, reading: OtherReading | None) -> None:
    """In fractions beside percentages, the other way round, or turned; beside a difference of 2.0."""
    values = Fraction(19, 10), Fraction(21, 10)
    assert other_reading(ReportedInterval.read("ci", ci), values, of_difference=True) == reading


def test_an_interval_of_one_mean_is_not_turned() -> None:
    """Only differences have a sign that depends on who was taken from whom."""
    interval = ReportedInterval.read("ci_a", "-3.5:-0.5")
    assert other_reading(interval, (Fraction(19, 10), Fraction(21, 10)), of_difference=False) is None


def test_powers_of_ten_stay_short() -> None:
    """Numbers of hundreds of decimals are written with a power of ten."""
    interval = ReportedInterval.read("ci", "1e-250:3e-250")
    reading = other_reading(interval, (Fraction(1, 10**248), Fraction(3, 10**248)), of_difference=True)
    assert reading == OtherReading("in fractions", "1e-248:3e-248")
