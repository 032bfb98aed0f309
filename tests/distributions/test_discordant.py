"""Power of tests that count who won, against sums over every table."""

from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tellapart.arrays import BoolArray, IntArray
from tellapart.decision import rejects
from tellapart.distributions.discordant import (
    Decision,
    Region,
    band,
    critical_region,
    discordant_curve,
    discordant_inside,
    discordant_rejections,
)
from tellapart.distributions.tails import Alternative
from tellapart.seeds import stream
from tellapart.significance.mcnemar import McNemar, Variant
from tellapart.summaries import Discordance

ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)
CONDITIONAL: tuple[Variant, ...] = ("mid_p", "exact", "asymptotic", "corrected")


def _decision(test: McNemar, items: int, alpha: float) -> Decision:
    def decides(wins: IntArray, m: IntArray) -> BoolArray:
        sample = Discordance(np.zeros_like(m), wins, m - wins, items - m)
        return rejects(test.apply(sample, stream(0)).pvalue, alpha)

    return decides


@pytest.mark.parametrize("variant", CONDITIONAL)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("alpha", [0.05, 0.125, 0.0625, 0.25, 0.001])
def test_region_is_where_the_test_rejects(variant: Variant, alternative: Alternative, alpha: float) -> None:
    """Every table of up to 150 discordant items lies in the region if and only if the test rejects it, ties included."""
    m = np.arange(151)
    decides = _decision(McNemar(variant=variant, alternative=alternative), 150, alpha)
    region = critical_region(decides, m, alternative)
    for count, lower, upper in zip(m, region.lower, region.upper, strict=True):
        wins = np.arange(count + 1)
        inside = (wins <= lower) | (wins >= upper)
        np.testing.assert_array_equal(inside, decides(wins, np.full_like(wins, count)))


@pytest.mark.parametrize("first", [1_900, 39_000])
def test_region_of_many_items(first: int) -> None:
    """Between anchors, too, the last count inside the region is rejected and the next one is not."""
    m = np.arange(first, first + 700)
    decides = _decision(McNemar(variant="mid_p"), first + 700, 0.05)
    region = critical_region(decides, m, "two-sided")
    assert decides(region.lower, m).all()
    assert not decides(region.lower + 1, m).any()
    np.testing.assert_array_equal(region.upper, m - region.lower)


def test_exact_test_at_a_tie() -> None:
    """At alpha = 0.125 four losses out of four reject, for p is exactly alpha there; three out of three do not."""
    decides = _decision(McNemar(variant="exact"), 10, 0.125)
    region = critical_region(decides, np.arange(5), "two-sided")
    assert region.lower.tolist() == [-1, -1, -1, -1, 0]


@given(st.integers(1, 400_000), st.one_of(st.just(0.0), st.floats(1e-9, 1.0)))
@settings(max_examples=100, deadline=None)
def test_band_is_the_binomial(items: int, share: float) -> None:
    """The numbers of discordant items have their binomial probabilities, and nothing that counts is left out."""
    m, weight = band(items, share)
    law = stats.binom(items, share)
    assert float(weight.sum()) == pytest.approx(1.0, abs=1e-14)
    assert float(law.cdf(m[0] - 1) + law.sf(m[-1])) < 1e-16
    np.testing.assert_allclose(weight, law.pmf(m), rtol=1e-7, atol=1e-17)


def _brute(items: int, win: float, loss: float, rejected: Callable[[int, int], bool]) -> list[float]:
    """P and E[|wins − losses| / items] of rejecting downwards and upwards, over every table."""
    totals = [0.0] * 4
    for wins in range(items + 1):
        for losses in range(items + 1 - wins):
            if rejected(wins, losses):
                chances = [win, loss, max(1.0 - win - loss, 0.0)]
                p = float(stats.multinomial.pmf([wins, losses, items - wins - losses], items, chances))
                side = int(wins > losses)
                totals[side] += p
                totals[side + 2] += p * abs(wins - losses) / items
    return totals


@pytest.mark.parametrize(
    ("items", "win", "loss"),
    [(20, 0.3, 0.1), (25, 0.05, 0.0), (12, 0.0, 1.0), (15, 0.5, 0.5), (18, 0.1, 0.1)],
)
def test_rejections_by_brute_force(items: int, win: float, loss: float) -> None:
    """Probabilities and mean sizes in both directions are the sums over every table, all-one-way ones included."""
    decides = _decision(McNemar(variant="mid_p"), items, 0.05)
    found = discordant_rejections(items, win, loss, lambda m: critical_region(decides, m, "two-sided"))
    expected = _brute(items, win, loss, lambda w, x: bool(decides(np.array(w), np.array(w + x))))
    np.testing.assert_allclose(
        [found.lower, found.upper, found.lower_size, found.upper_size], expected, rtol=1e-11, atol=1e-300
    )


def test_nothing_differs() -> None:
    """Where the systems never differ a test of a difference never rejects, and equivalence has its one table."""
    never = Region(np.array([-1]), np.array([1]))
    found = discordant_rejections(30, 0.0, 0.0, lambda _: never)
    assert float(found.power) == 0.0
    assert float(discordant_inside(30, 0.0, 0.0, lambda _: never)) == 1.0


@pytest.mark.parametrize(("win", "loss"), [(0.12, 0.05), (0.6, 0.4), (0.0, 0.2), (0.001, 0.0)])
@pytest.mark.parametrize("first", [1, 37, 900])
def test_the_curve_is_the_power_at_each_size(first: int, win: float, loss: float) -> None:
    """Chances that follow from those before are those of each number of items on its own, all-discordant ones included."""
    decides = _decision(McNemar(variant="mid_p"), first + 200, 0.05)

    def region(m: IntArray) -> Region:
        return critical_region(decides, m, "two-sided")

    sizes = np.arange(first, first + 120)
    powers = discordant_curve(sizes, win, loss, region)
    for at in (0, 1, 2, 60, 119):
        alone = discordant_rejections(int(sizes[at]), win, loss, region)
        assert float(powers[at]) == pytest.approx(float(alone.power), rel=1e-10, abs=1e-15)


def test_the_curve_where_nothing_differs() -> None:
    """Systems that never differ are never told apart."""
    never = Region(np.array([-1]), np.array([1]))
    assert discordant_curve(np.arange(5, 9), 0.0, 0.0, lambda _: never).tolist() == [0.0] * 4


@pytest.mark.parametrize(("win", "loss"), [(0.1, 0.1), (0.3, 0.05), (0.5, 0.5)])
def test_inside_by_brute_force(win: float, loss: float) -> None:
    """How often wins fall strictly between the two parts of a region, over every table."""
    decides = _decision(McNemar(variant="exact"), 14, 0.2)
    found = discordant_inside(14, win, loss, lambda m: critical_region(decides, m, "two-sided"))
    expected = _brute(14, win, loss, lambda w, x: not bool(decides(np.array(w), np.array(w + x))))
    assert float(found) == pytest.approx(expected[0] + expected[1], rel=1e-11)
