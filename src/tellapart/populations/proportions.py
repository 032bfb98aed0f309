import math
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from scipy import special

from tellapart.data.pair import Pair
from tellapart.data.summaries import Independent, Proportion, SeparateCounts
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray, IntArray
from tellapart.foundation.errors import UsageError
from tellapart.foundation.quantities import fraction
from tellapart.foundation.seeds import Generator
from tellapart.populations.noise import Noise
from tellapart.populations.population import POPULATIONS, Design, Population, as_scores

COUNTED = 2_500
"""As how many numbers the two counts of many items are taken: ten thousand evaluations of them take a moment."""


@POPULATIONS.add("proportions")
@dataclass(frozen=True, kw_only=True)
class Proportions(Population):
    """Each system answers its own items, as many as the other, right or wrong.

    Assumes that all answers are independent, within and between systems. The wrong choice whenever both systems can be
    run on the same items: pairing them (`paired_binary`) usually needs a fraction of the items.
    """

    accuracy: float = field(metadata={"help": "share of its items A gets right"})

    label = "right-or-wrong scores on separate items"
    test = "two_proportion_z"
    examples = ("proportions(effect=0.05, accuracy=0.7)",)
    paired = False
    latent = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        fraction(self.name, "accuracy", self.accuracy)
        if self.effect is None:
            return
        fraction(self.name, "effect", self.effect, low=-1.0)
        low, high = self.effect_range
        if not low - STATISTIC_NOISE <= self.effect <= high + STATISTIC_NOISE:
            raise UsageError(
                f"proportions: effect={self.effect:g} cannot be: with accuracy={self.accuracy:g} it lies between "
                f"{low:.4g} and {high:.4g}"
            )

    @property
    def effect_range(self) -> tuple[float, float]:
        return -self.accuracy, 1.0 - self.accuracy

    @property
    def accuracies(self) -> tuple[float, float]:
        """How often A and B are right."""
        return self.accuracy, min(max(self.accuracy + self.known_effect, 0.0), 1.0)

    @property
    def sd_difference(self) -> float:
        """The standard deviation of the difference between an answer of B and one of A."""
        return math.sqrt(sum(p * (1.0 - p) for p in self.accuracies))

    def scores(self, noise: Noise) -> Pair:
        right = (z < special.ndtri(p) for z, p in zip(noise.layers, self.accuracies, strict=True))
        a, b = (as_scores(r.astype(np.float64)) for r in right)
        return Pair(a, b)

    def draw_summary(
        self, needs: type, design: Design, size: int, rng: Generator
    ) -> Independent | SeparateCounts | None:
        """Only the number of right answers is drawn; which items they fall on tells nothing."""
        if needs not in {Independent, SeparateCounts}:
            return None
        counts = [_binomial_counts(rng.random(size), design.items, p) for p in self.accuracies]
        if needs is SeparateCounts:
            return SeparateCounts(*(Proportion(c, np.full_like(c, design.items)) for c in counts))
        a, b = ((np.arange(design.items) < c[:, np.newaxis]).astype(np.float64) for c in counts)
        return Independent(a, b)

    def width(self, needs: type, design: Design) -> int:
        numbers = super().width(needs, design)
        return min(numbers, COUNTED) if needs is SeparateCounts else numbers


def _binomial_counts(uniforms: FloatArray, items: int, accuracy: float) -> IntArray:
    """Binomial counts by inversion, so that the same uniforms give counts that only rise with the accuracy."""
    first, steps = _binomial_steps(items, accuracy)
    return np.asarray(first + np.searchsorted(steps, uniforms, side="right"))


@lru_cache(maxsize=64)
def _binomial_steps(items: int, accuracy: float) -> tuple[int, FloatArray]:
    """P(X ≤ x) for the counts x that have any chance, and the first of them."""
    # Ten standard deviations and ten counts hold all but 1e-18 of a binomial.
    farthest = 10.0 * np.sqrt(items * accuracy * (1.0 - accuracy)) + 10.0
    first, last = (int(np.clip(items * accuracy + side * farthest, 0, items)) for side in (-1.0, 1.0))
    steps = np.asarray(special.bdtr(np.arange(first, last, dtype=np.float64), items, accuracy))
    return first, steps
