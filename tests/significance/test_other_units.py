"""Right or wrong need not be 1 and 0: a margin is in the unit of the scores."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tellapart.data.summaries import Discordance, Proportion, SeparateCounts
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS


def same_items(step: float) -> Discordance:
    return Discordance(*(np.asarray(n) for n in (40, 18, 9, 13)), step=step)


def own_items(step: float) -> SeparateCounts:
    a, b = (Proportion(np.asarray(right), np.asarray(items)) for right, items in ((31, 60), (38, 55)))
    return SeparateCounts(a, b, step=step)


@pytest.mark.parametrize("step", [0.25, 5.0])
@pytest.mark.parametrize(
    ("test", "sample"),
    [
        ("mcnemar(variant=mid_p)", same_items),
        ("mcnemar(variant=asymptotic)", same_items),
        ("two_proportion_z", own_items),
    ],
)
def test_margins_in_other_units(test: str, sample: Callable[[float], Any], step: float) -> None:
    """Scores of 0 and 5 against a difference of 0.5 are scores of 0 and 1 against one of 0.1: p-value, ratio and direction."""
    for null in (0.0, 0.1, 1.0, -0.2):
        usual = TESTS.parse(test).against(sample(1.0), null, stream(0))
        other = TESTS.parse(test).against(sample(step), step * null, stream(0))
        assert float(other.pvalue) == pytest.approx(float(usual.pvalue), rel=1e-12, abs=0.0)
        assert float(other.statistic) == pytest.approx(float(usual.statistic), rel=1e-12, abs=0.0)
        assert (float(other.direction), other.method) == (float(usual.direction), usual.method)
    assert float(usual.pvalue) < 0.1
