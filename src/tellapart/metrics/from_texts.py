"""Base of the text metrics, which are counted from systems' outputs and reference texts, and of edit rates."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.metrics.counting.texts import Counter, Mapper, Segment, in_pieces
from tellapart.metrics.metric import Metric


class TextMetric(Metric):
    """Base of every metric of texts."""

    counted_from = ("hypothesis", "reference")
    counts = True
    slow: ClassVar[bool] = False
    """Whether counting is slow enough to spread over processes."""

    def counter(self, mapper: Mapper) -> Counter:
        """The counter of segments; where counting is slow, in pieces that `mapper` spreads."""
        return in_pieces(self.count, mapper) if self.slow else self.count

    @abstractmethod
    def count(self, segments: Sequence[Segment]) -> FloatArray:
        """The parts of every segment, `(segment, part)`."""

    def signature(self, references: int) -> str | None:  # noqa: ARG002  (only sacrebleu has one)
        """The signature of the counting program, with its number of references."""
        return None


# Base of the error rates of texts: edits over the length of the references.


class EditRate(TextMetric):
    """Edits of all segments over the length of all references."""

    lower_is_better = True
    whole: ClassVar[float]
    """The rate of as many edits as reference words: 1, or 100 percent."""

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:  # noqa: ARG002  (texts have none)
        return ("edits", "ref_len")

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        edits, length = means[..., 0], means[..., 1]
        rate = np.divide(edits, length, out=np.zeros_like(edits), where=length > 0.0)
        return np.asarray(self.whole * np.where(length > 0.0, rate, self.without_reference(edits * items)))

    def without_reference(self, edits: FloatArray) -> FloatArray:
        """The rate where all references are empty: the number of edits, as jiwer has it."""
        return edits

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        length = means[..., 1]
        safe = np.where(length > 0.0, length, 1.0)
        slopes = np.stack([self.whole / safe, -self.value(means, items) / safe], axis=-1)
        return np.where((length > 0.0)[..., np.newaxis], slopes, 0.0)
