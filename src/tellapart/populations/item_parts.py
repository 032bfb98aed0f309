"""What the items of two systems contribute to the difference of a metric, however likely each item is drawn."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.metrics.metric import Metric
from tellapart.scores import Pair
from tellapart.summaries import Differences, average_runs, item_contributions


@dataclass(frozen=True, eq=False)
class ItemParts:
    """The parts of each item, `(item, part)` of both systems, their runs averaged."""

    a: FloatArray
    b: FloatArray
    metric: Metric

    @classmethod
    def of(cls, pair: Pair, metric: Metric) -> Self:
        return cls(average_runs(pair.a), average_runs(pair.b), metric)

    @cached_property
    def contributions(self) -> tuple[FloatArray, FloatArray]:
        """What each item contributes to the metric of A and of B, all items being equally likely."""
        return item_contributions(self.a, self.metric), item_contributions(self.b, self.metric)

    @cached_property
    def differences(self) -> FloatArray:
        a, b = self.contributions
        return b - a

    def effect(self, weights: FloatArray) -> float:
        """The difference of the metric among endless items drawn with these chances."""
        a, b = (self.metric.value(weights @ parts, len(parts)) for parts in (self.a, self.b))
        return float(b - a)

    def weighted_differences(self, weights: FloatArray) -> FloatArray:
        """The differences about the mean parts that items drawn with these chances have: their weighted mean is the effect."""
        if self.metric.linear:
            return self.differences
        return self._weighted(self.b, weights) - self._weighted(self.a, weights)

    def _weighted(self, parts: FloatArray, weights: FloatArray) -> FloatArray:
        means, items = weights @ parts, len(parts)
        slopes = self.metric.gradient(means, items)
        return np.asarray((parts - means) @ slopes + self.metric.value(means, items))

    def drawn_differences(self, picked: IntArray) -> Differences:
        """What each of all items contributes to the difference in samples of items drawn as `picked`, `(sample, draw)`: `(sample, item)`.

        One product per sample over distinct items, in place of the parts of every drawn one.
        """
        size, draws = picked.shape
        places = picked + len(self.a) * np.arange(size)[:, np.newaxis]
        shares = np.bincount(places.ravel(), minlength=size * len(self.a)).reshape(size, -1) / draws
        a, b = (self._contributed(parts, shares @ parts, draws) for parts in (self.a, self.b))
        return Differences.between(a, b)

    def _contributed(self, parts: FloatArray, means: FloatArray, items: int) -> FloatArray:
        """What each item contributes where the mean parts are these, `(sample, item)`."""
        slopes = self.metric.gradient(means, items)
        about = self.metric.value(means, items) - np.einsum("sp,sp->s", slopes, means)
        return np.asarray(slopes @ parts.T + about[:, np.newaxis])
