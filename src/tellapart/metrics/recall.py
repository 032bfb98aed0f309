from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.metrics.metric import METRICS
from tellapart.metrics.rate import AveragedRate


@METRICS.add("recall")
@dataclass(frozen=True)
class Recall(AveragedRate):
    """Recall tp / (tp + fn): the share of what should be found that was; 0 where there was nothing to find.

    Counts are summed over all items first; items with more to find weigh more. Macro and weighted averages are over the classes of the
    labels; the macro average is also known as balanced accuracy. Influence misleads where a class has few labels. The wrong choice
    where false alarms matter: look at `precision` too, or at `f1`. Kent et al. (1955).
    """

    own = ("tp", "fn")

    def rate(self, tp: FloatArray, fp: FloatArray, fn: FloatArray) -> tuple[FloatArray, FloatArray]:
        wanted = tp + fn
        recall = np.divide(tp, wanted, out=np.zeros_like(tp), where=wanted > 0.0)
        slopes = np.stack([1.0 - recall, np.zeros_like(fp), -recall], axis=-1)
        whole = wanted[..., np.newaxis]
        return recall, np.divide(slopes, whole, out=np.zeros_like(slopes), where=whole > 0.0)
