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
from tellapart.multiplicity.residuals import Residuals
from tellapart.multiplicity.skewness import Skewness, may_lean, seen_skewness, squared_skewness
from tellapart.multiplicity.skewness import error as family_error
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
    family = family_of(where, *all_pairs(len(where.systems)))
    critical = joint_pvalues(joint_flips(family, 499, stream(0))).critical(alpha)
    return told(where, critical, alpha)


def seen(where: Board, critical: float, alpha: float = 0.05) -> Skewness | None:
    family = family_of(where, *all_pairs(len(where.systems)))
    if not may_lean(where):
        return None
    return seen_skewness(where, Residuals.of(where, family), critical, alpha, stream(1))


def told(where: Board, critical: float, alpha: float = 0.05) -> float | None:
    found = seen(where, critical, alpha)
    return None if found is None else found.told_error(critical, alpha)


def test_skewness_is_that_of_the_differences() -> None:
    """From sums over systems comes what scipy computes pair by pair; identical systems have none."""
    table = np.random.default_rng(0).exponential(size=(4, 50)) * np.array([1, 2, 3, 4])[:, None] + 7.0
    table = np.concatenate([table, table[:1]])
    a, b = all_pairs(5)
    found = squared_skewness(table, a, b)
    for pair, (i, j) in enumerate(zip(a, b, strict=True)):
        difference = table[j] - table[i]
        expected = 0.0 if (difference == 0.0).all() else stats.skew(difference) ** 2 / 50
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
    said = [error(values) for values in draws[:20]]
    assert 0.15 < false < 0.35
    assert all(found is not None for found in said)
    assert np.median([found for found in said if found is not None]) == pytest.approx(false, rel=0.4, abs=0.0)


@pytest.mark.parametrize("tails", [3, 5, 1000])
@pytest.mark.parametrize(("systems", "items"), [(10, 50), (40, 41), (30, 200)])
def test_symmetric_scores_are_not_accused(tails: int, systems: int, items: int) -> None:
    """However heavy the tails: skewness that chance alone makes is taken off."""
    rng = stream(4)
    said = [error(rng.standard_t(tails, size=(systems, items))) for _ in range(20)]
    assert sum(found is not None for found in said) <= 3


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
    assert clustered == pytest.approx(alone, rel=0.2, abs=0.0)


def test_gaps_are_judged_on_what_pairs_share() -> None:
    """The skewness of a pair is that of the differences on the items it shares, however many others there are."""
    table = skewed(stream(7), 300)
    table[0, :50], table[1, 30:60], table[2, 100:] = np.nan, np.nan, np.nan
    where = board(table)
    a, b = all_pairs(10)
    left = Residuals.of(where, family_of(where, a, b))
    found = squared_skewness(left.columns, left.a, left.b)
    for pair, (i, j) in enumerate(zip(a, b, strict=True)):
        difference = (table[j] - table[i])[~np.isnan(table[j] - table[i])]
        assert (left.items[pair], left.units[pair]) == (len(difference), len(difference))
        assert found[pair] == pytest.approx(stats.skew(difference) ** 2 / len(difference), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
@pytest.mark.parametrize(("share", "items"), [(0.9, 50), (0.98, 200)])
def test_two_values_do_not_lean(share: float, items: int, alpha: float) -> None:
    """Right or wrong, equal systems differ symmetrically: rare mistakes are never held against random signs."""
    rng = stream(8)
    said = [error((rng.random((10, items)) < share).astype(float), alpha=alpha) for _ in range(20)]
    assert said == [None] * 20


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
    said = [found for found in (error(values, alpha=alpha) for values in draws[:20]) if found is not None]
    assert len(said) > 10
    assert 1.5 * alpha <= np.median(said) <= 1.2 * false


@pytest.mark.parametrize("critical", [1.2, 1.6, 1.8, 2.0, 2.6, 6.0])
def test_the_error_by_definition(critical: float) -> None:
    """1 − (1 − α)^(mean of cosh) with the skewness that random signs do not make, and no tail likelier than a coin's."""
    table = skewed(stream(5), 200)
    where, pairs = board(table), all_pairs(10)
    left = where.residuals() / where.sizes.max()
    squared = squared_skewness(left, *pairs)
    signs = stream(1).choice([-1.0, 1.0], (19, 200))
    chance = np.mean([squared_skewness(left * sign, *pairs) for sign in signs], axis=0)
    root = np.sqrt(np.maximum(squared - chance, 0.0))
    tails = np.cosh(np.minimum(root * critical**3 / 3.0, critical**2 / 2.0))
    expected = 1.0 - 0.95 ** tails.mean()
    assert told(where, critical) == (
        None if expected < 0.075 else pytest.approx(expected, rel=1e-12, abs=0.0)
    )


def test_too_many_items_to_matter() -> None:
    """Beyond sixteen thousand items nothing is told, whatever the scores; up to them it is."""
    rare = np.where(np.arange(1 << 14) % 4096 == 0, -3000.0, 1.0)
    table = np.stack([rare, np.random.default_rng(0).normal(size=1 << 14)])
    assert told(board(table), 4.0) is not None
    longer = np.concatenate([table, table[:, :1]], axis=1)
    assert told(board(longer), 4.0) is None


@pytest.mark.parametrize("factor", [2.0**-300, 2.0**-20, 2.0**300])
def test_units_leave_no_trace(factor: float) -> None:
    """Skewness has no unit, and neither small nor large scores hide it."""
    table = skewed(stream(5), 200)
    pairs = all_pairs(10)
    first, second = (told(board(k * table), 2.6) for k in (1.0, factor))
    assert first is not None
    assert second == pytest.approx(first, rel=1e-12, abs=0.0)
    if factor == 2.0**-20:
        one, other = (squared_skewness(k * table, *pairs) for k in (1.0, factor))
        np.testing.assert_allclose(other, one, rtol=1e-9)


def leans(where: Board, critical: float = 3.0) -> bool:
    found = seen(where, critical)
    return found is not None and found.leans(critical, 0.05)


def robust_and_risky(rng: Generator, items: int, risky: int, systems: int = 10) -> Any:
    """Equal means: some systems hardly vary, the others gain a little and fail on one item in twelve."""
    fails = rng.random((risky, items)) < 0.08
    gains = np.where(fails, -0.92, 0.08) + 0.05 * rng.standard_normal((risky, items))
    steady = 0.05 * rng.standard_normal((systems - risky, items))
    return np.concatenate([steady, gains]) + 0.3 * rng.standard_normal(items)


@pytest.mark.parametrize("risky", [1, 5, 9])
def test_rare_failures_lean(risky: int) -> None:
    """Whether one system fails rarely, half of them do, or all but one: from 100 items on it is seen nearly always."""
    rng = stream(11)
    assert sum(leans(board(robust_and_risky(rng, 100, risky))) for _ in range(40)) >= 34


@pytest.mark.parametrize(("tails", "most"), [(3, 12), (1000, 2)])
def test_symmetric_scores_seldom_lean(tails: int, most: int) -> None:
    """Heavy tails are taken for leaning on some boards in twenty, which costs a little power; normal scores hardly ever."""
    rng = stream(12)
    assert sum(leans(board(rng.standard_t(tails, size=(10, 100)))) for _ in range(40)) <= most


def test_leaning_is_more_than_what_random_signs_make() -> None:
    """By definition: an error of 1.2 alpha from all the skewness there is, and at most one of 19 controls as skewed."""
    squared = np.array([0.02, 0.0])
    controls = np.zeros((19, 2))
    assert Skewness(squared, controls).leans(3.0, 0.05)
    controls[:1] = 0.02
    assert Skewness(squared, controls).leans(3.0, 0.05)
    controls[:2] = squared
    assert not Skewness(squared, controls).leans(3.0, 0.05)
    assert not Skewness(0.1 * squared, 0.0 * controls).leans(3.0, 0.05)


def test_no_tail_is_more_likely_than_a_coins() -> None:
    """However skewed: exp(x²/2) times what it was, of a critical value of 2 that is cosh(2) on both sides together."""
    found = family_error(np.array([1e6]), 2.0, 0.05)
    assert found == pytest.approx(1.0 - 0.95 ** np.cosh(2.0), rel=1e-12, abs=0.0)
    small = family_error(np.array([0.01, 0.04]), 1.5, 0.1)
    grown = np.cosh(np.array([0.1, 0.2]) * 1.5**3 / 3.0).mean()
    assert small == pytest.approx(1.0 - 0.9**grown, rel=1e-12, abs=0.0)


def test_columns_of_nothing_have_no_skewness() -> None:
    """Two systems that are 0 throughout, beside one that is not."""
    rows = np.array([[0.0] * 5, [0.0] * 5, [1.0, 0.0, 0.0, 0.0, 5.0]])
    found = squared_skewness(rows, *all_pairs(3))
    assert found[0] == 0.0
    assert found[1] == pytest.approx(stats.skew(rows[2]) ** 2 / 5.0)
