"""The base of intervals: a frozen object with its options as fields, computed from one kind of summary."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from tellapart.data.summaries import Aggregation, Summary
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import Registry, Spelled

INTERVALS: "Registry[Interval]" = Registry("interval")

Bounds = tuple[FloatArray, FloatArray]
Target = Literal["mean difference", "share of items right", "pseudo-median of the differences"]


def unbounded(effect: FloatArray) -> Bounds:
    """The interval that leaves nothing out, for every entry of a batch."""
    infinite = np.full_like(effect, np.inf)
    return -infinite, infinite


@dataclass(frozen=True)
class Interval(Spelled):
    """Base of every confidence interval, for an effect or for one system's proportion."""

    registry = INTERVALS
    target: ClassVar[Target] = "mean difference"
    """The quantity that the bounds enclose, in words; for a metric that is no mean, the difference of the metric."""
    needs_clusters: ClassVar[bool] = False
    """Whether it has no answer without knowing which items belong together."""

    @property
    @abstractmethod
    def needs(self) -> type[Summary]:
        """The summary of the scores that it looks at."""

    @property
    @abstractmethod
    def label(self) -> str:
        """Its name in words, as a report prints it."""

    def sees_clusters(self, metric: Aggregation) -> bool:  # noqa: ARG002  (as of tests, some may for some metrics only)
        """Whether the bounds allow for items that belong together, where that is known."""
        return self.needs_clusters

    @property
    def inverse(self) -> str | None:
        """The spelling of the test that, moved to a margin, rejects exactly what the bounds leave out; None where no test does."""
        return None

    @property
    def resample_count(self) -> int:
        """How many times it draws from the scores of one sample; 0 where it does not."""
        return 0

    @abstractmethod
    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        """Lower and upper bound at `level`, each `(*batch,)`, for every entry of the sample's batch."""
