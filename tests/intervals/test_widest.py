"""`widest`: the hull of two intervals."""

import numpy as np
import pytest

from tellapart.errors import SpellingError
from tellapart.intervals import INTERVALS
from tellapart.metrics.mean import Mean
from tellapart.seeds import stream
from tellapart.significance import TESTS
from tellapart.significance.cautious import inverse
from tellapart.summaries import Parts

SPELLED = "widest(first=student_t, second=bootstrap(kind=studentised, resamples=999))"


def skewed(seed: int, items: int = 60) -> Parts:
    b = np.random.default_rng(seed).lognormal(0.0, 1.0, items)[:, np.newaxis] - 1.3
    return Parts(np.zeros_like(b), b, Mean())


@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_hull(seed: int) -> None:
    """From the lower of the lower bounds to the higher of the upper ones, on the same resamples."""
    sample = skewed(seed)
    t = INTERVALS.parse("student_t").interval(sample.differences, 0.95, stream(1))
    resampled = INTERVALS.parse("bootstrap(kind=studentised, resamples=999)").interval(
        sample, 0.95, stream(1)
    )
    low, high = INTERVALS.parse(SPELLED).interval(sample, 0.95, stream(1))
    assert (low, high) == (min(t[0], resampled[0]), max(t[1], resampled[1]))


def test_it_lets_go_of_zero_exactly_where_its_test_rejects() -> None:
    """The decision of the interval is the decision of `cautious` made of the same two, whatever the level."""
    judge, interval = inverse(SPELLED), INTERVALS.parse(SPELLED)
    assert judge is not None
    assert judge == TESTS.parse(
        "cautious(test=paired_t, interval=bootstrap(kind=studentised, resamples=999))"
    )
    decisions = set()
    for seed in range(40):
        sample = skewed(seed)
        pvalue = float(judge.apply(sample, stream(2)).pvalue)
        for alpha in (0.3, 0.1, 0.05):
            low, high = interval.interval(sample, 1.0 - alpha, stream(2))
            decisions.add(pvalue <= alpha)
            assert (pvalue <= alpha) == (not low <= 0.0 <= high)
    assert decisions == {True, False}


@pytest.mark.parametrize("spelling", ["widest(first=widest)", "widest(first=hodges_lehmann)"])
def test_two_plain_intervals_about_the_same_number(spelling: str) -> None:
    with pytest.raises(SpellingError, match="two plain intervals"):
        INTERVALS.parse(spelling)
