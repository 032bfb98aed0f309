"""Random sign flips, eight at a time."""

import itertools

import numpy as np
import pytest

from tellapart.distributions.sign_flip_law import random_flips
from tellapart.distributions.sign_flip_law.random_flips import every_flip, flipped_sums
from tellapart.seeds import stream


def test_every_flip_is_listed_once() -> None:
    """All sign choices of four units, the observed one first."""
    values = np.array([[1.0, 0.5], [2.0, -1.0], [4.0, 3.0], [8.0, 0.0]])
    listed = every_flip(values)
    expected = [np.array(signs) @ values for signs in itertools.product((1, -1), repeat=4)]
    assert listed[0].tolist() == values.sum(axis=0).tolist()
    assert sorted(map(tuple, listed.tolist())) == sorted(tuple(row.tolist()) for row in expected)


@pytest.mark.parametrize("units", [1, 7, 8, 9, 40])
def test_every_sign_is_a_fair_coin_of_its_own(units: int) -> None:
    """With powers of two as values each sum reveals its signs: they are fair and uncorrelated."""
    values = np.exp2(np.arange(float(units)))[:, np.newaxis]
    sums = flipped_sums(values, 20_000, stream(units))[:, 0]
    chosen = ((values.sum() - sums) / 2.0).astype(np.int64)
    signs = 1.0 - 2.0 * ((chosen[:, np.newaxis] >> np.arange(units)) & 1)
    covariance = signs.T @ signs / len(signs)
    assert np.abs(signs.mean(axis=0)).max() < 5.0 / np.sqrt(20_000)
    assert np.abs(covariance - np.eye(units)).max() < 5.5 / np.sqrt(20_000)


def test_columns_share_their_signs() -> None:
    """Parts of one item are swapped together."""
    column = np.random.default_rng(0).normal(size=13)
    sums = flipped_sums(np.stack([column, -3.0 * column], axis=-1), 500, stream(0))
    assert sums[:, 1] == pytest.approx(-3.0 * sums[:, 0], abs=1e-12)


def test_the_same_stream_gives_the_same_sums() -> None:
    """Chance comes from the generator alone, whatever the number of columns held at once."""
    values = np.random.default_rng(0).normal(size=(50, 3))
    assert np.array_equal(flipped_sums(values, 70_000, stream(4)), flipped_sums(values, 70_000, stream(4)))


def test_units_are_looked_up_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many units share a table, the same stream gives the same sums: memory is no part of the answer."""
    values = np.random.default_rng(2).normal(size=(300, 3))
    at_once = flipped_sums(values, 5_000, stream(1))
    monkeypatch.setattr(random_flips, "UNITS", 64)
    monkeypatch.setattr(random_flips, "HELD", 1 << 16)
    np.testing.assert_array_equal(at_once, flipped_sums(values, 5_000, stream(1)))


@pytest.mark.parametrize(("units", "resamples", "words"), [(8, 64, 8), (8, 65, 9), (17, 16, 6)])
def test_eight_bits_are_drawn_for_eight_units(units: int, resamples: int, words: int) -> None:
    """A byte per eight units and resample, eight bytes to the word, and no more."""
    used, counted = stream(5), stream(5)
    flipped_sums(np.ones((units, 1)), resamples, used)
    counted.integers(0, 1 << 64, size=words, dtype=np.uint64)
    assert used.integers(0, 1 << 64, dtype=np.uint64) == counted.integers(0, 1 << 64, dtype=np.uint64)


@pytest.mark.parametrize("step", [1, 3])
def test_resamples_in_small_pieces(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few are added to at once, every one is a sum with random signs, and all differ."""
    monkeypatch.setattr(random_flips, "_resamples_at_once", lambda _: step)
    values = np.exp2(np.arange(20.0))[:, np.newaxis]
    sums = flipped_sums(values, 200, stream(3))[:, 0]
    assert len(np.unique(sums)) > 190
    assert (np.abs(sums) <= values.sum()).all()
    assert (sums % 2.0 == 1.0).all()
