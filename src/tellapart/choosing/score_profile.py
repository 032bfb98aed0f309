"""What the choice of a test and an interval depends on, and nothing else."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.choosing.paired_sample import PairedSample
from tellapart.choosing.skewness import VISIBLY_SKEWED, sample_skewness
from tellapart.distributions.clusters import cluster_sizes, degrees_of_freedom, residual_sums


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
