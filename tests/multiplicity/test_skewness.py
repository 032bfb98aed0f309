"""Differences that lean to one side, and what that does to random signs."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.calibration.boards import claims
from tellapart.metrics import METRICS
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import all_pairs, family_of
from tellapart.multiplicity.joint_flips import joint_flips
from tellapart.multiplicity.joint_pvalues import joint_pvalues
from tellapart.multiplicity.skewness import error_under_skewness, skewness
from tellapart.scores import Scores
from tellapart.seeds import Generator, stream


def board(table: Any, clusters: list[int] | None = None) -> Board:
    return Board.of(
        Scores.from_arrays({f"s{i}": row for i, row in enumerate(table)}, clusters=clusters),
        METRICS.parse("mean"),
    )


def error(table: Any, clusters: list[int] | None = None, alpha: float = 0.05) -> float | None:
    """The error that is told of a board judged at this level."""
    where = board(table, clusters)
    pairs = all_pairs(len(where.systems))
    joint = joint_pvalues(joint_flips(family_of(where, *pairs), 499, stream(0)))
    return error_under_skewness(where, pairs, joint.critical(alpha), alpha, stream(1))


def test_skewness_is_that_of_the_differences() -> None:
    """From sums over systems comes what scipy computes pair by pair; identical systems have none."""
    table = np.random.default_rng(0).exponential(size=(4, 50)) * np.array([1, 2, 3, 4])[:, None] + 7.0
    table = np.concatenate([table, table[:1]])
    a, b = all_pairs(5)
    found = skewness(table, a, b)
    for pair, (i, j) in enumerate(zip(a, b, strict=True)):
        difference = table[j] - table[i]
        expected = 0.0 if (difference == 0.0).all() else stats.skew(difference)
        assert found[pair] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def skewed(rng: Generator, items: int) -> Any:
    """Equal means, and rare disasters of very different size."""
    disasters = np.where(rng.random((10, items)) < 0.02, -5.0, 5.0 * 0.02 / 0.98)
    return disasters * np.geomspace(1.0, 10.0, 10)[:, np.newaxis] + 0.1 * rng.standard_normal((10, items))


def test_the_error_that_is_told_is_there() -> None:
    """Boards of equal systems with rare disasters hold a false claim about as often as is told, far above 5 %."""
    rng = stream(3)
    draws = [skewed(rng, 300) for _ in range(200)]
    false = np.mean([bool(claims(values, None, 0.05, rng).any()) for values in draws])
    told = [error(values) for values in draws[:20]]
    assert 0.15 < false < 0.35
    assert all(found is not None for found in told)
    assert np.median([found for found in told if found is not None]) == pytest.approx(false, rel=0.4)


@pytest.mark.parametrize("tails", [3, 5, 1000])
@pytest.mark.parametrize(("systems", "items"), [(10, 50), (40, 41), (30, 200)])
def test_symmetric_scores_are_not_accused(tails: int, systems: int, items: int) -> None:
    """However heavy the tails: skewness that chance alone makes is taken off."""
    rng = stream(4)
    told = [error(rng.standard_t(tails, size=(systems, items))) for _ in range(20)]
    assert sum(found is not None for found in told) <= 3


def test_more_items_make_leaning_harmless() -> None:
    """The same scores that mislead random signs at 300 items do not at 12,000, and beyond 16,384 are not looked at."""
    rng = stream(5)
    assert error(skewed(rng, 300)) is not None
    assert error(skewed(rng, 12_000)) is None
    assert error(skewed(rng, 20_000)) is None


def test_clusters_are_what_leans() -> None:
    """With clusters the skewness is that of their sums: items copied five times lean as the items did."""
    table = skewed(stream(6), 300)
    copied = np.repeat(table, 5, axis=1)
    alone, clustered = error(table), error(copied, np.repeat(np.arange(300), 5).tolist())
    assert alone is not None
    assert clustered == pytest.approx(alone, rel=0.2)


def test_gaps_are_not_judged() -> None:
    """Where systems have different items nothing is said."""
    table = skewed(stream(7), 300)
    table[0, :5] = np.nan
    assert error(table) is None


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
@pytest.mark.parametrize(("share", "items"), [(0.9, 50), (0.98, 200)])
def test_two_values_do_not_lean(share: float, items: int, alpha: float) -> None:
    """Right or wrong, equal systems differ symmetrically: rare mistakes are never held against random signs."""
    rng = stream(8)
    told = [error((rng.random((10, items)) < share).astype(float), alpha=alpha) for _ in range(20)]
    assert told == [None] * 20


def test_clusters_of_two_values_may_lean() -> None:
    """Sums of right answers over clusters may have more values than two, and are looked at."""
    wrong = stream(9).random(300) < 0.04
    right = np.repeat(np.stack([np.ones(300), np.where(wrong, 0.0, 1.0)]), 10, axis=1)
    assert error(right, np.repeat(np.arange(300), 10).tolist(), alpha=0.01) is not None
    assert error(right, alpha=0.01) is None


@pytest.mark.parametrize("alpha", [0.01, 0.05])
@pytest.mark.parametrize("items", [30, 100])
def test_the_error_is_not_overstated(alpha: float, items: int) -> None:
    """Skewed scores of unequal spread: what is told is at most the share of false leaderboards, which far exceeds alpha."""
    rng = stream(10)
    spreads = np.linspace(0.1, 5.0, 10)[:, np.newaxis]
    draws = [spreads * (rng.exponential(size=(10, items)) - 1.0) for _ in range(300)]
    false = np.mean([bool(claims(values, None, alpha, rng).any()) for values in draws])
    told = [found for found in (error(values, alpha=alpha) for values in draws[:20]) if found is not None]
    assert len(told) > 10
    assert 1.5 * alpha <= np.median(told) <= 1.2 * false


@pytest.mark.parametrize("critical", [1.2, 1.6, 1.8, 2.0, 2.6, 6.0])
def test_the_error_by_definition(critical: float) -> None:
    """1 − (1 − α)^(mean of cosh) with the skewness that random signs do not make, and no tail likelier than a coin's."""
    table = skewed(stream(5), 200)
    where, pairs = board(table), all_pairs(10)
    left = where.residuals() / where.sizes.max()
    squared = skewness(left, *pairs) ** 2
    signs = stream(1).choice([-1.0, 1.0], (19, 200))
    chance = np.mean([skewness(left * sign, *pairs) ** 2 for sign in signs], axis=0)
    root = np.sqrt(np.maximum(squared - chance, 0.0) / 200)
    tails = np.cosh(np.minimum(root * critical**3 / 3.0, critical**2 / 2.0))
    expected = 1.0 - 0.95 ** tails.mean()
    found = error_under_skewness(where, pairs, critical, 0.05, stream(1))
    assert found == (None if expected < 0.075 else pytest.approx(expected, rel=1e-12))


def test_too_many_items_to_matter() -> None:
    """Beyond sixteen thousand items nothing is told, whatever the scores; up to them it is."""
    rare = np.where(np.arange(1 << 14) % 4096 == 0, -3000.0, 1.0)
    table = np.stack([rare, np.random.default_rng(0).normal(size=1 << 14)])
    assert error_under_skewness(board(table), all_pairs(2), 4.0, 0.05, stream(0)) is not None
    longer = np.concatenate([table, table[:, :1]], axis=1)
    assert error_under_skewness(board(longer), all_pairs(2), 4.0, 0.05, stream(0)) is None


@pytest.mark.parametrize("factor", [2.0**-300, 2.0**-20, 2.0**300])
def test_units_leave_no_trace(factor: float) -> None:
    """Skewness has no unit, and neither small nor large scores hide it."""
    table = skewed(stream(5), 200)
    pairs = all_pairs(10)
    told = [error_under_skewness(board(k * table), pairs, 2.6, 0.05, stream(1)) for k in (1.0, factor)]
    assert told[0] is not None
    assert told[1] == pytest.approx(told[0], rel=1e-12)
    if factor == 2.0**-20:
        np.testing.assert_allclose(skewness(factor * table, *pairs), skewness(table, *pairs), rtol=1e-9)
