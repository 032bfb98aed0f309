from dataclasses import dataclass

import numpy as np

from tellapart.distributions.moments import mean_and_variance
from tellapart.distributions.student import t_quantile
from tellapart.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.seeds import Generator
from tellapart.summaries import Differences


@INTERVALS.add("student_t")
@dataclass(frozen=True)
class StudentT(Interval):
    """Mean ± t-quantile times standard error: the values the paired t test does not reject. Student (1908)."""

    needs = Differences
    label = "Student t"

    def interval(self, sample: Differences, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        items, (mean, variance) = sample.items, mean_and_variance(sample.values)
        half_width = t_quantile(0.5 + level / 2.0, items - 1) * np.sqrt(variance / items)
        return mean - half_width, mean + half_width
