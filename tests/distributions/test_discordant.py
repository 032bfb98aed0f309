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
    discordant_inside,
    discordant_rejections,
)
from tellapart.distributions.proportion_power import (
    connett_detectable,
    connett_items,
    connett_power,
    miettinen_items,
    miettinen_power,
    two_proportion_power,
)
from tellapart.distributions.tails import Alternative
from tellapart.distributions.unconditional_mcnemar import (
    MOST_ITEMS,
    critical_square,
    unconditional_critical_counts,
    unconditional_pvalue,
    worst_case,
)
from tellapart.errors import Unsuitable
from tellapart.seeds import stream
from tellapart.significance.mcnemar import McNemar, Variant
from tellapart.summaries import Discordance

Rows = list[dict[str, str]]
Reference = Callable[[str], Rows]

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


def test_unconditional_golden_value() -> None:
    """Twelve wins and four losses of a hundred items: the supremum is at items that all differ."""
    found = float(unconditional_pvalue(np.array(12), np.array(4), np.array(100), "two-sided"))
    assert found == pytest.approx(0.05689, abs=5e-6)
    assert float(unconditional_pvalue(np.array(12), np.array(4), np.array(100), "greater")) == found / 2.0
    assert float(unconditional_pvalue(np.array(12), np.array(4), np.array(100), "less")) == 1.0


@pytest.mark.parametrize("items", [1, 4, 9, 25])
def test_unconditional_by_brute_force(items: int) -> None:
    """Each table's p-value is the largest probability, over a dense grid of shares, of a statistic as extreme."""
    wins, losses = (x.ravel() for x in np.indices((items + 1, items + 1)))
    keep = (wins + losses <= items) & (wins >= losses)
    wins, losses = wins[keep], losses[keep]
    found = unconditional_pvalue(wins, losses, np.array(items), "two-sided")
    m = np.arange(items + 1)[:, np.newaxis]
    x = np.arange(items + 1)[np.newaxis]
    given_m = np.where(x <= m, stats.binom.pmf(x, m, 0.5), 0.0)
    weights = stats.binom.pmf(np.arange(items + 1), items, np.linspace(0.0, 1.0, 4001)[:, np.newaxis])
    for w, c, p in zip(wins, losses, found, strict=True):
        extreme = (2 * x - m) ** 2 * np.maximum(w + c, 1) >= (w - c) ** 2 * m
        dense = float((weights @ (given_m * (extreme & ((m > 0) | (w == c)))).sum(axis=1)).max())
        assert dense - 1e-12 <= float(p) <= dense + 1e-6


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("alpha", [0.05, 0.125])
def test_unconditional_region_is_where_it_rejects(alternative: Alternative, alpha: float) -> None:
    """The critical counts found once for all are those that the p-values of all tables give."""
    items = 30
    m = np.arange(items + 1)
    lower, upper = unconditional_critical_counts(m, items, alpha, alternative)
    for count in m:
        wins = np.arange(count + 1)
        p = unconditional_pvalue(wins, count - wins, np.full_like(wins, items), alternative)
        np.testing.assert_array_equal((wins <= lower[count]) | (wins >= upper[count]), rejects(p, alpha))


def test_unconditional_critical_values(reference: Reference) -> None:
    """Critical statistic and attained size are the reference's at every tabulated number of items."""
    rows = {int(row["n"]): row for row in reference("power_mcnemar.csv")}
    for items, row in rows.items():
        square = critical_square(items, 0.05)
        assert square**0.5 == pytest.approx(float(row["ss_critical_z"]), rel=1e-11)
        assert float(worst_case(np.array([square]), items)[0]) == pytest.approx(
            float(row["ss_attained_size"]), rel=1e-10
        )


def test_unconditional_never_rejects_too_few() -> None:
    """With five items no table is significant at 5 %: all-one-way has probability 2/32."""
    assert critical_square(5, 0.05) == np.inf
    lower, upper = unconditional_critical_counts(np.arange(6), 5, 0.05, "two-sided")
    assert (lower == -1).all()
    assert (upper == np.arange(6) + 1).all()


def test_unconditional_refuses_very_many_items() -> None:
    """Past its limit the search is refused, naming the variant to use."""
    with pytest.raises(Unsuitable, match="mid_p"):
        unconditional_pvalue(np.array(40), np.array(10), np.array(MOST_ITEMS + 1), "two-sided")


def test_numbers_of_items(reference: Reference) -> None:
    """Connett's and Lachenbruch's numbers of items are the reference's, and so are whole numbers."""
    rows = reference("sample_size_mcnemar.csv")
    share, effect, power, alpha = (
        np.array([float(row[name]) for row in rows]) for name in ("discordance", "delta", "power", "alpha")
    )
    for function, name in (
        (connett_items, "connett"),
        (miettinen_items, "lachenbruch"),
    ):
        found = function(share, effect, power, alpha)
        np.testing.assert_allclose(found, [float(row[f"n_{name}_real"]) for row in rows], rtol=1e-11)
        if f"n_{name}_ceiling" in rows[0]:
            np.testing.assert_array_equal(np.ceil(found), [int(row[f"n_{name}_ceiling"]) for row in rows])


def test_normal_approximations(reference: Reference) -> None:
    """Connett's and Miettinen's powers are the reference's."""
    rows = reference("power_mcnemar.csv")
    n, share, effect = (np.array([float(r[k]) for r in rows]) for k in ("n", "discordance", "delta"))
    for function, name in (
        (connett_power, "power_connett_duffy_normal"),
        (miettinen_power, "power_lachenbruch_miettinen_simple"),
    ):
        np.testing.assert_allclose(
            function(n, share, effect, 0.05), [float(r[name]) for r in rows], rtol=1e-11
        )


@given(st.integers(10, 1_000_000), st.floats(0.001, 1.0), st.floats(0.1, 0.99), st.sampled_from(ALTERNATIVES))
@settings(max_examples=200, deadline=None)
def test_detectable_effect_has_the_power(
    items: int, discordance: float, power: float, alternative: Alternative
) -> None:
    """The smallest detectable effect has the power asked for, or even the largest possible one has less."""
    effect = connett_detectable(items, discordance, power, 0.05, alternative)
    sign = -1.0 if alternative == "less" else 1.0
    if effect is None:
        assert float(connett_power(items, discordance, sign * discordance, 0.05, alternative)) <= power + 1e-9
    else:
        found = float(connett_power(items, discordance, sign * effect, 0.05, alternative))
        assert found == pytest.approx(power, abs=1e-9)


def test_two_proportions_at_its_table() -> None:
    """Power of two independent proportions, 0.5 against 0.75 with 50 items each, as `power.prop.test` prints it."""
    assert float(two_proportion_power(50, 0.5, 0.75, 0.05)) == pytest.approx(0.7401659, abs=1e-6)


def test_certain_effects() -> None:
    """Without any spread every effect past the critical value is found and none in the wrong direction."""
    assert float(connett_power(10, 1.0, 1.0, 0.05)) == 1.0
    assert float(connett_power(10, 1.0, 1.0, 0.05, "less")) == 0.0
    assert connett_detectable(3, 0.1, 0.8, 0.05) is None
    assert float(connett_items(0.1, 0.0, 0.8, 0.05)) == np.inf
