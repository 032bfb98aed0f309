"""Sums over signed ranks, against scipy's ranks of every row."""

from typing import Any

import numpy as np
import pytest
from tests.distributions.midrank_rows import KINDS, drawn, ranked_by_scipy

from tellapart.arrays import FloatArray
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
