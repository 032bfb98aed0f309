"""What a z test would need: distances to a claim, and the spread of an item's difference."""

import math

import numpy as np
import pytest

from tellapart.foundation.seeds import stream
from tellapart.planning.solved_axes import distance_to_claim, item_spread
from tellapart.planning.study import Study
from tellapart.populations import Population

GAUSSIAN = "gaussian(sd=0.1, correlation=0.5, effect=0.03)"
ALIKE = "gaussian(sd=0.1, correlation=1, effect=0)"
CLUSTERED = "clustered(population=gaussian(sd=0.1, correlation=0.5), size=10, icc=0.3, effect=0.02)"


@pytest.mark.parametrize(
    ("test", "effect_size", "distance"),
    [
        ("paired_t", -0.03, 0.03),
        ("equivalence(margin=0.1)", -0.03, 0.07),
        ("equivalence(margin=0.1)", 0.12, -0.02),
        ("non_inferiority(margin=0.1)", -0.03, 0.07),
        ("non_inferiority(margin=0.1)", 0.03, 0.13),
        ("non_inferiority(margin=0.1, alternative=less)", 0.03, 0.07),
        ("non_inferiority(margin=0.1, alternative=less)", -0.03, 0.13),
    ],
)
def test_distances_to_a_claim(test: str, effect_size: float, distance: float) -> None:
    """From zero, or from the margin on the side that the claim is about."""
    study = Study(f"gaussian(sd=0.1, correlation=0.5, effect={effect_size})", test, 50)
    assert distance_to_claim(study) == pytest.approx(distance)


def test_spreads_that_are_known_and_that_are_looked_for() -> None:
    """What the population says of independent items; else what some drawn items or clusters show."""
    assert item_spread(Population.parse(GAUSSIAN)) == pytest.approx(0.1)
    assert item_spread(Population.parse(CLUSTERED)) == pytest.approx(0.1 * math.sqrt(1 + 9 * 0.3), rel=0.1, abs=0.0)
    beta = Population.parse("beta(mean=0.5, sd=0.1, correlation=0, effect=0)")
    assert beta.sd_difference is None
    assert item_spread(beta) == pytest.approx(0.1 * math.sqrt(2.0), rel=0.1, abs=0.0)
    for alike in (
        "paired_binary(discordance=0, effect=0)",
        f"clustered(population={ALIKE}, size=3, icc=0.2)",
    ):
        assert item_spread(Population.parse(alike)) == 1.0


def test_five_hundred_items_or_clusters_are_looked_at() -> None:
    """Of a population that cannot say its spread: the root of the mean square of what these differ by, clusters as one."""
    beta = Population.parse("beta(mean=0.5, sd=0.1, correlation=0.3, effect=0.05)")
    drawn = beta.draw(500, 1, stream(0))
    assert item_spread(beta) == pytest.approx(float(np.std(drawn.b - drawn.a)), rel=1e-12, abs=0.0)
    clustered = Population.parse(
        "clustered(population=beta(mean=0.5, sd=0.1, correlation=0.3), size=4, icc=0.3, effect=0.05)"
    )
    drawn = clustered.draw(2_000, 1, stream(0))
    means = (drawn.b - drawn.a).reshape(500, 4).mean(axis=1)
    assert item_spread(clustered) == pytest.approx(2.0 * float(np.std(means)), rel=1e-12, abs=0.0)
