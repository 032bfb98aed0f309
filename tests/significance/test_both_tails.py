"""Of a two-sided p-value twice the smaller tail is told, and twice what that tail may be off by."""

from typing import Any

import numpy as np
import pytest

from tellapart.data.summaries import Differences, Parts
from tellapart.data.summaries.rater_samples import Crossed
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS

DIFFERENCES = np.random.default_rng(9).normal(0.05, 1.0, 400)
SAMPLES: dict[str, Any] = {
    "permutation": Parts(np.zeros((400, 1)), DIFFERENCES[:, np.newaxis], METRICS.parse("mean")),
    "cluster_sign_flip": Differences(DIFFERENCES, np.arange(400)),
    "rater_sign_flip": Crossed(DIFFERENCES.reshape(100, 4)),
    "wilcoxon": Differences(DIFFERENCES),
}


@pytest.mark.parametrize("test", SAMPLES)
def test_a_two_sided_p_value_is_off_by_both_tails(test: str) -> None:
    """So many reals are beyond counting, and the law of their flips has an error."""
    both, less, greater = (
        TESTS.parse(f"{test}(alternative={side})").apply(SAMPLES[test], stream(0))
        for side in ("two-sided", "less", "greater")
    )
    assert float(both.pvalue) == 2.0 * min(float(less.pvalue), float(greater.pvalue))
    assert float(both.error) == 2.0 * float(less.error) == 2.0 * float(greater.error) > 0.0
