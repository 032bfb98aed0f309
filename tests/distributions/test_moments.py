"""Means, variances and Welch's error, against exact fractions and scipy."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from tellapart.foundation import arrays
from tellapart.foundation.arrays import FloatArray, mean_and_variance
from tellapart.numerics.moments import t_ratio, welch


def exact(row: list[float]) -> tuple[float, float]:
    """Mean and unbiased variance in fractions."""
    numbers = [Fraction(x) for x in row]
    mean = sum(numbers) / len(numbers)
    return float(mean), float(sum((x - mean) ** 2 for x in numbers) / (len(numbers) - 1))


@pytest.mark.parametrize("offset", [0.0, 3.0, 1e3, 1e8])
def test_moments_keep_their_digits(offset: float) -> None:
    """However far from zero the numbers are, mean and variance are those of exact arithmetic."""
    values = np.random.default_rng(3).normal(offset, 1.0, size=(4, 2, 25))
    mean, variance = mean_and_variance(values)
    assert mean.shape == variance.shape == (4, 2)
    for place in np.ndindex(4, 2):
        expected = exact(values[place].tolist())
        assert float(mean[place]) == pytest.approx(expected[0], rel=1e-14, abs=0.0)
        assert float(variance[place]) == pytest.approx(expected[1], rel=1e-12, abs=0.0)


def test_a_repeated_number_has_no_variance() -> None:
    """Tenths are no binary fractions, and yet a row of them has exactly its mean and variance 0; one item, too."""
    mean, variance = mean_and_variance(np.full((2, 7), 0.1))
    assert mean.tolist() == [0.1, 0.1]
    assert variance.tolist() == [0.0, 0.0]
    assert [x.tolist() for x in mean_and_variance(np.array([[0.3]]))] == [[0.3], [0.0]]


def test_ratios_without_spread() -> None:
    """0 over 0 is 0, for nothing differs; anything else over 0 has no answer."""
    found = t_ratio(np.array([1.0, 0.0, 2.0, -3.0]), np.array([4.0, 0.0, 0.0, 2.0]))
    np.testing.assert_array_equal(found, [0.25, 0.0, np.nan, -1.5])


@pytest.mark.parametrize(("first", "second"), [(9, 9), (5, 30), (2, 40), (40, 2)])
def test_welch_is_scipys(first: int, second: int) -> None:
    """Difference over error and degrees of freedom are those of scipy's unequal-variance test."""
    rng = np.random.default_rng(first)
    a, b = rng.normal(0.0, 1.0, size=(3, first)), rng.normal(0.5, 4.0, size=(3, second))
    difference, error, df = welch(a, b)
    for i in range(3):
        peer = stats.ttest_ind(b[i], a[i], equal_var=False)
        assert float(difference[i]) == pytest.approx(b[i].mean() - a[i].mean())
        assert float(difference[i] / error[i]) == pytest.approx(float(peer.statistic), rel=1e-12, abs=0.0)
        assert float(df[i]) == pytest.approx(float(peer.df), rel=1e-12, abs=0.0)


def test_welch_without_any_spread() -> None:
    """Two constant samples have no error, and one degree of freedom rather than none; one item counts as constant."""
    difference, error, df = welch(np.ones((1, 4)), np.full((1, 1), 3.0))
    assert (float(difference[0]), float(error[0]), float(df[0])) == (2.0, 0.0, 1.0)


def test_only_rows_that_cancel_are_passed_over_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousandth of the sum of squares must be left: a row just above is right to twelve digits, one below is computed again."""
    passed: list[int] = []
    real = arrays._two_passes

    def counting(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        passed.append(len(rows))
        return real(rows)

    monkeypatch.setattr(arrays, "_two_passes", counting)
    signs = np.array([-1.0, 1.0] * 10)
    # (s² of what is left) / (m² + s²): a mean of 20 leaves 1/401 of the squares, a mean of 40 leaves 1/1601.
    near, far = 20.0 + signs, 40.0 + signs
    for rows, twice in (([near], []), ([far], [1]), ([near, far, near], [1]), ([np.ones(20)], [1])):
        passed.clear()
        _, variance = mean_and_variance(np.array(rows))
        assert passed == twice
        np.testing.assert_allclose(variance, [exact(row.tolist())[1] for row in rows], rtol=1e-12)


def test_welch_of_a_single_item_has_the_freedom_of_the_other() -> None:
    """What does not vary adds nothing to the error, and takes no degree of freedom."""
    rng = np.random.default_rng(4)
    many = rng.normal(size=(2, 9))
    for one, other in ((np.ones((2, 1)), many), (many, np.ones((2, 1)))):
        _, error, df = welch(one, other)
        np.testing.assert_allclose(error, many.std(axis=1, ddof=1) / 3.0, rtol=1e-12)
        np.testing.assert_allclose(df, [8.0, 8.0], rtol=1e-12)


def test_ratios_of_a_batch_do_not_touch_each_other() -> None:
    """An error between 0 and 1 is an error."""
    found = t_ratio(np.array([1.0, 1.0, 1.0]), np.array([0.25, 0.75, 2.0]))
    np.testing.assert_allclose(found, [4.0, 4.0 / 3.0, 0.5], rtol=1e-14)
