"""The laws of the smallest p-value of several changes: against enumerations of every deal and draw, and by hand."""

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from tellapart.boards import contrast_laws
from tellapart.boards.contrast_laws import (
    MinimumPvalueLaw,
    _affordable_draws,
    _arrangements,
    _contrast_correlations,
    _permuted,
    _resampled_rows,
    _resampling_law,
    adjusted_contrasts,
    bootstrap_law,
    normal_law,
    permutation_law,
)
from tellapart.boards.group_contrasts import UnitTotals
from tellapart.foundation.seeds import stream

Values = list[NDArray[np.float64]]


def apart(*values: Any) -> UnitTotals:
    """Groups that share no unit."""
    ends = np.cumsum([len(mine) for mine in values])
    units = [np.arange(end - len(mine), end) for end, mine in zip(ends, values, strict=True)]
    return UnitTotals.of([np.asarray(mine, dtype=float) for mine in values], units)


def shared(seed: int = 0) -> UnitTotals:
    """Three groups: units 0 to 5 in all, 6 to 9 in the first two, 10 to 13 in the last alone; two of them twice in a group."""
    rng = np.random.default_rng(seed)
    units = [np.r_[0:10, 0, 7], np.r_[0:10], np.r_[0:6, 10:14, 10]]
    return UnitTotals.of([rng.normal(size=len(mine)) for mine in units], units)


def test_the_share_of_smaller_minima() -> None:
    """The observed board counts too, what is equal but for rounding is reached, and what is larger is not."""
    law = MinimumPvalueLaw(np.array([0.1, 0.2, 0.3, 0.4]))
    found = law.adjusted(np.array([0.05, 0.1, 0.2, 0.2 * (1.0 - 1e-10), 0.2 * (1.0 - 1e-8), 0.35, 1.0]))
    np.testing.assert_allclose(found, [0.2, 0.4, 0.6, 0.6, 0.4, 0.8, 1.0], rtol=1e-14)


@pytest.mark.parametrize(("alpha", "critical"), [(0.05, 0.05), (0.1, 0.1), (0.019, 0.01), (0.0099, 0.0), (0.29, 0.29)])
def test_what_a_change_alone_must_stay_below(alpha: float, critical: float) -> None:
    """Of 99 minima the fifth at 0.05: alpha · 100 is a whole number, whatever doubles make of 0.29 · 100; 0 where none can be told."""
    law = MinimumPvalueLaw(np.arange(1, 100) / 100.0)
    assert law.critical(alpha) == pytest.approx(critical, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.07, 0.2])
def test_critical_and_adjusted_are_one_decision(alpha: float) -> None:
    """A p-value just below the critical one is told at alpha, and the critical one itself is not."""
    law = MinimumPvalueLaw(np.sort(np.random.default_rng(1).random(199)))
    critical = law.critical(alpha)
    below, at = law.adjusted(critical * np.array([1.0 - 1e-8, 1.0]))
    assert below <= alpha < at


def test_correlations_by_definition() -> None:
    """Of what each unit adds to a later group less what it adds to the first, with 0 where it is not met."""
    totals = shared()
    added = np.zeros((14, 3))
    added[totals.cells.unit, totals.cells.group] = totals.added
    changes = added[:, 1:] - added[:, :1]
    products = changes.T @ changes
    expected = products[0, 1] / np.sqrt(products[0, 0] * products[1, 1])
    np.testing.assert_allclose(_contrast_correlations(totals), [[1.0, expected], [expected, 1.0]], rtol=1e-12)


def test_correlations_of_groups_apart_are_those_of_the_first() -> None:
    """Dunnett's: two groups as large and spread as the first correlate by a half."""
    row = np.array([-1.0, 1.0] * 10)
    np.testing.assert_allclose(
        _contrast_correlations(apart(row, row, row)), [[1.0, 0.5], [0.5, 1.0]], rtol=1e-12, atol=0.0
    )
    np.testing.assert_allclose(_contrast_correlations(apart(3.0 * row, row, row))[0, 1], 0.9, rtol=1e-12)


def test_opposite_and_equal_changes() -> None:
    """Units that gain in one group what they lose in another: −1; the same change twice: 1, and never more for rounding."""
    rng = np.random.default_rng(2)
    for _ in range(50):
        row = rng.normal(size=7)
        units = [np.arange(7, 9), np.arange(7), np.arange(7)]
        opposite = UnitTotals.of([np.array([0.0, 0.0]), row, -row], units)
        assert _contrast_correlations(opposite)[0, 1] == pytest.approx(-1.0, rel=1e-12, abs=0.0)
        same = _contrast_correlations(UnitTotals.of([rng.normal(size=7), row, row], [np.arange(7)] * 3))
        assert same[0, 1] == pytest.approx(1.0, rel=1e-12, abs=0.0)
        assert np.abs(same).max() <= 1.0


def test_changes_that_never_vary_correlate_with_nothing() -> None:
    """No variance is no correlation, and the diagonal is 1 all the same."""
    row = np.array([-1.0, 1.0, 3.0])
    assert _contrast_correlations(apart(np.zeros(3), np.zeros(3), row)).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_units_met_alike_and_together() -> None:
    """Places of a unit side by side in the order of groups: by how many groups they are met in, and by which."""
    units = [np.array([3, 1, 0]), np.array([4, 1, 3]), np.array([0, 5])]
    totals = UnitTotals.of([np.zeros(3), np.zeros(3), np.zeros(2)], units)
    # Places, by group and then by unit: 0, 1, 3 | 1, 3, 4 | 0, 5.
    assert [rows.tolist() for rows in totals.rows_by_group_count()] == [[[5], [7]], [[0, 6], [1, 3], [2, 4]]]
    together = [rows.tolist() for rows in totals.rows_by_group_set()]
    assert together == [[[5]], [[7]], [[1, 3], [2, 4]], [[0, 6]]]


def test_every_deal_is_as_likely() -> None:
    """Two units in two groups: 2 orders of the units times 2 orders of each one's groups."""
    rows = np.array([[0, 3], [1, 2]])
    found = Counter(tuple(deal.ravel().tolist()) for deal in _permuted(rows, 8000, stream(1)))
    expected = {
        (*first, *second)
        for one, other in itertools.permutations([(0, 3), (1, 2)])
        for first in itertools.permutations(one)
        for second in itertools.permutations(other)
    }
    assert set(found) == expected
    assert stats.chisquare([*found.values()]).pvalue > 1e-4


def test_every_draw_is_as_likely() -> None:
    """Two units that keep their places together, each drawn in place of each."""
    rows = np.array([[0, 3], [1, 2]])
    found = Counter(tuple(map(tuple, draw.tolist())) for draw in _resampled_rows(rows, 4000, stream(2)))
    assert set(found) == set(itertools.product([(0, 3), (1, 2)], repeat=2))
    assert stats.chisquare([*found.values()]).pvalue > 1e-4


def test_arrangements_come_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many at once as may be held, never none, all in all as many as asked for; places of all rows are filled."""
    rows = [np.array([[0], [2]]), np.array([[1], [3]])]

    def blocks(held: int) -> list[Any]:
        monkeypatch.setattr(contrast_laws, "HELD", held)
        return list(_arrangements(4, rows, _permuted, 5, stream(0)))

    assert [len(block) for block in blocks(8)] == [2, 2, 1]
    assert [len(block) for block in blocks(3)] == [1] * 5
    (whole,) = blocks(1000)
    assert np.sort(whole[:, [0, 2]], axis=1).tolist() == [[0, 2]] * 5
    assert np.sort(whole[:, [1, 3]], axis=1).tolist() == [[1, 3]] * 5


@pytest.mark.parametrize(
    ("places", "resamples", "count"),
    [(10, 9_999, 9_999), (10_000, 9_999, 6_710), (10**6, 9_999, 999), (10**6, 7, 7), (2**26, 2_000, 999)],
)
def test_many_units_take_fewer_resamples(places: int, resamples: int, count: int) -> None:
    """2²⁶ numbers moved in all, but never fewer than 999 resamples unless fewer are asked for."""
    assert _affordable_draws(places, resamples) == count


def test_a_law_has_as_many_minima_as_are_affordable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five places and 2³ numbers moved: the fewest resamples there are."""
    monkeypatch.setattr(contrast_laws, "SPENT", 8)
    monkeypatch.setattr(contrast_laws, "FEWEST", 20)
    totals = apart([1.0, 2.0], [3.0, 5.0, 8.0])
    assert len(_resampling_law(totals, totals.rows_by_group_count(), _permuted, stream(0), 500).minima) == 20


def welch(first: NDArray[Any], later: NDArray[Any], reach: float) -> float:
    """Welch's p-value, a group that does not vary counting as if one of its units had been as far off as any."""
    change = later.mean() - first.mean()
    squares = [x.var(ddof=1) / len(x) if np.ptp(x) > 1e-12 else (reach / len(x)) ** 2 for x in (first, later)]
    df = sum(squares) ** 2 / sum(s**2 / (len(x) - 1) for s, x in zip(squares, (first, later), strict=True))
    return float(2.0 * stats.t.sf(abs(change) / np.sqrt(sum(squares)), df))


def same_law(law: MinimumPvalueLaw, arranged: list[list[NDArray[Any]]], reach: float) -> None:
    """Every value of the law is that of some arrangement, each met as often as arrangements have it."""
    pvalues = [min(welch(first, later, reach) for later in others) for first, *others in arranged]
    expected, counts = np.unique(np.round(pvalues, 9), return_counts=True)
    found, seen = np.unique(np.round(law.minima, 9), return_counts=True)
    assert law.minima.tolist() == sorted(law.minima)
    np.testing.assert_allclose(found, expected, atol=2e-9)
    wanted = counts / counts.sum() * len(law.minima)
    assert stats.chisquare(seen, wanted).pvalue > 1e-4


FEW: Values = [np.array([0.0, 1.0]), np.array([2.0, 2.5]), np.array([1.0, 4.0])]
LEFT: Values = [mine - mine.mean() for mine in FEW]
REACH = 4.0


def test_dealt_again_by_enumeration() -> None:
    """All residuals in any order at the places of all groups."""
    deals = [
        [np.array(deal[:2]), np.array(deal[2:4]), np.array(deal[4:])]
        for deal in itertools.permutations(np.concatenate(LEFT))
    ]
    same_law(permutation_law(apart(*FEW), stream(3), 4000), deals, REACH)


def test_drawn_again_by_enumeration() -> None:
    """Residuals of a group at its own places, each as often as chance has it."""
    draws = [
        [np.array(one) for one in draw]
        for draw in itertools.product(*(itertools.product(mine, repeat=2) for mine in LEFT))
    ]
    same_law(bootstrap_law(apart(*FEW), stream(4), 4000), draws, REACH)


def test_as_many_resamples_as_are_told() -> None:
    """9,999 unless told otherwise."""
    totals = apart(*FEW)
    assert len(permutation_law(totals, stream(0)).minima) == len(bootstrap_law(totals, stream(0)).minima) == 9_999
    assert len(normal_law(totals, stream(0)).minima) == 9_999


def test_one_change_of_normal_means_has_uniform_pvalues() -> None:
    """The smallest of one p-value is that p-value."""
    rng = np.random.default_rng(5)
    minima = normal_law(apart(rng.normal(size=12), rng.normal(size=9)), stream(5)).minima
    assert stats.kstest(minima, "uniform").pvalue > 1e-3


def test_changes_of_normal_means_correlate() -> None:
    """Against Dunnett's law in scipy where groups are large: the smallest p-value at which any of three is told."""
    row = np.tile([-1.0, 1.0], 100)
    law = normal_law(apart(row, row, row, row), stream(6))
    related = np.full((3, 3), 0.5) + 0.5 * np.eye(3)
    for alpha in (0.05, 0.2):
        critical = stats.norm.isf(law.critical(alpha) / 2.0)
        joint = stats.multivariate_normal(cov=related, seed=0)
        inside = joint.cdf(np.full(3, critical), lower_limit=np.full(3, -critical))
        assert 1.0 - inside == pytest.approx(alpha, rel=0.08, abs=0.0)


def judged_by(monkeypatch: pytest.MonkeyPatch, alpha: float, **minima: list[float]) -> tuple[Any, NDArray[np.float64]]:
    """Judged with laws that are given, and what each change alone says."""
    for name, values in minima.items():
        law = MinimumPvalueLaw(np.array(values))
        monkeypatch.setattr(contrast_laws, f"{name}_law", lambda *_, law=law: law)
    totals = apart([0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 3.5, 3.5], [9.0, 9.5, 8.0, 9.5])
    return adjusted_contrasts(totals, alpha, stream(0)), totals.contrasts.pvalue


HIGH, LOW = np.linspace(0.5, 0.99, 19).tolist(), np.linspace(1e-7, 0.9, 19).tolist()


def test_the_largest_pvalue_of_all_laws_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each law in turn is the one that doubts."""
    for doubting in ("permutation", "bootstrap", "normal"):
        laws = {name: LOW if name == doubting else HIGH for name in ("permutation", "bootstrap", "normal")}
        found, raw = judged_by(monkeypatch, 0.1, **laws)
        sure, doubt = (MinimumPvalueLaw(np.array(law)).adjusted(raw) for law in (HIGH, LOW))
        if doubting == "normal":
            doubt = np.minimum(doubt, 2.0 * raw)
        np.testing.assert_allclose(found.adjusted, np.maximum.reduce([raw, sure, doubt]), rtol=1e-12)
        assert found.resamples == 19


def test_no_change_is_surer_among_all_than_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where chance is never as surprising as either change all laws say one in twenty, and a change's own p-value may be more."""
    found, raw = judged_by(monkeypatch, 0.1, permutation=HIGH, bootstrap=HIGH, normal=HIGH)
    assert raw[0] > 0.05 > raw[1]
    assert found.adjusted.tolist() == pytest.approx([raw[0], 0.05], rel=1e-12, abs=0.0)


def test_normal_theory_is_never_behind_bonferroni(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two changes: twice each p-value, at most 1, where the normal law would say more; and never less than alone."""
    found, raw = judged_by(monkeypatch, 0.1, permutation=HIGH, bootstrap=HIGH, normal=[1e-9] * 19)
    one_in_twenty = MinimumPvalueLaw(np.array(HIGH)).adjusted(raw)
    np.testing.assert_allclose(
        found.adjusted, np.maximum.reduce([raw, one_in_twenty, np.minimum(2.0 * raw, 1.0)]), rtol=1e-12
    )
    assert found.adjusted[1] == pytest.approx(0.05)
    assert raw[0] > 0.25


@pytest.mark.parametrize(
    ("laws", "critical"),
    [
        ({"permutation": [0.02] * 19, "bootstrap": [0.03] * 19, "normal": [0.06] * 19}, 0.02),
        ({"permutation": [0.03] * 19, "bootstrap": [0.02] * 19, "normal": [0.06] * 19}, 0.02),
        ({"permutation": [0.5] * 19, "bootstrap": [0.5] * 19, "normal": [0.06] * 19}, 0.06),
        ({"permutation": [0.5] * 19, "bootstrap": [0.5] * 19, "normal": [0.01] * 19}, 0.05),
        ({"permutation": [0.5] * 19, "bootstrap": [0.5] * 19, "normal": [0.5] * 19}, 0.1),
        ({"permutation": [0.5] * 39, "bootstrap": [0.01] * 19, "normal": [0.5] * 9}, 0.01),
    ],
)
def test_bounds_stand_at_the_most_doubting_law(
    monkeypatch: pytest.MonkeyPatch, laws: dict[str, list[float]], critical: float
) -> None:
    """The smallest critical p-value of the laws, the normal one's not below alpha over two and not above alpha."""
    found, _ = judged_by(monkeypatch, 0.1, **laws)
    totals = apart([0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 3.5, 3.5], [9.0, 9.5, 8.0, 9.5])
    change = totals.contrasts
    half = special.stdtrit(change.df, 1.0 - critical / 2.0) * change.error
    np.testing.assert_allclose(found.estimate, change.estimate, rtol=1e-14)
    np.testing.assert_allclose(found.low, change.estimate - half, rtol=1e-9)
    np.testing.assert_allclose(found.high, change.estimate + half, rtol=1e-9)
    assert found.resamples == 19
