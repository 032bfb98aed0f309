"""What more items would buy, by its formula and by simulation."""

import numpy as np
import pytest
from scipy import stats

from tellapart.boards.family import items_to_separate, separable_gap


def test_the_formula() -> None:
    """(c + z) · s / √n, and its inverse rounded up."""
    z = stats.norm.ppf(0.8)
    assert separable_gap(0.5, 100, 2.5, 0.8) == pytest.approx((2.5 + z) * 0.05, rel=1e-12, abs=0.0)
    assert items_to_separate(0.5, 0.1, 2.5, 0.8) == int(np.ceil(((2.5 + z) * 5.0) ** 2))


@pytest.mark.parametrize("items", [10, 137, 5000])
def test_one_undoes_the_other(items: int) -> None:
    """The gap that so many items separate takes so many items."""
    gap = separable_gap(0.7, items, 3.1, 0.9)
    assert gap is not None
    assert items_to_separate(0.7, gap * (1.0 + 1e-12), 3.1, 0.9) == items


def test_there_is_not_always_an_answer() -> None:
    """No spread, or no critical value, separates nothing; and some gaps take more items than can be counted."""
    assert separable_gap(0.0, 10, 2.0, 0.8) is None
    assert separable_gap(1.0, 10, float("inf"), 0.8) is None
    assert items_to_separate(1.0, 1e-9, 2.0, 0.8) is None
    most = items_to_separate(1.0, (2.0 + stats.norm.ppf(0.8)) / np.sqrt(0.9e15), 2.0, 0.8)
    assert most == pytest.approx(0.9e15, rel=1e-9, abs=0.0)
    assert items_to_separate(1.0, (2.0 + stats.norm.ppf(0.8)) / np.sqrt(1.1e15), 2.0, 0.8) is None
    assert items_to_separate(0.1, 100.0, 2.0, 0.8) == 2


def test_the_power_is_kept() -> None:
    """A normal mean at that gap exceeds the critical value as often as promised."""
    gap = separable_gap(1.0, 50, 2.2, 0.8)
    assert gap is not None
    draws = np.random.default_rng(0).normal(gap, 1.0 / np.sqrt(50), 20_000) * np.sqrt(50)
    assert np.mean(draws > 2.2) == pytest.approx(0.8, abs=0.01)


def test_the_largest_number_of_items_is_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly as many as can be counted are told, and one more is not; never fewer than two."""
    monkeypatch.setattr("tellapart.boards.family.MOST_ITEMS", 4.0)
    assert items_to_separate(1.0, 1.0, 2.0, 0.5) == 4
    assert items_to_separate(1.0, 0.999, 2.0, 0.5) is None
    assert items_to_separate(1.0, 100.0, 2.0, 0.5) == 2
