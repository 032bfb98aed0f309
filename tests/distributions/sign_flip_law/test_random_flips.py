"""Random sign flips, eight at a time."""

import itertools
from typing import Any

import numpy as np
import pytest

from tellapart.foundation.parallel_map import parallel_map
from tellapart.foundation.seeds import stream
from tellapart.numerics.sign_flip_law import random_flips
from tellapart.numerics.sign_flip_law.random_flips import every_flip, flipped_sums


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
    monkeypatch.setattr(random_flips, "_flip_rows_at_once", lambda _: step)
    values = np.exp2(np.arange(20.0))[:, np.newaxis]
    sums = flipped_sums(values, 200, stream(3))[:, 0]
    assert len(np.unique(sums)) > 190
    assert (np.abs(sums) <= values.sum()).all()
    assert (sums % 2.0 == 1.0).all()


@pytest.mark.parametrize("columns", [1, 3, 8, 9, 17])
@pytest.mark.parametrize("units", [3, 30])
def test_small_whole_numbers_are_added_in_two_bytes(units: int, columns: int) -> None:
    """The same stream gives the same sums as of halves, which are no whole numbers; columns may repeat."""
    values = np.random.default_rng(columns).integers(-5, 6, size=(units, columns)).astype(np.float64)
    values[0] = 1.0
    values[:, columns // 2] = values[:, 0]
    assert random_flips._small(values)[0].dtype == np.int16
    assert random_flips._small(0.5 * values)[0].dtype == np.float64
    np.testing.assert_array_equal(
        flipped_sums(values, 300, stream(1)), 2.0 * flipped_sums(0.5 * values, 300, stream(1))
    )


@pytest.mark.parametrize(("largest", "small"), [(32_766.0, True), (32_767.0, False)])
def test_sums_of_whole_numbers_fit_or_are_not_cut(largest: float, small: bool) -> None:
    """The largest sum of a column, of whatever signs, in two bytes."""
    values = np.array([[-2.0, 1.0], [largest - 2.0, 5.0]])
    assert (random_flips._small(values)[0].dtype == np.int16) is small
    sums = flipped_sums(values, 100, stream(2))
    assert set(np.abs(sums[:, 0]).tolist()) == {largest, largest - 4.0}


@pytest.mark.parametrize(("resamples", "pieces"), [(1, 1), (2**20 - 1, 1), (2**21 - 1, 1), (2**21, 2), (7 * 2**20, 7)])
def test_how_many_pieces_are_handed_out(resamples: int, pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as a billion signed values go into what there is to add; a single one is not handed out."""

    class Cut(Exception):
        pass

    def cut(length: int, number: int) -> None:
        raise Cut(length, number)

    monkeypatch.setattr(random_flips, "even_ranges", cut)
    monkeypatch.setattr(random_flips, "_random_flip_sums", lambda *_: np.zeros(1))
    values = np.ones((256, 4))
    if pieces == 1:
        assert flipped_sums(values, resamples, stream(0)).tolist() == [0.0]
    else:
        with pytest.raises(Cut) as told:
            flipped_sums(values, resamples, stream(0))
        assert told.value.args == (resamples, pieces)


def test_pieces_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes the calls may stop early, for the first are as good a sample as all."""
    told: list[bool] = []

    def hands(function: Any, subject: Any, calls: Any, *, drawn: bool = False) -> Any:
        told.append(drawn)
        return parallel_map(function, subject, calls, drawn=drawn)

    monkeypatch.setattr(random_flips, "parallel_map", hands)
    monkeypatch.setattr(random_flips, "WORTH", 100)
    assert flipped_sums(np.ones((10, 1)), 30, stream(1)).shape == (30, 1)
    assert told == [True]


def test_a_table_has_a_row_for_every_byte() -> None:
    """Of eleven units two tables of all 256 choices of eight signs, each choice once; missing units add nothing."""
    values = np.exp2(np.arange(11.0))[:, np.newaxis]
    first, second = random_flips._tables(values)[:, :, 0]
    assert len(first) >= 256
    assert sorted(first[:256].tolist()) == [float(2 * k - 255) for k in range(256)]
    assert sorted(second[:256].tolist()) == sorted([256.0 * (2 * k - 7) for k in range(8)] * 32)
