"""Base class of populations made of two correlated standard normals, such as `gaussian` and `beta`."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.quantities import fraction, positive
from tellapart.populations.noise import Noise
from tellapart.populations.population import Population, as_scores


@dataclass(frozen=True, kw_only=True)
class LatentPair(Population):
    """Base of populations whose margins are functions of two normals with a given correlation."""

    sd: float = field(metadata={"help": "standard deviation of A's item scores"})
    correlation: float = field(metadata={"help": "between the two systems' scores of an item"})

    latent = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self.name, "sd", self.sd)
        fraction(self.name, "correlation", self.correlation, low=-1.0)

    def scores(self, noise: Noise) -> Pair:
        a, b = self._margins(noise)
        return Pair(as_scores(a), as_scores(b))

    def summary(self, needs: Any, noise: Noise) -> Any:
        return self._differences(noise) if needs is Differences else super().summary(needs, noise)

    def _margins(self, noise: Noise) -> tuple[FloatArray, FloatArray]:
        """The scores of A, which may be shared and must not be written to, and those of B, which are new."""
        raise NotImplementedError

    def _differences(self, noise: Noise) -> Differences:
        a, b = self._margins(noise)
        return Differences(np.subtract(b, a, out=b), scale=1.0)

    def _correlated(self, noise: Noise) -> FloatArray:
        """B's normals: A's, mixed with fresh ones."""
        shared, own = noise.layers[:2]

        def mix() -> FloatArray:
            mixed = shared * self.correlation
            mixed += own * math.sqrt(1.0 - self.correlation**2)
            return mixed

        return noise.once(("correlated", self.correlation), mix)
