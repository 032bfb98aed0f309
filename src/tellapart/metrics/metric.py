"""What a metric is: the parts it needs of every item, and a smooth function of their means."""

from abc import abstractmethod
from typing import ClassVar

from tellapart.arrays import FloatArray
from tellapart.spelling import Registry, Spelled

METRICS: "Registry[Metric]" = Registry("metric")


class Metric(Spelled):
    """A metric over items: `value` of the mean parts, and its `gradient`, from which influence follows."""

    registry = METRICS
    parts: ClassVar[tuple[str, ...]]
    linear: ClassVar[bool] = False

    @abstractmethod
    def value(self, means: FloatArray) -> FloatArray: ...

    @abstractmethod
    def gradient(self, means: FloatArray) -> FloatArray: ...
