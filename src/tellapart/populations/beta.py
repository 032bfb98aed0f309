import math
from dataclasses import dataclass, field

from tellapart.arrays import FloatArray
from tellapart.errors import UsageError
from tellapart.populations.beta_quantiles import beta_quantiles, places
from tellapart.populations.latent_pair import LatentPair
from tellapart.populations.noise import Noise
from tellapart.populations.population import POPULATIONS
from tellapart.populations.quantities import fraction

NARROWEST = 1e-5
"""The smallest spread against which the error of the quantiles is nothing."""


@POPULATIONS.add("beta")
@dataclass(frozen=True, kw_only=True)
class Beta(LatentPair):
    """Scores between 0 and 1 with Beta margins, tied together by the correlation of underlying normals.

    Assumes one hump (or two piles at the ends, when `sd` is large), the same spread for both systems, and a Gaussian
    copula, whose `correlation` is a little above that of the scores themselves. Quantiles come from a table and are
    within 1e-9. The wrong choice for right-or-wrong scores (`paired_binary`), for scores with many exact zeros or ones,
    and for metrics with few values, such as reciprocal rank: use a `pilot` there. Sklar (1959).
    """

    correlation: float = field(
        metadata={"help": "of the normals underlying the two systems' scores of an item"}
    )
    mean: float = field(metadata={"help": "mean score of A, between 0 and 1"})

    label = "Beta scores"
    test = "paired_t"
    examples = (
        "beta(effect=0.02, sd=0.12, correlation=0.8, mean=0.65)",
        "beta(effect=-0.1, sd=0.4, correlation=0.3, mean=0.6)",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        fraction(self.name, "mean", self.mean)
        if self.sd < NARROWEST:
            raise UsageError(
                f"beta: sd={self.sd:g} should be at least {NARROWEST:g}; use gaussian or a pilot for scores so near to each other"
            )
        most = math.sqrt(max(self.mean * (1.0 - self.mean), 0.0))
        if not self.sd < most:
            raise UsageError(
                f"beta: sd={self.sd:g} cannot be: scores between 0 and 1 with mean={self.mean:g} have an sd below "
                f"{most:.4g}"
            )
        low, high = self.effect_range
        if self.effect is not None and not low < self.effect < high:
            raise UsageError(
                f"beta: effect={self.effect:g} cannot be: with mean={self.mean:g} and sd={self.sd:g} it lies between "
                f"{low:.4g} and {high:.4g}, or B's scores could not have that sd"
            )

    @property
    def effect_range(self) -> tuple[float, float]:
        # Scores between 0 and 1 with this sd have a mean within so much of the middle: m(1 − m) must exceed sd².
        half = math.sqrt(max(0.25 - self.sd**2, 0.0))
        return 0.5 - half - self.mean, 0.5 + half - self.mean

    def _margins(self, noise: Noise) -> tuple[FloatArray, FloatArray]:
        a = noise.once(
            ("beta", self.mean, self.sd), lambda: beta_quantiles(self.mean, self.sd)(noise.layers[0])
        )
        table = beta_quantiles(self.mean + self.known_effect, self.sd)
        # Tables of other effects mostly have as many cells: only what stands there differs.
        key = ("places", self.correlation, table.cells)
        return a, table.at(noise.once(key, lambda: places(self._correlated(noise), table.cells)))
