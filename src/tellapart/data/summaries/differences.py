"""Base class of summaries, and paired differences, independent samples and parts of a metric."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from tellapart.data.pair import Pair
from tellapart.foundation.arrays import FloatArray, IntArray, floats, mean_and_variance, settle, snap
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.surfaces import option


class Aggregation(Protocol):
    """How the items' parts become one number: a smooth function of their means.

    Of how many items the means are is told as `items`, a number or `(*batch,)`: most metrics ignore it, but one that
    smooths counts of zero depends on the counts themselves, which are means times items.
    """

    @property
    def linear(self) -> bool:
        """Whether the number is the plain mean of the only part."""

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        """The number, `(*batch,)`, from the mean parts, `(*batch, part)`."""

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        """The derivative of the number by each mean part, `(*batch, part)`."""


class Summary(ABC):
    """Base of every summary. A method names the class it needs, and reads off it what that asks of a sample.

    A sample is what a reader found or a population drew. Today that is a `Pair`; another kind (ratings by raters and
    items, votes) brings summaries `made_of` it, and nothing that joins samples with methods has to know of them.
    """

    made_of: ClassVar[type] = Pair
    systems: ClassVar[int] = 2
    """How many systems it is about: two for a difference, one for a system by itself."""
    paired: ClassVar[bool] = True
    """Whether both systems were scored on the same items."""
    binary: ClassVar[bool] = False
    """Whether scores have to be right or wrong."""
    holds_parts: ClassVar[bool] = False
    """Whether the metric can be computed again from it; else a metric is followed through each item's influence."""

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:  # noqa: ARG003  (some ask for a plain mean)
        """Whether such a sample can be summarised like this."""
        return isinstance(sample, cls.made_of)

    @classmethod
    @abstractmethod
    def of(cls, sample: Any, metric: Aggregation) -> Self:
        """The summary of a sample of the kind in `made_of`; one that does not suit is refused with the way out."""

    @property
    @abstractmethod
    def items(self) -> int | IntArray:
        """How many items were scored: one number, or one per batch entry."""

    @property
    @abstractmethod
    def effect(self) -> FloatArray:
        """The estimate, `(*batch,)`: the metric of B minus that of A, or one system's own."""

    def shifted(self, by: float) -> Self:
        """The sample had B scored this much more: a test of zero on it is a test of `-by` on the original."""
        raise Unsuitable(
            f"what this test looks at cannot be moved by {by:g}; use a test of numbers, such as paired_t or welch_t"
        )


# What each item contributes to a metric: by these a metric that is no mean is treated like one.
# A metric is a smooth function of mean parts, so near the observed means it is nearly linear. An item's
# influence is the gradient times its own deviation from the mean parts; metric plus influence is a score
# per item whose mean is the metric and whose spread gives the metric's standard error. Hampel (1974); it
# misleads where the metric has a kink.


def average_runs(scores: FloatArray) -> FloatArray:
    """Average the repeats of each item, `(*batch, item, run, part)` to `(*batch, item, part)`: items are the sample."""
    if scores.shape[-2] == 1:
        # A view: simulated scores are large, and nearly always run once.
        return scores[..., 0, :]
    averages = scores.mean(axis=-2)
    # Leaving gaps out takes more than twice as long, and simulated scores have none.
    return floats(np.nanmean(scores, axis=-2) if np.isnan(averages).any() else averages)


def contributions(scores: FloatArray, metric: Aggregation) -> FloatArray:
    """The contribution of each item to the metric, `(*batch, item)`, averaged over runs."""
    return item_contributions(average_runs(scores), metric)


def item_contributions(parts: FloatArray, metric: Aggregation) -> FloatArray:
    """The metric plus the item's influence on it, from parts `(*batch, item, part)`: their mean is the metric."""
    if metric.linear:
        # Exactly the scores: adding and taking away the mean would round them.
        return parts[..., 0]
    items, means = parts.shape[-2], parts.mean(axis=-2)
    slopes = metric.gradient(means, items)
    influence = np.einsum("...ip,...p->...i", parts - means[..., np.newaxis, :], slopes)
    return floats(influence + metric.value(means, items)[..., np.newaxis])


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

    @cached_property
    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Mean and unbiased variance, each `(*batch,)`."""
        return mean_and_variance(self.values)

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


@dataclass(frozen=True, eq=False)
class Independent(Summary):
    """Per-item values of two systems that share no item, `(*batch, item)` each with its own number of items."""

    a: FloatArray
    b: FloatArray

    paired = False

    @classmethod
    def of(cls, sample: Pair, metric: Aggregation) -> Self:
        return cls(contributions(sample.a, metric), contributions(sample.b, metric))

    @property
    def items(self) -> int:
        """The items of both systems together."""
        return int(self.a.shape[-1] + self.b.shape[-1])

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.b.mean(axis=-1) - self.a.mean(axis=-1))

    def shifted(self, by: float) -> Self:
        # Moving B alone moves the difference, and leaves both spreads as they are.
        return replace(self, b=self.b + by)


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
        """The independent units: clusters where they are known, else items."""
        return self.items if self.clusters is None else len(np.unique(self.clusters))

    @cached_property
    def contributions(self) -> tuple[FloatArray, FloatArray]:
        """The contribution of each item to the metric of A and of B."""
        return item_contributions(self.a, self.metric), item_contributions(self.b, self.metric)

    @cached_property
    def differences(self) -> Differences:
        return Differences.between(*self.contributions, self.clusters)

    def shifted(self, by: float) -> Self:
        """B's metric moved by a constant; only a mean can be moved by moving every item."""
        # No constant added to an item's parts adds that constant to F1.
        if not self.metric.linear:
            raise Unsuitable(
                f"a resampling test of {self.metric} cannot test a margin; use paired_t (with clusters cluster_t), which works on influence"
            )
        return replace(self, b=self.b + by)


def common_summary(one: type[Summary], other: type[Summary]) -> type[Summary] | None:
    """The summary that serves two methods together; None where none does."""
    if one is other:
        return one
    return Parts if {one, other} <= {Parts, Differences} else None


def as_needed(needs: type[Summary], sample: Summary) -> Summary:
    """The summary that one of two methods needs, from the one that serves both."""
    return sample.differences if needs is Differences and isinstance(sample, Parts) else sample
