from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Differences
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.moments import mean_and_variance
from tellapart.numerics.null_laws.tails import t_quantile


@INTERVALS.add("student_t")
@dataclass(frozen=True)
class StudentT(Interval):
    """Mean ± t-quantile times standard error: the values the paired t test does not reject.

    mean ± t(n − 1)·s/√n. Exact for independent normal differences, close from some fifty items on unless they are very
    lopsided. The wrong choice for clusters (`cluster_t`) and for few skewed differences (`bootstrap`): there it leaves the
    truth out too often on the side of the long tail. Student (1908).
    """

    needs = Differences
    label = "Student's t"

    def interval(self, sample: Differences, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        items, (mean, variance) = sample.items, mean_and_variance(sample.values)
        half_width = t_quantile(0.5 + level / 2.0, items - 1) * np.sqrt(variance / items)
        return mean - half_width, mean + half_width
