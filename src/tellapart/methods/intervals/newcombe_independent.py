from dataclasses import dataclass

from tellapart.data.summaries import SeparateCounts
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.null_laws.proportions import square_and_add, wilson_bounds
from tellapart.numerics.null_laws.tails import two_sided_quantile


@INTERVALS.add("newcombe_independent")
@dataclass(frozen=True)
class NewcombeIndependent(Interval):
    """Wilson intervals of two accuracies on different items, joined like standard errors.

    Each bound is the difference ∓ √(u² + v²), with u and v the distances from the accuracies to their Wilson bounds: method
    10 for unpaired proportions. Closed form, for independent items of two systems that share none, and never outside
    [−1, 1]. The wrong choice for systems on the same items (`tango`). Newcombe (1998).
    """

    needs = SeparateCounts
    label = "Newcombe hybrid score"

    def interval(self, sample: SeparateCounts, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        z = two_sided_quantile(level)
        a, b = (wilson_bounds(x.successes, x.trials, z) for x in (sample.a, sample.b))
        low, high = square_and_add(a, b, 0.0)
        return sample.step * low, sample.step * high
