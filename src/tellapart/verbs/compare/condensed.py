"""Very many items in clusters, as a few that stand for each: a test that goes by what clusters add is the same on both."""

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.clusters import cluster_sizes
from tellapart.metrics import Metric
from tellapart.scores import Pair
from tellapart.summaries import contributions


def condensed(pair: Pair, metric: Metric, most: int) -> Pair:
    """Clusters with their mean scores on every item and sizes in proportion, at most so many items if there are fewer clusters.

    Where sizes have a common divisor that leaves so few they are divided by it, and nothing is lost but how items differ within
    a cluster; elsewhere they are rounded.
    """
    assert pair.clusters is not None
    sizes = cluster_sizes(pair.clusters).astype(np.int64)
    fewer = sizes // np.gcd.reduce(sizes)
    if fewer.sum() > most:
        # Rounded up to one each they are no more than `most` together.
        share = max(most - len(sizes), 0) / sizes.sum()
        fewer = np.maximum(np.rint(sizes * share), 1.0).astype(np.int64)
    codes = np.repeat(np.arange(len(sizes)), fewer)
    a, b = (_means(contributions(scores, metric), pair.clusters, sizes) for scores in (pair.a, pair.b))
    return Pair(a[codes], b[codes], codes)


def _means(scores: FloatArray, codes: IntArray, sizes: IntArray) -> FloatArray:
    """The mean of each cluster, with the axes of item scores."""
    return (np.bincount(codes, weights=scores) / sizes)[:, np.newaxis, np.newaxis]
