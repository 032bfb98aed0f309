from dataclasses import dataclass
from typing import Any

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.metrics.from_labels import LabelMetric, by_class, named
from tellapart.metrics.metric import METRICS

COUNTS = ("tp", "fn")


@METRICS.add("balanced_accuracy")
@dataclass(frozen=True)
class BalancedAccuracy(LabelMetric):
    """The mean over classes of the share of its items that were recognised; a class without labels is left out.

    Σ tp / (tp + fn) over the classes of the labels, over their number: every class counts alike, however rare it is. The influence
    of an item of a rare class is large, and misleads where such a class has few labels. The wrong choice where frequent classes
    matter more (`accuracy`), and where false alarms of a rare class do (`f1`). Brodersen et al. (2010).
    """

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:
        return named(COUNTS, classes or ("0", "1"))

    def takes(self, parts: int) -> bool:
        return parts % len(COUNTS) == 0

    def deciding(self, classes: tuple[str, ...]) -> tuple[str, ...]:
        return classes

    def count(self, labels: IntArray, predictions: IntArray, classes: tuple[str, ...]) -> FloatArray:
        return by_class(labels, predictions, len(classes), COUNTS)

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        shares, _, met = _recalls(means)
        return np.asarray(shares.sum(axis=-1) / np.maximum(met, 1.0))

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        shares, labels, met = _recalls(means)
        slopes = np.stack([1.0 - shares, -shares], axis=-1)
        whole = (labels * np.maximum(met, 1.0)[..., np.newaxis])[..., np.newaxis]
        return np.divide(slopes, whole, out=np.zeros_like(slopes), where=whole > 0.0).reshape(means.shape)

    def details(self, means: FloatArray, items: int, classes: tuple[str, ...]) -> dict[str, Any] | None:
        shares, labels, _ = _recalls(means)
        support = np.rint(labels * items).astype(int).tolist()
        found = zip(classes, shares.tolist(), support, strict=False)
        return {name: {"recall": share, "support": count} for name, share, count in found} or None


def _recalls(means: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Recall and mean number of labels of each class, `(*batch, class)`, and the number of classes with any label."""
    hits, misses = np.moveaxis(means.reshape(*means.shape[:-1], -1, len(COUNTS)), -1, 0)
    labels = hits + misses
    shares = np.divide(hits, labels, out=np.zeros_like(hits), where=labels > 0.0)
    return shares, labels, np.asarray((labels > 0.0).sum(axis=-1), dtype=np.float64)
