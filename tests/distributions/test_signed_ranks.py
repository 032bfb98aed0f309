"""Sums over signed ranks, against scipy's ranks of every row."""

from typing import Any

import numpy as np
import pytest
from tests.distributions.midrank_rows import KINDS, drawn, ranked_by_scipy

from tellapart.arrays import FloatArray
from tellapart.distributions.short_keys import short_keys
from tellapart.distributions.signed_ranks import SignedRanks, Zeros


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
    values: FloatArray = np.asarray(
        step * np.random.default_rng(7).integers(-4, 5, size=(60, 33)), dtype=np.float64
    )
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
