import hashlib
import math
from collections.abc import Hashable
from dataclasses import InitVar, dataclass, field
from dataclasses import replace as replaced
from functools import cached_property
from typing import Any, Self

import numpy as np

from tellapart.arrays import FloatArray, IntArray, floats
from tellapart.errors import DataError, TooFew, UsageError
from tellapart.populations.pilot_limits import correlation_interval
from tellapart.populations.population import MEAN, POPULATIONS, Noise, Population
from tellapart.populations.tilt import tilted
from tellapart.scores import Pair
from tellapart.seeds import Generator
from tellapart.summaries import contributions

GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@POPULATIONS.add("pilot")
@dataclass(frozen=True, kw_only=True)
class Pilot(Population):
    """Items like those of a pilot evaluation, drawn again and again, with the effect you ask for instead of its own.

    Items are drawn with unequal chances, w ∝ exp(θ · difference), that give the wanted effect exactly; no score is
    changed, so bounded scores stay bounded and repeated runs stay together. Clusters are drawn whole (where one is not of
    the size planned for, its items are used in turn). The wrong choice below some thirty items, whose tails say little,
    and for plans many times larger than the pilot, in which rare items it never met will turn up.
    """

    sample: InitVar[Pair | None] = None
    pair: Pair = field(init=False, repr=False, compare=False)
    digest: str = field(init=False, repr=False)
    """Of the scores: pilots are equal when these and the effect are."""

    label = "pilot scores"
    test = "paired_t"
    from_spelling = False

    @classmethod
    def from_pair(cls, pair: Pair, effect: float | None = None) -> Self:
        return cls(sample=pair, effect=effect)

    def __post_init__(self, sample: Pair | None) -> None:  # type: ignore[override]  # the pilot's scores come in here
        if sample is None:
            raise UsageError(
                "a pilot needs its scores: tellapart plan pilot FILE --a … --b …, or Pilot.from_pair in Python"
            )
        object.__setattr__(self, "pair", _checked(sample))
        object.__setattr__(self, "digest", _digest(self.pair))
        super().__post_init__()
        low, high = self.effect_range
        if self.effect is not None and not (low < self.effect < high or low == self.effect == high):
            raise UsageError(
                f"pilot: effect={self.effect:g} cannot be: the pilot's differences lie between {low:.4g} and "
                f"{high:.4g}, and a mean lies strictly inside"
            )

    def replace(self, **changes: Any) -> Self:
        return replaced(self, **{"sample": self.pair, **changes})

    def __reduce__(self) -> tuple[Any, ...]:
        # Arrays that travelled may arrive unaligned, and sums of such differ in the last bit: build it anew.
        return _rebuilt, (type(self), self.pair, self.effect)

    def __str__(self) -> str:
        effect = "" if self.effect is None else f"effect={self.effect!r}, "
        return f"pilot({effect}items={self.items})"

    @property
    def items(self) -> int:
        return len(self.differences)

    @cached_property
    def differences(self) -> FloatArray:
        """Each item's difference B − A, its runs averaged."""
        return contributions(self.pair.b, MEAN) - contributions(self.pair.a, MEAN)

    @property
    def observed_effect(self) -> float:
        """The pilot's own effect: an estimate, and never used as the true one unless asked for."""
        return float(self.differences.mean())

    @property
    def effect_range(self) -> tuple[float, float]:
        means = self._clusters.means
        return float(means.min()), float(means.max())

    @property
    def weights(self) -> FloatArray:
        """The chance of each item to be drawn, `(item,)`."""
        clusters = self._clusters
        chances = np.empty(self.items)
        chances[clusters.order] = np.repeat(self._chances / clusters.sizes, clusters.sizes)
        return chances

    @property
    def sd_difference(self) -> float:
        """The standard deviation of a drawn item's difference."""
        return float(np.sqrt(self.weights @ (self.differences - self.known_effect) ** 2))

    @property
    def sd_estimate(self) -> float:
        """What that says about items not in the pilot: unbiased in the variance, so a little larger."""
        return self.sd_difference * math.sqrt(self.items / (self.items - 1))

    @property
    def correlation(self) -> float:
        """Between the two systems' item scores in the pilot; NaN when either never varies."""
        a, b = (contributions(x, MEAN) for x in (self.pair.a, self.pair.b))
        spread = float(a.std() * b.std())
        return float(((a - a.mean()) * (b - b.mean())).mean()) / spread if spread > 0.0 else math.nan

    def correlation_interval(self, level: float = 0.95) -> tuple[float, float]:
        return correlation_interval(self.correlation, self.items, level)

    def resampled(self, rng: Generator) -> Pair:
        """Another pilot this one might have been: its items (its clusters, if it has any) drawn with replacement."""
        clusters = self._clusters
        drawn = rng.integers(len(clusters.sizes), size=len(clusters.sizes))
        picked = np.concatenate([clusters.order[clusters.starts[c] :][: clusters.sizes[c]] for c in drawn])
        codes = None if self.pair.clusters is None else np.repeat(np.arange(len(drawn)), clusters.sizes[drawn])
        return Pair(self.pair.a[picked], self.pair.b[picked], codes)

    def resampled_sds(self, resamples: int, rng: Generator) -> FloatArray:
        """`sd_estimate` on many such pilots at once, `(resamples,)`; NaN where one cannot have the effect."""
        clusters = self._clusters
        count = len(clusters.sizes)
        times = rng.multinomial(count, np.full(count, 1.0 / count), size=resamples)
        chances = tilted(clusters.means, times * clusters.sizes.astype(np.float64), self.known_effect)
        square = (self.differences[clusters.order] - self.known_effect) ** 2
        variance = chances @ (np.add.reduceat(square, clusters.starts) / clusters.sizes)
        return np.asarray(np.sqrt(variance * self.items / (self.items - 1)))

    @property
    def noise_kind(self) -> Hashable:
        return "pilot", self.digest

    def noise(self, items: int, size: int, rng: Generator) -> Noise:
        slots = len(self._slots(items))
        return Noise(tuple(rng.random((1 if self.pair.clusters is None else 2, size, slots))))

    def scores(self, noise: Noise) -> Pair:
        """Uniforms choose clusters in the order of their mean difference, so that scores rise with the effect."""
        clusters = self._clusters
        chosen = np.searchsorted(self._steps, noise.layers[0], side="right")
        if self.pair.clusters is None:
            picked = clusters.order[chosen]
            return Pair(self.pair.a[picked], self.pair.b[picked])
        ...
