"""One level for many intervals: simulated coverage, and the levels that theory gives."""

from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.multiplicity.levels import simultaneous_level

from tellapart.boards import contrast_laws, simultaneous_intervals
from tellapart.foundation.seeds import stream
from tellapart.populations.many_systems import ManySystems

ALPHA = 0.05
REPLICATES = 600


def most(replicates: int) -> int:
    """The most misses that a true 5 % gives in 99.9 % of such simulations."""
    return int(stats.binom.ppf(0.999, replicates, ALPHA))


@pytest.mark.parametrize("items", [10, 50])
def test_means_are_covered_together(items: int) -> None:
    """Intervals at the simultaneous_intervals level hold all true means in 95 % of leaderboards."""
    population, rng = ManySystems((0.0, 1.0, 2.0, 2.0, 5.0), correlation=0.6), stream(6)
    first = population.draw(items, rng)
    level = simultaneous_level(first - first.mean(axis=1, keepdims=True), 0.95, rng)
    missed = 0
    for _ in range(REPLICATES):
        values = population.draw(items, rng)
        reach = stats.t.ppf(0.5 + level / 2, items - 1) * values.std(axis=1, ddof=1) / np.sqrt(items)
        missed += bool((np.abs(values.mean(axis=1) - population.means) > reach).any())
    assert missed <= most(REPLICATES)
    assert 0.95 < level < 1.0 - 0.05 / 5 + 0.002


@pytest.mark.parametrize("correlation", [0.0, 0.5])
@pytest.mark.parametrize(("systems", "items"), [(10, 3), (10, 5), (40, 5)])
def test_few_items_of_many_systems_are_covered_together(
    systems: int, items: int, correlation: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Correlations that few items make up, and each system's own estimate of its spread, do not narrow the intervals."""
    monkeypatch.setattr(simultaneous_intervals, "DRAWS", 2000)
    population, rng, missed = ManySystems((0.0,) * systems, correlation=correlation), stream(12), 0
    for _ in range(200):
        values = population.draw(items, rng)
        means, errors = values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(items)
        level = simultaneous_level(values - means[:, np.newaxis], 0.95, rng)
        assert level <= 1.0 - 0.05 / systems
        missed += bool((np.abs(means) > stats.t.ppf(0.5 + level / 2, items - 1) * errors).any())
    assert missed <= most(200)


def test_systems_without_spread_count() -> None:
    """All right on every item is still a system whose interval must hold with the others."""
    row = stream(13).standard_normal((1, 50))
    flat = np.concatenate([row - row.mean(), np.zeros((4, 50))])
    assert simultaneous_level(flat, 0.95, stream(0)) == pytest.approx(0.95 ** (1 / 5), abs=0.002)


def test_one_level_serves_twins() -> None:
    """Perfectly correlated systems need no wider intervals than one; independent ones need Šidák's."""
    row = stream(7).standard_normal((1, 400))
    twins = np.repeat(row - row.mean(), 5, axis=0)
    assert simultaneous_level(twins, 0.95, stream(0)) == pytest.approx(0.95, abs=0.006)
    apart = np.linalg.qr(stream(8).standard_normal((400, 5)))[0].T
    assert simultaneous_level(apart, 0.95, stream(0)) == pytest.approx(0.95 ** (1 / 5), abs=0.002)


def test_levels_beyond_the_draws_are_bonferronis() -> None:
    """Where fewer than twenty draws would lie beyond the critical value it is not known, and Bonferroni's level serves."""
    residuals = stream(9).standard_normal((4, 30)) + 3.0 * stream(10).standard_normal(30)
    residuals -= residuals.mean(axis=1, keepdims=True)
    assert simultaneous_level(residuals, 0.999, stream(0)) == pytest.approx(1.0 - 0.001 / 4, abs=1e-15)
    assert simultaneous_level(residuals, 0.99805, stream(0)) == pytest.approx(1.0 - 0.00195 / 4, abs=1e-15)
    assert simultaneous_level(residuals, 0.998, stream(0)) != pytest.approx(1.0 - 0.002 / 4, abs=1e-9)


def test_one_system_needs_no_more_and_systems_that_never_vary_bonferronis() -> None:
    """One interval is simultaneous_intervals with itself; three systems that were right on every item are three that can be missed."""
    row = stream(10).standard_normal((1, 30))
    assert simultaneous_level(row - row.mean(), 0.95, stream(0)) == 0.95
    assert simultaneous_level(np.zeros((3, 30)), 0.95, stream(0)) == pytest.approx(1.0 - 0.05 / 3, abs=1e-15)


def test_any_root_of_the_correlations_gives_their_law() -> None:
    """Twins, singular matrices and systems without spread have a root, and its square is the matrix."""
    rows = stream(16).standard_normal((6, 40))
    rows[3], rows[4], rows[5] = rows[0], -rows[1], rows[0] + rows[2]
    seen = np.asarray(np.corrcoef(rows))
    for related in (seen, seen**2, np.eye(3), np.ones((4, 4))):
        root = contrast_laws._cholesky_root(related)
        np.testing.assert_allclose(root @ root.T, related, atol=1e-8)


def test_the_level_does_not_hang_on_the_last_digits() -> None:
    """Residuals that differ by rounding, as sums by another processor do, give the same level, twins among them."""
    rows = stream(17).standard_normal((8, 60)) + stream(18).standard_normal(60)
    rows[5], rows[6] = rows[0], rows[1]
    rows -= rows.mean(axis=1, keepdims=True)
    levels = {
        simultaneous_level(rows * (1.0 + 2e-16 * stream(seed).integers(-2, 3, rows.shape)), 0.95, stream(0))
        for seed in range(20)
    }
    assert len(levels) == 1


def test_rounding_is_no_spread() -> None:
    """Deviations in the last digits of a system that never varies do not make it a system that does."""
    row = stream(11).standard_normal((1, 40))
    flat = np.zeros((1, 40))
    rounded = 1e-14 * stream(12).standard_normal((1, 40))
    one, other = (
        simultaneous_level(1e6 * np.concatenate([row - row.mean(), last]), 0.95, stream(0)) for last in (flat, rounded)
    )
    assert one == other


class Counting(np.random.Generator):
    """Counts the normals that are drawn."""

    drawn = 0

    def standard_normal(self, size: Any = None, *_: Any, **__: Any) -> Any:
        self.drawn += int(np.prod(size))
        return super().standard_normal(size)


@pytest.mark.parametrize("block", [1 << 22, 3 * 4000, 1])
def test_draws_do_not_depend_on_block_size(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Means and variances of three systems are drawn ten thousand times, however many are held at once."""
    monkeypatch.setattr(simultaneous_intervals, "BLOCK", block)
    rng = Counting(np.random.PCG64(0))
    rows = stream(14).standard_normal((3, 20)) + stream(15).standard_normal(20)
    level = simultaneous_level(rows - rows.mean(axis=1, keepdims=True), 0.95, rng)
    assert rng.drawn == 2 * 3 * 10_000
    assert level == pytest.approx(0.981, abs=0.004)


def test_one_system_has_the_level_itself() -> None:
    """Nothing else is covered beside it."""
    residuals = np.random.default_rng(1).normal(size=(1, 6))
    assert simultaneous_level(residuals - residuals.mean(), 0.9, stream(0)) == pytest.approx(0.9, rel=1e-15, abs=0.0)


def test_correlations_shrink_by_what_chance_makes_of_them() -> None:
    """Schäfer and Strimmer: 1 − Σ(1 − r²)²/df over Σr², never below 0, and the diagonal stays."""
    related = np.array([[1.0, 0.8, 0.1], [0.8, 1.0, -0.3], [0.1, -0.3, 1.0]])
    squares = np.array([0.64, 0.01, 0.09])
    kept = 1.0 - np.sum((1.0 - squares) ** 2) / 20.0 / squares.sum()
    expected = kept * related
    np.fill_diagonal(expected, 1.0)
    np.testing.assert_allclose(simultaneous_intervals._shrunk(related, 20), expected, rtol=1e-12)
    assert simultaneous_intervals._shrunk(related, 1).tolist() == np.eye(3).tolist()
    assert simultaneous_intervals._shrunk(np.eye(3), 4).tolist() == np.eye(3).tolist()
