"""A pilot by a metric that is no mean: what drawn items contribute, as if the parts of every one were gathered."""

import numpy as np
import pytest

from tellapart.metrics import METRICS
from tellapart.populations.design import Design
from tellapart.populations.noise import Noise
from tellapart.populations.pilot import Pilot
from tellapart.populations.population import Population
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.summaries import Differences


def counts(seed: int, items: int, runs: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 6, size=(items, runs, 3)).astype(float)


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("runs", [1, 2])
def test_differences_of_what_was_drawn(runs: int, clustered: bool) -> None:
    """The same numbers as from the parts of every drawn item, with and without clusters and repeats."""
    clusters = np.arange(60) // 5 if clustered else None
    pilot = Pilot.from_pair(
        Pair(counts(1, 60, runs), counts(2, 60, runs), clusters), 0.05, METRICS.parse("f1")
    )
    noise = Noise.drawn(pilot.draws(Design.of(40)), 30, stream(3))
    quick = pilot.summary(Differences, noise)
    slow = Population.summary(pilot, Differences, noise)
    assert quick.values == pytest.approx(slow.values, abs=1e-12)
    if clustered:
        assert np.array_equal(quick.clusters, slow.clusters)
    assert quick.effect.mean() == pytest.approx(0.05, abs=0.03)
