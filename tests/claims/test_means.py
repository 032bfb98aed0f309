"""Two means with their spread: what rounding and correlation leave, against brute force and scipy."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.claims.claim import Claim
from tellapart.claims.means import MeanPair, PrintedSpreads, mean_pvalues, means, pvalues_of_means, smallest_mean
from tellapart.foundation.errors import UsageError


def pair(**printed: Any) -> MeanPair:
    return means(Claim(**{"a": "0.41", "b": "0.45", "items": 200, **printed}))


def p_at(effect: float, sd: float, items: int) -> float:
    return float(pvalues_of_means(np.asarray(effect), np.asarray(sd), items))


def sd_of_difference(a: float, b: float, correlation: float) -> float:
    return math.sqrt(max(a * a + b * b - 2.0 * correlation * a * b, 0.0))


@pytest.mark.parametrize(("low", "high"), [(-1.0, 1.0), (0.2, 0.2), (0.5, 0.97), (-0.4, 0.1)])
@pytest.mark.parametrize(
    "spread",
    [
        PrintedSpreads((0.3, 0.25, 0.35), (0.2, 0.15, 0.25)),
        PrintedSpreads((1.0, 0.0, 2.0), (0.1, 0.05, 0.15)),
    ],
)
def test_bounds_against_brute_force(spread: PrintedSpreads, low: float, high: float) -> None:
    """The smallest and largest spread of a difference over a fine grid of all that is left open."""
    grid = [
        sd_of_difference(a, b, r)
        for a in np.linspace(*spread.a[1:], 41)
        for b in np.linspace(*spread.b[1:], 41)
        for r in np.linspace(low, high, 11)
    ]
    smallest, largest = spread.bounds(low, high)
    assert smallest == pytest.approx(min(grid), abs=0.01)
    assert smallest <= min(grid) + 1e-12
    assert largest == pytest.approx(max(grid), rel=1e-12, abs=0.0)


def test_spread_of_very_small_scores() -> None:
    """Squares of such numbers would vanish; the spread does not."""
    assert PrintedSpreads((3e-200,) * 3, (4e-200,) * 3).at(0.0) == pytest.approx(5e-200)
    assert PrintedSpreads((0.0,) * 3, (0.0,) * 3).at(0.5) == 0.0


def test_what_is_known_of_the_differences() -> None:
    """From both spreads over every correlation, over the reported ones, or straight from the standard error."""
    every = pair(sd="0.30").differences(0.5, 0.8)
    assert every.expected == pytest.approx(0.3)
    assert every.reported == pytest.approx((0.0, 0.6))
    assert every.rounded == pytest.approx((0.0, 0.61))
    known = pair(sd_a="0.30", sd_b="0.40", correlation="0.2:0.6").differences(0.4, 0.8)
    assert known.reported == pytest.approx([sd_of_difference(0.3, 0.4, r) for r in (0.6, 0.2)])
    direct = pair(se_difference="0.020").differences(0.4, 0.8)
    assert direct.expected == pytest.approx(0.02 * math.sqrt(200))
    assert direct.reported == (direct.expected, direct.expected)
    assert direct.rounded == pytest.approx([x * math.sqrt(200) for x in (0.0195, 0.0205)])


@pytest.mark.parametrize(
    ("printed", "sds"),
    [
        ({"sd": "0.30"}, (0.3, 0.3)),
        ({"sd_a": "0.30", "sd_b": "0.20"}, (0.3, 0.2)),
        ({"sd_a": "0.20", "sd": "0.20"}, (0.2, 0.2)),
        ({"se": "0.02"}, (0.02 * math.sqrt(200),) * 2),
        ({"se_a": "0.02", "sd_b": "0.20"}, (0.02 * math.sqrt(200), 0.2)),
    ],
    ids=str,
)
def test_spreads_are_read(printed: dict[str, str], sds: tuple[float, float]) -> None:
    """Of both systems or of each; an se is an sd over the root of the items."""
    spread = pair(**printed).spread
    assert spread is not None
    assert (spread.a[0], spread.b[0]) == pytest.approx(sds)


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ({"sd": "0.30", "se": "0.010"}, "sd is 0.30 and se is 0.010: these contradict each other"),
        ({"sd_a": "0.30", "sd_b": "0.30", "sd": "0.20"}, "sd_a is 0.30 and sd is 0.20"),
        ({"a": "41%", "sd": "30"}, "only one has a percent sign"),
        ({"sd_a": "0.30"}, "give sd, se or an interval for both systems"),
        ({"sd": "0"}, "it should be a number above 0"),
        ({"sd": "30%"}, "it should be a number above 0"),
        ({"sd": "0.3", "agreement": "0.9"}, "for means give a correlation"),
        ({"sd": "0.3", "discordance": "0.1"}, "for means give a correlation"),
    ],
    ids=str,
)
def test_contradictions_are_refused(printed: dict[str, str], message: str) -> None:
    """An sd and an se of other scores, or one mean in percent, are not silently chosen between."""
    with pytest.raises(UsageError) as refused:
        pair(**printed)
    assert message in str(refused.value)


def test_a_standard_error_that_no_correlation_gives() -> None:
    """Beside two spreads it must be one that some correlation gives; alone, or without them, it need not."""
    assert pair(sd="0.30").allowed is None
    assert pair(se_difference="0.050").allowed is None
    assert pair(se_difference="0.020", sd="0.30").allowed is None
    assert pair(se_difference="0.050", sd="0.30").allowed == pytest.approx((0.0, 0.61))
    # At the edge of what two spreads leave, which floats must not move.
    edge = pair(sd="0.5", se_difference=repr(1.1 / math.sqrt(200)))
    assert edge.allowed is None
    narrow = pair(sd="0.300", se_difference="0.020", correlation="0.00").allowed
    assert narrow == pytest.approx([sd_of_difference(s, s, r) for s, r in ((0.2995, 0.005), (0.3005, -0.005))])


def test_pvalues_against_scipy() -> None:
    """The paired t test at the reported spread, and at the outermost of what rounding leaves."""
    found = pair(se_difference="0.020")
    p = mean_pvalues(found, found.differences(0.0, 0.8))
    expected = [
        2.0 * stats.t.sf(effect / error, 199) for effect, error in ((0.05, 0.0195), (0.04, 0.02), (0.03, 0.0205))
    ]
    assert (p.low_rounded, p.expected, p.high_rounded) == pytest.approx(expected, rel=1e-9, abs=0.0)
    assert p.low == p.high == p.expected


def test_rounding_may_leave_no_difference() -> None:
    """0.4 and 0.5 may both be 0.45: then p is 1, to the last digit."""
    found = pair(a="0.4", b="0.5", sd="0.2")
    assert mean_pvalues(found, found.differences(0.5, 0.8)).high_rounded == 1.0


def test_without_difference_or_spread() -> None:
    """No difference is never beyond chance; without spread every difference is."""
    assert p_at(0.0, 0.0, 10) == p_at(0.0, 1.0, 10) == 1.0
    assert p_at(0.1, 0.0, 10) < 1e-99


def test_the_smallest_significant_difference() -> None:
    """Its p-value is alpha."""
    assert p_at(smallest_mean(0.3, 50, 0.01), 0.3, 50) == pytest.approx(0.01, rel=1e-9, abs=0.0)
