"""What few items or clusters detect: they show how far effects vary, drawn again they vary too little."""

import numpy as np
import pytest

from tellapart import Scores, compare
from tellapart.arrays import FloatArray
from tellapart.results.note import codes
from tellapart.seeds import stream
from tellapart.significance import TESTS
from tellapart.summaries import Differences


def in_clusters(clusters: int, seed: int, size: int = 2) -> Scores:
    effects = np.random.default_rng(seed).normal(size=clusters)
    a = np.zeros(clusters * size)
    return Scores.from_arrays({"a": a, "b": a + np.repeat(effects, size)}, clusters=np.arange(len(a)) // size)


def power(effects: FloatArray, clusters: int) -> FloatArray:
    """Of the test on normal clusters of spread 1, by a simulation of its own."""
    test, noise = TESTS.parse("leaning_cluster_t"), np.random.default_rng(7).normal(size=(4_000, clusters))
    places = np.linspace(0.3, 3.0, 28)
    found = [
        np.mean(test.apply(Differences(noise + x, np.arange(clusters)), stream(0)).pvalue <= 0.05)
        for x in places
    ]
    return np.asarray(np.interp(effects, places, found))


@pytest.mark.parametrize("clusters", [8, 12, 20])
def test_the_effect_is_found_as_often_as_is_said(clusters: int) -> None:
    """The median over many evaluations, each of which takes the spread that it saw for the true one."""
    answers = [compare(in_clusters(clusters, seed)) for seed in range(24)]
    said = [answer.detectable.effect for answer in answers if answer.detectable is not None]
    assert len(said) >= 23
    assert answers[0].test.startswith("leaning_cluster_t")
    assert 0.72 <= float(np.median(power(np.array(said), clusters))) <= 0.86


@pytest.mark.parametrize("seed", range(6))
def test_no_less_than_the_t_test_of_the_same_clusters_detects(seed: int) -> None:
    """Which claims whatever this one does."""
    scores = in_clusters(8, seed)
    found, least = compare(scores), compare(scores, test="cluster_t").detectable
    assert found.detectable is not None
    assert least is not None
    assert found.detectable.effect >= least.effect
    assert "detectable_if_normal" in codes(found.notes)


def test_uneven_clusters_have_the_error_that_was_seen() -> None:
    """Normal effects in clusters of 2 to 40 items: a test that nothing leans for finds what its t finds."""
    sizes = np.array([2, 3, 5, 8, 10, 14, 20, 25, 30, 40])
    rng = np.random.default_rng(3)
    codes_of = np.repeat(np.arange(10), sizes)
    a = np.zeros(len(codes_of))
    scores = Scores.from_arrays({"a": a, "b": a + rng.normal(size=10)[codes_of]}, clusters=codes_of)
    found, by_t = (
        compare(scores, test=f"{test}(variance=cr2)").detectable
        for test in ("leaning_cluster_t", "cluster_t")
    )
    assert found is not None
    assert by_t is not None
    assert by_t.effect <= found.effect < 1.35 * by_t.effect
