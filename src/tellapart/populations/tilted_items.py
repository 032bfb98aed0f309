"""Exponential tilting: weights on the items or clusters of a pilot that give a wanted effect."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from tellapart.data.pair import Pair
from tellapart.foundation.arrays import FloatArray
from tellapart.metrics.metric import Metric
from tellapart.numerics.roots import increasing_root
from tellapart.populations.pilot_items import ItemClusters, ItemParts

# Weights under which given differences have a wanted mean: the least change to the sample that does it.


def tilted(differences: FloatArray, base: FloatArray, mean: float) -> FloatArray:
    """Weights ∝ base · exp(θ · difference), summing to 1, with this mean; `(*batch, item)` like `base`.

    No value is moved, so bounded scores stay in their range and binary ones stay binary. NaN where the mean is not
    strictly between the smallest and the largest difference that has weight. Efron (1981).
    """
    gap = np.where(base > 0.0, differences - mean, 0.0)
    same = (gap == 0.0).all(axis=-1, keepdims=True)
    feasible = (gap.min(axis=-1, keepdims=True) < 0.0) & (gap.max(axis=-1, keepdims=True) > 0.0)
    weights = _balanced_weights(np.where(feasible, gap, 0.0), base)
    return np.where(feasible | same, weights, np.nan)


def _balanced_weights(gap: FloatArray, base: FloatArray) -> FloatArray:
    """Weights ∝ base · exp(θ · gap) under which the gaps have mean zero."""
    # In units of the largest gap the root is of the order of 1, whatever the scores are measured in.
    scale = np.abs(gap).max(axis=-1, keepdims=True)
    gap = gap / np.where(scale > 0.0, scale, 1.0)
    # The sign of the gaps is turned where they must be tilted down, so that every root is looked for above zero.
    gap = np.where((base * gap).sum(axis=-1, keepdims=True) > 0.0, -gap, gap)

    def mean(theta: FloatArray) -> FloatArray:
        return np.asarray((_tilted_weights(gap, base, theta) * gap).sum(axis=-1))

    zero = np.zeros(base.shape[:-1])
    return _tilted_weights(gap, base, increasing_root(mean, zero, zero + 1.0))


def _tilted_weights(gap: FloatArray, base: FloatArray, theta: FloatArray) -> FloatArray:
    exponent = np.where(base > 0.0, theta[..., np.newaxis] * gap, -np.inf)
    # The largest exponent is taken off first, so that none overflows.
    weights = base * np.exp(exponent - exponent.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


SAME = 1e-15
"""Differences this near to each other, as a share of the largest score, are the same number."""
EDGE = 1e-6
"""How near to its extreme differences, as a share of their range, a pilot may be tilted for a metric that is no mean."""


@dataclass(frozen=True, eq=False)
class TiltedItems:
    """Clusters of items, in the order of their mean differences."""

    parts: ItemParts
    clusters: ItemClusters
    largest: float
    """The size of the largest score, against which rounding is judged."""

    @classmethod
    def of(cls, pair: Pair, metric: Metric) -> Self:
        parts = ItemParts.of(pair, metric)
        scores = (pair.a, pair.b) if metric.linear else parts.contributions
        largest = max(float(np.nanmax(np.abs(x))) for x in scores)
        return cls(parts, ItemClusters.of(parts.differences, pair.clusters), largest)

    @cached_property
    def effect_range(self) -> tuple[float, float]:
        """The effects that some chances have; those of a mean lie between the extreme differences."""
        low, high = self._mean_range
        return (low, high) if self._is_mean else (self._effect_at(low), self._effect_at(high))

    @cached_property
    def constant(self) -> bool:
        """Whether all differences that are drawn are the same number, up to rounding."""
        low, high = self.effect_range
        return high - low <= SAME * self.largest

    def chances(self, effect: float) -> FloatArray:
        """The chance of each cluster to be drawn: in proportion to its size, tilted to the effect."""
        if self.constant:
            sizes = self.clusters.sizes.astype(np.float64)
            return np.asarray(sizes / sizes.sum())
        return self._tilted_to(effect if self._is_mean else self._mean_with(effect))

    def weights(self, chances: FloatArray) -> FloatArray:
        """The chances of clusters, spread evenly over their items."""
        sizes = self.clusters.sizes
        weights = np.empty(len(self.parts.differences))
        weights[self.clusters.order] = np.repeat(chances / sizes, sizes)
        return weights

    def cluster_means(self, chances: FloatArray) -> FloatArray:
        """The mean difference of each cluster, for a metric that is no mean about the mean parts of what is drawn."""
        if self._is_mean:
            return self.clusters.means
        return self.clusters.means_of(self.parts.weighted_differences(self.weights(chances)))

    @property
    def _is_mean(self) -> bool:
        return self.parts.metric.linear

    @property
    def _mean_range(self) -> tuple[float, float]:
        low, high = float(self.clusters.means[0]), float(self.clusters.means[-1])
        # At its very ends a tilt leaves a single item, on which few metrics but the mean are defined.
        inside = 0.0 if self._is_mean else EDGE * (high - low)
        return low + inside, high - inside

    def _tilted_to(self, mean: float) -> FloatArray:
        return tilted(self.clusters.means, self.clusters.sizes.astype(np.float64), mean)

    def _effect_at(self, mean: float) -> float:
        """The effect on the metric when items are tilted until their differences have this mean."""
        return self.parts.effect(self.weights(self._tilted_to(mean)))

    def _mean_with(self, effect: float) -> float:
        """To which mean differences are tilted so that the metric has the effect: near to it, where the metric is straight."""

        def gap(mean: FloatArray) -> FloatArray:
            return np.asarray(self._effect_at(float(mean)) - effect)

        low, high = self._mean_range
        return float(increasing_root(gap, np.asarray(low), np.asarray(high)))
