"""Power of tests that count who won, against sums over every table."""

from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import BoolArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.mcnemar import McNemar, Variant
from tellapart.numerics.null_laws.discordant import (
    Decision,
    Region,
    _last_rejected,
    band,
    critical_region,
    discordant_curve,
    discordant_inside,
    discordant_rejections,
)
from tellapart.numerics.null_laws.tails import Alternative

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


@pytest.mark.parametrize("alpha", [0.05, 0.8])
def test_one_sided_regions_have_one_part(alpha: float) -> None:
    """One side may reach beyond the middle, the other is empty: −1, or one more than there are."""
    m = np.arange(60)
    sides: tuple[Alternative, ...] = ("less", "greater")
    for alternative in sides:
        decides = _decision(McNemar(variant="exact", alternative=alternative), 60, alpha)
        region = critical_region(decides, m, alternative)
        assert ((region.upper == m + 1) if alternative == "less" else (region.lower == -1)).all()
        for count, lower, upper in zip(m, region.lower, region.upper, strict=True):
            wins = np.arange(count + 1)
            inside = (wins <= lower) | (wins >= upper)
            np.testing.assert_array_equal(inside, decides(wins, np.full_like(wins, count)))


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
    assert float(found) == pytest.approx(expected[0] + expected[1], rel=1e-11, abs=0.0)


LOPSIDED: dict[str, Decision] = {
    "everything": lambda wins, m: np.ones(np.broadcast(wins, m).shape, dtype=np.bool_),
    "nothing": lambda wins, m: np.zeros(np.broadcast(wins, m).shape, dtype=np.bool_),
    "few wins": lambda wins, m: wins <= 0.3 * m,
    "unequal parts": lambda wins, m: (wins <= 0.2 * m) | (wins >= 0.9 * m),
    "the whole lower half": lambda wins, m: (wins <= m // 2) | (wins >= 0.8 * m),
}


@pytest.mark.parametrize("m", [np.arange(81), np.arange(1, 81, 2), np.arange(0, 81, 2)], ids=["all", "odd", "even"])
@pytest.mark.parametrize("rule", LOPSIDED)
def test_region_of_tests_that_treat_systems_differently(rule: str, m: IntArray) -> None:
    """Whatever a test rejects from the edges inwards is its region, every table of it once."""
    decides = LOPSIDED[rule]
    region = critical_region(decides, m, "two-sided")
    assert np.all((region.lower >= -1) & (region.lower < region.upper) & (region.upper <= m + 1))
    for count, lower, upper in zip(m, region.lower, region.upper, strict=True):
        wins = np.arange(count + 1)
        np.testing.assert_array_equal((wins <= lower) | (wins >= upper), decides(wins, wins * 0 + count))


@pytest.mark.parametrize(
    ("first", "alternative", "per_anchor"),
    [(0, "two-sided", 10), (1_900, "two-sided", 9), (39_000, "two-sided", 13), (1_900, "less", 13)],
)
def test_few_decisions_are_asked_for(first: int, alternative: Alternative, per_anchor: int) -> None:
    """The last count that is rejected and the next one that is not: two tables per number, and a search at 24 of them."""
    asked, m = [0], np.arange(first, first + 700)
    plain = _decision(McNemar(variant="mid_p", alternative=alternative), first + 700, 0.05)

    def decides(wins: IntArray, discordant: IntArray) -> BoolArray:
        asked[0] += len(wins)
        return plain(wins, discordant)

    critical_region(decides, m, alternative)
    assert asked[0] <= 2 * len(m) + 24 * per_anchor


@pytest.mark.parametrize("start", [-1, 0, 20, 44, 49, 50])
def test_a_search_ends_where_the_test_says(start: int) -> None:
    """From whichever count it begins; here each row rejects up to a count of its own."""
    m, limit = np.arange(100, 152), np.full(52, 50)
    last = m - 101
    found = _last_rejected(lambda wins, at: wins <= at - 101, m, limit, np.full(52, start))
    assert found.tolist() == last.tolist()


def test_shares_that_pass_one_by_a_rounding() -> None:
    """0.6000000000000002 and 0.4 leave no item on which the systems agree, and none too many."""
    decides = _decision(McNemar(variant="mid_p"), 12, 0.05)

    def region(m: IntArray) -> Region:
        return critical_region(decides, m, "two-sided")

    above, exact = (discordant_rejections(12, win, 0.4, region) for win in (0.6000000000000002, 0.6))
    assert 0.6000000000000002 + 0.4 > 1.0
    assert float(above.power) == pytest.approx(float(exact.power), rel=1e-12, abs=0.0)
    sizes = np.array([12, 13])
    curves = [discordant_curve(sizes, win, 0.4, region) for win in (0.6000000000000002, 0.6)]
    np.testing.assert_allclose(curves[0], curves[1], rtol=1e-12)
    insides = [float(discordant_inside(12, win, 0.4, region)) for win in (0.6000000000000002, 0.6)]
    assert insides[0] == pytest.approx(insides[1], rel=1e-12, abs=0.0)


def test_the_band_is_no_wider_than_it_need_be() -> None:
    """Nine standard deviations and 45 counts to either side hold all that counts; a wider band only costs time."""
    for items, share in ((1_000_000, 0.1), (400, 0.5), (10**9, 1e-7)):
        m, _ = band(items, share)
        spread = 9.2 * np.sqrt(items * share * (1.0 - share)) + 45.0
        assert len(m) <= 2.0 * spread + 3.0
        assert m[0] <= max(0.0, items * share - spread)
        assert m[-1] >= min(items, np.floor(items * share + spread))


@pytest.mark.parametrize("guess", [-1, 0, 3, 4])
def test_a_test_that_always_or_never_rejects(guess: int) -> None:
    """It does up to the limit and no further, or nowhere, wherever the search begins."""
    m, limit = np.array([9, 9, 20]), np.array([4, 5, 10])

    def always(wins: IntArray, _: IntArray) -> BoolArray:
        return wins >= 0

    def never(wins: IntArray, _: IntArray) -> BoolArray:
        return wins < 0

    assert _last_rejected(always, m, limit, np.full(3, guess)).tolist() == limit.tolist()
    assert _last_rejected(never, m, limit, np.full(3, guess)).tolist() == [-1, -1, -1]


def test_where_everything_rejects_each_count_does_once() -> None:
    """Both halves meet, and no number of wins is in both or in none."""
    m = np.arange(12)
    region = critical_region(lambda wins, _: wins >= 0, m, "two-sided")
    assert region.upper.tolist() == (region.lower + 1).tolist()
    assert region.lower.tolist() == (m // 2).tolist()
