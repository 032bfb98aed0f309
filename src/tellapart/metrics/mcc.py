from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.metrics.metric import METRICS, Metric


@METRICS.add("mcc")
@dataclass(frozen=True)
class MCC(Metric):
    """Matthews correlation of predicted and true class; 0 where a margin of the table is empty.

    (tp·tn − fp·fn) / √((tp+fp)(tp+fn)(tn+fp)(tn+fn)): Pearson's correlation of two right-or-wrong columns, from −1 to 1. The
    wrong choice for comparing data sets of different prevalence, with which it moves, and near an empty margin, where a
    single item moves it far and influence misleads. Matthews (1975).
    """

    counts = True

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:  # noqa: ARG002  (whatever the classes)
        return ("tp", "fp", "fn", "tn")

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        tp, fp, fn, tn = np.moveaxis(means, -1, 0)
        root = np.sqrt(np.prod(_margins(means), axis=0))
        # Nothing predicted, or nothing there: no correlation is defined, and 0 is what a constant guess deserves.
        return np.asarray(np.divide(tp * tn - fp * fn, root, out=np.zeros_like(tp), where=root > 0.0))

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        tp, fp, fn, tn = np.moveaxis(means, -1, 0)
        margins = _margins(means)
        root = np.sqrt(np.prod(margins, axis=0))
        defined = root > 0.0
        safe = np.where(margins > 0.0, margins, 1.0)
        predicted, actual, not_predicted, not_actual = 0.5 * self.value(means, items) / safe
        # d log(root) by a cell is half the sum of the inverses of the two margins the cell belongs to.
        shrink = [
            predicted + actual,
            predicted + not_actual,
            not_predicted + actual,
            not_predicted + not_actual,
        ]
        slopes = [np.where(defined, s / np.where(defined, root, 1.0), 0.0) for s in (tn, -fn, -fp, tp)]
        return np.stack([np.where(defined, s - k, 0.0) for s, k in zip(slopes, shrink, strict=True)], axis=-1)


def _margins(means: FloatArray) -> FloatArray:
    """Predicted positive, actually positive, predicted negative, actually negative."""
    tp, fp, fn, tn = np.moveaxis(means, -1, 0)
    return np.stack([tp + fp, tp + fn, tn + fn, tn + fp])
