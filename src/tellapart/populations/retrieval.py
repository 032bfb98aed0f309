import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.quantities import fraction
from tellapart.populations.beta import NARROWEST, beta_quantiles
from tellapart.populations.latent_pair import LatentPair
from tellapart.populations.noise import Noise
from tellapart.populations.population import POPULATIONS

if TYPE_CHECKING:
    from tellapart.populations.evidence import Evidence


@POPULATIONS.add("retrieval")
@dataclass(frozen=True, kw_only=True)
class Retrieval(LatentPair):
    """Scores of queries, such as nDCG: exactly 0 where nothing was found, and a Beta above it.

    `mean` and `sd` are those of all of A's scores, zeros and others together; B fails on the same share of queries and has the
    same spread above 0, and its mean there carries the effect. The two systems are tied together by the correlation of
    underlying normals, as in `beta`. For an average over datasets, where queries of one rise and fall together, wrap it:
    clustered(retrieval(…), size=queries of a dataset). The wrong choice for measures with few values, such as reciprocal
    rank or success at 1 (a `pilot` of two runs), and where the effect is that fewer queries fail. Sklar (1959).
    """

    mean: float = field(metadata={"help": "mean score of A, zeros included"})
    zero_share: float = field(metadata={"help": "share of queries with a score of exactly 0"})
    correlation: float = field(metadata={"help": "of the normals underlying the two systems' scores of a query"})

    label = "scores of queries, with zeros"
    test = "paired_t"
    evidence_kind = "spread"
    evidence_signs: ClassVar[Mapping[str, int]] = {"mean": 0, "sd": 1, "zero_share": 0, "correlation": -1}
    examples = (
        "retrieval(effect=0.02, sd=0.3, correlation=0.8, mean=0.45, zero_share=0.1)",
        "retrieval(effect=-0.03, sd=0.25, correlation=0.5, mean=0.4, zero_share=0)",
    )

    @classmethod
    def numbers_from(
        cls, known: Mapping[str, Any], evidence: "Mapping[str, Evidence]", place: float
    ) -> dict[str, float]:
        """Evidence tells how scores correlate; `correlation` is that of the underlying normals which gives scores this correlation."""
        found = super().numbers_from(known, evidence, place)
        if "correlation" not in found:
            return found
        numbers = {**known, **found}
        margin = {name: numbers[name] for name in ("mean", "sd", "zero_share") if name in numbers}
        alone = cls(effect=0.0, correlation=0.0, **margin)
        return {**found, "correlation": correlation_of_normals(alone, found["correlation"])}

    def __post_init__(self) -> None:
        super().__post_init__()
        fraction(self.name, "mean", self.mean)
        fraction(self.name, "zero_share", self.zero_share)
        if self.mean == 0.0 or self.zero_share == 1.0:
            raise SpellingError(f"{self.name}: every score would be 0; give a mean above 0 and a zero_share below 1")
        self._check_spread()
        low, high = self.effect_range
        if self.effect is not None and not low < self.effect < high:
            raise UsageError(
                f"{self.name}: effect={self.effect:g} cannot be: with mean={self.mean:g}, sd={self.sd:g} and zero_share={self.zero_share:g} "
                f"it lies between {low:.4g} and {high:.4g}, or B's scores above 0 could not have A's spread"
            )

    def _check_spread(self) -> None:
        """Zeros alone spread the scores, and what is between 0 and 1 spreads only so far."""
        found = 1.0 - self.zero_share
        least = math.hypot(self.mean * math.sqrt(self.zero_share / found), NARROWEST * math.sqrt(found))
        most = math.sqrt(max(self.mean * (1.0 - self.mean), 0.0))
        if self.mean >= found or not least <= self.sd < most:
            raise UsageError(
                f"{self.name}: sd={self.sd:g} cannot be: with mean={self.mean:g} and zero_share={self.zero_share:g} scores between 0 and 1 "
                f"have an sd between {least:.4g} and {most:.4g}"
                if self.mean < found
                else f"{self.name}: mean={self.mean:g} cannot be: with zero_share={self.zero_share:g} it is below {found:.4g}"
            )

    @property
    def mean_above(self) -> float:
        """The mean of A's scores above 0."""
        return self.mean / (1.0 - self.zero_share)

    @property
    def sd_above(self) -> float:
        """The standard deviation of scores above 0, A's and B's."""
        square = (self.sd**2 + self.mean**2) / (1.0 - self.zero_share) - self.mean_above**2
        return math.sqrt(max(square, NARROWEST**2))

    @property
    def effect_range(self) -> tuple[float, float]:
        half = math.sqrt(max(0.25 - self.sd_above**2, 0.0))
        found = 1.0 - self.zero_share
        return found * (0.5 - half) - self.mean, found * (0.5 + half) - self.mean

    def margin(self, normals: FloatArray) -> FloatArray:
        """A's scores of queries with these underlying normals."""
        return self._query_scores(normals, self.mean_above)

    def _margins(self, noise: Noise) -> tuple[FloatArray, FloatArray]:
        key = ("retrieval", self.mean, self.sd, self.zero_share)
        a = noise.once(key, lambda: self.margin(noise.layers[0]))
        above = (self.mean + self.known_effect) / (1.0 - self.zero_share)
        return a, self._query_scores(self._correlated(noise), above)

    def _query_scores(self, normals: FloatArray, mean: float) -> FloatArray:
        """The lowest normals are the zeros; the rest are spread over all of the Beta."""
        quantiles = beta_quantiles(mean, self.sd_above)
        if self.zero_share == 0.0:
            return quantiles(normals)
        above = special.ndtr(-normals)
        above /= 1.0 - self.zero_share
        scores = quantiles(-special.ndtri(np.minimum(above, 1.0)))
        scores[above >= 1.0] = 0.0
        return scores


NODES = 80
"""Of the quadrature over each normal: correlations come out to three digits, also where zeros make a step."""


def correlation_of_normals(population: Retrieval, correlation: float) -> float:
    """The correlation of the normals under which scores of this margin have the wanted one.

    Scores bend the normals, so they correlate a little less. By Gauss–Hermite quadrature over both normals, and bisection.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    shares = weights / weights.sum()
    a = population.margin(nodes)
    mean = float(shares @ a)
    variance = float(shares @ (a - mean) ** 2)

    def found(r: float) -> float:
        mixed = r * nodes[:, np.newaxis] + np.sqrt(1.0 - r * r) * nodes
        b: FloatArray = population.margin(mixed)
        return float(shares @ ((a - mean)[:, np.newaxis] * (b - mean)) @ shares) / variance

    low, high = (0.0, 1.0) if correlation > 0.0 else (-1.0, 0.0)
    if not found(low) <= correlation <= 1.0:
        raise UsageError(
            f"{population.name}: scores with mean={population.mean:g}, sd={population.sd:g} and zero_share={population.zero_share:g} cannot "
            f"correlate by {correlation:.3g}; give a correlation"
        )
    while high - low > 1e-6:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if found(middle) < correlation else (low, middle)
    return round(0.5 * (low + high), 3)
