"""Summary of scores by item and training seed, where every trained system is scored on every item."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from tellapart.data.pair import Pair
from tellapart.data.summaries.differences import Aggregation, Summary, average_runs
from tellapart.foundation.arrays import FloatArray, IntArray, settle
from tellapart.foundation.errors import TooFew
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option


@dataclass(frozen=True, eq=False)
class Seeded(Summary):
    """The contribution of each item and seed to the metric of A and of B, `(*batch, item, seed)`; seeds do not pair.

    Runs of an item with one seed are averaged first. Of runs that no column says to be of seeds each is taken for a seed. Where items come in
    clusters, a cluster stands in place of an item: the mean plus what its items add to it.
    """

    a: FloatArray
    b: FloatArray
    scale: float

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:  # noqa: ARG003  (any metric, by its items' influence)
        return isinstance(sample, Pair) and sample.seed_runs is not None and missing_seeds(sample) is None

    @classmethod
    def of(cls, sample: Pair, metric: Aggregation) -> Self:
        lacking = missing_seeds(sample)
        if lacking is not None:
            raise TooFew(lacking)
        runs = sample.seed_runs or 1
        a, b = (_contributed(by_seed(scores, runs), metric) for scores in (sample.a, sample.b))
        if sample.clusters is not None:
            a, b = (_by_cluster(x, sample.clusters) for x in (a, b))
        return cls(a, b, max(float(np.abs(x).max(initial=0.0)) for x in (a, b)))

    @cached_property
    def differences(self) -> FloatArray:
        """Per-item differences B − A of the means over seeds."""
        return settle(self.b.mean(axis=-1) - self.a.mean(axis=-1), self.scale)

    @property
    def items(self) -> int:
        return int(self.a.shape[-2])

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.differences.mean(axis=-1))

    def shifted(self, by: float) -> Self:
        return replace(self, b=self.b + by, scale=max(self.scale, abs(by)))


def by_seed(scores: FloatArray, runs: int) -> FloatArray:
    """Scores `(*batch, item, run, part)` by seed, `(*batch, item, seed, part)`, the runs of each averaged."""
    *batch, items, columns, parts = scores.shape
    apart = scores.reshape(*batch, items * (columns // runs), runs, parts)
    return average_runs(apart).reshape(*batch, items, columns // runs, parts)


def _contributed(parts: FloatArray, metric: Aggregation) -> FloatArray:
    """The metric of all seeds and items plus the influence of each, from parts `(*batch, item, seed, part)`."""
    if metric.linear:
        return parts[..., 0]
    items, means = parts.shape[-3], parts.mean(axis=(-3, -2))
    slopes, value = metric.gradient(means, items), metric.value(means, items)
    moved = np.einsum("...isp,...p->...is", parts - means[..., np.newaxis, np.newaxis, :], slopes)
    return np.asarray(moved + value[..., np.newaxis, np.newaxis])


def _by_cluster(values: FloatArray, clusters: IntArray) -> FloatArray:
    """Of `(*batch, item, seed)`, per cluster and seed the mean of all items plus the cluster's deviations from it, on the scale of a cluster."""
    names, places = np.unique(clusters, return_inverse=True)
    mean = values.mean(axis=-2, keepdims=True)
    by_item = np.moveaxis(values - mean, -2, 0)
    sums = np.zeros((len(names), *by_item.shape[1:]))
    np.add.at(sums, places, by_item)
    return np.asarray(mean + np.moveaxis(sums, 0, -2) * (len(names) / len(by_item)))


def missing_seeds(sample: Pair) -> str | None:
    """Why seeds cannot be told from items here; None where two seeds or more of each system are scored on every item."""
    runs = sample.seed_runs or 1
    fixed = option("seeds_as", "fixed")
    for scores in (sample.a, sample.b):
        if scores.shape[-2] < 2 * runs:
            return (
                "the spread between trainings takes two or more seeds of each system, and one has "
                f"{amount(scores.shape[-2] // runs, 'seed')}; train it again, or pass {fixed} for these trainings only"
            )
        lacking = np.isnan(by_seed(scores, runs)).any(axis=(-2, -1))
        if lacking.any():
            items = int(lacking.reshape(-1, lacking.shape[-1])[0].sum())
            return (
                f"{amount(items, 'item')} of {lacking.shape[-1]} {'lacks' if items == 1 else 'lack'} the score of some seed, and random "
                f"seeds need every seed scored on every item; pass {option('missing', 'drop')} to leave such items out, or {fixed}"
            )
    if sample.a.shape[-3] < 2:
        return "there is one item; at least two are needed to see how scores vary"
    if sample.clusters is not None and len(np.unique(sample.clusters)) < 2:
        return "there is one cluster; at least two are needed to see how items of other clusters vary"
    return None
