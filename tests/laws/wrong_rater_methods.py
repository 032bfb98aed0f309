"""Wrong tests and intervals of ratings, each spoiled in one way: the laws have to catch every one."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from tests.laws.altering import Alters, Dims, Doubles, Halves

from tellapart.data.summaries import Differences
from tellapart.data.summaries.rater_samples import Crossed, UnpairedRatings
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import Bounds
from tellapart.methods.significance import Outcome
from tellapart.methods.significance.mixed_model import MixedModel
from tellapart.methods.significance.mixed_model import MixedModelInterval as Right
from tellapart.methods.significance.paired_t import PairedT


@dataclass(frozen=True)
class Wrong(MixedModel):
    """The mixed model, spoiled in one way by whoever inherits it."""


class Doubled(Doubles, Wrong):
    pass


class Halved(Halves, Wrong):
    pass


class Timid(Dims, Wrong):
    pass


class NeverCertain(Alters, Wrong):
    def altered(self, pvalue: Any) -> Any:
        return 0.9 * pvalue


class OneSided(Wrong):
    def apply(self, sample: Any, rng: Generator) -> Outcome:
        return MixedModel(alternative="greater").apply(sample, rng)


class NoDirection(Wrong):
    def apply(self, sample: Any, rng: Generator) -> Outcome:
        outcome = super().apply(sample, rng)
        return replace(outcome, direction=np.zeros_like(outcome.direction))


class MindsOrder(Wrong):
    """The first rater counts twice."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        values = np.concatenate([sample.values, sample.values[..., :1, :]], axis=-2)
        return super().apply(Crossed(values), rng)


class PoolsBatch(Wrong):
    def apply(self, sample: Any, rng: Generator) -> Outcome:
        outcome = super().apply(sample, rng)
        return replace(outcome, pvalue=np.full_like(outcome.pvalue, outcome.pvalue.mean()))


class MindsUnits(Wrong):
    def apply(self, sample: Any, rng: Generator) -> Outcome:
        return super().apply(sample.shifted(0.1), rng)


class MindsLevels(Wrong):
    """Looks at ratings of B alone, in which levels of raters and items stand."""

    needs = UnpairedRatings  # type: ignore[assignment]  # that is what is wrong

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        return PairedT(alternative=self.alternative).apply(Differences(sample.values[..., sample.of_b]), rng)


class StaysAtZero(Wrong):
    def against(self, sample: Any, null: float, rng: Generator) -> Outcome:
        return self.apply(sample, rng)


class Averages(Wrong):
    """Raters are averaged away, and items taken for all that varies."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        means = np.nanmean(sample.values, axis=-2)
        return PairedT(alternative=self.alternative).apply(Differences(means), rng)


class StrangeInterval(Wrong):
    interval = "student_t"


@dataclass(frozen=True)
class WrongInterval(Right):
    """The interval of the mixed model, spoiled in one way by whoever inherits it."""


class UpsideDown(WrongInterval):
    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        return high, low


class Lopsided(WrongInterval):
    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        return low, high + 0.1 * (high - low)


class OneLevel(WrongInterval):
    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        return super().interval(sample, 0.95, rng)


class Narrow(WrongInterval):
    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        return low + 0.2 * (high - low), high - 0.2 * (high - low)


class InPercent(WrongInterval):
    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        low, high = super().interval(sample, level, rng)
        return low - 0.01, high + 0.01
