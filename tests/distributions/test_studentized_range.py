"""The range of normals, against scipy's studentized range, published tables and the normal itself."""

import mpmath
import numpy as np
import pytest
from scipy import stats

from tellapart.numerics.null_laws.studentized_range import _panel_nodes, family_level, range_quantile, range_survival


@pytest.mark.parametrize("count", [2, 3, 5, 20, 200])
def test_the_survival_is_scipys(count: int) -> None:
    """From nothing to far beyond the usual levels the chance of a larger range is scipy's."""
    q = np.array([0.05, 0.5, 1.0, 2.0, 3.5, 5.0, 7.0])
    np.testing.assert_allclose(range_survival(q, count), stats.studentized_range.sf(q, count, np.inf), rtol=1e-8)


def test_a_range_is_never_negative() -> None:
    """Every range exceeds 0 and all below it, and none is exceeded with a chance above 1."""
    assert range_survival(np.array([-2.0, 0.0, 1e-12]), 7).tolist() == [1.0, 1.0, 1.0]
    assert (range_survival(np.linspace(0.01, 1.0, 50), 200) <= 1.0).all()


@pytest.mark.parametrize(("systems", "published"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)])
def test_quantiles_are_demsars(systems: int, published: float) -> None:
    """The critical values of the published table at 5 %, which are quantiles of the range over √2."""
    assert range_quantile(0.05, systems) / np.sqrt(2.0) == pytest.approx(published, abs=1e-3)


def test_range_of_two_is_a_normal() -> None:
    """The range of two normals is √2 |Z|: the tail keeps its relative accuracy far out, and one pair needs no correction."""
    q = np.array([1e-3, 1.0, 5.0, 20.0, 45.0])
    np.testing.assert_allclose(range_survival(q, 2), 2 * stats.norm.sf(q / np.sqrt(2)), rtol=1e-12)
    assert family_level(2, 0.05) == pytest.approx(0.05, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("tail", [0.5, 0.05, 1e-6])
def test_a_quantile_has_its_tail(tail: float) -> None:
    """The range exceeded with a given chance is exceeded with that chance."""
    assert float(range_survival(range_quantile(tail, 12), 12)) == pytest.approx(tail, rel=1e-10, abs=0.0)


@pytest.mark.parametrize("systems", [3, 10, 60])
def test_all_pairs_together_keep_their_level(systems: int) -> None:
    """Testing every pair of independent normals at the family level finds something as often as it should."""
    level = family_level(systems, 0.05)
    z = np.random.default_rng(systems).normal(size=(20_000, systems))
    largest = np.ptp(z, axis=1) / np.sqrt(2.0)
    found = np.mean(2.0 * stats.norm.sf(largest) <= level)
    assert found == pytest.approx(0.05, abs=5.0 * np.sqrt(0.05 * 0.95 / 20_000))


@pytest.mark.parametrize(("q", "count"), [(0.5, 3), (3.5, 20), (6.0, 200), (3.5, 200)])
def test_to_the_last_digits(q: float, count: int) -> None:
    """Against an integration with thirty digits, for hundreds of normals too."""
    with mpmath.workdps(30):
        inside = mpmath.quad(
            lambda z: mpmath.npdf(z) * (mpmath.ncdf(z) - mpmath.ncdf(z - q)) ** (count - 1),
            [-12, -6, -3, -1, 0, 1, 2, 3, 4, 6, 9, 14],
        )
        exact = float(1 - count * inside)
    assert float(range_survival(q, count)) == pytest.approx(exact, rel=1e-14, abs=0.0)


def test_nodes_lie_between_nine_below_and_the_highest() -> None:
    """Panels of half a standard deviation, of sixteen nodes each, whose weights are their width."""
    nodes, weights = _panel_nodes(11.0)
    assert len(nodes) == len(weights) == 16 * 40
    assert -9.0 < nodes.min() < -8.99 < 10.99 < nodes.max() < 11.0
    assert weights.sum() == pytest.approx(20.0)
    assert float(weights @ nodes**3) == pytest.approx((11.0**4 - 9.0**4) / 4.0)


@pytest.mark.parametrize(("tail", "count"), [(0.99, 2), (0.9999, 3)])
def test_ranges_that_are_nearly_always_exceeded(tail: float, count: int) -> None:
    """They are small, and found as well."""
    found = range_quantile(tail, count)
    assert found < 1.0
    assert float(range_survival(found, count)) == pytest.approx(tail, rel=1e-10, abs=0.0)
