from dataclasses import dataclass

import numpy as np

from tellapart.distributions.rare_failures import mean_with_failures
from tellapart.distributions.student import t_quantile
from tellapart.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.seeds import Generator
from tellapart.summaries import Differences


@INTERVALS.add("failure_t")
@dataclass(frozen=True)
class FailureT(Interval):
    """Student's interval, longer on the side where one or two items lie far out and others like them may have been spared.

    The values that the test `failure_t` does not reject: each bound is Student's after as many more failures on its side as
    one sample in twenty is spared. Without rare failures it is `student_t`. The wrong choice for items in
    clusters, and where such items are known to be all there are. Student (1908); Garwood (1936).
    """

    needs = Differences
    label = "t with failures to come"

    def interval(self, sample: Differences, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        quantile = t_quantile(0.5 + level / 2.0, sample.items - 1)
        (low, below), (high, above) = (mean_with_failures(x) for x in (sample.values, -sample.values))
        return low - quantile * np.sqrt(below / sample.items), -high + quantile * np.sqrt(
            above / sample.items
        )
