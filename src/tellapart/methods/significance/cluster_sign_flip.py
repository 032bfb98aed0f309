from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import IntArray
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import Generator
from tellapart.foundation.surfaces import option
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.moments import cluster_sums
from tellapart.numerics.null_laws.tails import sided, sides
from tellapart.numerics.sign_flip_law import sign_flip_tails

SMALL = 12
"""Clusters up to which the smallest p-value that can come out is worth a word."""


@TESTS.add("cluster_sign_flip")
@dataclass(frozen=True)
class ClusterSignFlip(Procedure):
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
                "cluster_sign_flip needs to know which items belong together, and no item has a cluster; name the column "
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
            tails.method + _attainable(sums.items, looked_at),
        )


def _cluster_differences(sample: Differences, clusters: IntArray) -> Differences:
    """The summed differences of each cluster."""
    # A sum of m differences has up to m times the noise of one.
    most_items = float(np.bincount(clusters).max())
    return Differences(cluster_sums(sample.snapped, clusters), scale=most_items * sample.largest)


def _attainable(clusters: int, looked_at: float) -> str:
    if clusters > SMALL:
        return ""
    return f"; with {clusters} clusters no p-value is below {looked_at / 2.0**clusters:.3g}"
