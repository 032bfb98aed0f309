"""Base of the metrics that are counted from texts: what systems wrote beside what they should have written."""

from abc import abstractmethod
from collections.abc import Sequence

from tellapart.arrays import FloatArray
from tellapart.counting.texts import Segment
from tellapart.metrics.metric import Metric


class TextMetric(Metric):
    """Base of every metric of texts."""

    counted_from = ("hypothesis", "reference")
    counts = True

    @abstractmethod
    def count(self, segments: Sequence[Segment]) -> FloatArray:
        """The parts of every segment, `(segment, part)`."""

    def signature(self, references: int) -> str | None:  # noqa: ARG002  (only sacrebleu has one)
        """What was counted how, with so many references, as the program that counts says it."""
        return None
