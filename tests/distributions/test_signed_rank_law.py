"""The law of signed ranks, against every choice of signs."""

import itertools
from typing import Any

import numpy as np
import pytest
from tests.distributions.midrank_rows import KINDS, drawn, ranked_by_scipy

from tellapart.distributions.signed_rank_law import signed_midranks, signed_rank_law, signed_rank_tails
from tellapart.distributions.signed_ranks import SignedRanks


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("kind", KINDS)
def test_midranks_carry_their_signs(kind: str, zeros: Any) -> None:
    """Twice the midranks, with the sign of their difference and a 0 in place of every zero."""
    values = drawn(KINDS[kind])
    for row, doubled in zip(values, signed_midranks(values, zeros), strict=True):
        midranks, signs = ranked_by_scipy(row, zeros)
        assert doubled[row != 0.0].tolist() == (2.0 * midranks * signs).tolist()
        assert np.array_equal(doubled == 0.0, row == 0.0)


@pytest.mark.parametrize("count", [1, 2, 7, 12])
def test_the_law_without_ties_is_every_choice_of_ranks(count: int) -> None:
    """P(V ≤ v) is the share of the subsets of 1 … n whose sum is at most v."""
    sums = [
        sum(chosen) for r in range(count + 1) for chosen in itertools.combinations(range(1, count + 1), r)
    ]
    expected = [np.mean(np.array(sums) <= v) for v in range(count * (count + 1) // 4 + 1)]
    assert signed_rank_law(count).tolist() == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("items", [1, 2, 3, 11])
@pytest.mark.parametrize("zeros", ["drop", "pratt"])
def test_tails_are_exact_with_ties_and_zeros(items: int, zeros: Any) -> None:
    """The tails of V given midranks are those of all sign flips of these ranks."""
    values = np.random.default_rng(items).integers(-3, 4, size=(20, items)).astype(np.float64)
    ranks = SignedRanks.of(values, zeros, 3.0)
    tails = signed_rank_tails(values, ranks, zeros, 3.0)
    for i, row in enumerate(values):
        midranks, _ = ranked_by_scipy(row, zeros)
        sums = np.array(
            [np.dot(midranks, choice) for choice in itertools.product((0, 1), repeat=len(midranks))]
        )
        assert float(tails.lower[i]) == pytest.approx(np.mean(sums <= ranks.positive[i] + 1e-9), rel=1e-13)
        assert float(tails.upper[i]) == pytest.approx(np.mean(sums >= ranks.positive[i] - 1e-9), rel=1e-13)


@pytest.mark.parametrize("items", [200, 256, 257, 1000])
def test_long_rows_agree_with_their_table(items: int) -> None:
    """Where the table of ranks ends, the inversion that follows it gives the numbers the table would."""
    values = np.random.default_rng(items).normal(0.1, 1.0, size=(3, items))
    ranks = SignedRanks.of(values, "drop", 4.0)
    tails = signed_rank_tails(values, ranks, "drop", 4.0)
    law = signed_rank_law(items)
    small = np.minimum(ranks.positive, ranks.total - ranks.positive).astype(int)
    assert np.minimum(tails.lower, tails.upper) == pytest.approx(law[small], rel=1e-9)
