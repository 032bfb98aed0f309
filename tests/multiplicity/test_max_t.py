"""Joint resampling of all pairs: brute force on small tables, and the laws of adjusted p-values."""

import itertools
from typing import Any

import numpy as np
import pytest

from tellapart.boards import joint_bootstrap as bootstrap_room
from tellapart.boards.board import Board
from tellapart.boards.family import Family, against_one, all_pairs, family_of
from tellapart.boards.joint_bootstrap import bootstrappable_pairs, joint_bootstrap
from tellapart.boards.joint_flips import _random, joint_flips
from tellapart.boards.joint_pvalues import JointPvalues, joint_pvalues
from tellapart.data.scores import Scores
from tellapart.foundation.seeds import stream
from tellapart.metrics import METRICS

Table = np.ndarray[Any, Any]


def board(table: Table, clusters: Table | None = None) -> Board:
    scores = {f"s{i:03d}": row for i, row in enumerate(table)}
    return Board.of(
        Scores.from_arrays(scores, clusters=None if clusters is None else clusters.tolist()),
        METRICS.parse("mean"),
    )


def judged(table: Table, resamples: int = 2000, clusters: Table | None = None, seed: int = 0) -> JointPvalues:
    family = family_of(board(table, clusters), *all_pairs(len(table)))
    return joint_pvalues(joint_flips(family, resamples, stream(seed)))


def t_statistics(differences: Table) -> Table:
    """|t| of every column, computed as textbooks do."""
    n = len(differences)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(differences.mean(axis=0)) / (differences.std(axis=0, ddof=1) / np.sqrt(n))
    return np.where(np.abs(differences.mean(axis=0)) < 1e-14, 0.0, t)


def enumerated(table: Table) -> tuple[Table, Table, Table]:
    """Raw, step-down and single-step p-values over all 2ⁿ sign patterns, by definition: t statistics, pair by pair."""
    a, b = all_pairs(len(table))
    differences = (table[b] - table[a]).T
    observed = t_statistics(differences)
    flipped = np.array(
        [t_statistics(differences * np.array(s)[:, None]) for s in itertools.product([1, -1], repeat=len(differences))]
    )
    reached = flipped >= observed - 1e-9
    order = np.argsort(-observed)
    step_down, worst = np.empty(len(observed)), 0.0
    for place, pair in enumerate(order):
        alive = order[place:]
        worst = max(worst, float((flipped[:, alive].max(axis=1) >= observed[pair] - 1e-9).mean()))
        step_down[pair] = worst
    single = (flipped.max(axis=1)[:, None] >= observed - 1e-9).mean(axis=0)
    return reached.mean(axis=0), step_down, single


@pytest.mark.parametrize("seed", range(4))
def test_every_pattern_of_signs(seed: int) -> None:
    """On few items all p-values equal those of the textbook t over every sign pattern."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(4, 9)) + np.array([0, 0.2, 1.0, 1.1])[:, None]
    found, (raw, step_down, single) = judged(table), enumerated(table)
    assert found.exhaustive
    np.testing.assert_allclose(found.raw, raw, rtol=1e-12)
    np.testing.assert_allclose(found.step_down, step_down, rtol=1e-12)
    np.testing.assert_allclose(found.single_step, single, rtol=1e-12)


def test_every_pattern_of_signs_with_ties() -> None:
    """Right-or-wrong scores tie in every way there is, and are still counted right."""
    table = (np.random.default_rng(8).random((5, 10)) < 0.6).astype(float)
    found, (raw, step_down, _) = judged(table), enumerated(table)
    np.testing.assert_allclose(found.raw, raw, rtol=1e-12)
    np.testing.assert_allclose(found.step_down, step_down, rtol=1e-12)


def test_random_flips_estimate_all_patterns() -> None:
    """Drawn flips agree with the enumeration within their own error."""
    table = np.random.default_rng(3).normal(size=(4, 12)) + np.array([0, 0, 0.8, 0.9])[:, None]
    family = family_of(board(table), *all_pairs(4))
    exact, drawn = (
        joint_pvalues(joint_flips(family, 5000, stream(0))),
        joint_pvalues(joint_flips(family, 2000, stream(1))),
    )
    assert exact.exhaustive
    assert not drawn.exhaustive
    for name in ("raw", "step_down", "single_step"):
        p, q = getattr(exact, name), getattr(drawn, name)
        assert (np.abs(p - q) <= 4.0 * np.sqrt(p * (1 - p) / 2000) + 1e-3).all()


def tables() -> list[Table]:
    rng = np.random.default_rng(11)
    skill = np.linspace(0, 0.6, 8)[:, None]
    return [
        rng.normal(size=(8, 60)) + skill,
        (rng.random((8, 60)) < 0.4 + 0.5 * skill).astype(float),
        np.round(rng.random((8, 40)), 1) + 1e6,
        np.concatenate([np.zeros((1, 30)), np.ones((1, 30)), np.repeat(rng.random((1, 30)), 2, axis=0)]),
        rng.standard_t(2, size=(8, 25)) + skill,
    ]


@pytest.mark.parametrize("table", tables(), ids=range(5))
def test_adjusted_is_never_below_raw(table: Table) -> None:
    """Correcting never helps a pair, stepping down never hurts one, and p lies in (0, 1]."""
    found = judged(table)
    assert (found.raw > 0.0).all()
    assert (found.step_down >= found.raw).all()
    assert (found.single_step >= found.step_down).all()
    assert (found.single_step <= 1.0).all()


@pytest.mark.parametrize("table", tables(), ids=range(5))
def test_larger_statistics_have_smaller_p(table: Table) -> None:
    """Along falling statistics adjusted p-values never fall."""
    found = judged(table)
    along = np.argsort(-found.observed, kind="stable")
    assert (np.diff(found.step_down[along]) >= 0.0).all()


def test_two_systems_need_no_correction() -> None:
    """A family of one pair has adjusted p equal to raw p."""
    table = np.random.default_rng(2).normal(size=(2, 50))
    found = judged(table)
    np.testing.assert_array_equal(found.step_down, found.raw)
    np.testing.assert_array_equal(found.single_step, found.raw)


def test_identical_columns_have_p_one() -> None:
    """Two equal systems are never told apart, whatever the others do, even when they differ by float noise."""
    rng = np.random.default_rng(6)
    row = np.round(rng.random(40), 2)
    table = np.stack([row, row, (row * 3.0 + 0.1 - 0.1) / 3.0, row + 0.5 + 0.1 * rng.random(40)])
    found = judged(table)
    same = all_pairs(4)[1] < 3
    np.testing.assert_array_equal(found.raw[same], 1.0)
    np.testing.assert_array_equal(found.step_down[same], 1.0)
    assert (found.step_down[~same] < 0.01).all()


def test_a_constant_gap_is_judged_by_the_number_of_items() -> None:
    """Differences that never vary have p = 2^(1 − n)."""
    table = np.stack([np.zeros(7), np.full(7, 0.3), np.full(7, 0.3)])
    found = judged(table)
    np.testing.assert_allclose(np.sort(found.raw), [2.0**-6, 2.0**-6, 1.0], rtol=1e-12)
    np.testing.assert_allclose(np.sort(found.step_down), [2.0**-6, 2.0**-6, 1.0], rtol=1e-12)


def test_no_difference_at_all() -> None:
    """All systems equal on every item: every p is 1 and nothing can be separated."""
    found = judged(np.ones((4, 30)))
    np.testing.assert_array_equal(found.step_down, 1.0)
    assert found.critical(0.05) == float("inf")


def test_clusters_are_flipped_whole() -> None:
    """Clustered items give the p-values of their cluster sums."""
    rng = np.random.default_rng(9)
    codes = np.repeat(np.arange(9), [1, 2, 3, 4, 5, 1, 2, 3, 4])
    table = rng.normal(size=(4, len(codes))) + np.array([0, 0, 0.7, 0.8])[:, None]
    sums = np.stack([np.bincount(codes, row) for row in table])
    by_cluster, by_sum = judged(table, clusters=codes), judged(sums)
    assert by_cluster.exhaustive
    np.testing.assert_allclose(by_cluster.step_down, by_sum.step_down, rtol=1e-12)


def test_items_that_tell_nothing_change_nothing() -> None:
    """Adding items on which all systems agree leaves every exact p-value."""
    table = (np.random.default_rng(5).random((3, 9)) < 0.5).astype(float)
    padded = np.concatenate([table, np.ones((3, 50))], axis=1)
    np.testing.assert_array_equal(judged(padded).step_down, judged(table).step_down)


def test_scale_and_shift_do_not_matter() -> None:
    """Points or percent, with any offset: the same p-values."""
    table = np.random.default_rng(7).normal(size=(5, 80)) + np.linspace(0, 0.5, 5)[:, None]
    one, other = judged(table), judged(100.0 * table + 3.0)
    np.testing.assert_array_equal(one.step_down, other.step_down)


def test_flips_do_not_depend_on_block_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is a matter of blocks, p-values are not."""
    from tellapart.boards import joint_flips as module  # noqa: PLC0415

    table = np.random.default_rng(1).normal(size=(4, 77)) + np.linspace(0, 0.3, 4)[:, None]
    whole = judged(table)
    monkeypatch.setattr(module, "SIGNS", 77 * 100)
    monkeypatch.setattr(module, "FLIPS", 300)
    np.testing.assert_array_equal(judged(table).step_down, whole.step_down)


def test_many_columns_come_in_smaller_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few sums are held at once, the flips and what they say are the same."""
    rng = np.random.default_rng(3)
    a, b = all_pairs(6)
    family = Family(rng.normal(size=(6, 40)), a, b, np.zeros(len(a)))
    whole = joint_pvalues(joint_flips(family, 999, stream(0)))
    monkeypatch.setattr("tellapart.boards.joint_flips.HELD", 6 * 200)
    assert [block.resamples for block in joint_flips(family, 999, stream(0))] == [200] * 4 + [199]
    parts = joint_pvalues(joint_flips(family, 999, stream(0)))
    assert parts.step_down.tolist() == whole.step_down.tolist()
    assert parts.raw.tolist() == whole.raw.tolist()


def test_critical_value_decides_the_first_step() -> None:
    """Single-step significance at alpha and the critical value say the same."""
    found = judged(tables()[0])
    np.testing.assert_array_equal(found.single_step <= 0.05, found.observed > found.critical(0.05))


def test_pairs_with_gaps_are_judged_on_what_they_share() -> None:
    """With gaps every pair's raw p is what it would be on its shared items alone, and its effect too."""
    rng = np.random.default_rng(12)
    table = rng.normal(size=(4, 11)) + np.array([0, 0.5, 1.0, 1.0])[:, None]
    table[0, :4] = np.nan
    table[1, 3:6] = np.nan
    a, b = all_pairs(4)
    family = family_of(board(table), a, b)
    found = joint_pvalues(joint_flips(family, 5000, stream(0)))
    assert found.exhaustive
    for pair, (i, j) in enumerate(zip(a, b, strict=True)):
        shared = ~np.isnan(table[[i, j]]).any(axis=0)
        alone = judged(table[[i, j]][:, shared])
        np.testing.assert_allclose(found.raw[pair], alone.raw[0], rtol=1e-12)
        np.testing.assert_allclose(family.effects[pair], (table[j] - table[i])[shared].mean(), rtol=1e-12)
    assert (found.step_down >= found.raw).all()


def test_gaps_without_gaps() -> None:
    """The path for gaps gives the numbers of the path without, when there is nothing missing for the pairs compared."""
    table = np.random.default_rng(3).normal(size=(4, 10))
    ragged = np.concatenate([table, np.full((1, 10), np.nan)])
    ragged[4, :5] = 1.0
    a, b = all_pairs(4)
    whole = joint_pvalues(joint_flips(family_of(board(table), a, b), 2000, stream(0)))
    other = joint_pvalues(joint_flips(family_of(board(ragged), a, b), 2000, stream(0)))
    np.testing.assert_allclose(other.step_down, whole.step_down, rtol=1e-12)


def test_bootstrap_by_definition() -> None:
    """The joint bootstrap is |mean − observed| / standard error in resamples, one pair at a time."""
    table = np.random.default_rng(4).normal(size=(3, 30)) + np.array([0, 0.3, 0.6])[:, None]
    where = board(table)
    a, b = all_pairs(3)
    draws = joint_bootstrap(where, family_of(where, a, b), 500, stream(0))
    rng = stream(0)
    picked = rng.integers(0, 30, size=(500, 30))
    for pair, row in zip(range(3), draws.rows(np.arange(3)), strict=True):
        d = where.values[b[pair]] - where.values[a[pair]]
        samples = d[picked]
        t = np.abs(samples.mean(axis=1) - d.mean()) / (samples.std(axis=1, ddof=1) / np.sqrt(30))
        np.testing.assert_allclose(row, t, rtol=1e-9)
    np.testing.assert_allclose(draws.observed, t_statistics((table[b] - table[a]).T), rtol=1e-12)


def test_bootstrap_of_right_or_wrong_by_definition() -> None:
    """Resamples whose mean is the observed one have statistic 0, and those without spread an infinite one, wherever their mean is."""
    where = board(np.stack([np.arange(10) == 3, np.arange(10) != 3]).astype(float))
    draws = joint_bootstrap(where, family_of(where, *all_pairs(2)), 1000, stream(0))
    picked = stream(0).integers(0, 10, size=(1000, 10))
    difference = where.values[1] - where.values[0]
    samples = difference[picked]
    away, error = np.abs(samples.mean(axis=1) - difference.mean()), samples.std(axis=1, ddof=1) / np.sqrt(10)
    (row,) = draws.rows(np.array([0]))
    assert (away < 1e-12).any()
    assert (error == 0.0).any()
    usual = error > 0.0
    np.testing.assert_allclose(row[usual], away[usual] / error[usual], rtol=1e-9, atol=1e-9)
    assert np.isinf(row[error == 0.0]).all()


def test_bootstrap_agrees_with_flips() -> None:
    """Two ways of resampling many symmetric items say nearly the same."""
    table = np.random.default_rng(13).normal(size=(4, 300)) + np.array([0, 0.1, 0.2, 0.21])[:, None]
    where = board(table)
    family = family_of(where, *all_pairs(4))
    one = joint_pvalues(joint_flips(family, 4000, stream(0)))
    other = joint_pvalues([joint_bootstrap(where, family, 4000, stream(0))])
    np.testing.assert_allclose(one.step_down, other.step_down, atol=0.03)


def test_the_bootstrap_does_not_judge_what_hardly_differs() -> None:
    """A pair that differs on three items has p = 1 and does not keep the others from being told apart."""
    rng = np.random.default_rng(15)
    row = rng.normal(size=80)
    table = np.stack([row, row + (np.arange(80) < 3), row + 0.8 + 0.3 * rng.normal(size=80)])
    where = board(table)
    found = joint_pvalues([joint_bootstrap(where, family_of(where, *all_pairs(3)), 999, stream(0))])
    assert found.step_down[0] == found.raw[0] == 1.0
    assert (found.step_down[1:] <= 0.002).all()


def test_near_twins_keep_their_precision() -> None:
    """Systems that agree on nearly every digit have the sum of squares of their differences, not of rounding."""
    rng = np.random.default_rng(14)
    row = 1e3 * rng.random(500)
    small = 1e-5 * rng.normal(size=500)
    a, b = all_pairs(3)
    columns = np.stack([row, row + small, rng.random(500)])
    squares = Family(columns, a, b, np.zeros(3)).squares
    np.testing.assert_allclose(squares[0], np.sum((columns[1] - columns[0]) ** 2), rtol=1e-9)


def test_the_bootstrap_does_not_depend_on_block_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few statistics and weights are held at once, down to one pair and sixteen draws, resamples are the same."""
    where = board(np.random.default_rng(2).normal(size=(5, 31)) + np.linspace(0, 1, 5)[:, None])
    family = family_of(where, *all_pairs(5))
    draws = joint_bootstrap(where, family, 100, stream(0))
    whole = np.array([row.copy() for row in draws.rows(np.arange(10))])
    monkeypatch.setattr("tellapart.boards.joint_bootstrap.HELD", 1)
    monkeypatch.setattr("tellapart.boards.joint_bootstrap.BLOCK", 1)
    again = joint_bootstrap(where, family, 100, stream(0))
    np.testing.assert_array_equal(again.eligible, draws.eligible)
    np.testing.assert_allclose([row.copy() for row in again.rows(np.arange(10))], whole, rtol=1e-12)


def test_six_differing_items_are_enough_for_the_bootstrap() -> None:
    """Five are not: a draw misses them too often."""
    rng = np.random.default_rng(3)
    row = rng.normal(size=60)
    for differing, judged_pair in ((5, False), (6, True)):
        other = row + np.where(np.arange(60) < differing, 1.0 + rng.random(60), 0.0)
        where = board(np.stack([row, other]))
        draws = joint_bootstrap(where, family_of(where, *all_pairs(2)), 99, stream(0))
        assert draws.eligible.tolist() == [judged_pair]


def test_what_rounding_makes_of_columns() -> None:
    """Units differ by more than 1e-12 of the scores, and of what was taken off them; squares below that are none."""
    a, b = all_pairs(2)
    columns = np.zeros((2, 4))
    columns[1] = [0.8e-6, 1.2e-6, 0.0, 1e-3]
    family = Family(columns, a, b, np.zeros(1), rounding=1e6)
    assert family.differing(np.array([0])).tolist() == [[False, True, False, True]]
    assert Family(columns[:, :1], a, b, np.zeros(1), rounding=1e6).squares.tolist() == [0.0]
    near = np.array([[1.0, 2.0], [1.0, 2.0 + 3e-12]])
    assert Family(near, a, b, np.zeros(1)).squares.tolist() == [0.0]
    apart = np.array([[1.0, 2.0], [1.0, 2.0 + 6e-12]])
    assert Family(apart, a, b, np.zeros(1)).squares[0] > 0.0


def test_rounding_of_scores_far_from_zero() -> None:
    """What was taken off scores counts by a hundredth, over the root of the number of items."""
    table = np.random.default_rng(1).random((3, 25)) + 1e7
    where = board(table)
    assert family_of(where, *all_pairs(3)).rounding == pytest.approx(0.01 * 5.0 * where.middle, rel=1e-12, abs=0.0)
    assert family_of(board(table - 1e7), *all_pairs(3)).rounding == 0.0


def test_pairs_against_one() -> None:
    """The baseline is A of every pair, and the others come in their order."""
    a, b = against_one(4, 2)
    assert (a.tolist(), b.tolist()) == ([2, 2, 2], [0, 1, 3])


def test_blocks_of_pairs_are_never_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few numbers may be held: one pair at a time."""
    monkeypatch.setattr(bootstrap_room, "RESIDUALS_HELD", 1)
    assert list(bootstrap_room._pair_blocks(3, 10)) == [slice(0, 1), slice(1, 2), slice(2, 3)]
    monkeypatch.setattr(bootstrap_room, "RESIDUALS_HELD", 20)
    assert list(bootstrap_room._pair_blocks(3, 10)) == [slice(0, 2), slice(2, 4)]
    family = Family(np.random.default_rng(0).normal(size=(3, 12)), *all_pairs(3), np.ones(3))
    monkeypatch.setattr("tellapart.boards.joint_bootstrap.BLOCK", 1)
    assert bootstrappable_pairs(family).tolist() == [True] * 3


@pytest.mark.parametrize("units", [1, 31, 32, 33, 64, 66, 97])
def test_every_sign_is_a_fair_coin(units: int) -> None:
    """The last of any number of them too: words are drawn for all."""
    turned = np.concatenate([block.copy() for block in _random(units, 3_000, stream(units))])
    assert turned.shape == (3_000, units)
    assert np.abs(turned.mean(axis=0) - 0.5).max() < 5.0 * 0.5 / np.sqrt(3_000)


def test_pairs_that_are_not_judged_have_nothing_in_any_draw() -> None:
    """Observed and resampled: so their p-value is 1, and they stand in nobody's way."""
    row = np.random.default_rng(5).normal(size=40)
    other = np.random.default_rng(6).normal(size=40)
    where = board(np.stack([row, np.where(np.arange(40) < 4, row + 1.0, row), other]))
    draws = joint_bootstrap(where, family_of(where, *all_pairs(3)), 60, stream(0))
    assert draws.eligible.tolist() == [False, True, True]
    unjudged, *rest = (row.copy() for row in draws.rows(np.arange(3)))
    assert draws.observed[0] == 0.0
    assert unjudged.tolist() == [0.0] * 60
    assert all((row > 0.0).any() for row in rest)
