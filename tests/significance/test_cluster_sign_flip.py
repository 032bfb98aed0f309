"""Sign flips of whole clusters."""

import itertools

import numpy as np
import pytest

from tellapart.data.summaries import Differences, Parts
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS, Outcome
from tellapart.metrics import METRICS


def apply(values: FloatArray, codes: IntArray | None, alternative: str = "two-sided") -> Outcome:
    test = TESTS.parse(f"cluster_sign_flip(alternative={alternative})")
    return test.apply(Differences(values, codes), stream(0))


@pytest.mark.parametrize("decimals", [0, 1, 12])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_every_flip_of_clusters_is_counted(decimals: int, alternative: str) -> None:
    """The p-value is the share of all flips of the cluster sums that are as extreme, clusters of any size."""
    rng = np.random.default_rng(decimals)
    codes = np.repeat(np.arange(9), rng.integers(1, 6, size=9))
    values = np.round(rng.normal(0.3, 1.0, size=len(codes)), decimals)
    sums = np.array([values[codes == g].sum() for g in range(9)])
    flipped = np.array([np.dot(signs, np.abs(sums)) for signs in itertools.product((1, -1), repeat=9)])
    observed = sums.sum()
    extreme = {
        "two-sided": np.abs(flipped) >= abs(observed) - 1e-9,
        "less": flipped <= observed + 1e-9,
        "greater": flipped >= observed - 1e-9,
    }[alternative]
    assert float(apply(values, codes, alternative).pvalue) == pytest.approx(np.mean(extreme), rel=1e-12, abs=0.0)


def test_the_smallest_p_with_few_clusters_is_stated() -> None:
    """Five clusters cannot give less than 2^-4, and the method says so; fifty say nothing."""
    rng = np.random.default_rng(0)
    few = apply(rng.random(20), np.repeat(np.arange(5), 4))
    assert float(few.pvalue) == 0.0625
    assert "5 clusters no p-value is below 0.0625" in few.method
    assert "clusters" not in apply(rng.normal(size=200), np.repeat(np.arange(50), 4)).method


def test_clusters_of_one_item_each_are_items() -> None:
    """Without real clusters, flipping clusters is the permutation test."""
    values = np.round(np.random.default_rng(1).normal(0.1, 1.0, size=(6, 30)), 2)
    b = values[..., np.newaxis]
    items = TESTS.parse("permutation").apply(Parts(np.zeros_like(b), b, METRICS.parse("mean")), stream(0))
    assert apply(values, np.arange(30)).pvalue == pytest.approx(items.pvalue, rel=1e-12, abs=0.0)


def test_clusters_are_asked_for() -> None:
    """Without clusters the test says which option names them."""
    assert TESTS.parse("cluster_sign_flip").needs_clusters
    with pytest.raises(Unsuitable, match="needs clusters, and no item has one"):
        apply(np.ones(5), None)


@pytest.mark.parametrize(
    ("clusters", "alternative", "least"), [(12, "two-sided", "0.000488"), (12, "less", "0.000244")]
)
def test_up_to_twelve_clusters_the_smallest_p_is_told(clusters: int, alternative: str, least: str) -> None:
    """Two sides of twelve clusters reach 2^-11, one side 2^-12; with thirteen it is no longer worth a word."""
    values = np.random.default_rng(2).normal(size=3 * clusters)
    told = apply(values, np.repeat(np.arange(clusters), 3), alternative)
    assert told.method.endswith(f"; with 12 clusters no p-value is below {least}")
    more = apply(np.random.default_rng(2).normal(size=39), np.repeat(np.arange(13), 3), alternative)
    assert "no p-value" not in more.method


def test_statistic_and_direction() -> None:
    """The statistic is the mean difference over items; the direction is that of the clusters' total."""
    assert TESTS.parse("cluster_sign_flip").counts_signs
    values, codes = np.array([0.5, 0.1, -0.2, -0.1]), np.array([0, 0, 1, 1])
    found = apply(values, codes)
    assert float(found.statistic) == pytest.approx(0.075)
    assert (float(found.direction), float(found.error)) == (1.0, 0.0)


def test_noise_of_a_cluster_grows_with_its_items() -> None:
    """Thousands of 0.1 and half as many of −0.2 sum to the same size only up to rounding: such clusters are tied."""
    values = np.r_[np.full(6000, 0.1), np.full(3000, -0.2)]
    found = apply(values, (values < 0.0).astype(np.int64))
    assert (float(found.pvalue), float(found.direction)) == (1.0, 0.0)
