from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray, settle
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval, unbounded
from tellapart.numerics.moments import MOST_LISTED, cluster_sizes, cluster_sums


@INTERVALS.add("cluster_sign_flip")
@dataclass(frozen=True)
class ClusterSignFlip(Interval):
    """Between two means of subsets of the clusters: the values that flips of their signs do not reject.

    Of G clusters there are 2^G − 1 subsets; the k-th smallest of their means is a lower bound with error k/2^G. Exact for independent
    clusters whose effects are symmetric. Unbounded where no flip is rare enough: at 95 % with five clusters or fewer. The wrong
    choice for many clusters (`cluster_t`). Hartigan (1969).
    """

    needs = Differences
    label = "cluster sign-flip"
    needs_clusters = True

    def interval(self, sample: Differences, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        codes = sample.clusters_for(self)
        sizes = cluster_sizes(codes)
        if len(sizes) > MOST_LISTED:
            raise Unsuitable(
                f"cluster_sign_flip lists the subsets of at most {MOST_LISTED} clusters, and there are {len(sizes)}; use cluster_t"
            )
        means = settle(
            np.sort(_subset_means(cluster_sums(sample.snapped, codes), sizes), axis=-1), sample.largest
        )
        # Means that are zero but for rounding are zero, as they are to the test.
        means[np.abs(means) <= STATISTIC_NOISE * sample.largest] = 0.0
        flips = 2.0 ** len(sizes)
        rank = int(np.floor((1.0 - level) / 2.0 * flips + 1e-9))
        if rank < 1:
            return unbounded(sample.effect)
        return means[..., rank - 1], means[..., -rank]


def _subset_means(sums: FloatArray, sizes: FloatArray) -> FloatArray:
    """The mean over the items of every subset of clusters but the empty one, `(*batch, subset)`."""
    clusters = len(sizes)
    members = (np.arange(1, 2**clusters)[:, np.newaxis] >> np.arange(clusters)) & 1
    return np.asarray((sums @ members.T) / (members @ sizes))
