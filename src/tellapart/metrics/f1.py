from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.metrics.metric import METRICS, Metric


@METRICS.add("f1")
@dataclass(frozen=True)
class F1(Metric):
    """Micro-averaged F1 = 2·tp / (2·tp + fp + fn) over all items; 0 where nothing was there to find or was found.

    The harmonic mean of precision and recall of all items thrown together. The influence of an item is
    (2·tp − F1·(2·tp + fp + fn)) over the mean denominator: items with more to find weigh more. The wrong choice where
    true negatives matter (`mcc`), and where every item, or every class, should weigh the same. Van Rijsbergen (1979).
    """

    counts = True

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:  # noqa: ARG002  (whatever the classes)
        return ("tp", "fp", "fn")

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        tp, _, _ = np.moveaxis(means, -1, 0)
        size = _denominator(means)
        return np.asarray(np.divide(2.0 * tp, size, out=np.zeros_like(tp), where=size > 0.0))

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        size, f1 = _denominator(means), self.value(means, items)
        # The quotient rule, with F1 itself for the fraction: d(2tp/size) = (2·dtp − F1·dsize)/size.
        slopes = np.stack([2.0 - 2.0 * f1, -f1, -f1], axis=-1)
        whole = size[..., np.newaxis]
        return np.divide(slopes, whole, out=np.zeros_like(slopes), where=whole > 0.0)


def _denominator(means: FloatArray) -> FloatArray:
    return np.asarray(2.0 * means[..., 0] + means[..., 1] + means[..., 2])
