"""Studentised means drawn without scores: their law is Student's, and they are related as they should be."""

import numpy as np
import pytest
from scipy import stats

from tellapart.boards.contrast_laws import OWN, _approximate_chi_square_ratios, _cholesky_root, studentised_draws
from tellapart.foundation.seeds import stream


def test_the_root_of_a_correlation_matrix() -> None:
    """Cholesky's, as numpy has it."""
    related = np.array([[1.0, 0.5, -0.3], [0.5, 1.0, 0.2], [-0.3, 0.2, 1.0]])
    np.testing.assert_allclose(_cholesky_root(related), np.linalg.cholesky(related), rtol=1e-12, atol=1e-15)


def test_twins_keep_the_least_of_their_own() -> None:
    """Of a matrix without a root all but a billionth of the variance is shared, and nothing is divided by 0."""
    root = _cholesky_root(np.array([[1.0, 1.0, 0.4], [1.0, 1.0, 0.4], [0.4, 0.4, 1.0]]))
    np.testing.assert_allclose(root[1], [1.0, np.sqrt(OWN), 0.0], rtol=1e-12)
    assert root[2, 1] == 0.0
    assert pytest.approx(1e-9) == OWN
    np.testing.assert_allclose(root @ root.T, [[1, 1, 0.4], [1, 1, 0.4], [0.4, 0.4, 1]], atol=2e-9)


@pytest.mark.parametrize("df", [2.0, 5.0, 30.0])
def test_variances_are_chi_squared(df: float) -> None:
    """Wilson and Hilferty's cube: at normal quantiles the quantiles of chi-squared over its degrees of freedom."""
    shares = np.array([0.05, 0.25, 0.5, 0.9, 0.99])
    found = _approximate_chi_square_ratios(stats.norm.ppf(shares), df)
    np.testing.assert_allclose(found, stats.chi2.ppf(shares, df) / df, rtol=0.08 / df, atol=0.02 / df)


def test_variances_are_never_nothing() -> None:
    """A cube root far below 0 is held at a thousandth."""
    assert _approximate_chi_square_ratios(np.array([-10.0]), 1.0).tolist() == [pytest.approx(1e-9)]


def test_draws_are_students() -> None:
    """Each mean by itself, with degrees of freedom of its own."""
    df = np.array([[4.0], [12.0]])
    found = studentised_draws(np.eye(2), df, 20_000, stream(1))
    assert found.shape == (2, 20_000)
    for row, one in zip(found, df[:, 0], strict=True):
        assert stats.kstest(row, stats.t(one).cdf).pvalue > 1e-3


def test_draws_are_related_as_given() -> None:
    """Means by their correlation and variances by its square: seen in the draws and in their sizes."""
    related = np.array([[1.0, -0.8], [-0.8, 1.0]])
    rng = stream(2)
    means, squares = (_cholesky_root(r) @ rng.standard_normal((2, 40_000)) for r in (related, related**2))
    np.testing.assert_array_equal(
        studentised_draws(related, 6.0, 40_000, stream(2)),
        means / np.sqrt(_approximate_chi_square_ratios(squares, 6.0)),
    )
    assert np.corrcoef(*means)[0, 1] == pytest.approx(-0.8, abs=0.01)
    assert np.corrcoef(*_approximate_chi_square_ratios(squares, 6.0))[0, 1] == pytest.approx(0.64, abs=0.03)
