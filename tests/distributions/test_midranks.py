"""Midranks, against scipy."""

import numpy as np
import pytest
from scipy import stats

from tellapart.numerics.null_laws.signed_ranks import midranks, ranks_and_ties


@pytest.mark.parametrize("levels", [1, 3, 1000])
def test_ranks_are_scipys(levels: int) -> None:
    """Ties share the mean of their ranks, in every row of a batch."""
    values = np.random.default_rng(levels).integers(0, levels, size=(4, 3, 17)).astype(np.float64)
    np.testing.assert_array_equal(midranks(values), stats.rankdata(values, axis=-1))


def test_ties_are_counted_in_order_of_rank() -> None:
    """A group of t ties counts t for each of its members."""
    ranks, shared = ranks_and_ties(np.array([[5.0, 1.0, 5.0, 2.0, 5.0], [1.0, 1.0, 2.0, 2.0, 3.0]]))
    assert ranks.tolist() == [[4.0, 1.0, 4.0, 2.0, 4.0], [1.5, 1.5, 3.5, 3.5, 5.0]]
    assert shared.tolist() == [[1, 1, 3, 3, 3], [2, 2, 2, 2, 1]]
