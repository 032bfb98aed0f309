"""How many resamples alpha allows: the most with which the counted p-value is still at most alpha."""

import numpy as np
import pytest

from tellapart.foundation.decision import rejects
from tellapart.numerics.null_laws.tails import allowed, counted


@pytest.mark.parametrize("resamples", [19, 99, 199, 999, 9_999])
@pytest.mark.parametrize("alpha", [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.051, 0.0499])
def test_by_counting(resamples: int, alpha: float) -> None:
    """All p-values there are, each held against alpha; −1 where even none as extreme is too many."""
    enough = rejects(counted(np.arange(resamples + 1.0), resamples), alpha)
    assert allowed(resamples, alpha) == int(np.count_nonzero(enough)) - 1


def test_a_product_that_is_whole_but_for_its_last_digit() -> None:
    """0.07 · 100 is 7.000000000000001 and 0.29 · 100 is 28.999999999999996: seven and twenty-nine of a hundred."""
    assert (allowed(99, 0.07), allowed(99, 0.29)) == (6, 28)
