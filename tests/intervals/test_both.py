"""`both`: the hull of two intervals."""

import numpy as np
import pytest

from tellapart.data.summaries import Parts
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.metrics.mean import Mean

RESAMPLED = "bootstrap(kind=studentised, resamples=999)"


def skewed(seed: int, items: int = 60) -> Parts:
    b = np.random.default_rng(seed).lognormal(0.0, 1.0, items)[:, np.newaxis] - 1.3
    return Parts(np.zeros_like(b), b, Mean())


@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_hull(seed: int) -> None:
    """From the lower of the lower bounds to the higher of the upper ones, on the same resamples."""
    sample = skewed(seed)
    t = INTERVALS.parse("student_t").interval(sample.differences, 0.95, stream(1))
    resampled = INTERVALS.parse(RESAMPLED).interval(sample, 0.95, stream(1))
    hull = INTERVALS.parse(f"both(first=student_t, second={RESAMPLED})")
    low, high = hull.interval(sample, 0.95, stream(1))
    assert (low, high) == (min(t[0], resampled[0]), max(t[1], resampled[1]))
    assert t[0] < resampled[0]
    assert t[1] < resampled[1], "neither holds the other, so that the hull is neither"


@pytest.mark.parametrize("first", ["both", "hodges_lehmann"])
def test_two_plain_intervals_about_the_same_number(first: str) -> None:
    with pytest.raises(SpellingError, match="two plain intervals"):
        INTERVALS.parse(f"both(first={first})")
