"""Which items a draw takes: whole clusters by their chances, and from each as many items as one of a plan has."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.populations.item_clusters import ItemClusters
from tellapart.populations.noise import Noise

if TYPE_CHECKING:
    from tellapart.populations.steps import Steps


@dataclass(frozen=True, eq=False)
class PickedItems:
    """Items that come in clusters, and the chance of each cluster to be drawn; `together` says whether a draw keeps them so."""

    clusters: ItemClusters
    chances: FloatArray
    together: bool

    @cached_property
    def _steps(self) -> "Steps":
        from tellapart.populations.steps import Steps  # noqa: PLC0415  (most plans have no pilot)

        return Steps.of(self.chances)

    def at(self, noise: Noise) -> tuple[IntArray, IntArray | None]:
        """Which item each draw is. Clusters are in order of their differences, so scores rise with the effect."""
        if not self.together:
            return self.clusters.order.take(self._steps.places(noise.layers[0])), None
        codes = self.clusters.spread_over(noise.layers[0].shape[-1])
        first = np.searchsorted(codes, np.arange(codes[-1] + 1))
        chosen = self._steps.places(noise.layers[0][:, first])
        sizes = self.clusters.sizes[chosen]
        turn = (noise.layers[1][:, first] * sizes).astype(np.int64)
        place = turn[:, codes] + (np.arange(len(codes)) - first[codes])
        place %= sizes[:, codes]
        place += self.clusters.starts[chosen][:, codes]
        return self.clusters.order.take(place), codes
