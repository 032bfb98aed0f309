"""Wrong tests, each spoiled in one way: the laws have to catch every one."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from tests.laws.altering import Alters, Dims, Doubles, Halves

from tellapart.data.summaries import Differences, Parts, Summary
from tellapart.foundation.arrays import mean_and_variance
from tellapart.foundation.seeds import Generator
from tellapart.methods.significance import Outcome, Procedure
from tellapart.methods.significance.margins import Equivalence
from tellapart.numerics.moments import t_ratio
from tellapart.numerics.null_laws.tails import sided, t_tails


@dataclass(frozen=True)
class Wrong(Procedure):
    """The paired t test, spoiled in one way by whoever inherits it."""

    name = "wrong"
    needs: ClassVar[type[Summary]] = Differences
    label = "wrong"

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        mean, variance = mean_and_variance(sample.values)
        statistic = t_ratio(mean, np.sqrt(variance / sample.items))
        pvalue = sided(*t_tails(statistic, sample.items - 1), self.alternative)
        return Outcome(pvalue, statistic, np.sign(mean), np.zeros_like(mean), "Student's t distribution")


class Doubled(Doubles, Wrong):
    pass


class Halved(Halves, Wrong):
    pass


class Timid(Dims, Wrong):
    pass


class Rounded(Alters, Wrong):
    """To five digits, so that a tiny p-value becomes 0."""

    def altered(self, pvalue: Any) -> Any:
        return np.round(pvalue, 5)


class NeverCertain(Alters, Wrong):
    """Not 1, even where nothing differs."""

    def altered(self, pvalue: Any) -> Any:
        return 0.999 * pvalue


class OneSided(Wrong):
    """Always about B being better."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        return Wrong(alternative="greater").apply(sample, rng)


class TwoSided(Wrong):
    """Whatever the alternative."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        return Wrong().apply(sample, rng)


class NoDirection(Wrong):
    def apply(self, sample: Any, rng: Generator) -> Outcome:
        outcome = super().apply(sample, rng)
        return replace(outcome, direction=np.ones_like(outcome.direction))


class IgnoresMetric(Wrong):
    """The mean of the first part, whatever the metric."""

    needs = Parts

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        return super().apply(Differences(sample.b[..., 0] - sample.a[..., 0]), rng)


class PoolsBatch(Alters, Wrong):
    def altered(self, pvalue: Any) -> Any:
        return np.full_like(pvalue, np.mean(pvalue))


class MindsOrder(Wrong):
    def apply(self, sample: Any, rng: Generator) -> Outcome:
        return super().apply(Differences(sample.values[..., : sample.items // 2]), rng)


class MindsUnits(Wrong):
    """Adds a variance of one squared unit of the scores."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        noise = np.linspace(-1.0, 1.0, sample.items)
        return super().apply(Differences(sample.values + noise), rng)


class ClaimsClusters(Wrong):
    def sees_clusters(self, metric: Any) -> bool:
        return True


class HidesClusters(Wrong):
    def apply(self, sample: Any, rng: Generator) -> Outcome:
        outcome = super().apply(sample, rng)
        return outcome if sample.clusters is None else replace(outcome, pvalue=np.sqrt(outcome.pvalue))


class OwnChance(Alters, Wrong):
    def altered(self, pvalue: Any) -> Any:
        return pvalue * np.random.default_rng().uniform(0.9, 1.0)


class Restless(Alters, Wrong):
    """Draws on the generator, and says that it is exact."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        outcome = super().apply(sample, rng)
        return replace(outcome, pvalue=outcome.pvalue ** rng.uniform(1.0, 1.1))


class Modest(Wrong):
    """Says that it may be off by so much that nothing can be held against it."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        outcome = super().apply(sample, rng)
        return replace(outcome, error=np.full_like(outcome.error, 0.2))


class OfRoots(Wrong):
    """About the mean of cube roots of differences, whose signs and units are right."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        return super().apply(Differences(np.cbrt(sample.values), sample.clusters), rng)


class DropsLargest(Wrong):
    """Takes the twentieth part of differences that are largest for errors of whoever measured."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        kept = np.argsort(np.abs(sample.values), axis=-1)[..., : sample.items * 19 // 20]
        return super().apply(Differences(np.take_along_axis(sample.values, kept, axis=-1)), rng)


class BoldWithFew(Wrong):
    """Right with many items, three times too sure with few."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        outcome = super().apply(sample, rng)
        bold = np.where(outcome.pvalue == 1.0, 1.0, outcome.pvalue / 3.0)
        return outcome if sample.items >= 50 else replace(outcome, pvalue=bold)


class OneDegreeTooMany(Wrong):
    """Student's t with n degrees of freedom and the variance over n."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        outcome, items = super().apply(sample, rng), sample.items
        statistic = outcome.statistic * np.sqrt(items / (items - 1))
        return replace(outcome, statistic=statistic, pvalue=sided(*t_tails(statistic, items), self.alternative))


class TiesForB(Wrong):
    """A sign test that counts every second tie as an item won by B, and none of a system compared with itself."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        signs = np.sign(sample.values)
        tied = (signs == 0.0) & signs.any(axis=-1, keepdims=True)
        return super().apply(Differences(np.where(tied & (np.cumsum(tied, axis=-1) % 2 == 1), 1.0, signs)), rng)


class TakesNoiseForSpread(Wrong):
    needs = Parts

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        return super().apply(Differences(sample.b[..., 0] - sample.a[..., 0]), rng)


class MovesAlone(Wrong):
    """Takes the null for an effect to be added."""

    def against(self, sample: Any, null: float, rng: Generator) -> Outcome:
        return self.apply(sample.shifted(null), rng)


class MarginInShares(Wrong):
    """Takes a margin for a share of the largest difference there is, whatever unit it is in."""

    def against(self, sample: Any, null: float, rng: Generator) -> Outcome:
        return self.apply(sample.shifted(-null * np.abs(sample.values).max()), rng)


class ClaimsSigns(Wrong):
    counts_signs = True


class AnswersWithoutClusters(Wrong):
    needs_clusters = True


class StrangeInterval(Wrong):
    """Sees clusters, and names an interval that does not."""

    interval: ClassVar[str] = "student_t"

    def sees_clusters(self, metric: Any) -> bool:
        return True


class EitherSide(Equivalence):
    """Satisfied when one of the two one-sided tests rejects."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        low, high = (
            self.test.replace(alternative=side).against(sample, bound, rng)
            for side, bound in (("greater", -self.known_margin), ("less", self.known_margin))
        )
        return replace(low, pvalue=np.minimum(low.pvalue, high.pvalue))
