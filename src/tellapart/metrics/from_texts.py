"""Base of the metrics that are counted from texts: what systems wrote beside what they should have written."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from tellapart.arrays import FloatArray
from tellapart.counting.texts import Counter, Mapper, Segment, in_pieces
from tellapart.metrics.metric import Metric


class TextMetric(Metric):
    """Base of every metric of texts."""

    counted_from = ("hypothesis", "reference")
    counts = True
    slow: ClassVar[bool] = False
    """Whether counting takes so long that it is worth spreading over processes."""

    def counter(self, mapper: Mapper) -> Counter:
        """What counts segments: where that is slow, in pieces that `mapper` spreads."""
        return in_pieces(self.count, mapper) if self.slow else self.count

    @abstractmethod
    def count(self, segments: Sequence[Segment]) -> FloatArray:
        """The parts of every segment, `(segment, part)`."""

    def signature(self, references: int) -> str | None:  # noqa: ARG002  (only sacrebleu has one)
        """What was counted how, with so many references, as the program that counts says it."""
        return None
