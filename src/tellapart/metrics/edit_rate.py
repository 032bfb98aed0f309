"""Base of the error rates of texts: edits over the length of the references."""

from typing import ClassVar

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.metrics.from_texts import TextMetric


class EditRate(TextMetric):
    """Edits of all segments over the length of all references."""

    lower_is_better = True
    whole: ClassVar[float]
    """What as many edits as the references are long amount to: 1, or 100 percent."""

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:  # noqa: ARG002  (texts have none)
        return ("edits", "ref_len")

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        edits, length = means[..., 0], means[..., 1]
        rate = np.divide(edits, length, out=np.zeros_like(edits), where=length > 0.0)
        return np.asarray(self.whole * np.where(length > 0.0, rate, self.without_reference(edits * items)))

    def without_reference(self, edits: FloatArray) -> FloatArray:
        """The rate where all references are empty, of so many edits: as jiwer says, their number."""
        return edits

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        length = means[..., 1]
        safe = np.where(length > 0.0, length, 1.0)
        slopes = np.stack([self.whole / safe, -self.value(means, items) / safe], axis=-1)
        return np.where((length > 0.0)[..., np.newaxis], slopes, 0.0)
