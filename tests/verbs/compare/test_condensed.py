"""Very many items in clusters: what they could have shown is simulated on a few that stand for each cluster."""

import numpy as np
import pytest

from tellapart import Scores, compare
from tellapart.populations.population import MEAN
from tellapart.results.note import codes
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import TESTS
from tellapart.summaries import Differences
from tellapart.verbs.compare.condensed import condensed
from tellapart.verbs.compare.simulated_effect import BY_CLUSTER_SUMS


def clustered(sizes: list[int], seed: int = 0) -> Pair:
    rng, cluster = np.random.default_rng(seed), np.repeat(np.arange(len(sizes)), sizes)
    effects = 0.5 * (rng.exponential(size=len(sizes)) - 1.0)
    a = rng.normal(size=(len(cluster), 1, 1))
    return Pair(a, a + effects[cluster][:, np.newaxis, np.newaxis] + rng.normal(size=a.shape), cluster)


@pytest.mark.parametrize("name", BY_CLUSTER_SUMS)
@pytest.mark.parametrize("variance", ["cr1", "cr2"])
@pytest.mark.parametrize("sizes", [[300] * 12, [100, 200, 300, 700] * 3])
def test_nothing_is_lost_where_sizes_have_a_divisor(name: str, variance: str, sizes: list[int]) -> None:
    """The same p-value on a hundredth of the items."""
    pair, test = clustered(sizes), TESTS.parse(f"{name}(variance={variance})")
    few = condensed(pair, MEAN, 1_000)
    assert len(few.a) == sum(sizes) // np.gcd.reduce(sizes)
    whole, part = (float(test.apply(Differences.of(one, MEAN), stream(0)).pvalue) for one in (pair, few))
    assert part == pytest.approx(whole, rel=1e-9, abs=0.0)


def test_other_sizes_are_rounded_to_so_many_items() -> None:
    """Each cluster keeps its share and at least one item; more clusters than items are no fewer."""
    sizes = [1, 2, 3, 997, 1_499, 2_003, 2_503, 3_001]
    pair = clustered(sizes)
    few = condensed(pair, MEAN, 500)
    assert few.clusters is not None
    counts = np.bincount(few.clusters)
    assert 480 <= counts.sum() <= 500
    assert counts[:3].tolist() == [1, 1, 1]
    assert counts[3:] / counts.sum() == pytest.approx(np.array(sizes[3:]) / sum(sizes), rel=0.02, abs=0.0)
    assert len(condensed(clustered([7, 11] * 300), MEAN, 500).a) == 600


def test_what_very_many_items_could_have_shown() -> None:
    """An answer in place of a question to ask; ten times the items in as many clusters could have shown as much."""
    found = []
    for size in (40, 400):
        pair = clustered([size] * 20, seed=5)
        scores = {"a": pair.a[:, 0, 0], "b": pair.b[:, 0, 0]}
        answer = compare(Scores.from_arrays(scores, clusters=pair.clusters))
        assert answer.test.startswith("leaning_cluster_t")
        assert "detectable_by_plan" not in codes(answer.notes)
        assert answer.detectable is not None
        found.append(answer.detectable.effect)
    assert found[1] == pytest.approx(found[0], rel=0.2, abs=0.0)
