"""Omnibus tests and the mean-rank test, against other programs."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q

from tellapart.distributions.studentized_range import family_level, range_quantile, range_survival
from tellapart.multiplicity.omnibus import cochran_q, critical_difference, friedman, mean_ranks, nemenyi


def test_reference_matrix(reference: Callable[[str], list[dict[str, str]]]) -> None:
    """Tie-corrected and plain chi-squared of the reference table are the published ones."""
    values = [float(r["value"]) for r in reference("multiplicity.csv") if r["family"] == "friedman_matrix"]
    table = np.reshape(values, (14, 4))
    assert friedman(table).statistic == pytest.approx(stats.friedmanchisquare(*table.T).statistic, rel=1e-12)
    assert round(friedman(table).statistic, 3) == 10.952
    assert round(friedman(table, correct_ties=False).statistic, 3) == 9.857


@pytest.mark.parametrize("levels", [2, 4, 1000])
def test_friedman_is_scipys(levels: int) -> None:
    """Statistic and p-value agree with scipy, with many ties and few."""
    table = np.random.default_rng(levels).integers(0, levels, (60, 6)).astype(float)
    peer = stats.friedmanchisquare(*table.T)
    assert friedman(table).statistic == pytest.approx(peer.statistic, rel=1e-10)
    assert friedman(table).pvalue == pytest.approx(peer.pvalue, rel=1e-9)


def test_mean_ranks_are_scipys() -> None:
    """Ties share their average rank."""
    table = np.random.default_rng(1).integers(0, 3, (50, 7)).astype(float)
    np.testing.assert_allclose(
        mean_ranks(table).means, stats.rankdata(table, axis=1).mean(axis=0), rtol=1e-13
    )


def test_cochran_is_statsmodels() -> None:
    """Statistic and p-value agree with statsmodels."""
    table = (np.random.default_rng(2).random((80, 5)) < [0.5, 0.6, 0.7, 0.5, 0.8]).astype(float)
    peer = cochrans_q(table)
    assert cochran_q(table).statistic == pytest.approx(peer.statistic, rel=1e-12)
    assert cochran_q(table).pvalue == pytest.approx(peer.pvalue, rel=1e-9)


def test_identical_systems_do_not_differ() -> None:
    """No difference anywhere gives p = 1."""
    table = np.repeat(np.array([[0.0], [1.0], [1.0]]), 4, axis=1)
    assert cochran_q(table).pvalue == 1.0
    assert friedman(table).pvalue == 1.0
    np.testing.assert_array_equal(nemenyi(table), np.ones((4, 4)))


def test_nemenyi_is_the_studentized_range() -> None:
    """All p-values equal scipy's studentized range of the standardised distances."""
    table = np.random.default_rng(3).random((30, 5)) + np.linspace(0, 0.3, 5)
    distance = np.abs(np.subtract.outer(*[stats.rankdata(table, axis=1).mean(axis=0)] * 2))
    expected = stats.studentized_range.sf(distance / np.sqrt(5 * 6 / (12 * 30)), 5, np.inf)
    np.testing.assert_allclose(nemenyi(table), expected, rtol=1e-8)


@pytest.mark.parametrize(("systems", "published"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)])
def test_critical_difference_is_demsars(systems: int, published: float) -> None:
    """The critical values of the published table at 5 %."""
    assert critical_difference(systems, 20, 0.05) == pytest.approx(
        published * np.sqrt(systems * (systems + 1) / (6 * 20)), abs=6e-4
    )


def test_range_of_two_is_a_normal() -> None:
    """The range of two normals is √2 |Z|: the tail keeps its relative accuracy far out, and one pair needs no correction."""
    q = np.array([1e-3, 1.0, 5.0, 20.0, 45.0])
    np.testing.assert_allclose(range_survival(q, 2), 2 * stats.norm.sf(q / np.sqrt(2)), rtol=1e-12)
    assert family_level(2, 0.05) == pytest.approx(0.05, rel=1e-12)
    assert float(range_survival(range_quantile(0.01, 12), 12)) == pytest.approx(0.01, rel=1e-10)


def test_float_noise_breaks_no_ties() -> None:
    """0.1 + 0.2 and 0.3 are one score."""
    clean = np.array([[0.3, 0.3, 0.2], [0.3, 0.3, 0.5], [0.1, 0.3, 0.3]])
    noisy = np.array([[0.1 + 0.2, 0.3, 0.2], [0.3, 0.1 + 0.2, 0.5], [0.1, 0.1 + 0.2, 0.3]])
    assert friedman(noisy) == friedman(clean)
