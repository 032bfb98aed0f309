"""The sign test against scipy's binomial test."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.data.summaries import Differences
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize(("wins", "losses", "ties"), [(5, 2, 0), (2, 9, 4), (40, 40, 3), (0, 6, 0)])
def test_as_in_scipy(wins: int, losses: int, ties: int, alternative: Any) -> None:
    """Ties are left out, and wins of the rest are a fair coin's heads under the null."""
    values = np.repeat([0.7, -0.1, 0.0], [wins, losses, ties])
    expected = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
    found = TESTS.parse(f"sign(alternative={alternative})").apply(Differences(values), stream(0))
    assert float(found.pvalue) == pytest.approx(expected, rel=1e-10, abs=0.0)
    assert (float(found.statistic), float(found.direction)) == (wins, np.sign(wins - losses))
    assert (float(found.error), found.method) == (0.0, "exact binomial")


def test_float_noise_is_a_tie() -> None:
    """0.3 − 0.1 − 0.2 is nothing: one win out of one."""
    assert TESTS.parse("sign").counts_signs
    values = np.array([0.3 - 0.1 - 0.2, 1.0])
    found = TESTS.parse("sign").apply(Differences(values, scale=1.0), stream(0))
    assert (float(found.pvalue), float(found.statistic)) == (1.0, 1.0)
