from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.metrics.metric import METRICS, Metric


@METRICS.add("mean")
@dataclass(frozen=True)
class Mean(Metric):
    """The plain mean of one score an item: accuracy, nDCG, a rating, a judge's preference."""

    parts = ("score",)
    linear = True

    def value(self, means: FloatArray) -> FloatArray:
        return means[..., 0]

    def gradient(self, means: FloatArray) -> FloatArray:
        return np.ones_like(means)
