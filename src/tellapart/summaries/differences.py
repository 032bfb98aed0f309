from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from tellapart.arrays import FloatArray, IntArray, settle, snap
from tellapart.doors import option
from tellapart.errors import Unsuitable
from tellapart.scores import Pair
from tellapart.summaries.contributions import contributions
from tellapart.summaries.summary import Aggregation, Summary


@dataclass(frozen=True, eq=False)
class Differences(Summary):
    """Per-item differences B − A, `(*batch, item)`, whose mean is the effect.

    For a metric that is no plain mean the values are differences of influence: what one item contributes to the
    metric of each system, so that their mean and spread are those of the difference of metrics.
    """

    values: FloatArray
    clusters: IntArray | None = None
    scale: float | None = None

    def clusters_for(self, method: object) -> IntArray:
        """Which items belong together, for a method that cannot do without."""
        if self.clusters is None:
            raise Unsuitable(
                f"{method} needs to know which items belong together; name the column: {option('column', 'cluster=…')}"
            )
        return self.clusters

    @classmethod
    def of(cls, sample: Pair, metric: Aggregation) -> Self:
        return cls.between(contributions(sample.a, metric), contributions(sample.b, metric), sample.clusters)

    @classmethod
    def between(cls, a: FloatArray, b: FloatArray, clusters: IntArray | None = None) -> Self:
        scale = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))
        # Settled before anything divides by their spread: 0.1 more on every item is no spread of 1e-17.
        return cls(settle(b - a, scale), clusters, scale)

    @cached_property
    def items(self) -> int:
        return int(self.values.shape[-1])

    @cached_property
    def effect(self) -> FloatArray:
        return np.asarray(self.values.mean(axis=-1))

    @property
    def largest(self) -> float:
        """The size of the largest score, or of the largest difference where scores are not known."""
        return self.scale if self.scale is not None else float(np.abs(self.values).max(initial=0.0))

    @cached_property
    def snapped(self) -> FloatArray:
        """The differences without float noise: what ranks, ties, zeros and lattices are judged by."""
        # Noise comes from the scores that were subtracted: 1000.3 − 1000.1 is less sure of its digits than 0.3 − 0.1.
        return snap(self.values, self.largest)

    def shifted(self, by: float) -> Self:
        # Adding a constant rounds at the constant's own size, if that is the larger one.
        scale = None if self.scale is None else max(self.scale, abs(by))
        return type(self)(self.values + by, self.clusters, scale)
