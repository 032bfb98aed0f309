"""Laws that every interval obeys, run on every registered one."""

import pickle
from typing import Any

import numpy as np
import pytest

from tellapart.intervals import INTERVALS
from tellapart.scores import Pair
from tellapart.seeds import stream

RESAMPLED = 0.25
"""Bounds from a few hundred resamples move by less than this share of the width when the draws are others."""


def bounds(interval: Any, sample: Any, level: float = 0.95) -> tuple[float, float]:
    low, high = interval.interval(sample, level, stream(0))
    return float(low), float(high)


def slack(interval: Any, width: float) -> float:
    return RESAMPLED * width if interval.name == "bootstrap" else 1e-9


def test_spelling_round_trips(interval: Any) -> None:
    """What is printed can be typed, and pickles."""
    assert INTERVALS.parse(str(interval)) == interval
    assert pickle.loads(pickle.dumps(interval)) == interval  # noqa: S301  (our own bytes)


def test_bounds_are_ordered_and_hold_the_estimate(interval: Any, make_pair: Any, summarise: Any) -> None:
    """The estimate lies between the bounds."""
    sample = summarise(interval, make_pair(interval))
    low, high = bounds(interval, sample)
    assert low < high
    assert low < float(sample.effect) < high


def test_more_confidence_is_wider(interval: Any, make_pair: Any, summarise: Any) -> None:
    """A higher level never narrows the interval."""
    sample = summarise(interval, make_pair(interval))
    (low_50, high_50), (low_95, high_95), (low_99, high_99) = (
        bounds(interval, sample, level) for level in (0.5, 0.95, 0.99)
    )
    assert low_99 <= low_95 < low_50 < high_50 < high_95 <= high_99


def test_swapping_systems_mirrors_the_interval(interval: Any, make_pair: Any, summarise: Any) -> None:
    """A − B has the mirrored bounds of B − A."""
    if interval.needs.systems == 1:
        pytest.skip("an interval for one system has no other to swap with")
    pair = make_pair(interval)
    low, high = bounds(interval, summarise(interval, pair))
    mirrored = bounds(interval, summarise(interval, pair.swapped))
    assert mirrored == pytest.approx((-high, -low), rel=1e-9, abs=slack(interval, high - low))


def test_batch_equals_loop(interval: Any, make_pair: Any, summarise: Any) -> None:
    """Simulated evaluations get the bounds that each would get alone."""
    pair = make_pair(interval, batch=(4,), items=52)
    low, high = interval.interval(summarise(interval, pair), 0.95, stream(0))
    for i in range(4):
        alone = bounds(interval, summarise(interval, Pair(pair.a[i], pair.b[i], pair.clusters)))
        assert (float(low[i]), float(high[i])) == pytest.approx(
            alone, rel=1e-9, abs=slack(interval, alone[1] - alone[0])
        )


def test_more_items_are_narrower(interval: Any, make_pair: Any, summarise: Any) -> None:
    """Sixteen times the items give well under half the width."""
    narrow, wide = (
        np.ptp(bounds(interval, summarise(interval, make_pair(interval, items=n)))) for n in (960, 60)
    )
    assert narrow < 0.5 * wide


def test_rounding_is_no_spread(interval: Any, make_pair: Any, summarise: Any) -> None:
    """0.1 more on every item, rounded: the bounds are that number and not a rounding error to both sides of it."""
    if interval.needs.binary or not interval.needs.paired:
        pytest.skip("right-or-wrong scores cannot be moved, and scores on different items vary")
    pair = make_pair(interval)
    low, high = bounds(interval, summarise(interval, Pair(pair.a, pair.a + 0.1, pair.clusters)))
    assert low == high == pytest.approx(0.1, rel=1e-12)
