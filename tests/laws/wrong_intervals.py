"""Wrong intervals, each spoiled in one way: the laws have to catch every one."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from tellapart.data.summaries import Differences, Discordance, Parts, Summary
from tellapart.foundation.arrays import mean_and_variance
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals import Interval
from tellapart.methods.intervals.interval import Bounds
from tellapart.numerics.null_laws.score_difference import score_bounds
from tellapart.numerics.null_laws.tails import t_quantile, two_sided_quantile


@dataclass(frozen=True)
class Wrong(Interval):
    """Student's interval of the differences, spoiled in one way by whoever inherits it."""

    name = "wrong"
    needs: ClassVar[type[Summary]] = Differences
    label = "wrong"

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        mean, variance = mean_and_variance(sample.values)
        reach = t_quantile(0.5 + level / 2.0, sample.items - 1) * np.sqrt(variance / sample.items)
        return mean - reach, mean + reach


class Reversed(Wrong):
    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        return high, low


class IgnoresLevel(Wrong):
    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        return super().interval(sample, 0.95 + 0.0 * level, rng)


class IgnoresMetric(Wrong):
    """The mean of the first part, whatever the metric: the wrong interval that once passed every law."""

    needs = Parts

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        return super().interval(Differences(sample.b[..., 0] - sample.a[..., 0]), level, rng)


class IgnoresPairing(Wrong):
    """About B by itself, and not about a difference."""

    needs = Parts

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        return super().interval(Differences(sample.b[..., 0]), level, rng)


class Absolute(Wrong):
    """Never shorter than one unit of the scores."""

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        return low - 1.0, high + 1.0


class Unitless(Wrong):
    """Shares of items, whatever a right answer scores."""

    needs = Discordance

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        return score_bounds(sample.wins, sample.losses, sample.items, two_sided_quantile(level))


class AboutOneSystem(Wrong):
    """As wide as A's scores vary, and no wider where B is moved away from them."""

    needs = Parts

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample.differences, level, rng)
        return np.minimum(low, 0.0), np.maximum(high, 0.0)


class PoolsBatch(Wrong):
    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        return np.full_like(low, low.mean()), np.full_like(high, high.mean())


class MindsOrder(Wrong):
    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        half = replace(sample, values=sample.values[..., : sample.items // 2], clusters=None)
        return super().interval(half, level, rng)


class ClaimsClusters(Wrong):
    """Says that it allows for clusters, and never looks at them."""

    def sees_clusters(self, metric: Any) -> bool:
        return True


class HidesClusters(Wrong):
    """Looks at clusters and does not say so."""

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        widening = 1.0 if sample.clusters is None else 2.0
        return low - widening * (high - low), high + widening * (high - low)


class DrawnToZero(Wrong):
    """Of right-or-wrong scores, whose constants nothing moves by: holds 0 as often as it should, and a real gap hardly ever."""

    needs = Discordance

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = score_bounds(sample.wins, sample.losses, sample.items, two_sided_quantile(level))
        return 0.7 * low, 0.7 * high


class ForgetsItems(Wrong):
    """The spread of single differences instead of that of their mean."""

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        middle, reach = (low + high) / 2.0, (high - low) / 2.0 * np.sqrt(sample.items)
        return middle - reach, middle + reach


class Stretched(Wrong):
    factor = 0.5

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        middle, reach = (low + high) / 2.0, self.factor * (high - low) / 2.0
        return middle - reach, middle + reach


class TooWide(Stretched):
    factor = 2.0


class SevenPercentShort(Stretched):
    factor = 0.93


class ShrinksTheGap(Wrong):
    """A centre drawn towards zero by one part in fifty."""

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        return low - 0.02 * sample.effect, high - 0.02 * sample.effect


class RightAtOneLevel(Wrong):
    """As wide as promised at 95 %, and a quarter too narrow at lower levels."""

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        less = 0.0 if level > 0.9 else (high - low) / 8.0
        return low + less, high - less


class TakesNoiseForSpread(Wrong):
    needs = Parts

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        differences = sample.b[..., 0] - sample.a[..., 0]
        return super().interval(Differences(differences), level, rng)


class OwnChance(Wrong):
    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        jitter = 1e-3 * np.random.default_rng().random()
        return low - jitter, high + jitter


class AnswersWithoutClusters(Wrong):
    needs_clusters = True
