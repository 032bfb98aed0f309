"""Two systems' scores under one metric, one evaluation or a batch of them: each summary that a method needs is made once."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tellapart.data.pair import Pair
from tellapart.data.summaries import Coding, Differences, Parts, coding_of
from tellapart.data.summaries.counts import coded_entries
from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.foundation.errors import Unsuitable
from tellapart.methods.significance import Procedure
from tellapart.metrics import Metric
from tellapart.numerics.moments import cluster_sizes, degrees_of_freedom, residual_sums

# The one bound that says where Student's t needs a second opinion.

VISIBLY_SKEWED = 0.9
"""The absolute sample skewness above which the studentised bootstrap must agree with Student's t, for every law and number of units.

What it costs and saves is measured in the guide, "How the test is chosen".
"""


def visibly_skewed(values: FloatArray) -> BoolArray:
    """Whether each sample of `(*batch, unit)` is; units that do not vary are not."""
    return np.asarray(np.abs(sample_skewness(values)) > VISIBLY_SKEWED)


def sample_skewness(values: FloatArray) -> FloatArray:
    """The third moment about the mean over the 3/2 power of the second, `(*batch,)`; 0 where nothing varies."""
    # From the first number: equal ones then deviate by exactly 0, where a rounded mean would leave rounding to be skewed.
    shifted = values - values[..., :1]
    centred = shifted - shifted.mean(axis=-1, keepdims=True)
    # In units of the largest: cubes of very large or very small numbers would leave the range of doubles.
    largest = np.abs(centred).max(axis=-1, keepdims=True, initial=0.0)
    centred = np.divide(centred, largest, out=np.zeros_like(centred), where=largest > 0.0)
    squares = centred * centred
    second, third = squares.mean(axis=-1), (squares * centred).mean(axis=-1)
    return np.asarray(np.divide(third, second**1.5, out=np.zeros_like(third), where=second > 0.0))


if TYPE_CHECKING:
    from tellapart.methods.intervals import Interval


@dataclass(frozen=True, eq=False)
class PairedSample:
    """The scores of two systems and the metric that is compared; `made` holds the summaries made so far."""

    pair: Pair
    metric: Metric
    made: dict[Any, Any] = field(default_factory=dict, repr=False, kw_only=True)

    def summary(self, needs: Any) -> Any:
        """The summary of this kind."""
        if needs not in self.made:
            self.made[needs] = self.differences if needs is Differences else needs.of(self.pair, self.metric)
        return self.made[needs]

    def entries(self, which: list[int]) -> "PairedSample":
        """Some evaluations of a batch."""
        pair = replace(self.pair, a=self.pair.a[which], b=self.pair.b[which])
        return PairedSample(pair, self.metric)

    def sample(self, method: "Procedure | Interval") -> Any:
        """The summary that a method needs, or an error that names the method."""
        try:
            return self.summary(method.needs)
        except Unsuitable as error:
            raise Unsuitable(f"{method}: {error.message}") from None

    @cached_property
    def parts(self) -> Parts:
        made: Parts = self.summary(Parts)
        return made

    @cached_property
    def differences(self) -> Differences:
        return self.parts.differences

    @property
    def binary(self) -> bool:
        """Whether every score is right or wrong, and their mean is what counts."""
        return self.coding is not None

    @property
    def coding(self) -> Coding | None:
        """The two numbers that say wrong and right, where every score is one of them and their mean is what counts."""
        if coding_of not in self.made:
            self.made[coding_of] = coding_of(self.pair) if self.metric.linear else None
        found: Coding | None = self.made[coding_of]
        return found

    @property
    def binary_entries(self) -> BoolArray:
        """Which evaluations of a batch hold right-or-wrong scores alone, `(*batch,)`."""
        return coded_entries(self.pair) & self.metric.linear


# What the choice of a test and an interval depends on, and nothing else.


@dataclass(frozen=True)
class ScoreProfile:
    """The numbers of items and clusters, whether scores are right or wrong, and how skewed the differences of the units are."""

    items: int
    clusters: int | None = None
    binary: bool = False
    skewness: float = 0.0
    constant: bool = False
    """Whether every unit differs by one and the same number other than zero."""
    df: float | None = None
    """Satterthwaite's degrees of freedom of a t test of these clusters."""
    metric: str = "mean"

    @classmethod
    def of(cls, sample: PairedSample) -> "ScoreProfile":
        (profile,) = cls.each(sample)
        return profile

    @classmethod
    def each(cls, sample: PairedSample) -> "list[ScoreProfile]":
        """The profile of every evaluation of a batch; of the only one where there is no batch."""
        metric = "mean" if sample.metric.linear else str(sample.metric)
        items, codes = sample.parts.items, sample.pair.clusters
        clusters, df = None, None
        if codes is not None:
            sizes = cluster_sizes(codes)
            clusters, df = len(sizes), float(degrees_of_freedom(sizes, "cr2"))
        binary = sample.binary_entries
        counted = binary & (codes is None)
        if counted.all():
            return [cls(items, binary=True)] * binary.size
        varying = units(sample)
        # A cluster alone shows nothing of how clusters differ, and is refused by the tests of several.
        constant = (np.ptp(varying, axis=-1) == 0.0) & (sample.differences.effect != 0.0) & (clusters != 1)
        skewness = np.where(counted, 0.0, sample_skewness(varying))
        found = (np.ravel(one).tolist() for one in (binary, skewness, constant & ~counted))
        return [
            cls(items, clusters, right, skew, same, df, metric)
            for right, skew, same in zip(*found, strict=True)
        ]

    @property
    def units(self) -> int:
        """How many clusters there are, or items where these are independent."""
        return self.items if self.clusters is None else self.clusters

    @property
    def skewed(self) -> bool:
        return abs(self.skewness) > VISIBLY_SKEWED


def units(sample: PairedSample) -> FloatArray:
    """What varies independently, `(*batch, unit)`: the differences of items, or what each cluster adds to the deviation from the mean."""
    differences = sample.differences
    if differences.clusters is None:
        return differences.values
    mean = differences.values.mean(axis=-1)
    return residual_sums(differences.values, mean, differences.clusters, differences.scale)
