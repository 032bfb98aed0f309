from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellapart.data.provenance import Remark
from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.foundation.errors import SpellingError
from tellapart.metrics.counting.sacrebleu_counts import checked_counts, signature
from tellapart.metrics.counting.texts import Segment
from tellapart.metrics.from_texts import TextMetric
from tellapart.metrics.metric import METRICS

MOST_ORDERS = 20
"""Longer n-grams than any word has."""


@METRICS.add("chrf")
@dataclass(frozen=True)
class Chrf(TextMetric):
    """The chrF score, from 0 to 100: how many n-grams of characters, and with `words` of words, hypotheses and references share.

    F = (1 + β²)·P·R / (β²·P + R), with precision P and recall R averaged over the orders, each summed over all segments:
    sacrebleu's numbers. With words=2 it is known as chrF++. Of several references each segment takes its best. The wrong choice for
    single segments. It is smooth nearly everywhere: influence fails only where an order is met in hardly any segment.
    Popović (2015).
    """

    order: int = field(default=6, metadata={"help": "the longest n-grams of characters"})
    words: int = field(default=0, metadata={"help": "the longest n-grams of words; 2 is chrF++"})
    beta: int = field(default=2, metadata={"help": "how much more recall counts than precision"})
    lowercase: bool = field(default=False, metadata={"help": "ignore case"})
    whitespace: bool = field(default=False, metadata={"help": "count blanks as characters"})

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, least in (("order", 0), ("words", 0), ("beta", 1)):
            if not least <= getattr(self, name) <= MOST_ORDERS:
                raise SpellingError(
                    f"chrf: {name}={getattr(self, name)} should be a whole number between {least} and {MOST_ORDERS}"
                )
        if self.order + self.words == 0:
            raise SpellingError("chrf: order=0 and words=0 leave nothing to count; the usual ones are order=6, words=0")

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:  # noqa: ARG002  (texts have none)
        names = [f"char{n}" for n in range(1, self.order + 1)] + [f"word{n}" for n in range(1, self.words + 1)]
        return tuple(f"{name}_{part}" for name in names for part in ("hyp", "ref", "match"))

    @property
    def counting(self) -> str:
        return str(self.replace(beta=2))

    def count(self, segments: Sequence[Segment]) -> FloatArray:
        return checked_counts(self, "CHRF", self._sacrebleu_chrf_options, segments)

    def signature(self, references: int) -> str:
        return signature("CHRF", self._sacrebleu_chrf_options, references)

    @property
    def _sacrebleu_chrf_options(self) -> dict[str, Any]:
        return {
            "char_order": self.order,
            "word_order": self.words,
            "beta": self.beta,
            "lowercase": self.lowercase,
            "whitespace": self.whitespace,
        }

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        precision, recall, _, _ = self._averages(means)
        whole = self.beta**2 * precision + recall
        product = 100.0 * (1.0 + self.beta**2) * precision * recall
        return np.asarray(np.divide(product, whole, out=np.zeros_like(whole), where=whole > 0.0))

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:  # noqa: ARG002  (whatever their number)
        precision, recall, met, orders = self._averages(means)
        factor = self.beta**2
        whole = factor * precision + recall
        squared = np.where(whole > 0.0, whole, 1.0) ** 2
        by_precision, by_recall = (
            (np.where(whole > 0.0, 100.0 * (1.0 + factor) * share / squared, 0.0) / np.maximum(orders, 1.0))[
                ..., np.newaxis
            ]
            for share in (recall**2, factor * precision**2)
        )
        hypothesis, reference, match = _by_order(means)
        wrote, wanted = (np.where(met, count, 1.0) for count in (hypothesis, reference))
        slopes = (
            -by_precision * match / wrote**2,
            -by_recall * match / wanted**2,
            by_precision / wrote + by_recall / wanted,
        )
        return np.stack([np.where(met, slope, 0.0) for slope in slopes], axis=-1).reshape(means.shape)

    def _averages(self, means: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray, FloatArray]:
        """Precision and recall averaged over the orders that both sides have, which orders those are, and how many."""
        hypothesis, reference, match = _by_order(means)
        met = np.asarray((hypothesis > 0.0) & (reference > 0.0))
        orders = met.sum(axis=-1).astype(np.float64)
        precision, recall = (
            np.where(met, match / np.where(met, count, 1.0), 0.0).sum(axis=-1) / np.maximum(orders, 1.0)
            for count in (hypothesis, reference)
        )
        return precision, recall, met, orders

    def remarks(self, means: FloatArray, items: int) -> tuple[Remark, ...]:
        return () if self.value(means, items) > 0.0 else (Remark("nothing_matched"),)


def _by_order(means: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """N-grams of hypotheses, of references and of both, `(*batch, order)` each."""
    orders = means.reshape(*means.shape[:-1], -1, 3)
    return orders[..., 0], orders[..., 1], orders[..., 2]
