"""A pilot's items in the groups they are drawn in: its clusters, or each item alone."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.seeds import stream

GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True, eq=False)
class ItemClusters:
    """Clusters from the lowest mean difference to the highest: `order` lists items, `starts` and `sizes` cut it up."""

    order: IntArray
    starts: IntArray
    sizes: IntArray
    means: FloatArray

    @classmethod
    def of(cls, differences: FloatArray, codes: IntArray | None) -> Self:
        codes = np.arange(len(differences)) if codes is None else codes
        sizes = np.bincount(codes)
        means = np.bincount(codes, weights=differences) / sizes
        rank = np.argsort(np.argsort(means, kind="stable"))
        sizes, means = sizes[np.argsort(rank)], means[np.argsort(rank)]
        order = _mixed_within(np.lexsort((differences, rank[codes])), sizes)
        return cls(order, np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes, means)

    def means_of(self, values: FloatArray) -> FloatArray:
        """The mean over each cluster of one value per item."""
        return np.add.reduceat(values[self.order], self.starts) / self.sizes

    def __len__(self) -> int:
        return len(self.sizes)

    def members(self, cluster: int) -> IntArray:
        return self.order[self.starts[cluster] :][: self.sizes[cluster]]

    def spread_over(self, items: int) -> IntArray:
        """The cluster of each of `items` planned items: sizes like the pilot's, small and large ones well mixed."""
        count = -(-items // int(self.sizes.min()))
        # Steps of the golden ratio go through the sorted sizes evenly, however early they stop.
        place = (np.arange(1, count + 1) * GOLDEN) % 1.0
        planned = np.sort(self.sizes)[(place * len(self)).astype(np.int64)]
        return np.repeat(np.arange(count), planned)[:items]


def _mixed_within(order: IntArray, sizes: IntArray) -> IntArray:
    """The items of each cluster in an order that says nothing of their differences, and is the same whatever order they came in.

    Where a place in a plan is smaller than the cluster that is drawn for it, it takes some that follow each other: of items in the order of
    their differences those would be all high or all low, as if clusters varied far more than they do.
    """
    if sizes.max(initial=1) == 1:
        return order
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    return order[np.lexsort((stream(0).random(len(order)), cluster))]
