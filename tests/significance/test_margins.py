"""Equivalence and non-inferiority: two one-sided tests by scipy, and what they refuse."""

from typing import Literal

import numpy as np
import pytest
from scipy import stats

from tellapart.data.summaries import Differences, Parts
from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.methods.significance.margins import Equivalence, NonInferiority
from tellapart.methods.significance.paired_t import PairedT
from tellapart.metrics import METRICS

VALUES = np.random.default_rng(5).normal(0.05, 0.3, size=40)
SAMPLE = Differences(VALUES)


def one_sided(bound: float, side: Literal["less", "greater"]) -> float:
    return float(stats.ttest_1samp(VALUES, bound, alternative=side).pvalue)


@pytest.mark.parametrize("margin", [0.02, 0.1, 0.3])
def test_equivalence_is_the_harder_of_two_one_sided_tests(margin: float) -> None:
    """Above −margin and below +margin: the larger p, with the statistic of that side and no direction."""
    above, below = one_sided(-margin, "greater"), one_sided(margin, "less")
    found = Equivalence(margin=margin).apply(SAMPLE, stream(0))
    assert float(found.pvalue) == pytest.approx(max(above, below), rel=1e-9, abs=0.0)
    bound = -margin if above >= below else margin
    assert float(found.statistic) == pytest.approx(stats.ttest_1samp(VALUES, bound).statistic, rel=1e-9, abs=0.0)
    assert float(found.direction) == 0.0
    assert found.method == "two one-sided tests: Student's t distribution"


def test_non_inferiority_is_one_of_them() -> None:
    """No worse than A by the margin; where lower is better, no higher than A by it."""
    found = NonInferiority(margin=0.1).apply(SAMPLE, stream(0))
    assert float(found.pvalue) == pytest.approx(one_sided(-0.1, "greater"), rel=1e-9, abs=0.0)
    lower = NonInferiority(margin=0.1, alternative="less").apply(SAMPLE, stream(0))
    assert float(lower.pvalue) == pytest.approx(one_sided(0.1, "less"), rel=1e-9, abs=0.0)


def test_the_error_is_that_of_the_less_certain_side() -> None:
    """A test with chance in it hands on the larger of both errors."""
    inner = TESTS.parse("bootstrap(kind=studentised, resamples=199)")
    pair = np.stack([np.zeros(40), VALUES])[..., np.newaxis]
    sample = Parts(pair[0], pair[1], METRICS.parse("mean"))
    found = Equivalence(test=inner, margin=0.1).apply(sample, stream(0))
    rng = stream(0)
    sides = [
        inner.replace(alternative=side).against(sample, bound, rng).error
        for side, bound in (("greater", -0.1), ("less", 0.1))
    ]
    assert float(found.error) == float(max(sides)) > 0.0


def test_everything_else_is_the_inner_tests() -> None:
    """What it needs, sees and prints beside itself comes from the test it is made of."""
    inner = TESTS.parse("cluster_t(variance=cr2)")
    mean = TESTS.parse("permutation")
    for kind, words in (
        (Equivalence, "equivalence within ±0.1 by"),
        (NonInferiority, "non-inferiority within 0.1 by"),
    ):
        test = kind(test=inner, margin=0.1)
        assert test.needs is inner.needs
        assert test.interval == inner.interval
        assert test.label == f"{words} cluster t"
        assert test.advice == f"{test.name}(test=cluster_sign_flip, margin=0.1)"
        assert test.sees_clusters(None) is True  # type: ignore[arg-type]  # whatever the metric
        assert kind(test=PairedT(), margin=0.1).sees_clusters(None) is False  # type: ignore[arg-type]
    assert Equivalence(test=mean, margin=0.1).needs is mean.needs


@pytest.mark.parametrize("kind", [Equivalence, NonInferiority])
def test_refusals(kind: type[Equivalence] | type[NonInferiority]) -> None:
    """A margin is above 0, and the test inside is plain and two-sided."""
    for margin in (0.0, -0.1, float("nan")):
        with pytest.raises(SpellingError, match="should be above 0"):
            kind(margin=margin)
    for inner in (PairedT(alternative="less"), Equivalence(margin=0.1)):
        with pytest.raises(SpellingError, match="plain two-sided"):
            kind(test=inner, margin=0.1)
    with pytest.raises(UsageError, match=f"{kind.name} needs a margin"):
        kind().apply(SAMPLE, stream(0))


def test_both_sides_alike() -> None:
    """Where the effect is 0 both sides are equally hard, and the statistic told is that of "above −margin"."""
    sample = Differences(np.array([-0.3, 0.3, -0.1, 0.1]))
    found = Equivalence(margin=0.2).apply(sample, stream(0))
    assert float(found.statistic) > 0.0


def test_the_alternative_is_given_by_name() -> None:
    """An alternative without its name is refused, so that a test's own options come first."""
    with pytest.raises(TypeError, match="positional"):
        PairedT("less")  # type: ignore[call-arg]
