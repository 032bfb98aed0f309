from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.metrics.metric import METRICS
from tellapart.metrics.rate import AveragedRate


@METRICS.add("precision")
@dataclass(frozen=True)
class Precision(AveragedRate):
    """Precision tp / (tp + fp): the share of what was found that should have been; 0 where nothing was found.

    Counts are summed over all items first. Macro and weighted averages are over the classes of the labels. Influence misleads where
    a class is hardly ever predicted. The wrong choice alone, for finding next to nothing makes it high: look at `recall` too, or
    at `f1`. Kent et al. (1955).
    """

    own = ("tp", "fp")

    def rate(self, tp: FloatArray, fp: FloatArray, fn: FloatArray) -> tuple[FloatArray, FloatArray]:
        found = tp + fp
        precision = np.divide(tp, found, out=np.zeros_like(tp), where=found > 0.0)
        slopes = np.stack([1.0 - precision, -precision, np.zeros_like(fn)], axis=-1)
        whole = found[..., np.newaxis]
        return precision, np.divide(slopes, whole, out=np.zeros_like(slopes), where=whole > 0.0)
