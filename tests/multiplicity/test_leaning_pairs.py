"""Pairs that lean by themselves, and how few items make them."""

import numpy as np
import pytest

from tellapart.arrays import FloatArray
from tellapart.multiplicity import leaning_pairs as room
from tellapart.multiplicity.leaning_pairs import UNSEEN, WORRYING, LeaningPairs, leaning_pairs
from tellapart.multiplicity.residuals import Residuals


def residuals(columns: FloatArray, pairs: list[tuple[int, int]]) -> Residuals:
    a, b = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    items = np.full(len(pairs), float(columns.shape[1]))
    return Residuals(columns - columns.mean(axis=1, keepdims=True), a, b, items, items)


def board() -> FloatArray:
    """A steady system, one that fails on five of sixty items, one that does so twice as badly and the other way round."""
    steady = 0.01 * np.random.default_rng(1).standard_normal(60)
    fails = np.where(np.arange(60) % 12 == 0, -1.0, 0.0)
    return np.stack([steady, steady + fails, steady - 2.0 * fails])


def of(tails: list[float]) -> LeaningPairs:
    """So many units each; how far they lie and what they hold does not matter here."""
    return LeaningPairs(np.array(tails), np.ones(len(tails)), np.ones(len(tails)))


def test_items_on_the_longer_side_are_counted() -> None:
    """Five failures make each pair lean, whichever way it leans and whichever system comes first."""
    found = leaning_pairs(residuals(board(), [(0, 1), (1, 0), (0, 2), (1, 2)]))
    assert found.tails.tolist() == [5.0, 5.0, 5.0, 5.0]
    # A failure lies its size from all others, and 55 sixtieths of that from the mean, with which it holds 55 sixtieths of the squares.
    np.testing.assert_allclose(found.sizes, np.array([1.0, 1.0, 2.0, 3.0]) * 55 / 60, rtol=0.02)
    np.testing.assert_allclose(found.shares, 55 / 60, rtol=0.01)


def test_pairs_that_do_not_lean_are_none() -> None:
    """Even differences, and none at all."""
    even = np.stack([np.zeros(60), np.linspace(-1.0, 1.0, 60), np.zeros(60)])
    found = leaning_pairs(residuals(even, [(0, 1), (0, 2)]))
    assert len(found) == 0
    assert found.told_error(0.05) is None


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs are looked at some at a time."""
    pairs = [(0, 1), (0, 2), (1, 2)]
    whole = leaning_pairs(residuals(board(), pairs)).tails.tolist()
    for held in (1, 2 * 60):
        monkeypatch.setattr(room, "HELD", held)
        assert leaning_pairs(residuals(board(), pairs)).tails.tolist() == whole


@pytest.mark.parametrize(("tails", "times"), [([3.0], 2.61), ([4.0, 4.0, 9.0], 1.97), ([5.0], 1.59)])
def test_the_error_to_expect(tails: list[float], times: float) -> None:
    """As measured with three, four and five failures expected of each system that fails; the middle pair counts."""
    told = of(tails).told_error(0.05)
    assert told == pytest.approx(0.05 * times, abs=5e-4)


def test_the_error_is_told_where_it_matters() -> None:
    """From six items on nothing is told; however few there are, an error is no more than certain."""
    assert of([5.0]).told_error(0.05) is not None
    assert of([6.0]).told_error(0.05) is None
    assert of([1.0]).told_error(0.5) == 1.0
    assert 1.0 + UNSEEN * np.exp(-3.0) < WORRYING < 1.0 + UNSEEN * np.exp(-2.5)
