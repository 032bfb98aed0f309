"""What the laws of populations are tried on: every example of every registered one, and pilots of all kinds."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellapart.data.pair import Pair
from tellapart.data.summaries import average_runs
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import TellapartError
from tellapart.foundation.seeds import Generator, stream
from tellapart.foundation.spelling import options
from tellapart.populations import POPULATIONS, Population
from tellapart.populations.noise import Noise
from tellapart.populations.pilot import Pilot
from tellapart.populations.population import Design

ITEMS = 37
"""No whole number of clusters, so that the last one is cut."""
MANY = 600
"""Items of a metric that is no mean, whose estimates lean by a share of one over their number."""


def spelled() -> list[Population]:
    return [POPULATIONS.parse(example) for name in POPULATIONS for example in POPULATIONS[name].examples]


def pilots() -> list[Population]:
    """Numbers with runs, right or wrong, clusters of many sizes, and metrics that are no mean."""
    rng = stream(11, 1)
    levels = rng.normal(0.5, 0.2, (60, 1, 1))
    runs = [levels + rng.normal(0.0, 0.1, (60, 2, 1)) for _ in "ab"]
    runs[0][3, 1] = np.nan
    right = [(levels + rng.normal(0.1, 0.3, (60, 1, 1)) > 0.5).astype(np.float64) for _ in "ab"]
    uneven = np.repeat(np.arange(20), [1, 2, 3, 4, 5] * 4)
    return [
        Pilot.from_pair(Pair(runs[0], runs[1]), 0.02),
        Pilot.from_pair(Pair(right[0], right[1]), -0.05),
        Pilot.from_pair(Pair(runs[0], runs[1], uneven), 0.02),
        Pilot.from_pair(counted(rng, 3), 0.03, "f1"),
        Pilot.from_pair(counted(rng, 4, np.repeat(np.arange(40), 5)), 0.02, "mcc"),
    ]


def counted(rng: Generator, parts: int, clusters: Any = None) -> Pair:
    """Counts of two systems on 200 items that are harder or easier for both."""
    hardness = np.exp(0.3 * rng.normal(size=(200, 1, 1)))
    rates = np.array([2.0, 0.6, 0.5, 1.5])[:parts]
    a, b = (rng.poisson(hardness * rates).astype(np.float64) for _ in "ab")
    return Pair(a, b, clusters)


def design_for(population: Population) -> Design:
    return Design(ITEMS if population.metric.linear else MANY)


def noise_for(population: Population, size: int, seed: int) -> Noise:
    return Noise.drawn(population.draws(design_for(population)), size, stream(seed))


def effects(population: Population, size: int, seed: int = 5) -> FloatArray:
    """The estimated effect of each simulated evaluation."""
    pair = population.draw(design_for(population), size, stream(seed))
    a, b = (average_runs(x).mean(axis=-2) for x in (pair.a, pair.b))
    items = pair.a.shape[-3]
    return np.asarray(population.metric.value(b, items) - population.metric.value(a, items))


def neighbours(population: Population) -> Iterator[Population]:
    """The population with each of its numbers moved a little: what a grid puts beside it."""
    yield population
    for option in options(type(population)):
        for value in _moved(getattr(population, option.name)):
            try:
                yield population.replace(**{option.name: value})
            except TellapartError:
                continue


def _moved(value: Any) -> list[Any]:
    if isinstance(value, Population):
        return list(neighbours(value))[1:]
    if isinstance(value, tuple):
        return [(value[0] - 0.1, value[1]), (value[0], value[1] + 0.1)]
    if isinstance(value, int):
        return [value - 1, value + 1, 2 * value]
    return [0.9 * value, 1.1 * value] if isinstance(value, float) else []
