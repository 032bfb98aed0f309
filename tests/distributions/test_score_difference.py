"""Tango's score statistic, against the likelihood it is made of."""

import numpy as np
import pytest
from scipy import optimize

from tellapart.numerics.null_laws.score_difference import score_bounds, score_statistic


def by_likelihood(wins: int, losses: int, items: int, null: float) -> float:
    """The statistic with the share of losses that makes the counts likeliest, found by search."""

    def unlikely(loss: float) -> float:
        win, neither = loss + null, 1.0 - 2.0 * loss - null
        terms = ((wins, win), (losses, loss), (items - wins - losses, neither))
        return -float(sum(count * np.log(max(p, 1e-300)) for count, p in terms if count))

    low, high = max(0.0, -null), (1.0 - null) / 2.0
    loss = optimize.minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    variance = items * (2.0 * loss + null * (1.0 - null))
    return float((wins - losses - items * null) / np.sqrt(variance))


@pytest.mark.parametrize("null", [-0.4, -0.05, 0.02, 0.3])
@pytest.mark.parametrize(("wins", "losses"), [(12, 4), (4, 12), (0, 7), (7, 0), (3, 3)])
def test_the_nuisance_is_the_likeliest(wins: int, losses: int, null: float) -> None:
    """Standard errors from the supposed difference, with its own error."""
    expected = by_likelihood(wins, losses, 60, null)
    assert float(score_statistic(wins, losses, 60, null)) == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_at_zero_it_is_mcnemars() -> None:
    """(wins − losses)/√(wins + losses)."""
    wins, losses = np.array([12, 0, 5]), np.array([4, 9, 5])
    np.testing.assert_allclose(
        score_statistic(wins, losses, 50, 0.0), (wins - losses) / np.sqrt(wins + losses), rtol=1e-14
    )


def test_swapping_the_systems_changes_the_sign() -> None:
    """An odd function: exactly so, for what is supposed is swapped too."""
    null = np.linspace(-0.9, 0.9, 19)
    swapped = -score_statistic(3, 14, 40, -null)
    np.testing.assert_array_equal(score_statistic(14, 3, 40, null)[null != 0.0], swapped[null != 0.0])


def test_without_variance() -> None:
    """Nothing differs and nothing should: 0. A supposed difference of ±1 is infinitely far from any other."""
    found = score_statistic(np.array([0, 0, 20, 0]), 0, 20, np.array([0.0, 1.0, 1.0, -1.5]))
    assert found.tolist() == [0.0, -np.inf, 0.0, np.inf]


@pytest.mark.parametrize(("wins", "losses", "items"), [(12, 4, 60), (0, 5, 30), (0, 0, 10), (10, 0, 10)])
def test_bounds_are_where_the_statistic_is_z(wins: int, losses: int, items: int) -> None:
    """At each bound the statistic is ±z, unless the bound is ±1; the estimate lies between."""
    z = 1.959963984540054
    low, high = (float(x) for x in score_bounds(wins, losses, items, z))
    assert low <= (wins - losses) / items <= high
    if low > -1.0 + 1e-9:
        assert float(score_statistic(wins, losses, items, low)) == pytest.approx(z, abs=1e-6)
    if high < 1.0 - 1e-9:
        assert float(score_statistic(wins, losses, items, high)) == pytest.approx(-z, abs=1e-6)


def test_bounds_of_a_batch() -> None:
    """Every table has the bounds it has alone."""
    wins = np.array([[3, 9], [0, 2]])
    low, high = score_bounds(wins, 4, 25, 1.5)
    assert low.shape == high.shape == (2, 2)
    for place in np.ndindex(2, 2):
        assert (low[place], high[place]) == score_bounds(wins[place], 4, 25, 1.5)


@pytest.mark.parametrize(
    ("wins", "losses", "items"),
    [(30, 10, 100), (10, 30, 100), (1, 0, 10), (5, 5, 20), (900, 100, 5_000), (0, 1, 3)],
)
def test_both_bounds_are_differences_of_shares(wins: int, losses: int, items: int) -> None:
    """Within ±1, on either side of what was seen, and z of their own errors away."""
    low, high = (float(x) for x in score_bounds(wins, losses, items, 1.96))
    assert -1.0 <= low < (wins - losses) / items < high <= 1.0
    for bound, z in ((low, 1.96), (high, -1.96)):
        assert float(score_statistic(wins, losses, items, np.asarray(bound))) == pytest.approx(z, rel=1e-9, abs=0.0)
