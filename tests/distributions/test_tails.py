"""From tails to p-values, by hand."""

import numpy as np
import pytest

from tellapart.foundation.arrays import SMALLEST
from tellapart.numerics.null_laws.tails import Alternative, at_least, counted, counting_error, positive, sided, sides


@pytest.mark.parametrize(
    ("alternative", "expected"),
    [("less", [0.2, 0.9, 0.5]), ("greater", [0.9, 0.3, 0.7]), ("two-sided", [0.4, 0.6, 1.0])],
)
def test_one_tail_or_twice_the_smaller(alternative: Alternative, expected: list[float]) -> None:
    """Two-sided p-values spend half of the level on each side, and end at 1."""
    found = sided(np.array([0.2, 0.9, 0.5]), np.array([0.9, 0.3, 0.7]), alternative)
    np.testing.assert_allclose(found, expected)


def test_sides_that_are_looked_at() -> None:
    """Two for a two-sided alternative, else one."""
    assert [sides("two-sided"), sides("less"), sides("greater")] == [2.0, 1.0, 1.0]


def test_a_pvalue_is_never_zero() -> None:
    """Underflow becomes the smallest double and rounding above 1 becomes 1; undefined stays undefined."""
    np.testing.assert_array_equal(positive(np.array([0.0, 0.5, 1.0 + 1e-12, np.nan])), [SMALLEST, 0.5, 1.0, np.nan])


def test_the_observed_one_is_counted() -> None:
    """(1 + count)/(1 + resamples), with the standard error of that share."""
    pvalue = counted(np.array([0.0, 4.0, 99.0]), 99)
    np.testing.assert_allclose(pvalue, [0.01, 0.05, 1.0])
    np.testing.assert_allclose(counting_error(pvalue, 99), [np.sqrt(0.0099 / 100), np.sqrt(0.0475 / 100), 0.0])


def test_ties_up_to_rounding_count_as_extreme() -> None:
    """A statistic that the order of a sum has made smaller by its last digits is as extreme as the observed one."""
    resampled = np.array([1.0, 1.0 - 5e-13, 1.0 - 2e-12, 1.0 - 5e-12])
    assert at_least(resampled, np.array(1.0), 1.0).tolist() == [True, True, False, False]
    assert at_least(resampled, np.array(1.0), 10.0).tolist() == [True, True, True, True]


def test_the_observed_itself_is_as_large() -> None:
    """Exactly, where there is nothing to round."""
    assert at_least(np.array([1.0, 2.0, 3.0]), np.array(2.0), 0.0).tolist() == [False, True, True]
