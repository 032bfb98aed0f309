"""What a test actually needs of a pair: differences, discordant counts, or the parts of a metric.

Real and simulated pairs become the same summaries, so every statistic is written once and serves both. All arrays
are batch-first: `(*batch, item)` or `(*batch,)`.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, Self

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray, floats, settle, snap
from tellapart.errors import Unsuitable
from tellapart.scores import Pair


class Aggregation(Protocol):
    """How the items' parts become one number: a smooth function of their means."""

    @property
    def linear(self) -> bool:
        """Whether the number is the plain mean of the only part."""

    def value(self, means: FloatArray) -> FloatArray:
        """The number, `(*batch,)`, from the mean parts, `(*batch, part)`."""

    def gradient(self, means: FloatArray) -> FloatArray:
        """The derivative of the number by each mean part, `(*batch, part)`."""


@dataclass(frozen=True, eq=False)
class Differences:
    """Per-item differences B − A, `(*batch, item)`, whose mean is the effect.

    For a metric that is no plain mean the values are differences of influence: what one item contributes to the
    metric of each system, so that their mean and spread are those of the difference of metrics.
    """

    values: FloatArray
    clusters: IntArray | None = None
    scale: float | None = None

    @classmethod
    def of(cls, pair: Pair, metric: Aggregation) -> Self:
        return cls.between(contributions(pair.a, metric), contributions(pair.b, metric), pair.clusters)

    @classmethod
    def between(cls, a: FloatArray, b: FloatArray, clusters: IntArray | None = None) -> Self:
        scale = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))
        return cls(settle(b - a, scale), clusters, scale)

    @property
    def items(self) -> int:
        return int(self.values.shape[-1])

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.values.mean(axis=-1))

    @cached_property
    def snapped(self) -> FloatArray:
        """The differences without float noise: what ranks, ties, zeros and lattices are judged by."""
        scale = self.scale if self.scale is not None else float(np.abs(self.values).max(initial=0.0))
        return snap(self.values, scale)

    def shifted(self, by: float) -> Self:
        """Every difference moved by a constant: a test of zero on these is a test of `-by` on the original."""
        scale = None if self.scale is None else max(self.scale, abs(by))
        return type(self)(self.values + by, self.clusters, scale)


@dataclass(frozen=True, eq=False)
class Parts:
    """Per-item parts of both systems, `(*batch, item, part)`, runs already averaged: the most a test can ask for."""

    a: FloatArray
    b: FloatArray
    metric: Aggregation
    clusters: IntArray | None = None

    @classmethod
    def of(cls, pair: Pair, metric: Aggregation) -> Self:
        return cls(average_runs(pair.a), average_runs(pair.b), metric, pair.clusters)

    @property
    def effect(self) -> FloatArray:
        """The metric of B minus the metric of A."""
        return np.asarray(self.metric.value(self.b.mean(axis=-2)) - self.metric.value(self.a.mean(axis=-2)))

    @property
    def items(self) -> int:
        return int(self.a.shape[-2])

    @property
    def differences(self) -> Differences:
        a, b = (item_contributions(x, self.metric) for x in (self.a, self.b))
        return Differences.between(a, b, self.clusters)

    def shifted(self, by: float) -> Self:
        """B's metric moved by a constant; only a mean can be moved by moving every item."""
        if not self.metric.linear:
            raise Unsuitable(
                f"a resampling test of {self.metric} cannot be moved to a margin; use paired_t (with clusters cluster_t), which works on influence"
            )
        return replace(self, b=self.b + by)


@dataclass(frozen=True, eq=False)
class Discordance:
    """Counts of items by which system was right: both, only B (`wins`), only A (`losses`), neither; each `(*batch,)`."""

    both: IntArray
    wins: IntArray
    losses: IntArray
    neither: IntArray

    @classmethod
    def of(cls, pair: Pair, metric: Aggregation) -> Self:
        if not (metric.linear and is_binary(pair)):
            raise Unsuitable(
                "this method needs right-or-wrong scores (0 and 1, one run an item); these are not. Leave the method "
                "to be chosen, or name one for numbers, such as paired_t or permutation"
            )
        a, b = (average_runs(x)[..., 0] > 0.5 for x in (pair.a, pair.b))
        return cls(count(a & b), count(b & ~a), count(a & ~b), count(~a & ~b))

    @property
    def items(self) -> IntArray:
        return np.asarray(self.both + self.wins + self.losses + self.neither)

    @property
    def effect(self) -> FloatArray:
        return np.asarray((self.wins - self.losses) / self.items)

    @property
    def share(self) -> FloatArray:
        """The share of items on which the systems differ."""
        return np.asarray((self.wins + self.losses) / self.items)


@dataclass(frozen=True, eq=False)
class Independent:
    """Per-item values of two systems that share no item, `(*batch, item)` each with its own number of items."""

    a: FloatArray
    b: FloatArray

    @classmethod
    def of(cls, pair: Pair, metric: Aggregation) -> Self:
        return cls(contributions(pair.a, metric), contributions(pair.b, metric))

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.b.mean(axis=-1) - self.a.mean(axis=-1))

    def shifted(self, by: float) -> Self:
        return replace(self, b=self.b + by)


@dataclass(frozen=True, eq=False)
class Proportion:
    """How often one system was right: successes out of items, each `(*batch,)`."""

    successes: IntArray
    items: IntArray

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.successes / self.items)


Summary = Parts | Differences | Discordance | Independent | Proportion


def average_runs(scores: FloatArray) -> FloatArray:
    """Average the repeats of each item, `(*batch, item, run, part)` to `(*batch, item, part)`: items are the sample."""
    if scores.shape[-2] == 1:
        return scores[..., 0, :]
    return floats(np.nanmean(scores, axis=-2))


def contributions(scores: FloatArray, metric: Aggregation) -> FloatArray:
    """What each item contributes to the metric, `(*batch, item)`, its runs averaged first."""
    return item_contributions(average_runs(scores), metric)


def item_contributions(parts: FloatArray, metric: Aggregation) -> FloatArray:
    """The metric plus the item's influence on it, from parts `(*batch, item, part)`: their mean is the metric."""
    if metric.linear:
        return parts[..., 0]
    means = parts.mean(axis=-2)
    influence = np.einsum("...ip,...p->...i", parts - means[..., np.newaxis, :], metric.gradient(means))
    return floats(influence + metric.value(means)[..., np.newaxis])


def is_binary(pair: Pair) -> bool:
    """Whether every score is 0 or 1 and each item was run once."""
    single = pair.a.shape[-2:] == (1, 1) and pair.b.shape[-2:] == (1, 1)
    return single and all(bool(((x == 0.0) | (x == 1.0)).all()) for x in (pair.a, pair.b))


def count(which: BoolArray) -> IntArray:
    return np.asarray(which.sum(axis=-1), dtype=np.int64)
