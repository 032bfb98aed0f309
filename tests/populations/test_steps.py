"""Shares of the unit interval, against a search among all of their ends."""

import numpy as np
import pytest

from tellapart.populations.pilot_items import Steps


@pytest.mark.parametrize("unequal", [0.0, 0.3, 8.0])
@pytest.mark.parametrize("shares", [1, 2, 3, 30, 1_000])
def test_numbers_are_placed_as_a_search_places_them(shares: int, unequal: float) -> None:
    """Also the ends themselves, which belong to the share behind them, their neighbours, and both ends of the interval."""
    rng = np.random.default_rng(shares)
    chances = np.exp(unequal * rng.normal(size=shares))
    chances /= chances.sum()
    ends = np.cumsum(chances)[:-1]
    near = np.concatenate([ends, np.nextafter(ends, 0.0), np.nextafter(ends, 1.0)])
    near = near[near < 1.0]
    numbers = np.concatenate([rng.random(4_000), near, [0.0, np.nextafter(1.0, 0.0)]])
    expected = np.searchsorted(ends, numbers, side="right")
    np.testing.assert_array_equal(Steps.of(chances).places(numbers), expected)
    two = numbers[: 2 * (len(numbers) // 2)].reshape(2, -1)
    np.testing.assert_array_equal(Steps.of(chances).places(two), expected[: two.size].reshape(two.shape))


def test_shares_of_nothing_are_never_met() -> None:
    """A share without any width holds no number, wherever it stands."""
    placed = Steps.of(np.array([0.0, 0.5, 0.0, 0.0, 0.5, 0.0])).places(np.linspace(0.0, 0.999, 500))
    assert set(placed.tolist()) == {1, 4}
