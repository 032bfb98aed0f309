"""Few items, some of them ties: Student's t of those that differ moved by their skewness, and the bounds that it inverts."""

from itertools import combinations

import numpy as np
import pytest
from scipy import special, stats
from scipy.optimize import brentq

from tellapart.arrays import FloatArray
from tellapart.distributions.followed_skewness import l_skewness
from tellapart.distributions.leaning_items import LeaningItems
from tellapart.distributions.leaning_t import leaning_tails

Z = 1.959963984540054


def of(values: FloatArray) -> LeaningItems:
    return LeaningItems.of(values, values == 0.0)


def drawn(differing: int, items: int, effect: float = 0.4, seed: int = 3) -> FloatArray:
    """Exponential differences about an effect, and ties."""
    values = np.zeros((200, items))
    values[:, :differing] = np.random.default_rng(seed).standard_exponential((200, differing)) - 1.0 + effect
    return values


def by_definition(values: FloatArray) -> float:
    """L-skewness: what the middle of three lacks to be in the middle, over what two are apart, both halved, on average over all of them."""
    threes = [low - 2.0 * middle + high for low, middle, high in combinations(sorted(values), 3)]
    twos = [high - low for low, high in combinations(sorted(values), 2)]
    return float(np.mean(threes) / 3.0 / (np.mean(twos) / 2.0))


def followed(values: FloatArray) -> float:
    """The skewness of the mean of items that all differ, as far as it is followed."""
    shown, n = by_definition(values), len(values)
    strength = min(12.0, max(2.0 * (n - 4), 0.0))
    return float(np.sign(shown) * min(strength * max(abs(shown) - 0.2, 0.0) / np.sqrt(n), 0.9))


def halls(values: FloatArray) -> tuple[float, float]:
    """P-values of both sides of one row of items that all differ, step by step: t, its normal score, and {(1 + kz/3)³ − 1}/k + k/6."""
    n, k = len(values), followed(values)
    t = values.mean() / (values.std(ddof=1) / np.sqrt(n))
    z = stats.norm.ppf(stats.t.cdf(t, n - 1))
    near = np.clip(z, -3.0, 3.0)
    moved = ((1 + k * near / 3) ** 3 - 1) / k + k / 6 + (z - near) if k else z
    return max(stats.t.cdf(t, n - 1), stats.norm.cdf(moved)), max(stats.t.sf(t, n - 1), stats.norm.sf(moved))


@pytest.mark.parametrize("items", [4, 6, 9, 12, 20])
def test_without_ties_it_is_halls_t(items: int) -> None:
    for values in drawn(items, items)[:40]:
        expected = np.maximum(halls(values), 0.5**items)
        assert of(values).tails(0.0) == pytest.approx(tuple(expected), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("items", [14, 30, 200])
def test_ties_add_a_share_and_no_spread(items: int) -> None:
    """At zero the tails are those of the ten items that differ, or of Student's t of all items where these are larger."""
    for values in drawn(10, items)[:40]:
        all_items = float(stats.ttest_1samp(values, 0.0, alternative="less").pvalue)
        expected = np.maximum(np.maximum(halls(values[:10]), (all_items, 1.0 - all_items)), 1 / 1024)
        assert of(values).tails(0.0) == pytest.approx(tuple(expected), rel=1e-9, abs=0.0)


@pytest.mark.parametrize(("differing", "items"), [(2, 9), (5, 5), (8, 40), (12, 24), (45, 60)])
@pytest.mark.parametrize("quantile", [0.3, Z, 3.5])
@pytest.mark.parametrize("null", [0.0, 1e-9, 0.05, -0.2])
def test_bounds_leave_out_what_tails_reject(differing: int, items: int, quantile: float, null: float) -> None:
    """At every level and null, zero or not: the lower bound is above it where the upper tail is smaller than that of the quantile."""
    found = of(drawn(differing, items))
    (low, high), (lower, upper) = found.bounds(quantile), found.tails(null)
    tail = special.ndtr(-quantile)
    assert ((low > null) == (upper < tail)).all()
    assert ((high < null) == (lower < tail)).all()
    assert (lower + upper >= 1.0 - 1e-12).all()


def test_tails_do_not_jump_at_zero() -> None:
    """By formula at zero and from the bounds beside it."""
    found = of(drawn(10, 25))
    for near in (1e-10, -1e-10):
        for exact, followed in zip(found.tails(0.0), found.tails(near), strict=True):
            small = exact < 0.5
            assert followed[small] == pytest.approx(exact[small], abs=1e-7)


def test_the_error_of_the_share() -> None:
    """Bounds of the mean of twelve items, of their share among thirty, and the root of both squares; a sign that the first keeps stays."""
    for values in drawn(12, 30, 1.2)[:40]:
        found, seen = of(values), values[:12]
        mean, error = seen.mean(), seen.std(ddof=1) / np.sqrt(12)
        k = np.array([followed(seen)])

        def farther(sign: float, t: float, k: FloatArray = k) -> float:
            """By how much the upper tail, or the lower one, at this t exceeds that of the quantile."""
            return float(leaning_tails(np.array([sign * t]), np.array([11.0]), k)[int(sign > 0)][0]) - 0.025

        above, below = (brentq(lambda t, s=s: farther(s, t), 0.1, 60.0) for s in (1.0, -1.0))
        share, students = 12 / 30, stats.t.isf(0.025, 29)
        relative = students * np.sqrt((1 - share) / 12)
        low = share * mean - np.hypot(share * above * error, share * mean * relative)
        alone = share * (mean - above * error)
        if alone > 0.0:
            low = max(low, alone * np.exp(-relative))
        low = min(low, values.mean() - students * values.std(ddof=1) / np.sqrt(30))
        high = share * mean + np.hypot(share * below * error, share * mean * relative)
        assert found.bounds(Z) == pytest.approx((low, high), rel=1e-6, abs=0.0)


@pytest.mark.parametrize("units", [3, 4, 7, 12])
def test_l_skewness_is_that_of_all_threes_and_twos(units: int) -> None:
    """Places beyond the units hold nothing that counts."""
    values = np.sort(np.random.default_rng(9).standard_exponential((20, units)), axis=-1)
    told = [by_definition(row) for row in values]
    beside = np.append(values, np.full((20, 5), np.inf), axis=-1)
    assert l_skewness(values, np.full(20, units)) == pytest.approx(told, rel=1e-12, abs=1e-14)
    assert l_skewness(beside, np.full(20, units)) == pytest.approx(told, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize(
    ("values", "shown"),
    [((1.0, 1.0, 9.0), 1.0), ((1.0, 9.0, 9.0), -1.0), ((-1.0, 1.0), 0.0), ((3.0,) * 5, 0.0)],
)
def test_the_ends_of_l_skewness(values: tuple[float, ...], shown: float) -> None:
    """One of three far out is as skewed as can be; two are not, nor are equal ones."""
    assert l_skewness(np.array([values]), np.array([len(values)])) == pytest.approx(shown, rel=1e-12, abs=0.0)


@pytest.mark.parametrize(
    ("items", "strength"), [(4, 0.0), (5, 2.0), (9, 10.0), (10, 12.0), (11, 12.0), (49, 12.0)]
)
def test_skewness_is_followed_so_far(items: int, strength: float) -> None:
    """One item far out is as skewed as can be, whatever ties stand beside it; the more items show it, the more is made of it."""
    values = np.zeros((2, items + 7))
    values[:, : items - 1] = 1.0
    values[:, items - 1] = 50.0, -50.0
    most = min(strength * 0.8 / np.sqrt(items), 0.9)
    assert of(values).skewness == pytest.approx([most, -most], rel=1e-12, abs=0.0)


@pytest.mark.parametrize(("farther", "leans"), [(0.0, False), (2.0, False), (6.0, True)])
def test_what_chance_shows_is_not_followed(farther: float, leans: bool) -> None:
    """Evenly spread items lean to neither side, a last one a little farther out changes nothing, and one far out does."""
    values = np.linspace(-1.0, 1.5, 24)
    values[-1] += farther
    assert (l_skewness(values, np.array(24)) > 0.2) == leans
    assert (of(values).skewness > 0.0) == leans


@pytest.mark.parametrize(
    ("differing", "quantile", "within"),
    [(5, Z, True), (6, Z, False), (6, 2.2, True), (5, -float(special.ndtri(1 / 32)), False)],
)
def test_no_tail_is_smaller_than_all_signs_alike(differing: int, quantile: float, within: bool) -> None:
    """Nearly equal differences of five items have a tail of 1/32 and of six one of 1/64; bounds whose tails are smaller hold zero."""
    values = np.append(1.0 + np.arange(differing) / 1e4, np.zeros(30))
    found = of(np.stack([values, -values]))
    lower, upper = found.tails(0.0)
    assert (lower[1], upper[0]) == (0.5**differing,) * 2
    (low, other_low), (other_high, high) = found.bounds(quantile)
    assert (low, high) == (0.0, 0.0) if within else low == -high > 0.0
    assert other_high == -other_low > 0.1


def test_two_that_differ() -> None:
    """Their mean has the error of two, and no skewness."""
    found = of(np.array([0.2, 0.6, 0.0, 0.0, 0.0, 0.0]))
    assert found.error_differing == pytest.approx(2 / 6 * np.std([0.2, 0.6], ddof=1) / np.sqrt(2))
    assert found.skewness == 0.0


def test_where_those_that_differ_all_differ_by_the_same() -> None:
    """Student's t of all items is left, and nothing where all of them do."""
    values = np.array([0.1] * 20 + [0.0] * 380)
    student = stats.ttest_1samp(values, 0.0, alternative="greater").pvalue
    assert of(values).error_differing == 0.0
    assert of(values).tails(0.0)[1] == pytest.approx(student, rel=1e-12, abs=0.0)
    assert np.isnan(of(np.full(6, 0.1)).tails(0.0)).all()
    assert np.isnan(of(np.full(6, 0.1)).tails(-0.05)).all()
    assert np.array_equal(of(np.full(6, 0.1)).tails(0.1), (0.5, 0.5))


@pytest.mark.parametrize("differing", [0, 1])
def test_one_that_differs_shows_no_spread(differing: int) -> None:
    """Its tails are Student's and those of a coin; of none that differ nothing is said."""
    values = np.zeros(12)
    values[:differing] = 0.7
    found = of(values)
    assert found.tails(0.0) == pytest.approx((1.0 - 0.169, 0.5) if differing else (1.0, 1.0), abs=6e-4)
    half = stats.t.isf(0.025, 11) * values.std(ddof=1) / np.sqrt(12)
    assert found.bounds(Z)[0] == pytest.approx(values.mean() - half)


def test_units() -> None:
    """Scores a quintillion times as large or small have the same tails."""
    values = drawn(12, 20)
    for unit in (1e-60, 1e60):
        assert of(values * unit).tails(0.0)[0] == pytest.approx(of(values).tails(0.0)[0], rel=1e-9, abs=0.0)
