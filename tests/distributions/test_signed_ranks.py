"""Sums over signed ranks, against scipy's ranks of every row."""

from typing import Any

import numpy as np
import pytest
from tests.distributions.midrank_rows import KINDS, drawn, ranked_by_scipy

from tellapart.foundation.arrays import FloatArray, snap
from tellapart.numerics.null_laws import signed_ranks as room
from tellapart.numerics.null_laws.signed_ranks import (
    SignedRanks,
    Zeros,
    _keys,
    _short_sums,
    _signed_rank_sums,
    _stepped_sums,
    _tie_sums,
    short_keys,
)


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("kind", KINDS)
def test_sums_and_ties_are_those_of_midranks(kind: str, zeros: Any) -> None:
    """Ranks found by sorting once give the same sums, totals and variances as ranking each row."""
    values = drawn(KINDS[kind])
    ranks = SignedRanks.of(values, zeros, 5.0)
    for i, row in enumerate(values):
        midranks, signs = ranked_by_scipy(row, zeros)
        assert ranks.positive[i] == pytest.approx(midranks[signs > 0.0].sum())
        assert ranks.total[i] == pytest.approx(midranks.sum())
        assert ranks.variance[i] == pytest.approx(np.sum(midranks**2) / 4.0)
        assert (ranks.ranked[i], ranks.zeros[i]) == (len(midranks), len(row) - len(midranks))


def test_float_noise_makes_ties() -> None:
    """0.3 − 0.1 and 0.2 have the same rank."""
    ranks = SignedRanks.of(np.array([[0.3 - 0.1, -0.2, 0.5]]), "drop", 0.5)
    assert float(ranks.positive[0]) == 4.5
    assert float(ranks.ties[0]) == 6.0


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("step", [1.0, 0.1, 1.0 / 3.0])
def test_counting_few_sizes_agrees_with_sorting(zeros: Zeros, step: float) -> None:
    """Ratings are ranked by counting; the sums are those of sorted ranks."""
    values: FloatArray = np.asarray(step * np.random.default_rng(7).integers(-4, 5, size=(60, 33)), dtype=np.float64)
    counted = SignedRanks.of(values, zeros, 4.0 * step)
    noisy = np.concatenate(
        [step * np.linspace(0.0, 1.0, 33)[np.newaxis] ** 0.5, values]
    )  # a first row without a step: all are sorted
    ranked = SignedRanks.of(noisy, zeros, 4.0 * step)
    for name in ("positive", "ranked", "zeros", "held", "ties"):
        np.testing.assert_array_equal(getattr(counted, name), getattr(ranked, name)[1:])


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("items", [3, 60, 1000])
def test_short_keys_rank_as_all_digits_do(zeros: Zeros, items: int) -> None:
    """Rows whose sizes are apart are sorted by 31 bits, with and without zeros; all sums are those of full ranks."""
    values = np.random.default_rng(items).normal(0.1, 1.0, size=(40, items))
    values[::3, 0], values[::9, 1] = 0.0, -0.0
    ranks = SignedRanks.of(values, zeros, 4.0)
    for i, row in enumerate(values):
        midranks, signs = ranked_by_scipy(row, zeros)
        assert ranks.positive[i] == midranks[signs > 0.0].sum()
        assert (ranks.ranked[i], ranks.zeros[i], ranks.ties[i]) == (len(midranks), items - len(midranks), 0.0)
        assert ranks.held[i] == (ranks.zeros[i] if zeros == "pratt" else 0)


def test_sizes_too_near_for_short_keys_are_told_apart() -> None:
    """Two sizes within a billionth of the largest are no tie, two within fourteen digits are, and one as small is no zero."""
    first = np.array([1.0, -2.0, 4.0, 8.0])
    near = np.array([1.0, -(1.0 + 1e-10), 4.0, 8.0])
    tied = np.array([1.0, -(1.0 + 1e-15), 4.0, 8.0])
    small = np.array([0.0, -1e-10, 4.0, 8.0])
    ranks = SignedRanks.of(np.stack([first, near, tied, small]), "drop", 8.0)
    assert ranks.positive.tolist() == [8.0, 8.0, 8.5, 5.0]
    assert ranks.ties.tolist() == [0.0, 0.0, 6.0, 0.0]
    assert ranks.zeros.tolist() == [0, 0, 0, 1]


def test_short_keys_are_not_made_of_differences_far_below_the_scores() -> None:
    """Where scores are so large that their rounding is wider than a step of the keys, all digits are looked at."""
    assert short_keys(np.array([[1.0, 2.0]]), 1.0) is not None
    assert short_keys(np.array([[1.0, 2.0]]), 1e4) is None
    ranks = SignedRanks.of(np.array([[1.0, -(1.0 + 1e-8), 2.0], [1.0, -3.0, 2.0]]), "drop", 1e6)
    assert (ranks.positive.tolist(), ranks.ties.tolist()) == ([4.5, 3.0], [6.0, 0.0])


@pytest.mark.parametrize("value", [0.5, -0.5, 0.0])
def test_a_single_difference(value: float) -> None:
    """One row of one item has the rank 1, or none."""
    ranks = SignedRanks.of(np.array([[value]]), "drop", 0.5)
    assert ranks.positive.tolist() == [float(value > 0.0)]
    assert (ranks.ranked.tolist(), ranks.zeros.tolist()) == ([int(value != 0.0)], [int(value == 0.0)])


def by_every_way(values: FloatArray, zeros: Zeros, scale: float, step: float) -> list[SignedRanks]:
    """By all digits, by counting multiples of a step where they are few, and by short keys."""
    ways = (
        _signed_rank_sums(_keys(snap(values, scale)), zeros),
        _stepped_sums(values, zeros, scale, step),
        _short_sums(values, zeros, scale),
    )
    return [SignedRanks(*found) for found in ways]


def are_those_of_midranks(ranks: SignedRanks, values: FloatArray, zeros: Zeros) -> None:
    for i, row in enumerate(values):
        midranks, signs = ranked_by_scipy(row, zeros)
        _, ties = np.unique(np.abs(row[row != 0.0]), return_counts=True)
        assert ranks.positive[i] == pytest.approx(midranks[signs > 0.0].sum())
        assert (ranks.ranked[i], ranks.zeros[i]) == (len(midranks), len(row) - len(midranks))
        assert ranks.held[i] == (ranks.zeros[i] if zeros == "pratt" else 0)
        assert ranks.ties[i] == (ties**3 - ties).sum()


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("step", [0.0, 1.0, 0.25, 3.0])
def test_every_way_of_ranking_agrees(zeros: Zeros, step: float) -> None:
    """Ratings, numbers that are all apart, one zero, zeros alone, single items: whichever way is taken, and whatever the step."""
    rng = np.random.default_rng(2)
    ratings = rng.integers(-4, 5, (30, 25)).astype(float)
    ratings[0] = 0.0
    apart = rng.permuted(np.tile(np.arange(1.0, 26.0), (30, 1)), axis=1) * rng.choice([-1.0, 1.0], (30, 25))
    one_zero = np.where(np.abs(apart) == 1.0, 0.0, apart)
    single = np.array([[0.5], [0.5], [-0.5], [0.0], [0.5]])
    for values in (ratings, apart, one_zero, single, np.zeros((3, 4))):
        for ranks in by_every_way(values, zeros, 25.0, step):
            are_those_of_midranks(ranks, values, zeros)


def test_steps_that_do_not_fit_are_not_counted() -> None:
    """A difference that is off its step by more than noise is no tie, in whatever unit: then all digits are looked at."""
    for unit in (1e-3, 1.0, 1e3):
        for off in (1e-9, 1e-12):
            values = unit * np.array([[1.0, -1.0 - off, 2.0, 2.0, -3.0, 1.0, 2.0, 3.0]])
            found = SignedRanks(*_stepped_sums(values, "drop", 3.0 * unit, unit))
            are_those_of_midranks(found, values, "drop")
            whole = np.concatenate([np.rint(values / unit) * unit, values])
            assert SignedRanks(*_stepped_sums(whole, "drop", 3.0 * unit, unit)).ties.tolist() == [
                24.0 + 24.0 + 6.0,
                6.0 + 24.0 + 6.0,
            ]


def test_large_scores_are_ranked_by_all_digits() -> None:
    """Where keys would be finer than the noise of scores there are none, and sums are right all the same."""
    values = np.array([[1.0, -2.0, 3.0, 3.0, 0.0], [5.0, -4.0, 4.0, 1.0, 2.0]])
    assert short_keys(values, 1e6) is None
    are_those_of_midranks(SignedRanks(*_short_sums(values, "drop", 1e6)), values, "drop")


def test_any_block_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows are ranked at once; no row at all has no sums, and rows without an item have none either."""
    values = np.random.default_rng(3).integers(-3, 4, (17, 6)).astype(float)
    together = SignedRanks.of(values, "pratt", 3.0)
    for block in (1, 13, 40):
        monkeypatch.setattr(room, "BLOCK", block)
        pieces = SignedRanks.of(values, "pratt", 3.0)
        for name in ("positive", "ranked", "zeros", "held", "ties"):
            np.testing.assert_array_equal(getattr(pieces, name), getattr(together, name))
    assert len(SignedRanks.of(np.zeros((0, 6)), "drop", 1.0).positive) == 0


def test_rows_are_not_neighbours() -> None:
    """The last of a row and the first of the next may be equal and are no tie: rows of one item, and of two."""
    for width in (1, 2):
        keys = _keys(np.tile(np.array([[0.5, 0.75]])[:, :width], (4, 1)) + 0.0)
        if width == 2:
            keys = keys[:, ::-1].copy()
        gained, ties, empty = _tie_sums(np.sort(keys, axis=1))
        assert (gained.tolist(), ties.tolist(), empty.tolist()) == ([0.0] * 4, [0.0] * 4, [0] * 4)
