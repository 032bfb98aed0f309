"""Sign-flip test that flips whole clusters of items, and its interval."""

from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray, IntArray, settle
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import Generator
from tellapart.foundation.surfaces import option
from tellapart.methods.intervals.interval import INTERVALS, Bounds, unbounded
from tellapart.methods.significance.inversion import InversionInterval, InvertibleTest
from tellapart.methods.significance.procedure import TESTS, Outcome
from tellapart.numerics.moments import MOST_LISTED, cluster_sizes, cluster_sums
from tellapart.numerics.null_laws.tails import sided, sides
from tellapart.numerics.sign_flip_law import sign_flip_tails

SMALL = 12
"""Clusters up to which the smallest p-value that can come out is worth a word."""


@TESTS.add("cluster_sign_flip")
@dataclass(frozen=True)
class ClusterSignFlip(InvertibleTest):
    """Could the difference be an accident of which way each cluster leans?

    The differences of a cluster are summed, and the sums flip their signs together: the p-value is the share of all
    2^clusters flips whose total is at least as large as the one seen, computed without chance. Exact for independent
    clusters whose sums are symmetric about zero under the null, however alike the items within. The wrong choice for
    very few clusters, with which no p-value can be small: two-sided none below 2^(1 − clusters). Canay, Romano & Shaikh (2017).
    """

    needs = Differences
    label = "cluster sign-flip"
    counts_signs = True
    # Flips of few clusters have no short interval of their own; that of cluster t is about the same mean.
    interval = "cluster_t(variance=cr2)"
    needs_clusters = True

    def apply(self, sample: Differences, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        if sample.clusters is None:
            raise Unsuitable(
                "cluster_sign_flip needs clusters, and no item has one; name the column "
                f"({option('column', 'cluster=…')}), or use permutation, which flips items"
            )
        sums = _cluster_differences(sample, sample.clusters)
        tails = sign_flip_tails(sums.snapped, sums.scale)
        looked_at = sides(self.alternative)
        return Outcome(
            sided(tails.lower, tails.upper, self.alternative),
            sample.effect,
            tails.sign,
            looked_at * tails.error,
            tails.method + _least_pvalue_text(sums.items, looked_at),
        )

    def bounds(self, sample: Differences, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        codes = sample.clusters_for(self)
        sizes = cluster_sizes(codes)
        if len(sizes) > MOST_LISTED:
            raise Unsuitable(
                f"cluster_sign_flip lists the subsets of at most {MOST_LISTED} clusters, and there are {len(sizes)}; use cluster_t"
            )
        means = settle(np.sort(_subset_means(cluster_sums(sample.snapped, codes), sizes), axis=-1), sample.largest)
        # Means that are zero but for rounding are zero, as they are to the test.
        means[np.abs(means) <= STATISTIC_NOISE * sample.largest] = 0.0
        flips = 2.0 ** len(sizes)
        rank = int(np.floor((1.0 - level) / 2.0 * flips + 1e-9))
        if rank < 1:
            return unbounded(sample.effect)
        return means[..., rank - 1], means[..., -rank]


def _cluster_differences(sample: Differences, clusters: IntArray) -> Differences:
    """The summed differences of each cluster."""
    # A sum of m differences has up to m times the noise of one.
    most_items = float(np.bincount(clusters).max())
    return Differences(cluster_sums(sample.snapped, clusters), scale=most_items * sample.largest)


def _least_pvalue_text(clusters: int, looked_at: float) -> str:
    if clusters > SMALL:
        return ""
    return f"; with {clusters} clusters no p-value is below {looked_at / 2.0**clusters:.3g}"


def _subset_means(sums: FloatArray, sizes: FloatArray) -> FloatArray:
    """The mean over the items of every subset of clusters but the empty one, `(*batch, subset)`."""
    clusters = len(sizes)
    members = (np.arange(1, 2**clusters)[:, np.newaxis] >> np.arange(clusters)) & 1
    return np.asarray((sums @ members.T) / (members @ sizes))


@INTERVALS.add("cluster_sign_flip")
@dataclass(frozen=True)
class ClusterSignFlipInterval(InversionInterval, inverts=ClusterSignFlip):
    """Between two means of subsets of the clusters: the values that flips of their signs do not reject.

    Of G clusters there are 2^G − 1 subsets; the k-th smallest of their means is a lower bound with error k/2^G. Exact for independent
    clusters whose effects are symmetric. Unbounded where no flip is rare enough: at 95 % with five clusters or fewer. The wrong
    choice for many clusters (`cluster_t`). Hartigan (1969).
    """
