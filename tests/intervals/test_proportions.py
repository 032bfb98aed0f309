"""Intervals for accuracies and their paired differences, against R, contingencytables and mpmath."""

import itertools
import math
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import stats

from tellapart.data.summaries import Discordance, Proportion
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.intervals.interval import Bounds
from tellapart.numerics.null_laws.score_difference import score_statistic

RELATIVE = 1e-9
ABSOLUTE = 1e-14

SINGLE = {
    "wilson": "wilson",
    "clopper_pearson": "clopper_pearson",
    "jeffreys": "jeffreys",
    "agresti_coull_unclipped": "agresti_coull",
}
PAIRED = {"wald": "wald", "newcombe_method10": "newcombe", "bonett_price": "bonett_price", "tango": "tango"}
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999)


def many(name: str, sample: Any, level: float) -> Bounds:
    return INTERVALS.parse(name).interval(sample, level, stream(0))


def bounds(name: str, sample: Any, level: float) -> tuple[float, float]:
    low, high = many(name, sample, level)
    return float(low), float(high)


def table(both: int, wins: int, losses: int, neither: int) -> Discordance:
    return Discordance(*(np.asarray(x) for x in (both, wins, losses, neither)))


@pytest.mark.parametrize(("method", "name"), SINGLE.items())
def test_one_proportion_as_in_r(method: str, name: str, reference: Any) -> None:
    """Every reference interval for one proportion is reproduced."""
    rows = [row for row in reference("proportions.csv") if row["method"] == method]
    assert len(rows) == 84
    for row in rows:
        sample = Proportion(np.asarray(int(row["x"])), np.asarray(int(row["n"])))
        expected = float(row["lower"]), float(row["upper"])
        assert expected == pytest.approx(bounds(name, sample, float(row["conf"])), rel=RELATIVE, abs=ABSOLUTE), row


@pytest.mark.parametrize(("method", "name"), PAIRED.items())
def test_paired_difference_as_in_r(method: str, name: str, reference: Any) -> None:
    """Every reference interval for a paired difference is reproduced; n10 favours the first system, our B."""
    rows = [row for row in reference("proportions.csv") if row["method"] == method]
    assert len(rows) == 20
    for row in rows:
        sample = table(*(int(row[cell]) for cell in ("n11", "n10", "n01", "n00")))
        expected = float(row["lower"]), float(row["upper"])
        assert expected == pytest.approx(bounds(name, sample, float(row["conf"])), rel=RELATIVE, abs=ABSOLUTE), row


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("right", "items"), [(0, 1), (1, 1), (0, 7), (7, 7), (1, 10**6), (10**6, 10**6), (3, 9)])
def test_one_proportion_at_every_edge(right: int, items: int, level: float) -> None:
    """Bounds are finite, hold the estimate, and close exactly at 0 and 1 where the method says so."""
    sample = Proportion(np.asarray(right), np.asarray(items))
    for name in SINGLE.values():
        low, high = bounds(name, sample, level)
        assert low <= right / items <= high, name
        if name != "agresti_coull":
            assert low >= 0.0
            assert high <= 1.0
            assert (low == 0.0) == (right == 0), name
            assert (high == 1.0) == (right == items), name
    observed = stats.binomtest(right, items)
    for name, expected in (
        ("wilson", observed.proportion_ci(level, method="wilson")),
        ("clopper_pearson", observed.proportion_ci(level, method="exact")),
    ):
        assert (expected.low, expected.high) == pytest.approx(bounds(name, sample, level), rel=1e-9, abs=1e-12)


def mpmath_score(wins: int, losses: int, items: int, null: mpmath.mpf) -> mpmath.mpf:
    """Tango's statistic from the quadratic of his paper, in 50 digits."""
    a = mpmath.mpf(2 * items)
    b = -mpmath.mpf(wins + losses) + (2 * items - wins + losses) * null
    c = -losses * null * (1 - null)
    share = (mpmath.sqrt(b * b - 4 * a * c) - b) / (2 * a)
    return (wins - losses - items * null) / mpmath.sqrt(items * (2 * share + null * (1 - null)))


@pytest.mark.parametrize(
    ("wins", "losses", "items"),
    [
        (12, 4, 100),
        (0, 0, 30),
        (0, 3, 30),
        (5, 0, 5),
        (1, 1, 2),
        (0, 1, 1),
        (300, 299, 100_000),
        (2, 0, 10_000),
    ],
)
@pytest.mark.parametrize("level", LEVELS)
def test_tango_solves_its_equation(wins: int, losses: int, items: int, level: float) -> None:
    """At a bound the statistic is ±z, to twelve digits of the bound; a bound that does not exist is −1 or 1."""
    low, high = bounds("tango", table(items - wins - losses, wins, losses, 0), level)
    with mpmath.workdps(50):
        z = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(level))
        for found, target in ((low, z), (high, -z)):
            if abs(found) == 1.0:
                assert (wins if found > 0 else losses) == items
                continue
            reach = mpmath.mpf(1e-12) * max(abs(mpmath.mpf(found)), mpmath.mpf(1) / items)
            inside = mpmath_score(wins, losses, items, mpmath.mpf(found) - mpmath.sign(target) * -reach)
            outside = mpmath_score(wins, losses, items, mpmath.mpf(found) + mpmath.sign(target) * -reach)
            assert min(inside, outside) < target < max(inside, outside)


def test_tango_nothing_differs() -> None:
    """Without discordant items the bounds are ±z²/(n + z²), not zero."""
    z = stats.norm.ppf(0.975)
    low, high = bounds("tango", table(40, 0, 0, 10), 0.95)
    assert (low, high) == pytest.approx((-(z**2) / (50 + z**2), z**2 / (50 + z**2)), rel=1e-12, abs=0.0)


def test_golden_values() -> None:
    """The published example b = 12, c = 4, n = 100, to the digits given."""
    sample = table(60, 12, 4, 24)
    golden = {
        "tango": (0.00178, 0.16559),
        "bonett_price": (-0.00166, 0.15852),
        "wald": (0.00319, 0.15681),
        "newcombe": (0.00058, 0.15845),
    }
    for name, expected in golden.items():
        assert bounds(name, sample, 0.95) == pytest.approx(expected, abs=5e-6)


def test_tango_agrees_with_asymptotic_mcnemar() -> None:
    """The interval leaves 0 out exactly where (wins − losses)² / (wins + losses) exceeds z²."""
    wins, losses = (x.ravel() for x in np.meshgrid(np.arange(41), np.arange(41)))
    neither = np.full_like(wins, 20)
    low, high = many("tango", Discordance(neither, wins, losses, neither), 0.95)
    z = (wins - losses) / np.sqrt(np.maximum(wins + losses, 1))
    rejected = np.abs(z) > stats.norm.ppf(0.975)
    np.testing.assert_array_equal((low > 0.0) | (high < 0.0), rejected)
    np.testing.assert_allclose(score_statistic(wins, losses, wins + losses + 40, 0.0), z, rtol=1e-13, atol=1e-13)


def test_score_statistic_is_defined_everywhere() -> None:
    """At the ends of the range, and where nothing differs, the statistic is a number or an infinity of the right sign."""
    wins, losses, null = (x.ravel() for x in np.meshgrid([0, 1, 5], [0, 1, 5], [-1.0, -0.5, 0.0, 0.5, 1.0]))
    items = np.maximum(wins + losses, 5)
    z = score_statistic(wins, losses, items, null)
    surplus = wins - losses - items * null
    assert not np.isnan(z).any()
    np.testing.assert_array_equal(np.sign(z), np.sign(surplus))
    np.testing.assert_allclose(score_statistic(losses, wins, items, -null), -z)


def test_tango_bounds_of_one_large_batch() -> None:
    """Counts of any shape are served at once."""
    wins, losses = np.meshgrid(np.arange(30), np.arange(30))
    low, high = many("tango", Discordance(0 * wins, wins, losses, 0 * wins + 60), 0.95)
    assert low.shape == high.shape == (30, 30)
    assert (float(low[7, 3]), float(high[7, 3])) == bounds("tango", table(0, 3, 7, 60), 0.95)


def test_newcombe_holds_many_items() -> None:
    """Products of large counts do not overflow."""
    low, high = bounds("newcombe", table(4 * 10**8, 10**8, 10**8, 4 * 10**8), 0.95)
    assert -1e-4 < low < 0.0 < high < 1e-4


def wilson(right: int, items: int, z: float) -> tuple[float, float]:
    share, squared = right / items, z * z / items
    middle, reach = (
        share + squared / 2.0,
        z * math.sqrt(share * (1.0 - share) / items + squared / (4.0 * items)),
    )
    return (middle - reach) / (1.0 + squared), (middle + reach) / (1.0 + squared)


def test_newcombe_by_its_definition_on_every_table_of_eight_items() -> None:
    """Method 10 cell by cell: φ with its numerator reduced by n/2 when positive, but not below 0, and 0 without margins."""
    z = float(stats.norm.ppf(0.95))
    for both, wins, losses in itertools.product(range(9), repeat=3):
        neither = 8 - both - wins - losses
        if neither < 0:
            continue
        cross = float(both * neither - wins * losses)
        cross = max(cross - 4.0, 0.0) if cross > 0.0 else cross
        margins = (both + wins) * (losses + neither) * (both + losses) * (wins + neither)
        phi = cross / math.sqrt(margins) if margins else 0.0
        (low_a, high_a), (low_b, high_b) = (wilson(both + won, 8, z) for won in (losses, wins))
        a, b = (both + losses) / 8, (both + wins) / 8
        down = (b - low_b) ** 2 - 2.0 * phi * (b - low_b) * (high_a - a) + (high_a - a) ** 2
        up = (high_b - b) ** 2 - 2.0 * phi * (high_b - b) * (a - low_a) + (a - low_a) ** 2
        expected = b - a - math.sqrt(max(down, 0.0)), b - a + math.sqrt(max(up, 0.0))
        found = bounds("newcombe", table(both, wins, losses, neither), 0.9)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", ["wald", "bonett_price"])
def test_bounds_stop_at_one(name: str) -> None:
    """Accuracies differ by 1 at most: what reaches beyond is cut there, on either side, and nothing else is."""
    assert bounds(name, table(0, 9, 1, 0), 0.999)[1] == 1.0
    assert bounds(name, table(0, 1, 9, 0), 0.999)[0] == -1.0
    low, high = bounds(name, table(0, 8, 2, 20), 0.9)
    assert -1.0 < low < high < 1.0
    near = bounds(name, table(2, 90, 2, 6), 0.95)
    assert 0.75 < near[0] < near[1] < 1.0
