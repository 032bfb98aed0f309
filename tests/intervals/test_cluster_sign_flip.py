"""Bounds between subset means of clusters, against all flips of the clusters' signs."""

import itertools

import numpy as np
import pytest

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.numerics.moments import MOST_LISTED

INTERVAL = INTERVALS.parse("cluster_sign_flip")
SIZES = [3, 1, 5, 2, 2, 7]


def sample(sizes: list[int], seed: int, effect: float = 0.4) -> Differences:
    codes = np.repeat(np.arange(len(sizes)), sizes)
    rng = np.random.default_rng(seed)
    return Differences(rng.normal(effect, 1.0, len(codes)) + rng.normal(size=len(sizes))[codes], codes)


def tails(values: FloatArray, codes: IntArray, null: float) -> tuple[float, float]:
    """The shares of flips whose total is at most, and at least, the one seen: by listing them."""
    sums = np.bincount(codes, values - null)
    totals = [np.dot(signs, sums) for signs in itertools.product([1.0, -1.0], repeat=len(sums))]
    return float(np.mean(totals <= sums.sum() + 1e-9)), float(np.mean(totals >= sums.sum() - 1e-9))


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.96])
@pytest.mark.parametrize("seed", range(4))
def test_it_holds_what_no_flip_rejects(seed: int, level: float) -> None:
    """Just inside a bound no more than the tail is left, just outside it is less: by listed flips, and by the test of the same name."""
    found = sample(SIZES, seed)
    low, high = (float(bound) for bound in INTERVAL.interval(found, level, stream(0)))
    tail, near = (1.0 - level) / 2.0, 1e-6
    flips = TESTS.parse("cluster_sign_flip")
    for bound, outwards, side in ((low, -1.0, "greater"), (high, 1.0, "less")):
        inside, outside = (
            tails(found.values, found.clusters_for(INTERVAL), bound + step * outwards * near)[side == "greater"]
            for step in (-1.0, 1.0)
        )
        assert outside <= tail + 1e-9 < inside
        for step, expected in ((-1.0, inside), (1.0, outside)):
            one_sided = flips.replace(alternative=side)
            pvalue = one_sided.against(found, bound + step * outwards * near, stream(0)).pvalue
            assert float(pvalue) == pytest.approx(expected, rel=1e-12, abs=0.0)


def test_few_clusters_are_not_bounded() -> None:
    """Of five clusters no flip is rarer than 1/16 on both sides: at 95 % there is no bound, at 90 % there is."""
    five = sample([2, 3, 4, 1, 2], 0)
    assert tuple(map(float, INTERVAL.interval(five, 0.95, stream(0)))) == (-np.inf, np.inf)
    assert np.isfinite(INTERVAL.interval(five, 0.9, stream(0))).all()
    batch = Differences(np.stack([five.values] * 3), five.clusters)
    low, high = INTERVAL.interval(batch, 0.95, stream(0))
    assert (low.tolist(), high.tolist()) == ([-np.inf] * 3, [np.inf] * 3)


def test_items_alone_are_clusters_of_one() -> None:
    """Of four items at 7/8 the outermost are the bounds: the least and the largest of all subset means."""
    found = Differences(np.array([0.5, -1.0, 2.0, 0.25]), np.arange(4))
    assert tuple(map(float, INTERVAL.interval(found, 0.875, stream(0)))) == (-1.0, 2.0)


def test_clusters_that_agree_are_a_point() -> None:
    """Whatever rounding leaves of their means."""
    codes = np.repeat(np.arange(7), [1, 2, 3, 4, 5, 6, 7])
    low, high = INTERVAL.interval(Differences.between(np.zeros(28), np.full(28, 0.1), codes), 0.95, stream(0))
    assert low == high == 0.1


def test_many_clusters_are_refused() -> None:
    """With the interval to take instead."""
    sizes = [1] * (MOST_LISTED + 1)
    assert np.isfinite(INTERVAL.interval(sample(sizes[1:], 1), 0.95, stream(0))).all()
    with pytest.raises(Unsuitable, match="there are 17; use cluster_t"):
        INTERVAL.interval(sample(sizes, 1), 0.95, stream(0))
