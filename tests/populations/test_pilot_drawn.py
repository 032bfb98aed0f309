"""A pilot by a metric that is no mean: what drawn items contribute, as if the parts of every one were gathered."""

import numpy as np
import pytest

from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences
from tellapart.foundation.seeds import stream
from tellapart.metrics import METRICS
from tellapart.populations.noise import Noise
from tellapart.populations.pilot import Pilot
from tellapart.populations.population import Design, Population


def counts(seed: int, items: int, runs: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 6, size=(items, runs, 3)).astype(float)


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("runs", [1, 2])
def test_differences_of_what_was_drawn(runs: int, clustered: bool) -> None:
    """The same numbers as from the parts of every drawn item, with and without clusters and repeats."""
    clusters = np.arange(60) // 5 if clustered else None
    pilot = Pilot.from_pair(Pair(counts(1, 60, runs), counts(2, 60, runs), clusters), 0.05, METRICS.parse("f1"))
    noise = Noise.drawn(pilot.draws(Design.of(40)), 30, stream(3))
    quick = pilot.summary(Differences, noise)
    slow = Population.summary(pilot, Differences, noise)
    assert quick.values == pytest.approx(slow.values, abs=1e-12)
    if clustered:
        assert np.array_equal(quick.clusters, slow.clusters)
    assert quick.effect.mean() == pytest.approx(0.05, abs=0.03)


def test_a_part_of_a_cluster_is_like_the_whole() -> None:
    """Of independent items in uneven clusters, the few that fill a small place vary as any few do: they are not the highest or the lowest."""
    rng = np.random.default_rng(1)
    codes = np.repeat(np.arange(40), np.resize([5, 10, 20, 40, 80], 40))
    a = rng.normal(size=(len(codes), 1, 1))
    pilot = Pilot.from_pair(Pair(a, a + rng.normal(size=a.shape), codes), 0.0)
    drawn = pilot.draw(len(codes), 1000, stream(2))
    assert drawn.clusters is not None
    differences, sizes = (drawn.b - drawn.a)[..., 0, 0], np.bincount(drawn.clusters)
    for size, most in ((5, 1.15), (10, 1.15), (20, 1.25)):
        place = int(np.flatnonzero(sizes == size)[0])
        spread = differences[:, drawn.clusters == place].mean(axis=1).std() * size**0.5
        assert 0.85 < spread < most, size
    # Small clusters that fill large places come again within them, which is all that is left of a larger spread.
    assert differences.mean(axis=1).std() * len(codes) ** 0.5 < 1.5


def test_the_order_of_a_file_leaves_no_trace() -> None:
    rng, codes = np.random.default_rng(4), np.repeat(np.arange(6), [2, 3, 4, 5, 6, 7])
    a, b = rng.normal(size=(2, len(codes), 1, 1))
    turned = rng.permutation(len(codes))
    first, second = (
        Pilot.from_pair(Pair(a[rows], b[rows], codes[rows]), 0.0).draw(20, 5, stream(1))
        for rows in (np.arange(len(codes)), turned)
    )
    assert np.array_equal(first.a, second.a)
    assert np.array_equal(first.b, second.b)
