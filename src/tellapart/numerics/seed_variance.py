"""Variance of a mean over items and seeds: seeds nested in systems, items crossed with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from tellapart.foundation.arrays import FloatArray, mean_and_variance, settle
from tellapart.numerics.moments import t_ratio
from tellapart.numerics.null_laws.tails import t_quantile, t_quantiles, t_tails
from tellapart.numerics.roots import increasing_root

SeedRule = Literal["satterthwaite", "cochran"]
"""Satterthwaite's degrees of freedom, or Cochran's weighted critical value."""


VERY_MANY = 1_000
"""Evaluations from which on quantiles are looked up."""


@dataclass(frozen=True, eq=False)
class SeedMeanSquares:
    """Mean squares of a sample of seeds and items, `(*batch,)`; `seeds` counts them per system.

    `between` are the variances of seed means over the number of seeds, per system; `items` the variance of item differences over the number of
    items; `interaction` the mean squares of seed times item over seeds and items, per system.
    """

    seeds: tuple[int, ...]
    count: int
    between: tuple[FloatArray, ...]
    items: FloatArray
    interaction: tuple[FloatArray, ...]

    @cached_property
    def seed_variance(self) -> FloatArray:
        return np.asarray(sum(self.between), dtype=np.float64)

    @cached_property
    def variance(self) -> FloatArray:
        """Of the effect on other items with other seeds: the interaction is in seeds and in items, and counts once."""
        whole = self.seed_variance + self.items - sum(self.interaction)
        return np.asarray(np.maximum(whole, np.maximum(self.seed_variance, self.items)))

    @property
    def seed_share(self) -> FloatArray:
        """The share of seeds in that variance: what endless items would leave."""
        net = np.maximum(self.seed_variance - sum(self.interaction), 0.0)
        variance = self.variance
        return np.divide(net, variance, out=np.zeros_like(variance), where=variance > 0.0)

    @cached_property
    def df(self) -> FloatArray:
        """Satterthwaite's degrees of freedom; infinite where nothing varies. Satterthwaite (1946)."""
        parts = [(self.items, self.count - 1)]
        parts += [(one, seeds - 1) for one, seeds in zip(self.between, self.seeds, strict=True)]
        rest = zip(self.interaction, self.seeds, strict=True)
        parts += [(one, (self.count - 1) * (seeds - 1)) for one, seeds in rest]
        spread = np.asarray(sum(one * one / df for one, df in parts))
        variance = self.variance
        return np.asarray(np.divide(variance**2, spread, out=np.full_like(variance, np.inf), where=spread > 0.0))

    def tails(self, effect: FloatArray, rule: SeedRule) -> tuple[FloatArray, FloatArray]:
        """P(T ≤ t) and P(T ≥ t) of effect over error, if there were no effect."""
        ratio = t_ratio(effect, np.sqrt(self.variance))
        if rule == "satterthwaite":
            return t_tails(ratio, self.df)
        return weighted_t_tails(ratio, *self._weighted)

    def half_width(self, level: float, rule: SeedRule) -> FloatArray:
        """How far an interval of this level extends to each side of the effect."""
        upper = 0.5 * (1.0 + level)
        if rule == "satterthwaite":
            quantile = t_quantiles if self.df.size >= VERY_MANY else t_quantile
            return np.asarray(quantile(upper, self.df) * np.sqrt(self.variance))
        return np.asarray(weighted_t_quantile(upper, *self._weighted) * np.sqrt(self.variance))

    @property
    def _weighted(self) -> tuple[list[FloatArray], list[float]]:
        """Weights and degrees of freedom of Cochran's rule: each system's seeds by their part of the variance, items the rest."""
        variance = self.variance
        weights = [np.divide(one, variance, out=np.zeros_like(variance), where=variance > 0.0) for one in self.between]
        return [*weights, 1.0 - np.asarray(sum(weights))], [*(seeds - 1.0 for seeds in self.seeds), self.count - 1.0]

    @property
    def sds(self) -> tuple[tuple[FloatArray, ...], FloatArray, tuple[FloatArray, ...]]:
        """Standard deviations of seeds per system, of item differences with endless seeds, and of seed times item per system."""
        numbers = list(zip(self.between, self.interaction, self.seeds, strict=True))
        seeds = tuple(np.sqrt(n * np.maximum(own - rest, 0.0)) for own, rest, n in numbers)
        own_items = np.sqrt(self.count * np.maximum(self.items - sum(self.interaction), 0.0))
        return seeds, own_items, tuple(np.sqrt(self.count * n * rest) for _, rest, n in numbers)


def seed_mean_squares(systems: Sequence[FloatArray], differences: FloatArray, scale: float) -> SeedMeanSquares:
    """Mean squares of scores `(*batch, item, seed)` of one system or two, with their item differences `(*batch, item)`."""
    count = int(differences.shape[-1])
    between, interaction = [], []
    for scores in systems:
        seeds = scores.shape[-1]
        own = settle(scores.mean(axis=-2), scale)
        between.append(mean_and_variance(own)[1] / seeds)
        rest = scores - scores.mean(axis=-1, keepdims=True) - scores.mean(axis=-2, keepdims=True)
        rest += scores.mean(axis=(-2, -1), keepdims=True)
        squares = np.einsum("...is,...is->...", rest, rest)
        interaction.append(squares / ((count - 1) * (seeds - 1)) / (seeds * count))
    items = mean_and_variance(differences)[1] / count
    seeds_of_each = tuple(int(scores.shape[-1]) for scores in systems)
    return SeedMeanSquares(seeds_of_each, count, tuple(between), items, tuple(interaction))


# Cochran's rule: critical values and tails by a weighted mean of the quantiles of several t distributions.


def weighted_t_quantile(level: FloatArray | float, weights: Sequence[FloatArray], dfs: Sequence[float]) -> FloatArray:
    """The weighted mean of the laws' quantiles; weights add up to 1. Cochran & Cox (1950)."""
    return np.asarray(sum(weight * t_quantile(level, df) for weight, df in zip(weights, dfs, strict=True)))


def weighted_t_tails(
    ratio: FloatArray, weights: Sequence[FloatArray], dfs: Sequence[float]
) -> tuple[FloatArray, FloatArray]:
    """The tails at which the weighted quantile is the ratio itself, each `(*batch,)`; NaN where the ratio is."""
    fewest, size = min(dfs), np.abs(ratio)
    known = np.isfinite(size)

    def excess(quantile: FloatArray) -> FloatArray:
        tail = t_tails(quantile, fewest)[1]
        # From the smaller tail, which keeps its digits.
        mean = -weighted_t_quantile(tail, weights, dfs)
        return np.where(known, mean - size, quantile)

    # Of equal tails the law with the fewest degrees of freedom has the largest quantile, which is at least the ratio.
    least = np.where(known, size, 0.0)
    quantile = increasing_root(excess, least, 2.0 * least + 1.0)
    below, above = t_tails(np.copysign(quantile, ratio), fewest)
    return np.where(np.isnan(size), np.nan, below), np.where(np.isnan(size), np.nan, above)
