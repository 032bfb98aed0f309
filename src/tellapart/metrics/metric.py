"""What a metric is: the parts it needs of every item, and a smooth function of their means."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.errors import DataError
from tellapart.records import show_item
from tellapart.scores import Scores
from tellapart.spelling import Registry, Spelled

METRICS: "Registry[Metric]" = Registry("metric")


class Metric(Spelled):
    """A metric over items: `value` of the mean parts, and its `gradient`, from which influence follows."""

    registry = METRICS
    parts: ClassVar[tuple[str, ...]]
    linear: ClassVar[bool] = False
    counts: ClassVar[bool] = False
    """Whether the parts are counts, which are never negative."""

    def check(self, scores: Scores) -> None:
        """Refuse scores that are not made of this metric's parts, and parts below 0 where they are counts."""
        if scores.parts != self.parts:
            raise DataError(
                f"metric {self} is made of {', '.join(self.parts)} of every item, but the scores hold {', '.join(scores.parts)}; "
                f"read them with parts={self.parts!r}"
            )
        negative = scores.values < 0.0 if self.counts else np.zeros((), dtype=np.bool_)
        if negative.any():
            system, item, run, part = np.argwhere(negative)[0]
            raise DataError(
                f"{self.parts[part]} of system {scores.systems[system]!r} on item {show_item(scores.items[item])!r} is "
                f"{scores.values[system, item, run, part]:g}; the parts of {self} are counts, which are not below 0. Correct it"
            )

    @abstractmethod
    def value(self, means: FloatArray) -> FloatArray: ...

    @abstractmethod
    def gradient(self, means: FloatArray) -> FloatArray: ...
