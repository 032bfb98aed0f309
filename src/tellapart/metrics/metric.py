"""The base of metrics: the parts needed of every item, and a smooth function of their means.

A plug-in says three things: `parts`, the names of what is counted on an item; `value`, one number from the means of
these over items; `gradient`, the derivative of that number by each mean. Everything else follows: an item's influence
on the metric, hence standard errors, t tests, effect sizes and power; permutation and bootstrap compute `value` again
on swapped and resampled means, so they need no derivative.
"""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from tellapart.data.provenance import Counted, Remark
from tellapart.data.rows import show_item
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import DataError, UsageError
from tellapart.foundation.spelling import Registry, Spelled
from tellapart.foundation.surfaces import option

METRICS: "Registry[Metric]" = Registry("metric")


class Metric(Spelled):
    """Base of every metric. Arrays are batch-first: means are `(*batch, part)`, answers of `value` `(*batch,)`.

    `items` is of how many items the means are, a number or `(*batch,)`. Most metrics ignore it; one that smooths counts
    which are zero needs the counts, means times items. Where the metric is not defined it is a number all the same (0,
    by the convention of its field), with a gradient of zeros: one empty resample must not spoil the others.
    """

    registry = METRICS
    linear: ClassVar[bool] = False
    """Whether it is the plain mean of its only part: then nothing is approximated, and scores may be right or wrong."""
    counts: ClassVar[bool] = False
    """Whether the parts are counts, which are never negative."""

    counted_from: ClassVar[tuple[str, ...]] = ()
    """The columns that its parts are counted from, where they are not columns themselves."""
    lower_is_better: ClassVar[bool] = False
    """Whether it is an error rate, for which lower is always better."""
    knows_direction: ClassVar[bool] = True
    """Whether it is known which way is better; of a plain mean that depends on the scores."""

    @property
    def counting(self) -> str:
        """The options that matter while counting: scores counted for one metric serve all that are counted alike."""
        return str(self)

    def takes(self, parts: int) -> bool:
        """Whether it can have this number of parts, whatever their classes are called."""
        return parts == len(self.parts())

    def details(self, means: FloatArray, items: int, classes: tuple[str, ...]) -> dict[str, Any] | None:  # noqa: ARG002  (most have none)
        """Details that a report shows beside one system's metric, as plain values."""
        return None

    def remarks(self, means: FloatArray, items: int) -> tuple[Remark, ...]:  # noqa: ARG002  (most have none)
        """Cautions about one system's metric at these mean parts."""
        return ()

    def signed(self, signature: str | None) -> str | None:
        """The signature of what was counted, with the options that only matter afterwards."""
        return signature

    def check(self, scores: Scores) -> None:
        """Refuse scores that are not made of this metric's parts, and parts below 0 where they are counts."""
        counted = scores.counted
        if counted is not None:
            self._refuse_other_counting(counted)
        parts = self.parts() if counted is None else self.parts(counted.classes)
        if scores.parts != parts:
            raise DataError(
                f"metric {self} is made of {', '.join(parts)} of every item, but the scores hold {', '.join(scores.parts)}; "
                f"read them with parts={parts!r}"
            )
        negative = scores.values < 0.0 if self.counts else np.zeros((), dtype=np.bool_)
        if negative.any():
            system, item, run, part = np.argwhere(negative)[0]
            raise DataError(
                f"{parts[part]} of system {scores.systems[system]!r} on item {show_item(scores.items[item])!r} is "
                f"{scores.values[system, item, run, part]:g}; the parts of {self} are counts, which are not below 0. Correct it"
            )

    def _refuse_other_counting(self, counted: Counted) -> None:
        if not counted.here or METRICS.parse(counted.metric).counting == self.counting:
            return
        raise UsageError(
            f"these scores were counted for {counted.metric}, and {self} counts otherwise; read the files again with {option('metric', str(self))}"
        )

    @abstractmethod
    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The names of an item's parts, in the order of their axis.

        They may depend on the options, and on the classes that the labels in the data have: a metric that averages over
        classes has the same few parts for each. A metric without classes ignores these.
        """

    @abstractmethod
    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        """The metric, `(*batch,)`, of items whose parts have these means."""

    @abstractmethod
    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        """The derivative of `value` by each mean part, `(*batch, part)`, the number of items held."""
