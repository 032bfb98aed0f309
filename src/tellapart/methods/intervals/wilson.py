from dataclasses import dataclass

from tellapart.data.summaries import Proportion
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.null_laws.proportions import wilson_bounds
from tellapart.numerics.null_laws.tails import two_sided_quantile


@INTERVALS.add("wilson")
@dataclass(frozen=True)
class Wilson(Interval):
    """The accuracies within z of their own standard errors from the observed one.

    The p with |p̂ − p| ≤ z·√(p(1 − p)/n): the score test turned round. Close to its level on average from a handful of
    independent items on, and never outside [0, 1]. The wrong choice for clusters, and where no accuracy may be missed
    more often than promised (`clopper_pearson`). Wilson (1927).
    """

    needs = Proportion
    label = "Wilson"
    target = "share of items right"

    def interval(self, sample: Proportion, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        bounds = wilson_bounds(sample.successes, sample.items, two_sided_quantile(level))
        return bounds.low, bounds.high
