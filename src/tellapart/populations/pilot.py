import math
from collections.abc import Hashable
from dataclasses import InitVar, dataclass, field
from dataclasses import replace as replaced
from functools import cached_property
from typing import Any, Self

import numpy as np

from tellapart.arrays import FloatArray, IntArray, floats
from tellapart.errors import DataError, TooFew, UsageError
from tellapart.populations.item_clusters import ItemClusters
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.pilot_limits import correlation_interval, variance_inflation
from tellapart.populations.population import MEAN, POPULATIONS, Noise, Population
from tellapart.populations.tilt import tilted
from tellapart.scores import Pair
from tellapart.seeds import Generator
from tellapart.summaries import Differences, contributions, is_binary

TOO_LARGE = (
    "an estimate that is too large more often than not when it looks promising; plan for the smallest effect that matters "
    "instead"
)
"""What is wrong with planning for the pilot's own effect."""


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
    examples = ()
    from_spelling = False

    @classmethod
    def from_pair(cls, pair: Pair, effect: float | None = None) -> Self:
        return cls(sample=pair, effect=effect)

    def __post_init__(self, sample: Pair | None) -> None:
        if sample is None:
            raise UsageError(
                "a pilot needs its scores: tellapart plan pilot FILE --a … --b …, or Pilot.from_pair in Python"
            )
        object.__setattr__(self, "pair", _checked(sample))
        object.__setattr__(self, "digest", _digest(self.pair))
        super().__post_init__()
        low, high = self.effect_range
        if self.effect is not None and not (low < self.effect < high or low == self.effect == high):
            groups = "differences" if self.pair.clusters is None else "cluster means of the difference"
            raise UsageError(
                f"pilot: effect={self.effect:g} cannot be: the pilot's {groups} lie between {low:.4g} and {high:.4g}, "
                "and their mean lies strictly inside"
            )

    def replace(self, **changes: Any) -> Self:
        return replaced(self, **{"sample": self.pair, **changes})

    def __reduce__(self) -> tuple[Any, ...]:
        # Arrays that travelled may arrive unaligned, and sums of such differ in the last bit: build it anew.
        return type(self).from_pair, (self.pair, self.effect)

    def __str__(self) -> str:
        effect = "" if self.effect is None else f"effect={self.effect!r}, "
        return f"pilot({effect}items={self.items})"

    @property
    def source(self) -> str:
        return f"{self} sha256:{self.digest[:16]}"

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
        return float(self._clusters.means[0]), float(self._clusters.means[-1])

    @property
    def weights(self) -> FloatArray:
        """The chance of each item to be drawn, `(item,)`."""
        sizes = self._clusters.sizes
        chances = np.empty(self.items)
        chances[self._clusters.order] = np.repeat(self._chances / sizes, sizes)
        return chances

    @property
    def sd_difference(self) -> float:
        """The standard deviation of a drawn item's difference."""
        return float(np.sqrt(self.weights @ (self.differences - self.known_effect) ** 2))

    @property
    def spread(self) -> float:
        """The same as the mean of many drawn items has it, times the root of their number: with clusters it is larger."""
        return math.sqrt(self._variance[0])

    def variance_limit(self, level: float) -> float:
        """The upper limit of this level on the squared spread, over its value among the pilot's own items.

        The pilot's items scatter about their own mean, so they show a little less than there is.
        """
        share = self.units / (self.units - 1)
        return share * variance_inflation(self.units, level, self._variance[1])

    @cached_property
    def _variance(self) -> tuple[float, float]:
        """The squared spread, and how much more it varies between pilots than with normal scores, as an excess kurtosis.

        That of sums over items that come together, and what a tilt as far as this adds: its normal scores would have one
        of 6 times the squared tilt, in standard deviations.
        """
        sizes, gaps = self._clusters.sizes, self._clusters.means - self.known_effect
        weights, sums = self._chances / sizes, sizes * gaps
        variance, fourth = (float(weights @ sums**k) for k in (2, 4))
        if variance == 0.0:
            return 0.0, 0.0
        tilt = (self.observed_effect - self.known_effect) ** 2 / variance
        return variance, fourth * float(weights.sum()) / variance**2 - 3.0 + 6.0 * tilt

    @property
    def correlation(self) -> float:
        """Between the two systems' item scores in the pilot; NaN when either never varies."""
        a, b = (contributions(x, MEAN) for x in (self.pair.a, self.pair.b))
        spread = float(a.std() * b.std())
        return float(((a - a.mean()) * (b - b.mean())).mean()) / spread if spread > 0.0 else math.nan

    def correlation_interval(self, level: float = 0.95) -> tuple[float, float]:
        return correlation_interval(self.correlation, self.items, level)

    @cached_property
    def binary(self) -> PairedBinary | None:
        """The same population by its accuracies and discordance, when the scores are right or wrong and independent."""
        if self.pair.clusters is not None or not is_binary(self.pair):
            return None
        accuracy = float(self.weights @ contributions(self.pair.a, MEAN))
        discordance = float(self.weights @ np.abs(self.differences))
        return PairedBinary(accuracy=accuracy, discordance=discordance, effect=self.known_effect)

    def discordant_probabilities(self) -> tuple[float, float] | None:
        return None if self.binary is None else self.binary.discordant_probabilities()

    @property
    def units(self) -> int:
        """How many independent pieces the pilot has: its clusters, or its items."""
        return len(self._clusters)

    @property
    def noise_kind(self) -> Hashable:
        return "pilot", self.digest

    def noise(self, items: int, size: int, rng: Generator) -> Noise:
        return Noise(tuple(rng.random((1 if self.pair.clusters is None else 2, size, items))))

    def scores(self, noise: Noise) -> Pair:
        picked, codes = self._picked(noise)
        return Pair(self.pair.a[picked], self.pair.b[picked], codes)

    def summary(self, needs: Any, noise: Noise) -> Any:
        if needs is not Differences:
            return super().summary(needs, noise)
        picked, codes = self._picked(noise)
        largest = max(float(np.nanmax(np.abs(x))) for x in (self.pair.a, self.pair.b))
        return Differences(self.differences.take(picked), codes, largest)

    def draw_summary(self, needs: type, items: int, size: int, rng: Generator) -> Any | None:
        return None if self.binary is None else self.binary.draw_summary(needs, items, size, rng)

    def width(self, needs: type, items: int) -> int:
        if self.binary is not None:
            return self.binary.width(needs, items)
        return items * int(self.pair.a.shape[1] + self.pair.b.shape[1])

    @cached_property
    def _clusters(self) -> ItemClusters:
        return ItemClusters.of(self.differences, self.pair.clusters)

    @cached_property
    def _chances(self) -> FloatArray:
        """The chance of each cluster to be drawn: in proportion to its size, tilted to the effect."""
        return tilted(self._clusters.means, self._clusters.sizes.astype(np.float64), self.known_effect)

    @cached_property
    def _steps(self) -> FloatArray:
        return np.cumsum(self._chances)[:-1]

    def _picked(self, noise: Noise) -> tuple[IntArray, IntArray | None]:
        """Which item each draw is. Clusters are in order of their differences, so scores rise with the effect."""
        if self.pair.clusters is None:
            return self._clusters.order.take(
                np.searchsorted(self._steps, noise.layers[0], side="right")
            ), None
        codes = self._clusters.spread_over(noise.layers[0].shape[-1])
        first = np.searchsorted(codes, np.arange(codes[-1] + 1))
        chosen = np.searchsorted(self._steps, noise.layers[0][:, first], side="right")
        sizes = self._clusters.sizes[chosen]
        turn = (noise.layers[1][:, first] * sizes).astype(np.int64)
        place = turn[:, codes] + (np.arange(len(codes)) - first[codes])
        place %= sizes[:, codes]
        place += self._clusters.starts[chosen][:, codes]
        return self._clusters.order.take(place), codes


def _checked(pair: Pair) -> Pair:
    a, b = floats(pair.a), floats(pair.b)
    if a.ndim != 3 or len(a) != len(b) or a.shape[-1] != 1 or b.shape[-1] != 1:
        raise DataError(
            "a pilot needs paired scores of one number an item; for a metric of several parts give influences"
        )
    if len(a) < 2:
        raise TooFew(f"a pilot of {len(a)} items has no spread to plan with; at least 2 are needed")
    if any(np.isnan(x).all(axis=1).any() or np.isinf(x).any() for x in (a, b)):
        raise DataError("a pilot's scores must be finite, with at least one run of each system on every item")
    codes = (
        None if pair.clusters is None else np.unique(pair.clusters, return_inverse=True)[1].astype(np.int64)
    )
    return Pair(a, b, codes, pair.items, pair.lost)


def _digest(pair: Pair) -> str:
    import hashlib  # noqa: PLC0415  (only a pilot that is there has a digest)

    arrays = [x for x in (pair.a, pair.b, pair.clusters) if x is not None]
    return hashlib.sha256(b"|".join(str(x.shape).encode() + x.tobytes() for x in arrays)).hexdigest()
