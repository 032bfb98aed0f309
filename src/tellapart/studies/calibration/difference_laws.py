"""Distributions of item differences with mean 0 and standard deviation 1, with and without an effect."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator, stream
from tellapart.populations.tilted_items import tilted
from tellapart.studies.calibration.scenario import Draw

Shape = tuple[int, int]

TELLING = 0.2
"""The share of items that differ where most are tied."""


def normal(shape: Shape, effect: float, rng: Generator) -> FloatArray:
    return rng.standard_normal(shape) + effect


def laplace(shape: Shape, effect: float, rng: Generator) -> FloatArray:
    """Exponential on both sides."""
    return np.asarray(rng.laplace(0.0, math.sqrt(0.5), shape) + effect)


def uniform(shape: Shape, effect: float, rng: Generator) -> FloatArray:
    return np.asarray(rng.uniform(-math.sqrt(3.0), math.sqrt(3.0), shape) + effect)


def heavy_tailed(shape: Shape, effect: float, rng: Generator) -> FloatArray:
    """Student's t with three degrees of freedom."""
    return np.asarray(rng.standard_t(3.0, shape) / np.sqrt(3.0) + effect)


def skewed(shape: Shape, effect: float, rng: Generator) -> FloatArray:
    """Exponential: many small losses, few large gains."""
    return rng.standard_exponential(shape) - 1.0 + effect


def rarely_lost(shape: Shape, effect: float, rng: Generator) -> FloatArray:
    """Small gains, and one item in twenty that loses ten times as much as these vary."""
    lost = rng.random(shape) < 0.05
    return np.asarray((0.1 * rng.standard_normal(shape) - lost + 0.05) / math.hypot(0.1, math.sqrt(0.0475)) + effect)


LOGNORMAL_MEAN = float(np.exp(0.5))
LOGNORMAL_SD = math.sqrt((math.e - 1.0) * math.e)
"""Of the exponential of a standard normal: (e − 1)·e is its variance, √e its mean."""


def lognormal(shape: Shape, effect: float, rng: Generator) -> FloatArray:
    """A long tail on one side: a skewness of six."""
    return np.asarray((rng.lognormal(0.0, 1.0, shape) - LOGNORMAL_MEAN) / LOGNORMAL_SD + effect)


FAILING = 0.08
"""The share of items on which a system that gains a little elsewhere fails."""


LOSS = 1.5
"""The mean loss of a failure, before scaling."""


class Losses(NamedTuple):
    """How failures vary: draws with a mean of `LOSS`, and the mean of their squares."""

    draw: Callable[[Shape, Generator], FloatArray]
    squared: float


EXPONENTIAL = Losses(lambda shape, rng: 0.5 + rng.standard_exponential(shape), 1.0 + LOSS**2)
"""A loss is 0.5 and an exponential one on top."""

LOGNORMAL = Losses(
    lambda shape, rng: LOSS * rng.lognormal(-0.32, 0.8, shape), LOSS**2 * math.exp(0.64)
)  # fmt: skip
"""Half of the losses are below 1.1, one in twenty above 4."""


def failing(share: float, sd: float = 0.05, losses: Losses = EXPONENTIAL) -> Draw:
    """Small gains on most items, which vary by `sd`, and large losses on a share of them."""

    def draw(shape: Shape, effect: float, rng: Generator) -> FloatArray:
        gain = LOSS * share / (1.0 - share)
        fails = rng.random(shape) < share
        values = np.where(fails, -losses.draw(shape, rng), rng.normal(gain, sd, shape))
        spread = np.sqrt(share * losses.squared + (1.0 - share) * (sd**2 + gain**2))
        return np.asarray(values / spread + effect)

    return draw


rarely_failing = failing(FAILING)
"""One item in twelve."""


def outliers(shape: Shape, effect: float, rng: Generator) -> FloatArray:
    """Symmetric, and one item in twenty varies five times as much as the others."""
    scale = np.where(rng.random(shape) < 0.05, 5.0, 1.0) / np.sqrt(0.95 + 0.05 * 25.0)
    return np.asarray(scale * rng.standard_normal(shape) + effect)


def two_datasets(shape: Shape, effect: float, rng: Generator) -> FloatArray:
    """Items of two datasets, one in three of that whose differences vary ten times as much."""
    scale = np.where(rng.random(shape) < 1.0 / 3.0, 10.0, 1.0) / np.sqrt(102.0 / 3.0)
    return np.asarray(scale * rng.standard_normal(shape) + effect)


def mostly_zero(shape: Shape, effect: float, rng: Generator) -> FloatArray:
    """Four items in five are tied; the others are normal, and carry the whole effect."""
    values = (rng.standard_normal(shape) / np.sqrt(TELLING)) + effect / TELLING
    return np.where(rng.random(shape) < TELLING, values, 0.0)


TIED = 0.5
"""The share of items that are tied where the others lean to one side."""


def half_lognormal(shape: Shape, effect: float, rng: Generator) -> FloatArray:
    """Half of the items are tied; the others have a long tail on one side, and carry the whole effect."""
    values = lognormal(shape, 0.0, rng) / np.sqrt(1.0 - TIED) + effect / (1.0 - TIED)
    return np.where(rng.random(shape) < TIED, 0.0, values)


def on_lattice(support: tuple[float, ...], chances: tuple[float, ...]) -> Draw:
    """Few values on a common step; an effect changes how likely they are, as little as can be, and moves none."""
    values, base = np.array(support), np.array(chances)
    values = values - base @ values
    spread = np.sqrt(base @ values**2)

    def draw(shape: Shape, effect: float, rng: Generator) -> FloatArray:
        weights = tilted(values, base, effect * spread) if effect else base
        return np.asarray(rng.choice(values / spread, p=weights, size=shape))

    return draw


def pooled(differences: FloatArray) -> Draw:
    """Differences of bounded scores, each as likely as the other; an effect changes how likely, and moves none."""
    return on_lattice(tuple(differences.tolist()), (1.0 / len(differences),) * len(differences))


POOL = 400
"""Differences of a pool, which come with both signs: equal systems."""


def nearly_binary() -> Draw:
    """Right is 1 and wrong something from .12 to .34: both are right on 80 % of the items, one alone on 12 %."""
    rng = stream(1)
    partial = rng.uniform(0.12, 0.34, (2, POOL))
    wrong = np.arange(POOL) >= 0.8 * POOL
    alone = wrong & (np.arange(POOL) < 0.92 * POOL)
    b, a = np.where(wrong, partial[0], 1.0), np.where(wrong & ~alone, partial[1], 1.0)
    return pooled(np.concatenate([b - a, a - b]))


def ndcg_with_zeros() -> Draw:
    """Two systems' nDCG, alike on a query (correlation .6): on one query in four neither finds anything, on one in ten only one does."""
    rng = stream(2)
    common, own = rng.standard_normal(POOL), rng.standard_normal((2, POOL))
    scores = special.ndtr(math.sqrt(0.6) * common + math.sqrt(0.4) * own)
    scores[:, np.arange(POOL) < 0.25 * POOL] = 0.0
    scores[0, np.arange(POOL) >= 0.9 * POOL] = 0.0
    return pooled(np.concatenate([scores[1] - scores[0], scores[0] - scores[1]]))


def in_clusters(sizes: tuple[int, ...], likeness: float, law: Draw = normal) -> Draw:
    """Normal differences whose clusters have an intraclass correlation of `likeness`; clusters vary by `law`."""
    codes = np.repeat(np.arange(len(sizes)), sizes)

    def draw(shape: Shape, effect: float, rng: Generator) -> FloatArray:
        common = law((shape[0], len(sizes)), 0.0, rng)[:, codes]
        own = rng.standard_normal(shape)
        return np.asarray(np.sqrt(likeness) * common + np.sqrt(1.0 - likeness) * own + effect)

    return draw
