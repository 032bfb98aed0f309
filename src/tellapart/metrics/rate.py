"""Base of precision, recall and F1: rates averaged over classes in one of four ways."""

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import UsageError
from tellapart.foundation.formatting import first_of
from tellapart.foundation.surfaces import option
from tellapart.metrics.from_labels import LabelMetric, by_class, named, rates_by_class

Average = Literal["binary", "micro", "macro", "weighted"]

POSITIVE = ("1", "true", "yes", "positive")
"""Labels that say of themselves that they are the positive ones."""

COUNTS = ("tp", "fp", "fn")
"""Hits, false alarms and misses."""


@dataclass(frozen=True)
class AveragedRate(LabelMetric):
    """The average: one class, all items alike, or each class and then the mean."""

    average: Average = field(
        default="binary",
        metadata={
            "help": "binary is of the positive class, micro of all items alike, macro the mean over classes, weighted that by their labels"
        },
    )
    positive: str | None = field(
        default=None, metadata={"help": f"the positive class (unnamed: {', '.join(POSITIVE)})"}
    )

    own: ClassVar[tuple[str, ...]]
    """Which counts of one class it is made of."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.positive is not None and self.average != "binary":
            raise UsageError(
                f"{self.name}: positive={self.positive} is of average=binary; of {self.average} leave it out"
            )

    @abstractmethod
    def rate(self, tp: FloatArray, fp: FloatArray, fn: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The rate of counts, and its derivative by each of the three, last."""

    def deciding(self, classes: tuple[str, ...]) -> tuple[str, ...]:
        return classes if self.average in {"binary", "macro"} else ()

    @property
    def classwise(self) -> bool:
        return self.average in {"macro", "weighted"}

    @property
    def counting(self) -> str:
        # Macro and weighted averages of any rate are made of the same counts; so are those of one class.
        return "every class" if self.classwise else f"{self.own} {self.average} {self.positive}"

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:
        return named(COUNTS, classes or ("0", "1")) if self.classwise else self.own

    def takes(self, parts: int) -> bool:
        return parts % len(COUNTS) == 0 if self.classwise else super().takes(parts)

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        counts = self._class_counts(means)
        rates, _ = self.rate(*np.moveaxis(counts, -1, 0))
        return np.asarray((rates * self._class_weights(counts)).sum(axis=-1))

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        counts = self._class_counts(means)
        rates, slopes = self.rate(*np.moveaxis(counts, -1, 0))
        weights = self._class_weights(counts)[..., np.newaxis]
        found = weights * slopes
        if self.average == "weighted":
            # More labels of a class, which hits and misses are, also make it weigh more.
            labels = (counts[..., 0] + counts[..., 2]).sum(axis=-1, keepdims=True)
            above = rates - (rates * weights[..., 0]).sum(axis=-1, keepdims=True)
            moved = np.divide(above, labels, out=np.zeros_like(above), where=labels > 0.0)
            found = found + moved[..., np.newaxis] * np.array([1.0, 0.0, 1.0])
        if self.classwise:
            return np.asarray(found.reshape(means.shape))
        return np.asarray(found[..., 0, [COUNTS.index(part) for part in self.own]])

    def _class_counts(self, means: FloatArray) -> FloatArray:
        """Hits, false alarms and misses of every class, `(*batch, class, 3)`; a count that plays no role is 0."""
        if self.classwise:
            return np.asarray(means.reshape(*means.shape[:-1], -1, len(COUNTS)))
        counts = np.zeros((*means.shape[:-1], 1, len(COUNTS)))
        counts[..., 0, [COUNTS.index(part) for part in self.own]] = means
        return counts

    def _class_weights(self, counts: FloatArray) -> FloatArray:
        """How much each class counts, `(*batch, class)`."""
        if self.average != "weighted":
            return np.full(counts.shape[:-1], 1.0 / counts.shape[-2])
        labels = counts[..., 0] + counts[..., 2]
        whole = labels.sum(axis=-1, keepdims=True)
        return np.asarray(np.divide(labels, whole, out=np.zeros_like(labels), where=whole > 0.0))

    def count(self, labels: IntArray, predictions: IntArray, classes: tuple[str, ...]) -> FloatArray:
        if self.classwise:
            return by_class(labels, predictions, len(classes), COUNTS)
        if self.average == "micro":
            right = labels == predictions
            found = {"tp": right, "fp": ~right, "fn": ~right}
        else:
            # The only class that parts are counted of is the positive one.
            label, prediction = labels == 0, predictions == 0
            found = {"tp": label & prediction, "fp": ~label & prediction, "fn": label & ~prediction}
        return np.stack([found[part] for part in self.own], axis=-1).astype(np.float64)

    def positive_of(self, classes: tuple[str, ...]) -> str:
        """The positive one of the classes of the labels, or an error that says how to name it."""
        shown = first_of(classes, 8, repr)
        if len(classes) > 2:
            raise UsageError(
                f"{self} takes two classes, and the labels have {len(classes)}: {shown}. Average over them: "
                + ", ".join(f"{self.name}(average={way})" for way in ("macro", "weighted", "micro"))
            )
        if self.positive is not None:
            if self.positive not in classes:
                raise UsageError(f"{self}: no label is {self.positive!r}; the labels are {shown}")
            return self.positive
        telling = [name for name in classes if name.casefold() in POSITIVE]
        if len(telling) != 1:
            raise UsageError(
                f"{self.name} needs a positive class, and the labels {shown} do not show which it is "
                f"({', '.join(POSITIVE)}); name it: {option('metric', f'{self.name}(positive={classes[-1]})')}"
            )
        return telling[0]

    def scikit_learn_value(self, value: float, classes: int, others: int) -> float | None:
        if self.average == "binary" and others:
            return None
        return value * classes / (classes + others) if self.average == "macro" else value

    def details(self, means: FloatArray, items: int, classes: tuple[str, ...]) -> dict[str, Any] | None:
        if self.classwise and classes:
            return rates_by_class(self._class_counts(means), classes, items)
        if self.average == "binary" and classes and self.own == COUNTS:
            return rates_by_class(self._class_counts(means), classes, items)
        return None
