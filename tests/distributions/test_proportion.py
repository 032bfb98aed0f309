"""Wilson's bounds and Newcombe's, against statsmodels, the equation they solve and published examples."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from tellapart.numerics.null_laws.proportions import Bounded, square_and_add, wilson_bounds
from tellapart.numerics.null_laws.tails import two_sided_quantile

Z = two_sided_quantile(0.95)


@pytest.mark.parametrize("items", [1, 10, 1000])
def test_bounds_are_statsmodels(items: int) -> None:
    """All counts of so many items."""
    x = np.arange(items + 1)
    found = wilson_bounds(x, items, Z)
    low, high = proportion_confint(x, items, 0.05, "wilson")
    np.testing.assert_allclose(found.low, low, rtol=1e-11, atol=1e-15)
    np.testing.assert_allclose(found.high, high, rtol=1e-12)
    np.testing.assert_allclose(found.share, x / items)
    assert float(found.low[0]) == 0.0
    assert float(found.high[-1]) == 1.0


def test_bounds_solve_their_equation() -> None:
    """n(p̂ − p)² = z²·p(1 − p) at both bounds, also where the lower one is tiny."""
    x, n = np.array([1.0, 3.0, 50.0]), 1e9
    found = wilson_bounds(x, n, Z)
    for bound in (found.low, found.high):
        np.testing.assert_allclose(n * (x / n - bound) ** 2, Z**2 * bound * (1.0 - bound), rtol=1e-6)


def test_newcombe_of_independent_groups() -> None:
    """56 of 70 against 48 of 80: 0.2, from 0.0524 to 0.3339. Newcombe (1998), method 10, example (a)."""
    low, high = square_and_add(wilson_bounds(48, 80, Z), wilson_bounds(56, 70, Z), 0.0)
    assert (round(float(low), 4), round(float(high), 4)) == (0.0524, 0.3339)


@pytest.mark.parametrize("correlation", [-0.5, 0.0, 0.3, 1.0])
def test_distances_add_like_standard_deviations(correlation: float) -> None:
    """Each bound is √(x² − 2ρxy + y²) away, in the directions of the two bounds it is made of, and within ±1."""
    a, b = (Bounded(*map(np.asarray, x)) for x in ((0.4, 0.3, 0.6), (0.7, 0.5, 0.8)))
    low, high = square_and_add(a, b, correlation)
    down = np.sqrt(0.2**2 - 2 * correlation * 0.2 * 0.2 + 0.2**2)
    up = np.sqrt(0.1**2 - 2 * correlation * 0.1 * 0.1 + 0.1**2)
    assert float(low) == pytest.approx(0.3 - down, abs=1e-7)
    assert float(high) == pytest.approx(0.3 + up, abs=1e-7)
    far = square_and_add(wilson_bounds(0, 2, Z), wilson_bounds(2, 2, Z), -1.0)
    assert -1.0 <= float(far[0]) <= float(far[1]) <= 1.0
    assert float(square_and_add(wilson_bounds(2, 2, Z), wilson_bounds(0, 2, Z), -1.0)[0]) == -1.0


def test_differences_of_shares_are_between_minus_one_and_one() -> None:
    """However far the bounds of either lie from it."""
    low, high = (Bounded(*map(np.asarray, x)) for x in ((0.1, -0.9, 1.1), (0.9, -0.1, 1.9)))
    assert tuple(map(float, square_and_add(low, high, 0.0))) == pytest.approx((0.8 - np.sqrt(2.0), 1.0))
    assert tuple(map(float, square_and_add(high, low, 0.0))) == pytest.approx((-1.0, -0.8 + np.sqrt(2.0)))
