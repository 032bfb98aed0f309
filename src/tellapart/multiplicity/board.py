"""The scores of many systems as one table of item contributions."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray, snap
from tellapart.distributions.clusters import cluster_sums
from tellapart.multiplicity.canonical_order import canonical_order
from tellapart.records import recode
from tellapart.scores import Scores
from tellapart.summaries import Aggregation, contributions


@dataclass(frozen=True, eq=False)
class Board:
    """What every item contributes to every system's metric, `(system, item)`, NaN where a system has no score.

    Systems are in the order of their names and items in the order of their content, so that nothing depends on the order
    they came in; `places` says where in `scores` each item is.
    """

    systems: tuple[str, ...]
    values: FloatArray
    clusters: IntArray | None
    places: IntArray
    scores: Scores
    metric: Aggregation

    @classmethod
    def of(cls, scores: Scores, metric: Aggregation) -> "Board":
        names = tuple(sorted(scores.systems))
        values = np.full((len(names), len(scores.items)), np.nan)
        for row, name in zip(values, names, strict=True):
            has = scores.scored(name)
            row[has] = contributions(scores.values[scores.system(name)][has], metric)
        places = canonical_order(values, scores.clusters)
        for row in values:
            row[:] = row[places]
        clusters = None if scores.clusters is None else recode(scores.clusters[places])
        return cls(names, values, clusters, places, scores, metric)

    def contributed(self, system: int, pattern: BoolArray) -> FloatArray:
        """What the items of a pattern contribute to a system's metric when it is judged on them alone; 0 elsewhere."""
        shared = self.scored[system] & pattern
        column = np.zeros(self.values.shape[1])
        if self.metric.linear:
            column[shared] = self.values[system, shared]
        else:
            row = self.scores.system(self.systems[system])
            column[shared] = contributions(self.scores.values[row][self.places[shared]], self.metric)
        return column

    @cached_property
    def scored(self) -> BoolArray:
        return ~np.isnan(self.values)

    @cached_property
    def complete(self) -> bool:
        return bool(self.scored.all())

    @cached_property
    def items(self) -> IntArray:
        """How many items each system is scored on."""
        return np.asarray(self.scored.sum(axis=1), dtype=np.int64)

    @cached_property
    def means(self) -> FloatArray:
        """Each system's metric."""
        if self.complete:
            return np.asarray(self.values.mean(axis=1))
        return np.array([row[has].mean() for row, has in zip(self.values, self.scored, strict=True)])

    def snapped(self, numbers: FloatArray) -> FloatArray:
        """Means or effects without the float noise that would break ties of equal systems."""
        return snap(numbers, self.largest)

    @cached_property
    def largest(self) -> float:
        """The largest score in size."""
        return _largest(self.values)

    @property
    def units(self) -> int:
        """How many signs a flip has: one an item, or one a cluster."""
        return self.values.shape[1] if self.clusters is None else len(np.unique(self.clusters))

    def residuals(self) -> FloatArray:
        """Each system's deviations from its mean, summed within clusters, `(system, unit)`; 0 where there is no score."""
        left = self.values - self.means[:, np.newaxis]
        if not self.complete:
            left[~self.scored] = 0.0
        return self.summed(left)

    def summed(self, values: FloatArray) -> FloatArray:
        """Items summed within clusters, as they are flipped or drawn."""
        return values if self.clusters is None else cluster_sums(values, self.clusters)


def _largest(values: FloatArray) -> float:
    """Row by row, because a copy would double the memory of a large leaderboard."""
    return max(float(np.abs(row[~np.isnan(row)]).max(initial=0.0)) for row in values)
