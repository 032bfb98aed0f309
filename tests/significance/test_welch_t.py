"""Welch's t test of systems on different items, against scipy."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.data.summaries import Independent
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize(("items_a", "items_b"), [(2, 5), (12, 9), (300, 40)])
def test_as_in_scipy(items_a: int, items_b: int, alternative: Any) -> None:
    """Unequal numbers of items and unequal spread."""
    rng = np.random.default_rng(items_a)
    a, b = rng.normal(0.0, 1.0, items_a), rng.normal(0.4, 3.0, items_b)
    expected = stats.ttest_ind(b, a, equal_var=False, alternative=alternative)
    found = TESTS.parse(f"welch_t(alternative={alternative})").apply(Independent(a, b), stream(0))
    assert float(found.pvalue) == pytest.approx(expected.pvalue, rel=1e-10, abs=0.0)
    assert float(found.statistic) == pytest.approx(expected.statistic, rel=1e-12, abs=0.0)
    assert float(found.direction) == np.sign(b.mean() - a.mean())
    assert (float(found.error), found.method) == (0.0, "Student's t, Welch's degrees of freedom")


def test_no_spread_no_answer() -> None:
    """Neither system's scores vary: undefined where they differ."""
    found = TESTS.parse("welch_t").apply(Independent(np.zeros(4), np.ones(3)), stream(0))
    assert np.isnan(found.pvalue)
