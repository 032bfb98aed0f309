from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.errors import Unsuitable
from tellapart.scores import Pair
from tellapart.summaries.contributions import average_runs, item_contributions
from tellapart.summaries.differences import Differences
from tellapart.summaries.summary import Aggregation, Summary


@dataclass(frozen=True, eq=False)
class Parts(Summary):
    """Per-item parts of both systems, `(*batch, item, part)`, runs already averaged: the most a method can ask for."""

    a: FloatArray
    b: FloatArray
    metric: Aggregation
    clusters: IntArray | None = None

    holds_parts = True

    @classmethod
    def of(cls, sample: Pair, metric: Aggregation) -> Self:
        return cls(average_runs(sample.a), average_runs(sample.b), metric, sample.clusters)

    @property
    def effect(self) -> FloatArray:
        """The metric of B minus the metric of A."""
        a, b = self.metrics
        return np.asarray(b - a)

    @property
    def metrics(self) -> tuple[FloatArray, FloatArray]:
        """The metric of A and of B, each of as many items as it has."""
        means = [(x.mean(axis=-2), x.shape[-2]) for x in (self.a, self.b)]
        a, b = (self.metric.value(*mean) for mean in means)
        return a, b

    @property
    def items(self) -> int:
        return int(self.a.shape[-2])

    @property
    def units(self) -> int:
        """What varies independently: clusters where they are known, else items."""
        return self.items if self.clusters is None else len(np.unique(self.clusters))

    @cached_property
    def contributions(self) -> tuple[FloatArray, FloatArray]:
        """What each item contributes to the metric of A and of B."""
        return item_contributions(self.a, self.metric), item_contributions(self.b, self.metric)

    @cached_property
    def differences(self) -> Differences:
        return Differences.between(*self.contributions, self.clusters)

    def shifted(self, by: float) -> Self:
        """B's metric moved by a constant; only a mean can be moved by moving every item."""
        # No constant added to an item's parts adds that constant to F1.
        if not self.metric.linear:
            raise Unsuitable(
                f"a resampling test of {self.metric} cannot be moved to a margin; use paired_t (with clusters cluster_t), which works on influence"
            )
        return replace(self, b=self.b + by)


def needed_by_both(one: type[Summary], other: type[Summary]) -> type[Summary] | None:
    """What two methods together have to look at: parts, from which differences follow, or the same; None where nothing serves both."""
    if one is other:
        return one
    return Parts if {one, other} <= {Parts, Differences} else None


def seen_as(needs: type[Summary], sample: Summary) -> Summary:
    """What one of two methods looks at, of a sample that serves both."""
    return sample.differences if needs is Differences and isinstance(sample, Parts) else sample
