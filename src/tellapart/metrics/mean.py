from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.metrics.metric import METRICS, Metric


@METRICS.add("mean")
@dataclass(frozen=True)
class Mean(Metric):
    """The plain mean of one score per item: accuracy, nDCG, a rating, a judge's preference.

    Σ score / items, after repeats of an item are averaged. The wrong choice for what is a ratio of sums over all items
    (F1, BLEU), whose items do not weigh alike. Simpson (1755).
    """

    linear = True
    knows_direction = False

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:  # noqa: ARG002  (whatever the classes)
        return ("score",)

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        return means[..., 0]

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        return np.ones_like(means)
