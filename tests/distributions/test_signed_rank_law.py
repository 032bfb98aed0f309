"""The law of signed ranks, against every choice of signs."""

import itertools
from typing import Any

import numpy as np
import pytest
from tests.distributions.midrank_rows import KINDS, drawn, ranked_by_scipy

from tellapart.numerics.null_laws.signed_rank_law import (
    _counted_law,
    _cumulants,
    _in_series,
    _next_law,
    _signed_rank_approximation,
    _tabulated_tails,
    series_error,
    signed_midranks,
    signed_rank_law,
    signed_rank_quantile,
    signed_rank_series,
    signed_rank_tails,
)
from tellapart.numerics.null_laws.signed_ranks import SignedRanks


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("kind", KINDS)
def test_midranks_carry_their_signs(kind: str, zeros: Any) -> None:
    """Twice the midranks, with the sign of their difference and a 0 in place of every zero."""
    values = drawn(KINDS[kind])
    for row, doubled in zip(values, signed_midranks(values, zeros), strict=True):
        midranks, signs = ranked_by_scipy(row, zeros)
        assert doubled[row != 0.0].tolist() == (2.0 * midranks * signs).tolist()
        assert np.array_equal(doubled == 0.0, row == 0.0)


@pytest.mark.parametrize("count", [1, 2, 7, 12])
def test_the_law_without_ties_is_every_choice_of_ranks(count: int) -> None:
    """P(V ≤ v) is the share of the subsets of 1 … n whose sum is at most v."""
    sums = [sum(chosen) for r in range(count + 1) for chosen in itertools.combinations(range(1, count + 1), r)]
    expected = [np.mean(np.array(sums) <= v) for v in range(count * (count + 1) // 4 + 1)]
    assert signed_rank_law(count).tolist() == pytest.approx(expected, rel=1e-14, abs=0.0)


@pytest.mark.parametrize("items", [1, 2, 3, 11])
@pytest.mark.parametrize("zeros", ["drop", "pratt"])
def test_tails_are_exact_with_ties_and_zeros(items: int, zeros: Any) -> None:
    """The tails of V given midranks are those of all sign flips of these ranks."""
    values = np.random.default_rng(items).integers(-3, 4, size=(20, items)).astype(np.float64)
    ranks = SignedRanks.of(values, zeros, 3.0)
    tails = signed_rank_tails(values, ranks, zeros, 3.0)
    for i, row in enumerate(values):
        midranks, _ = ranked_by_scipy(row, zeros)
        sums = np.array([np.dot(midranks, choice) for choice in itertools.product((0, 1), repeat=len(midranks))])
        assert float(tails.lower[i]) == pytest.approx(np.mean(sums <= ranks.positive[i] + 1e-9), rel=1e-13, abs=0.0)
        assert float(tails.upper[i]) == pytest.approx(np.mean(sums >= ranks.positive[i] - 1e-9), rel=1e-13, abs=0.0)


@pytest.mark.parametrize("rows", [3, 40])
@pytest.mark.parametrize("items", [200, 256, 257, 600, 1000, 1023])
def test_long_rows_agree_with_their_table(items: int, rows: int) -> None:
    """Few rows are inverted where the short tables end, many are looked up or summed: all give what counting gives."""
    values = np.random.default_rng(items).normal(0.1, 1.0, size=(rows, items))
    values[: rows // 2, 0] = 0.0
    ranks = SignedRanks.of(values, "drop", 4.0)
    tails = signed_rank_tails(values, ranks, "drop", 4.0)
    small = np.minimum(ranks.positive, ranks.total - ranks.positive).astype(int)
    counted = {n: _counted_law(n) for n in (items - 1, items)}
    expected = [counted[n][v] for n, v in zip(ranks.ranked.tolist(), small, strict=True)]
    assert np.minimum(tails.lower, tails.upper) == pytest.approx(expected, rel=1e-9, abs=0.0)
    assert (np.abs(np.minimum(tails.lower, tails.upper) - expected) <= 2.0 * tails.error + 1e-14).all()
    # V itself is in both tails: the larger misses what lies beyond it.
    beyond = [counted[n][v - 1] for n, v in zip(ranks.ranked.tolist(), small, strict=True)]
    assert 1.0 - np.maximum(tails.lower, tails.upper) == pytest.approx(beyond, rel=1e-6, abs=0.0)


@pytest.mark.parametrize("rank", [33, 257, 319, 700])
def test_a_table_follows_from_the_one_before(rank: int) -> None:
    assert _next_law(_counted_law(rank - 1), rank, np.empty(rank * rank)) == pytest.approx(
        _counted_law(rank), rel=1e-13, abs=0.0
    )


@pytest.mark.parametrize("ranks", [257, 600, 1000])
def test_the_series_is_within_its_error_of_the_table(ranks: int) -> None:
    """And its error is no idle promise: a tenth of it would be broken."""
    law = _counted_law(ranks)
    off = np.abs(signed_rank_series(np.arange(float(len(law))), np.full(len(law), ranks)) - law).max()
    (bound,) = series_error(np.array([ranks]))
    assert off <= bound
    assert off > 0.1 * bound or bound < 2e-14


def test_many_rows_of_ties_are_as_exact_as_single_ones() -> None:
    """Items that are drawn again tie: their laws are inverted together, and differ from counting only in the last digits."""
    rng = np.random.default_rng(5)
    values = rng.normal(0.1, 1.0, size=200)[rng.integers(0, 200, size=(40, 200))]
    together = signed_rank_tails(values, SignedRanks.of(values, "drop", 4.0), "drop", 4.0)
    for i, row in enumerate(values[:, np.newaxis]):
        alone = signed_rank_tails(row, SignedRanks.of(row, "drop", 4.0), "drop", 4.0)
        assert "inversion" in together.method
        assert "inversion" not in alone.method
        assert float(together.lower[i]) == pytest.approx(float(alone.lower[0]), rel=1e-9, abs=0.0)
        assert float(together.upper[i]) == pytest.approx(float(alone.upper[0]), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("count", [1, 2, 7, 301])
def test_cumulants_are_sums_over_the_ranks(count: int) -> None:
    """A coin times r has the mean r/2, the variance r²/4 and the fourth cumulant −r⁴/8, and cumulants add up."""
    ranks = np.arange(1.0, count + 1.0)
    expected = [ranks.sum() / 2.0, (ranks**2).sum() / 4.0, -(ranks**4).sum() / 8.0]
    assert list(_cumulants(float(count))) == pytest.approx(expected, rel=1e-13, abs=0.0)


@pytest.mark.parametrize("items", [301, 450, 1000])
@pytest.mark.parametrize("probability", [1e-4, 0.005, 0.025, 0.1, 0.4])
def test_quantiles_beyond_the_tables_are_within_a_rank(items: int, probability: float) -> None:
    """Against the exact law, which is still known there."""
    exact = int(np.searchsorted(signed_rank_law(items), probability))
    assert abs(signed_rank_quantile(probability, items) - exact) <= 1


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8])
def test_both_tails_of_every_sum(count: int) -> None:
    """P(V ≤ v) and P(V ≥ v) by every choice of ranks, the middle among them, which is in both."""
    sums = np.array([np.dot(c, np.arange(1, count + 1)) for c in itertools.product((0, 1), repeat=count)])
    v = np.arange(count * (count + 1) // 2 + 1)
    lower, upper = _tabulated_tails(v.astype(float), np.full(len(v), count))
    np.testing.assert_allclose(lower, [(sums <= one).mean() for one in v], rtol=1e-14)
    np.testing.assert_allclose(upper, [(sums >= one).mean() for one in v], rtol=1e-14)


def rows_without_ties(rows: int, items: int, shift: float = 0.1) -> Any:
    return np.random.default_rng(items).normal(shift, 1.0, size=(rows, items))


def tails_of(values: Any, zeros: Any = "drop") -> Any:
    return signed_rank_tails(values, SignedRanks.of(values, zeros, 4.0), zeros, 4.0)


@pytest.mark.parametrize(
    ("rows", "items", "ways"),
    [
        (1, 256, ["exact law of signed ranks"]),
        (1, 257, ["one by one"]),
        (15, 257, ["one by one"]),
        (16, 257, ["exact law of signed ranks"]),
        (16, 1000, ["exact law of signed ranks"]),
        (16, 1001, ["series"]),
        (15, 1001, ["one by one"]),
    ],
)
def test_which_law_is_asked(rows: int, items: int, ways: list[str]) -> None:
    """Tables up to 256 ranks, from sixteen rows on up to 1,000 and a series beyond; else each row's own law."""
    found = tails_of(rows_without_ties(rows, items, 0.02)).method.split("; ")
    named = [
        way if way == "exact law of signed ranks" else "series" if way.startswith("series") else "one by one"
        for way in found
    ]
    assert named == ways


def test_rows_with_ties_have_their_own_law() -> None:
    """Beside rows without any: both ways are named, and that midranks are given; without ties that is not said."""
    values = rows_without_ties(3, 20)
    assert "midranks" not in tails_of(values).method
    values[1, :2] = values[1, 2]
    found = tails_of(values)
    table, own = found.method.split("; ")
    assert table == "exact law of signed ranks"
    assert own != table
    assert own.endswith(", conditional on midranks")
    for i in range(3):
        alone = tails_of(values[i : i + 1])
        assert (found.lower[i], found.upper[i]) == pytest.approx((alone.lower[0], alone.upper[0]), rel=1e-12, abs=0.0)


def test_zeros_that_hold_ranks_leave_no_table() -> None:
    """Pratt's ranks begin above the zeros, which no table of ranks from 1 has."""
    values = rows_without_ties(2, 9)
    values[0, 0] = 0.0
    assert tails_of(values[:1], "pratt").method != "exact law of signed ranks"
    assert tails_of(values[:1], "drop").method == "exact law of signed ranks"
    assert tails_of(values[1:], "pratt").method == "exact law of signed ranks"


def test_the_side_of_the_sum() -> None:
    """Above its mean, below it, or at it."""
    values = np.array([[1.0, 2.0, 3.0], [-1.0, -2.0, 3.0], [-1.0, 2.0, -3.0]])
    assert tails_of(values).sign.tolist() == [1.0, 0.0, -1.0]


@pytest.mark.parametrize("shift", [0.06, -0.06])
def test_a_series_for_most_and_another_way_for_far_tails(shift: float) -> None:
    """Of twenty rows of 1,010 ranks one is far out: its tail keeps its digits, and the others' are within what is said."""
    values = rows_without_ties(20, 1010, shift)
    values[7] += 4.0 * shift
    found, law = tails_of(values), _counted_law(1010)
    ranks = SignedRanks.of(values, "drop", 4.0)
    rising = shift > 0.0
    near, far = (found.upper, found.lower) if rising else (found.lower, found.upper)
    small = np.minimum(ranks.positive, ranks.total - ranks.positive).astype(int)
    assert law[small[7]] < 1e-6 < law[np.delete(small, 7)].min()
    assert near[7] == pytest.approx(law[small[7]], rel=1e-9, abs=0.0)
    others = np.arange(20) != 7
    side = (ranks.positive > ranks.total / 2.0) == rising
    assert (np.abs(near - law[small])[others & side] <= found.error[others & side]).all()
    assert (far[side] >= 0.5).all()
    assert found.error[others].tolist() == [pytest.approx(series_error(np.array([1010]))[0])] * 19
    assert any(way.startswith("series") for way in found.method.split("; "))
    assert len(found.method.split("; ")) == 2


def test_tables_are_not_to_be_written_to() -> None:
    """They are shared by all who ask."""
    for ranks in (5, 256, 257, 320):
        assert signed_rank_law(ranks).flags.writeable is False
        assert signed_rank_law(ranks) == pytest.approx(_counted_law(ranks), rel=1e-13, abs=0.0)


@pytest.mark.parametrize("items", [1, 5, 12, 300])
def test_quantiles_are_the_first_beyond(items: int) -> None:
    """The smallest v with P(V ≤ v) above the probability: at the probability itself, where the test rejects, the one after it."""
    law = signed_rank_law(items)
    places = np.unique(np.linspace(0, np.flatnonzero(law <= 0.5)[-1], 40).astype(int))
    for v in places[law[places] > 1e-5]:
        assert signed_rank_quantile(float(law[v]), items) == v + 1
        assert signed_rank_quantile(float(law[v]) * (1.0 - 1e-9), items) == v


def test_quantiles_beyond_the_tables_are_mostly_exact() -> None:
    """Of two hundred probabilities nearly all lead to the exact rank, and the rest to one beside it; no rank is below 0."""
    probabilities = np.geomspace(1e-3, 0.49, 200)
    for items in (301, 500):
        exact = np.searchsorted(signed_rank_law(items), probabilities)
        found = np.array([signed_rank_quantile(float(p), items) for p in probabilities])
        assert np.mean(found == exact) > 0.9
        assert found.tolist() == [_signed_rank_approximation(float(p), items) for p in probabilities]
    assert signed_rank_quantile(5e-324, 301) > 0


@pytest.mark.parametrize("ranks", [1_000, 2_000, 100_000])
def test_what_the_series_leaves_out(ranks: int) -> None:
    """Two over the fifth power of the ranks, and the rounding of a sum near one."""
    (found,) = series_error(np.array([ranks]))
    assert found == pytest.approx(2.0 / float(ranks) ** 5 + 1e-14, rel=1e-12, abs=0.0)


def test_a_millionth_is_the_least_that_a_series_tells() -> None:
    """Tails of 2,000 ranks a tenth below and above it, on either side, and both for 1,000 ranks, which a table has."""
    at = np.arange(870_000.0, 890_000.0)
    tails = signed_rank_series(at, np.full(len(at), 2_000))
    below, above = (at[np.searchsorted(tails, share)] for share in (0.9e-6, 1.1e-6))
    total = 2_000 * 2_001 / 2.0
    positive = np.array([below, above, total - below, total - above, 1.0, 250_000.0])
    none = np.zeros(6, dtype=np.int64)
    ranks = SignedRanks(positive, np.array([2_000] * 4 + [1_000] * 2), none, none, none.astype(float))
    assert _in_series(ranks, np.ones(6, dtype=np.bool_)).tolist() == [False, True, False, True, False, False]
