"""Simulated scores of more than two systems with known means on the same items, for leaderboards."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.seeds import Generator
from tellapart.populations.population import Design


@dataclass(frozen=True)
class ManySystems:
    """Systems with known means: normal scores with these spreads, or right-or-wrong with these shares.

    What a system scores on an item is √c · (the item's ease) + √(1 − c) · (its own part), both standard normal, so any two
    systems correlate by c, the `correlation`. With clusters of so many items, a part `resemblance` of a system's own
    variance is common to the cluster. Right or wrong: right where that number is below the normal quantile of the share.
    """

    means: tuple[float, ...]
    spreads: tuple[float, ...] = ()
    correlation: float = 0.5
    cluster_size: int = 1
    resemblance: float = 0.3
    binary: bool = False

    @property
    def systems(self) -> int:
        return len(self.means)

    def draw(self, design: Design | int, rng: Generator) -> FloatArray:
        """Scores `(system, item)` of one board of this design; clusters are runs of neighbouring items."""
        latent = self._latent_scores(Design.of(design).items, rng)
        means = np.array(self.means)[:, np.newaxis]
        if self.binary:
            return np.asarray(latent < special.ndtri(means), dtype=np.float64)
        spreads = np.array(self.spreads or (1.0,) * self.systems)[:, np.newaxis]
        return np.asarray(means + spreads * latent)

    def clusters(self, items: int) -> IntArray | None:
        """The cluster of each item; None where items are independent."""
        return None if self.cluster_size == 1 else np.arange(items, dtype=np.int64) // self.cluster_size

    def _latent_scores(self, items: int, rng: Generator) -> FloatArray:
        """Standard normal scores with the correlation and the clusters asked for."""
        own = rng.standard_normal((self.systems, items))
        if self.cluster_size > 1:
            groups = rng.standard_normal((self.systems, -(-items // self.cluster_size)))
            common = np.repeat(groups, self.cluster_size, axis=1)[:, :items]
            own = np.sqrt(1.0 - self.resemblance) * own + np.sqrt(self.resemblance) * common
        ease = rng.standard_normal(items)
        return np.asarray(np.sqrt(self.correlation) * ease + np.sqrt(1.0 - self.correlation) * own)
