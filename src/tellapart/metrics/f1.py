from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.metrics.metric import METRICS
from tellapart.metrics.rate import COUNTS, AveragedRate


@METRICS.add("f1")
@dataclass(frozen=True)
class F1(AveragedRate):
    """F1 = 2·tp / (2·tp + fp + fn), the harmonic mean of precision and recall; 0 where nothing was there to find or was found.

    Counts are summed over all items first. The influence of an item is (2·tp − F1·(2·tp + fp + fn)) over the mean denominator:
    items with more to find weigh more. Macro and weighted averages are over the classes of the labels. Influence misleads where a
    class has few labels (below thirty or so). The wrong choice where true negatives matter (`mcc`). Van Rijsbergen (1979).
    """

    own = COUNTS

    def rate(self, tp: FloatArray, fp: FloatArray, fn: FloatArray) -> tuple[FloatArray, FloatArray]:
        size = 2.0 * tp + fp + fn
        f1 = np.divide(2.0 * tp, size, out=np.zeros_like(tp), where=size > 0.0)
        # The quotient rule, with F1 itself for the fraction: d(2tp/size) = (2·dtp − F1·dsize)/size.
        slopes = np.stack([2.0 - 2.0 * f1, -f1, -f1], axis=-1)
        whole = size[..., np.newaxis]
        return f1, np.divide(slopes, whole, out=np.zeros_like(slopes), where=whole > 0.0)
