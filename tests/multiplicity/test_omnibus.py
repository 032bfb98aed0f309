"""Omnibus tests, against other programs."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q

from tellapart.boards.omnibus import cochran_q, friedman, mean_ranks


def test_reference_matrix(reference: Callable[[str], list[dict[str, str]]]) -> None:
    """The tie-corrected chi-squared of the reference table is the published one."""
    values = [float(r["value"]) for r in reference("multiplicity.csv") if r["family"] == "friedman_matrix"]
    table = np.reshape(values, (14, 4))
    assert friedman(table).statistic == pytest.approx(stats.friedmanchisquare(*table.T).statistic, rel=1e-12, abs=0.0)
    assert round(friedman(table).statistic, 3) == 10.952


@pytest.mark.parametrize("levels", [2, 4, 1000])
def test_friedman_is_scipys(levels: int) -> None:
    """Statistic and p-value agree with scipy, with many ties and few."""
    table = np.random.default_rng(levels).integers(0, levels, (60, 6)).astype(float)
    peer = stats.friedmanchisquare(*table.T)
    assert friedman(table).statistic == pytest.approx(peer.statistic, rel=1e-10, abs=0.0)
    assert friedman(table).pvalue == pytest.approx(peer.pvalue, rel=1e-9, abs=0.0)


def test_mean_ranks_are_scipys() -> None:
    """Ties share their average rank."""
    table = np.random.default_rng(1).integers(0, 3, (50, 7)).astype(float)
    np.testing.assert_allclose(mean_ranks(table).means, stats.rankdata(table, axis=1).mean(axis=0), rtol=1e-13)


@pytest.mark.parametrize("unit", [1e-30, -1e-30, 1e30])
def test_ranks_do_not_hang_on_the_unit(unit: float) -> None:
    """What is rounding is judged beside the largest score, however small that is."""
    table = np.random.default_rng(1).integers(1, 4, (50, 7)).astype(np.float64) * unit
    expected = stats.rankdata(table, axis=1).mean(axis=0)
    np.testing.assert_allclose(mean_ranks(table).means, expected, rtol=1e-13)


def test_cochran_is_statsmodels() -> None:
    """Statistic and p-value agree with statsmodels."""
    table = (np.random.default_rng(2).random((80, 5)) < [0.5, 0.6, 0.7, 0.5, 0.8]).astype(float)
    peer = cochrans_q(table)
    assert cochran_q(table).statistic == pytest.approx(peer.statistic, rel=1e-12, abs=0.0)
    assert cochran_q(table).pvalue == pytest.approx(peer.pvalue, rel=1e-9, abs=0.0)


def test_identical_systems_do_not_differ() -> None:
    """No difference anywhere gives p = 1."""
    table = np.repeat(np.array([[0.0], [1.0], [1.0]]), 4, axis=1)
    assert cochran_q(table).pvalue == 1.0
    assert friedman(table).pvalue == 1.0


def test_float_noise_breaks_no_ties() -> None:
    """0.1 + 0.2 and 0.3 are one score."""
    clean = np.array([[0.3, 0.3, 0.2], [0.3, 0.3, 0.5], [0.1, 0.3, 0.3]])
    noisy = np.array([[0.1 + 0.2, 0.3, 0.2], [0.3, 0.1 + 0.2, 0.5], [0.1, 0.1 + 0.2, 0.3]])
    assert friedman(noisy) == friedman(clean)


def test_ranks_do_not_depend_on_block_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few scores are ranked at once, down to one item."""
    table = np.random.default_rng(6).integers(0, 5, (31, 4)).astype(float)
    whole = friedman(table)
    for block in (1, 9):
        monkeypatch.setattr("tellapart.boards.omnibus.BLOCK", block)
        assert friedman(table) == whole


def test_negative_scores_are_ranked_by_their_own_size() -> None:
    """Float noise is judged by the largest score, of whatever sign."""
    table = -np.random.default_rng(7).random((20, 4)) * 1e9
    assert friedman(table).statistic == pytest.approx(stats.friedmanchisquare(*table.T).statistic, rel=1e-10, abs=0.0)
    assert friedman(table).df == 3
    assert cochran_q((table > -5e8).astype(float)).df == 3


@pytest.mark.parametrize("unit", [1e-20, -1e-20, 1e20])
def test_units_leave_no_trace(unit: float) -> None:
    """Float noise is judged by the scores themselves, however small all of them are."""
    table = np.random.default_rng(8).random((20, 4))
    assert friedman(unit * table).statistic == pytest.approx(friedman(table).statistic, rel=1e-12, abs=0.0)


def test_float_noise_of_negative_scores_breaks_no_ties() -> None:
    """−(0.1 + 0.2) and −0.3 are one score too."""
    clean = -np.array([[0.3, 0.3, 0.2], [0.3, 0.3, 0.5], [0.1, 0.3, 0.3]])
    noisy = -np.array([[0.1 + 0.2, 0.3, 0.2], [0.3, 0.1 + 0.2, 0.5], [0.1, 0.1 + 0.2, 0.3]])
    assert friedman(noisy) == friedman(clean)
