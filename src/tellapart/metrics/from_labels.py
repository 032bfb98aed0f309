"""Base of the classification metrics, which are counted from true labels and predictions."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.metrics.metric import Metric

OUTSIDE = -1
"""In place of a class: a prediction that is none of them."""


class LabelMetric(Metric):
    """Base of every metric of labels."""

    counted_from = ("label", "prediction")
    counts = True

    def classes_of(self, labels: Iterable[str], predictions: Iterable[str]) -> tuple[str, ...]:  # noqa: ARG002  (most look at labels alone)
        """The classes that parts are counted of: those of the labels, so that no other system changes a score."""
        return in_order(labels)

    def deciding(self, classes: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ARG002  (most follow the frequent ones)
        """The classes that decide much of the metric however few labels they have."""
        return ()

    @abstractmethod
    def count(self, labels: IntArray, predictions: IntArray, classes: tuple[str, ...]) -> FloatArray:
        """The parts of items, `(*item, part)`, from places among the classes; a prediction may be outside them."""

    def scikit_learn_value(self, value: float, classes: int, others: int) -> float | None:  # noqa: ARG002  (most are the same)
        """scikit-learn's default value, which adds classes that were predicted but are no label's."""
        return value


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Classes in the order of their names, numbers in that of their size."""
    return tuple(sorted(set(names), key=_place))


def _place(name: str) -> tuple[bool, float, str]:
    try:
        return False, float(name), name
    except ValueError:
        return True, 0.0, name


def by_class(labels: IntArray, predictions: IntArray, classes: int, parts: Sequence[str]) -> FloatArray:
    """For each class whether an item is a hit of it, a false alarm or a miss, `(*item, class·part)`."""
    # Bytes, not doubles, until the end: a hundred classes of many items are much.
    every = np.arange(classes)
    label, prediction = (codes[..., np.newaxis] == every for codes in (labels, predictions))
    found: dict[str, Any] = {"tp": label & prediction, "fp": ~label & prediction, "fn": label & ~prediction}
    stacked = np.stack([found[part] for part in parts], axis=-1)
    return stacked.reshape(*labels.shape, classes * len(parts)).astype(np.float64)


def named(parts: Sequence[str], classes: Sequence[str]) -> tuple[str, ...]:
    """The names of parts that every class has."""
    return tuple(f"{part}[{name}]" for name in classes for part in parts)


def rates_by_class(counts: FloatArray, classes: Sequence[str], items: int) -> dict[str, Any]:
    """The rates and the number of labels of each class, from mean hits, false alarms and misses, `(class, 3)`."""
    tp, fp, fn = np.moveaxis(counts, -1, 0)
    rates = {"precision": (tp, tp + fp), "recall": (tp, tp + fn), "f1": (2.0 * tp, 2.0 * tp + fp + fn)}
    shares = {
        name: np.divide(part, whole, out=np.zeros_like(part), where=whole > 0.0).tolist()
        for name, (part, whole) in rates.items()
    }
    support = np.rint((tp + fn) * items).astype(int).tolist()
    return {
        name: {**{rate: values[place] for rate, values in shares.items()}, "support": support[place]}
        for place, name in enumerate(classes)
    }
