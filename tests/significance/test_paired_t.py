"""The paired t test against scipy, for every side, and where it has no answer."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.data.summaries import Differences
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.paired_t import PairedT


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("items", [2, 7, 300])
def test_as_in_scipy(items: int, alternative: Any) -> None:
    """p-value and statistic are those of scipy's one-sample test of the differences."""
    values = np.random.default_rng(items).normal(0.3, 1.0, size=items)
    expected = stats.ttest_1samp(values, 0.0, alternative=alternative)
    found = PairedT(alternative=alternative).apply(Differences(values), stream(0))
    assert float(found.pvalue) == pytest.approx(expected.pvalue, rel=1e-10, abs=0.0)
    assert float(found.statistic) == pytest.approx(expected.statistic, rel=1e-12, abs=0.0)
    assert float(found.direction) == np.sign(values.mean())
    assert (float(found.error), found.method) == (0.0, "Student's t distribution")


def test_another_null_as_in_scipy() -> None:
    """Against a difference of 0.2 it is the t test of that mean."""
    values = np.random.default_rng(3).normal(0.3, 1.0, size=20)
    found = PairedT(alternative="greater").against(Differences(values), 0.2, stream(0))
    assert float(found.pvalue) == pytest.approx(
        stats.ttest_1samp(values, 0.2, alternative="greater").pvalue, rel=1e-10, abs=0.0
    )


def test_no_spread_no_answer() -> None:
    """All differences alike: undefined, unless they are all zero, which is no evidence at all."""
    found = PairedT().apply(Differences(np.array([[0.2] * 5, [0.0] * 5])), stream(0))
    assert np.isnan(found.pvalue[0])
    assert (found.pvalue[1], found.direction[1]) == (1.0, 0.0)
