"""`failure_t`: Student's t where nothing lies far out, and after more of the failures seen where one or two do."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.calibration.difference_laws import failing
from tellapart.intervals import INTERVALS
from tellapart.metrics.mean import Mean
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import TESTS
from tellapart.significance.cautious import inverse
from tellapart.significance.paired_t import PairedT
from tellapart.summaries import Differences
from tellapart.verbs.plan.chosen import CHOSEN, Evaluations

RNG = np.random.default_rng(2)


def with_failures(seen: int, items: int = 80) -> np.ndarray:
    """Small gains on all items but these."""
    values = np.random.default_rng(seen).normal(0.05, 0.05, items)
    values[:seen] = -0.7
    return values


def judged(values: np.ndarray, alternative: str = "two-sided") -> Any:
    return TESTS.parse(f"failure_t(alternative={alternative})").apply(Differences(values), stream(0))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("values", [RNG.normal(0.3, 1.0, 40), with_failures(0), with_failures(3)])
def test_without_rare_failures_it_is_the_paired_t_test(values: np.ndarray, alternative: Any) -> None:
    found, plain = (
        judged(values, alternative),
        PairedT(alternative=alternative).apply(Differences(values), stream(0)),
    )
    assert (float(found.pvalue), float(found.statistic)) == pytest.approx(
        (float(plain.pvalue), float(plain.statistic))
    )


@pytest.mark.parametrize("seen", [1, 2])
def test_failures_that_may_have_been_spared_are_borne(seen: int) -> None:
    """By hand: λ − k more of the mean size, λ the upper 95 % limit of a Poisson mean of which k were seen."""
    values = with_failures(seen)
    more = stats.gamma.ppf(0.95, seen + 1) - seen
    distance = values.mean() + 0.7
    squares = np.sum((values - values.mean()) ** 2) + more * distance**2
    t = (values.sum() - more * distance) / np.sqrt(80 * squares / 79)
    found = judged(values)
    assert float(found.statistic) == pytest.approx(t)
    assert float(judged(values, "greater").pvalue) == pytest.approx(stats.t.sf(t, 79))
    assert float(found.pvalue) > 10 * stats.ttest_1samp(values, 0.0).pvalue
    # On the other side nothing was spared.
    less = stats.ttest_1samp(values, 0.0, alternative="less").pvalue
    assert float(judged(values, "less").pvalue) == pytest.approx(less)


def test_swapped_systems_swap_the_answer() -> None:
    found, swapped = judged(with_failures(1)), judged(-with_failures(1))
    assert float(found.pvalue) == float(swapped.pvalue)
    assert (float(found.direction), float(found.statistic)) == (1.0, -float(swapped.statistic))


@pytest.mark.parametrize("seen", [0, 1, 2])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_the_interval_is_what_the_test_does_not_reject(seen: int, level: float) -> None:
    """Moved to either bound the two-sided p-value is the level's alpha."""
    sample = Differences(with_failures(seen))
    test = inverse("failure_t")
    assert test is not None
    for bound in INTERVALS.parse("failure_t").interval(sample, level, stream(0)):
        assert float(test.against(sample, float(bound), stream(0)).pvalue) == pytest.approx(1.0 - level)


def test_only_the_bound_on_the_side_of_the_failures_moves() -> None:
    sample = Differences(with_failures(1))
    low, high = INTERVALS.parse("failure_t").interval(sample, 0.95, stream(0))
    plain_low, plain_high = INTERVALS.parse("student_t").interval(sample, 0.95, stream(0))
    assert float(high) == pytest.approx(float(plain_high))
    assert float(low) < float(plain_low) - 0.02


def test_false_claims_with_three_failures_expected() -> None:
    """The default at 100 items of which 3 % fail, means equal: .10 of samples without it; .05 show no failure, and no test can know."""
    values = failing(0.03)((600, 100), 0.0, stream(21))[..., np.newaxis, np.newaxis]
    chosen = CHOSEN.apply(Evaluations.of(Pair(np.zeros_like(values), values), Mean()), stream(1))
    seen = np.count_nonzero(values[..., 0, 0] < -1.0, axis=-1)
    claimed = np.asarray(chosen.pvalue) <= 0.05
    assert claimed.mean() <= 0.07
    assert claimed[seen == 0].all()
    assert claimed[(seen > 0)].mean() <= 0.03
