from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.metrics.from_labels import LabelMetric
from tellapart.metrics.metric import METRICS


@METRICS.add("accuracy")
@dataclass(frozen=True)
class Accuracy(LabelMetric):
    """The share of items whose prediction is their label: right or wrong, item by item.

    Σ right / items. It is a mean, so McNemar's test and exact plans serve it, and nothing is approximated. The wrong choice where
    classes are rare and matter (`balanced_accuracy`, `f1`, `mcc`), for the most frequent class then decides. Gini (1912).
    """

    linear = True

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:  # noqa: ARG002  (whatever the classes)
        return ("right",)

    def count(self, labels: IntArray, predictions: IntArray, classes: tuple[str, ...]) -> FloatArray:  # noqa: ARG002  (whatever the classes)
        return np.asarray((labels == predictions)[..., np.newaxis], dtype=np.float64)

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        return means[..., 0]

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        return np.ones_like(means)
