"""Intervals hold every metric of the registry, on counts such as texts and labels have: the estimate, the mirror, the truth.

The laws of `test_intervals` try every interval in depth with three metrics. Here every metric of the registry, in every variant of its options, is
tried with the intervals that look at parts or at influence, on parts that were counted from texts or labels, with and without clusters.
"""

import numpy as np
import pytest
from tests.laws.setting import copied, variants
from tests.laws.test_metrics import parts_of

from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences, Parts
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.methods.intervals.interval import Bounds
from tellapart.metrics import METRICS, Metric
from tellapart.metrics.bleu import Bleu
from tellapart.metrics.from_labels import LabelMetric

POOL, ITEMS, DRAWS = 4_000, 120, 200
"""Items that stand for all there are, items of an evaluation, and evaluations: a coverage of 95 % is known to 1.5 points."""

RESAMPLES = 299
COUNTED = [metric for metric in variants(METRICS) if metric.counted_from]
TRIED = ("student_t", f"bootstrap(kind=studentised, resamples={RESAMPLES})")


def pair_of(metric: Metric, items: int = ITEMS, seed: int = 4) -> Pair:
    """Two systems whose texts, or predictions, are right equally often."""
    a, b = (parts_of(metric, items, seed=seed + system) for system in (0, 1))
    return Pair(a[:, np.newaxis], b[:, np.newaxis])


def bounds(interval: Interval, pair: Pair, metric: Metric) -> Bounds:
    return interval.interval(interval.needs.of(pair, metric), 0.95, stream(0))


@pytest.mark.parametrize("metric", COUNTED, ids=str)
@pytest.mark.parametrize("spelling", TRIED)
def test_estimate_and_mirror(spelling: str, metric: Metric) -> None:
    """The metric's own difference lies between the bounds; swapping the systems swaps and turns them, up to what resamples vary by."""
    interval, pair = INTERVALS.parse(spelling), pair_of(metric)
    low, high = map(float, bounds(interval, pair, metric))
    assert low < float(Parts.of(pair, metric).effect) < high
    turned = tuple(-float(one) for one in bounds(interval, pair.swapped, metric))
    slack = 1e-9 if interval.needs is Differences else 0.25 * (high - low)
    assert turned == pytest.approx((high, low), rel=1e-9, abs=slack)


def smooths(metric: Metric) -> bool:
    """Whether it sees how many items there are, so that what is added to counts matters less in copies."""
    means = parts_of(metric, 60).mean(axis=0)
    return float(metric.value(means, 60)) != pytest.approx(float(metric.value(means, 180)), rel=1e-12, abs=0.0)


@pytest.mark.parametrize("metric", COUNTED, ids=str)
def test_copies_in_a_cluster_tell_nothing_new(metric: Metric) -> None:
    """Three copies of every item that are known to belong together leave the bounds where they were."""
    interval, pair = INTERVALS.parse("cluster_t"), pair_of(metric, 60)
    once, thrice = copied(pair, 1), copied(pair, 3)
    slack = 0.01 if smooths(metric) else 1e-6
    np.testing.assert_allclose(bounds(interval, thrice, metric), bounds(interval, once, metric), rtol=slack)


@pytest.mark.parametrize("metric", COUNTED, ids=str)
def test_the_truth_is_held(metric: Metric) -> None:
    """Of items drawn from a pool whose difference is known, 95 % intervals hold it about as often."""
    pool = pair_of(metric, POOL if metric.counted_from == LabelMetric.counted_from else POOL // 10)
    truth = float(Parts.of(pool, metric).effect)
    drawn = np.random.default_rng(0).integers(0, len(pool.a), size=(DRAWS, ITEMS))
    low, high = bounds(INTERVALS.parse("student_t"), Pair(pool.a[drawn], pool.b[drawn]), metric)
    held = float(np.mean((low <= truth) & (truth <= high)))
    assert 0.89 <= held <= 0.995


class Halved(Bleu):
    """Half of what an item changes."""

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        return 0.5 * super().gradient(means, items)


def test_a_wrong_metric_is_caught() -> None:
    """Negative control: influence that is too small makes intervals that miss the truth."""
    with pytest.raises(AssertionError):
        test_the_truth_is_held(Halved())
