from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray, IntArray
from tellapart.metrics.from_labels import LabelMetric, by_class, in_order, named, rates_by_class
from tellapart.metrics.metric import METRICS

COUNTS = ("tp", "fp", "fn")
TWO_CLASSES = (*COUNTS, "tn")


@METRICS.add("mcc")
@dataclass(frozen=True)
class MCC(LabelMetric):
    """Matthews correlation of predicted and true class, of any number of classes; 0 where all items, or predictions, are of one.

    For two classes (tp·tn − fp·fn) / √((tp+fp)(tp+fn)(tn+fp)(tn+fn)): Pearson's correlation of two right-or-wrong columns, from −1
    to 1. For more, (c − Σ p·t) / √((1 − Σ p²)(1 − Σ t²)) with c the share of right predictions and p, t the shares of each class
    among predictions and labels. The wrong choice for comparing data sets of different prevalence, with which it moves, and near an
    empty margin, where a single item moves it far and influence misleads. Matthews (1975); Gorodkin (2004).
    """

    def classes_of(self, labels: Iterable[str], predictions: Iterable[str]) -> tuple[str, ...]:
        # A class that is only predicted is a part of the spread of predictions; of a system that never says it, it changes nothing.
        return in_order((*labels, *predictions))

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:
        return TWO_CLASSES if len(classes) <= 2 else named(COUNTS, classes)

    def takes(self, parts: int) -> bool:
        # Two classes have a table of their own.
        return parts == len(TWO_CLASSES) or (parts % len(COUNTS) == 0 and parts > 2 * len(COUNTS))

    def deciding(self, classes: tuple[str, ...]) -> tuple[str, ...]:
        return classes if len(classes) == 2 else ()

    def count(self, labels: IntArray, predictions: IntArray, classes: tuple[str, ...]) -> FloatArray:
        if len(classes) > 2:
            return by_class(labels, predictions, len(classes), COUNTS)
        last = len(classes) - 1
        label, prediction = labels == last, predictions == last
        cells = [label & prediction, ~label & prediction, label & ~prediction, ~label & ~prediction]
        return np.stack(cells, axis=-1).astype(np.float64)

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        shared, spread = _covariances(means)
        root = np.sqrt(np.maximum(np.prod(spread, axis=0), 0.0))
        # Nothing predicted, or nothing there: no correlation is defined, and 0 is what a constant guess deserves.
        return np.asarray(np.divide(shared, root, out=np.zeros_like(root), where=root > 0.0))

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        _, spread = _covariances(means)
        root = np.sqrt(np.maximum(np.prod(spread, axis=0), 0.0))
        defined = (root > 0.0)[..., np.newaxis]
        safe = np.where(defined, root[..., np.newaxis], 1.0)
        by_prediction, by_label = (np.where(defined, x[..., np.newaxis], 1.0) for x in spread)
        moved, of_predictions, of_labels = _slopes(means)
        value = self.value(means, items)[..., np.newaxis]
        slopes = moved / safe - 0.5 * value * (of_predictions / by_prediction + of_labels / by_label)
        return np.asarray(np.where(defined, slopes, 0.0))

    def details(self, means: FloatArray, items: int, classes: tuple[str, ...]) -> dict[str, Any] | None:
        if len(classes) > 2:
            return rates_by_class(means.reshape(-1, len(COUNTS)), classes, items)
        if len(classes) == 2:
            tp, fp, fn, tn = means
            return rates_by_class(np.array([[tn, fn, fp], [tp, fp, fn]]), classes, items)
        return None


def _covariances(means: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Covariance of predictions and labels, and their own variances, `(2, *batch)`, as squares of the number of items."""
    if means.shape[-1] == len(TWO_CLASSES):
        tp, fp, fn, tn = np.moveaxis(means, -1, 0)
        return tp * tn - fp * fn, np.stack([(tp + fp) * (tn + fn), (tp + fn) * (tn + fp)])
    hits, predicted, actual, items = _mean_margins(means)
    together = hits * items - (predicted * actual).sum(axis=-1)
    alone = [items**2 - (margin**2).sum(axis=-1) for margin in (predicted, actual)]
    return together, np.stack([np.where(x > STATISTIC_NOISE * items**2, x, 0.0) for x in alone])


def _slopes(means: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The derivatives of the three by every part."""
    if means.shape[-1] == len(TWO_CLASSES):
        tp, fp, fn, tn = np.moveaxis(means, -1, 0)
        said, unsaid, there, absent = tp + fp, tn + fn, tp + fn, tn + fp
        return (
            np.stack([tn, -fn, -fp, tp], axis=-1),
            np.stack([unsaid, unsaid, said, said], axis=-1),
            np.stack([absent, there, absent, there], axis=-1),
        )
    hits, predicted, actual, items = _mean_margins(means)
    one = np.ones_like(predicted)
    # The number of items is Σ tp + fn; every count is a part of some margins.
    whole, right = items[..., np.newaxis], hits[..., np.newaxis]
    moved = (whole + right - predicted - actual, -actual, right - predicted)
    of_predictions = (2.0 * (whole - predicted), -2.0 * predicted, 2.0 * whole * one)
    of_labels = (2.0 * (whole - actual), 0.0 * one, 2.0 * (whole - actual))
    stacked = (np.stack(columns, axis=-1).reshape(means.shape) for columns in (moved, of_predictions, of_labels))
    first, second, third = stacked
    return first, second, third


def _mean_margins(means: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Hits in all, what was predicted and what was there of every class, and the number of items, all as means."""
    tp, fp, fn = np.moveaxis(means.reshape(*means.shape[:-1], -1, len(COUNTS)), -1, 0)
    actual = tp + fn
    return tp.sum(axis=-1), tp + fp, actual, actual.sum(axis=-1)
