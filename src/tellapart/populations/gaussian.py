"""Normal scores, correlated between systems, and their mean with or without clipping to a range."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy import special

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.quantities import positive
from tellapart.numerics.null_laws.tails import density
from tellapart.numerics.roots import increasing_root
from tellapart.populations.latent_pair import LatentPair
from tellapart.populations.noise import Noise
from tellapart.populations.population import POPULATIONS

Range = tuple[float, float]


def clipped_mean(mean: float, sd: float, clip: Range | None) -> float:
    """The mean of a normal variable after values outside the range are moved to its ends; exact."""
    return mean if clip is None else float(_clipped_mean(np.asarray(mean), sd, clip))


def unclipped_mean(target: float, sd: float, clip: Range | None) -> float:
    """The mean before clipping that becomes `target` after it; `target` lies strictly inside the range."""
    if clip is None:
        return target
    # Forty standard deviations below the range nothing reaches into it, to the last bit.
    start = np.asarray(clip[0] - 40.0 * sd)
    return float(increasing_root(lambda mean: _clipped_mean(mean, sd, clip) - target, start, np.asarray(target)))


def _clipped_mean(mean: FloatArray, sd: float, clip: Range) -> FloatArray:
    low, high = clip
    return np.asarray(low + sd * (_area((mean - low) / sd) - _area((mean - high) / sd)))


def _area(t: FloatArray) -> FloatArray:
    """The area under the normal distribution function up to t: ∫Φ = tΦ(t) + φ(t)."""
    return np.asarray(t * special.ndtr(t) + density(t))


@POPULATIONS.add("gaussian")
@dataclass(frozen=True, kw_only=True)
class Gaussian(LatentPair):
    """Both systems' scores are normal, correlated item by item, and clipped to a range if one is given.

    Assumes one spread and one correlation for all items and an effect that is the same everywhere. `mean`, `sd` and
    `correlation` describe the scores before clipping; `effect` is the true difference of means after it. Where `sd` or
    `correlation` is left out, `plan` takes it from evidence. The wrong
    choice for right-or-wrong scores (`paired_binary`), for scores piled up at an end of their range (`beta` or a
    `pilot`), and for differences with heavy tails, of which a normal population knows nothing.
    """

    mean: float = field(default=0.0, metadata={"help": "mean score of A, before clipping"})
    sd_b: float | None = field(default=None, metadata={"help": "standard deviation of B's, if not A's"})
    clip: tuple[float, float] | None = field(default=None, metadata={"help": "range of the scores, low:high"})

    label = "normal scores"
    test = "paired_t"
    evidence_kind = "spread"
    evidence_signs: ClassVar[Mapping[str, int]] = {"sd": 1, "correlation": -1}
    examples = (
        "gaussian(effect=0.02, sd=0.12, correlation=0.8)",
        "gaussian(effect=0.05, sd=0.12, correlation=0.5, mean=0.65, sd_b=0.2, clip=0:1)",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self.name, "sd_b", self.spread_b)
        if self.clip is not None:
            self._check_clip(*self.clip)
        low, high = self.effect_range
        if self.effect is not None and not low < self.effect < high:
            raise UsageError(
                f"gaussian: effect={self.effect:g} cannot be: A's mean after clipping is {self.mean_a:.4g}, so B's can "
                f"differ by more than {low:.4g} and less than {high:.4g}"
            )

    def _check_clip(self, low: float, high: float) -> None:
        if not low < high:
            raise SpellingError(f"gaussian: clip={low:g}:{high:g} should be low:high, the lower end first")
        # Beyond eight standard deviations not one score in 10^15 lies inside: nothing would vary.
        if not low - 8.0 * self.sd < self.mean < high + 8.0 * self.sd:
            raise UsageError(
                f"gaussian: mean={self.mean:g} lies so far outside clip={low:g}:{high:g} that every score would be "
                "clipped; give mean, sd and clip in the same units"
            )

    @property
    def spread_b(self) -> float:
        return self.sd if self.sd_b is None else self.sd_b

    @property
    def sd_difference(self) -> float:
        """The standard deviation of an item's difference before clipping."""
        # A sum of squares: as sd² + sd_b² − 2·r·sd·sd_b it would lose its digits where the correlation is near 1.
        apart = math.sqrt(2.0 * (1.0 - self.correlation)) * math.sqrt(self.sd) * math.sqrt(self.spread_b)
        return math.hypot(self.sd - self.spread_b, apart)

    @property
    def mean_a(self) -> float:
        """The mean score of A after clipping."""
        return clipped_mean(self.mean, self.sd, self.clip)

    @property
    def effect_range(self) -> tuple[float, float]:
        if self.clip is None:
            return super().effect_range
        return self.clip[0] - self.mean_a, self.clip[1] - self.mean_a

    @cached_property
    def mean_b(self) -> float:
        """The mean of B before clipping that gives the effect after it."""
        if self.clip is None:
            return self.mean + self.known_effect
        return unclipped_mean(self.mean_a + self.known_effect, self.spread_b, self.clip)

    def effect_of_shift(self, shift: float) -> float:
        """The effect left after clipping when B's scores are moved by `shift` before it."""
        return clipped_mean(self.mean + shift, self.spread_b, self.clip) - self.mean_a

    def _margins(self, noise: Noise) -> tuple[FloatArray, FloatArray]:
        return self._scores_a(noise), self._clipped(self._correlated(noise), self.spread_b, self.mean_b)

    def _scores_a(self, noise: Noise) -> FloatArray:
        key = ("gaussian", self.mean, self.sd, self.clip)
        return noise.once(key, lambda: self._clipped(noise.layers[0], self.sd, self.mean))

    def _clipped(self, normals: FloatArray, sd: float, mean: float) -> FloatArray:
        scores = normals * sd
        scores += mean
        if self.clip is not None:
            np.clip(scores, *self.clip, out=scores)
        return scores

    def _differences(self, noise: Noise) -> Differences:
        if self.clip is not None:
            a, b = self._margins(noise)
            return Differences(np.subtract(b, a, out=b), scale=max(map(abs, self.clip)))
        # Without the common mean, differences of systems that differ by a constant are that constant to the last bit.
        values = self._correlated(noise) * self.spread_b
        values -= noise.layers[0] * self.sd
        values += self.known_effect
        # Six standard deviations hold all that simulations draw, and the largest score says what rounding is.
        largest = abs(self.mean) + abs(self.known_effect) + 6.0 * max(self.sd, self.spread_b)
        return Differences(values, scale=largest)
