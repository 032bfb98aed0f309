import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from scipy import special

from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.quantities import fraction, positive
from tellapart.populations.noise import Noise
from tellapart.populations.population import POPULATIONS, Population, as_scores


@POPULATIONS.add("delta_laplace")
@dataclass(frozen=True, kw_only=True)
class DeltaLaplace(Population):
    """Items' contributions to a difference of BLEU or another corpus metric: often zero, else Laplace.

    An item contributes 0 with probability `zero_share`, else a Laplace amount about effect / (1 − zero_share) with scale
    `scale` / 2, in points of the metric: variance (1 − zero_share)·scale²/2 + effect²·zero_share/(1 − zero_share). Card et al.
    call the two P0 and b0, and their randomisation is the sign flip of these amounts. The scale is about 0.7 of the BLEU
    itself (0.5 to 0.9), so take it from systems like yours (`tellapart evidence fit`). Power is by the noncentral t from 300
    contributing items on, where it is off by less than 2 over their number; below it is simulated. The wrong choice where
    outputs of two systems are there: a `pilot` of them knows the shape as it is. Card et al. (2020).
    """

    zero_share: float = field(metadata={"help": "share of items that contribute nothing to the difference"})
    scale: float = field(metadata={"help": "scale of the others' contributions, in points of the metric"})

    label = "differences of a corpus metric"
    test = "paired_t"
    evidence_kind = "contributions"
    evidence_signs: ClassVar[Mapping[str, int]] = {"zero_share": -1, "scale": 1}
    examples = (
        "delta_laplace(effect=1, zero_share=0.13, scale=25.8)",
        "delta_laplace(effect=-0.2, zero_share=0.6, scale=2)",
    )
    latent = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        fraction(self.name, "zero_share", self.zero_share)
        if self.zero_share == 1.0:
            raise SpellingError(f"{self.name}: zero_share=1 should be below 1, or no item tells the systems apart")
        positive(self.name, "scale", self.scale)

    @property
    def location(self) -> float:
        """The mean of contributions that are not zero."""
        return self.known_effect / (1.0 - self.zero_share)

    @property
    def sd_difference(self) -> float:
        differing = 1.0 - self.zero_share
        of_zeros = self.known_effect * math.sqrt(self.zero_share / differing)
        return math.hypot(self.scale * math.sqrt(0.5 * differing), of_zeros)

    def scores(self, noise: Noise) -> Pair:
        values = self._mixture_quantiles(noise)
        return Pair(as_scores(np.zeros_like(values)), as_scores(values))

    def summary(self, needs: Any, noise: Noise) -> Any:
        return Differences(self._mixture_quantiles(noise)) if needs is Differences else super().summary(needs, noise)

    def _mixture_quantiles(self, noise: Noise) -> FloatArray:
        """Quantiles of the mixture: what is below 0 from its lower end, what is above 0 from its upper one."""
        contributing, width = 1.0 - self.zero_share, 0.5 * self.scale
        below, above = noise.once("tails", lambda: _tail_chances(noise.layers[0]))
        low = width * _laplace(below / contributing) + self.location
        high = self.location - width * _laplace(above / contributing)
        return np.asarray(np.minimum(low, 0.0) + np.maximum(high, 0.0))


def _tail_chances(normals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How likely a smaller and a larger one is."""
    return special.ndtr(normals), special.ndtr(-normals)


def _laplace(probabilities: FloatArray) -> FloatArray:
    """Standard Laplace quantiles; endless from a probability of 1 on."""
    with np.errstate(divide="ignore"):
        distance = np.log(np.maximum(2.0 * np.minimum(probabilities, 1.0 - probabilities), 0.0))
    return np.asarray(np.where(probabilities < 0.5, distance, -distance))
