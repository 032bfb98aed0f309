"""The range of normals, against the normal itself and Demšar's table of critical differences."""

import numpy as np
import pytest
from scipy import stats

from tellapart.distributions.studentized_range import family_level, range_quantile, range_survival


@pytest.mark.parametrize(("systems", "published"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)])
def test_quantiles_are_demsars(systems: int, published: float) -> None:
    """The critical values of the published table at 5 %, in its unit (the quantile over √2), cut after three digits."""
    assert range_quantile(0.05, systems) / np.sqrt(2) == pytest.approx(published, abs=1e-3)


@pytest.mark.parametrize("systems", [2, 5, 40])
def test_tails_are_scipys(systems: int) -> None:
    """Survival agrees with another program."""
    q = np.array([0.5, 2.0, 4.0, 6.0])
    np.testing.assert_allclose(
        range_survival(q, systems), stats.studentized_range.sf(q, systems, np.inf), rtol=1e-8
    )


def test_range_of_two_is_a_normal() -> None:
    """The range of two normals is √2 |Z|: the tail keeps its relative accuracy far out, and one pair needs no correction."""
    q = np.array([1e-3, 1.0, 5.0, 20.0, 45.0])
    np.testing.assert_allclose(range_survival(q, 2), 2 * stats.norm.sf(q / np.sqrt(2)), rtol=1e-12)
    assert family_level(2, 0.05) == pytest.approx(0.05, rel=1e-12)
    assert float(range_survival(range_quantile(0.01, 12), 12)) == pytest.approx(0.01, rel=1e-10)
