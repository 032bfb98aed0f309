import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from tellapart.data.provenance import Remark
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import SpellingError, nearest
from tellapart.metrics.counting.sacrebleu_counts import checked_counts, signature
from tellapart.metrics.counting.texts import Segment
from tellapart.metrics.from_texts import TextMetric
from tellapart.metrics.metric import METRICS

ORDERS = 4
"""The longest n-grams."""

TOKENIZERS = (
    *("13a", "intl", "char", "none", "zh", "ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K"),
)

FLOOR = 0.1
"""The count that `floor` puts in the place of no match."""


@METRICS.add("bleu")
@dataclass(frozen=True)
class Bleu(TextMetric):
    """Corpus BLEU, from 0 to 100: n-grams of the hypotheses that their references have, and a penalty for brevity.

    BP · exp(¼ Σ log pₙ) with pₙ = matches over n-grams of order 1 to 4, both summed over all segments, and
    BP = exp(1 − reference length / hypothesis length) where hypotheses are shorter: sacrebleu's numbers. An order without any
    match is smoothed: `exp` halves from order to order, `floor` counts 0.1, `add-k` adds 1 to all but the first, `none` makes
    BLEU 0. The wrong choice for single segments. Influence misleads where both lengths are nearly equal, for there the penalty
    sets in, and where an order has hardly any match. Papineni et al. (2002); Post (2018).
    """

    tokenize: str = field(default="13a", metadata={"help": f"sacrebleu's tokenizer: {', '.join(TOKENIZERS)}"})
    lowercase: bool = field(default=False, metadata={"help": "ignore case"})
    smooth: Literal["exp", "floor", "add-k", "none"] = field(
        default="exp", metadata={"help": "smoothing of orders without matches"}
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tokenize not in TOKENIZERS:
            raise SpellingError(
                f"bleu: tokenize={self.tokenize} is not a tokenizer; {nearest(self.tokenize, TOKENIZERS)}"
            )

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:  # noqa: ARG002  (texts have none)
        orders = range(1, ORDERS + 1)
        return ("hyp_len", "ref_len", *(f"m{n}" for n in orders), *(f"t{n}" for n in orders))

    @property
    def counting(self) -> str:
        return str(self.replace(smooth="exp"))

    def count(self, segments: Sequence[Segment]) -> FloatArray:
        return checked_counts(self, "BLEU", self._sacrebleu_options, segments)

    def signature(self, references: int) -> str:
        return signature("BLEU", self._sacrebleu_options, references)

    def signed(self, signature: str | None) -> str | None:
        values = {"floor": "floor[0.10]", "add-k": "add-k[1.00]"}
        smooth = f"smooth:{values.get(self.smooth, self.smooth)}"
        return None if signature is None else re.sub(r"smooth:[^|]*", smooth, signature)

    @property
    def _sacrebleu_options(self) -> dict[str, Any]:
        return {"tokenize": self.tokenize, "lowercase": self.lowercase, "smooth_method": self.smooth, "force": True}

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        matched, total = self._smoothed(means, items)
        possible = np.asarray(
            (total > 0.0).all(axis=-1) & (matched > 0.0).all(axis=-1) & (means[..., 2:6] > 0.0).any(axis=-1)
        )
        safe = possible[..., np.newaxis]
        logs = np.log(np.where(safe, matched, 1.0)) - np.log(np.where(safe, total, 1.0))
        return np.asarray(np.where(possible, 100.0 * _brevity(means) * np.exp(logs.mean(axis=-1)), 0.0))

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        matched, total = self._smoothed(means, items)
        hypothesis, reference = means[..., 0], means[..., 1]
        value = self.value(means, items)[..., np.newaxis]
        brief = (hypothesis < reference) & (hypothesis > 0.0)
        length = np.where(brief, hypothesis, 1.0)
        longer = np.where(brief, reference / length**2, 0.0), np.where(brief, -1.0 / length, 0.0)
        # A match that is missing cannot be taken away, and a first one would be a jump: no slope follows it.
        unit = np.asarray(items, dtype=np.float64)[..., np.newaxis]
        by_match = np.where(means[..., 2:6] > 0.0, unit, 0.0) / np.where(matched > 0.0, matched, 1.0)
        if self.smooth == "add-k":
            by_match[..., 1:] = (unit / np.where(matched > 0.0, matched, 1.0))[..., 1:]
        by_total = -unit / np.where(total > 0.0, total, 1.0)
        logs = np.concatenate([np.stack(longer, axis=-1), by_match / ORDERS, by_total / ORDERS], axis=-1)
        return np.asarray(value * logs)

    def _smoothed(self, means: FloatArray, items: FloatArray | int) -> tuple[FloatArray, FloatArray]:
        """Matches and n-grams of each order, `(*batch, order)` each, with what smoothing makes of no match."""
        unit = np.asarray(items, dtype=np.float64)[..., np.newaxis]
        matched, total = means[..., 2:6] * unit, means[..., 6:10] * unit
        if self.smooth == "add-k":
            one = np.array([0.0, *[1.0] * (ORDERS - 1)])
            return matched + one, total + one
        lacking = matched == 0.0
        if self.smooth == "none" or not lacking.any():
            return matched, total
        instead = FLOOR if self.smooth == "floor" else 0.5 ** np.cumsum(lacking, axis=-1)
        return np.where(lacking, instead, matched), total

    def details(self, means: FloatArray, items: int, classes: tuple[str, ...]) -> dict[str, Any]:  # noqa: ARG002  (texts have none)
        matched, total = self._smoothed(means, items)
        share = np.divide(100.0 * matched, total, out=np.zeros_like(total), where=total > 0.0)
        hypothesis, reference = float(means[0]), float(means[1])
        return {
            "brevity_penalty": float(_brevity(means)),
            "length_ratio": hypothesis / reference if reference > 0.0 else 0.0,
            "precisions": (share if means[2:6].any() else np.zeros(ORDERS)).tolist(),
        }

    def remarks(self, means: FloatArray, items: int) -> tuple[Remark, ...]:  # noqa: ARG002  (whatever their number)
        orders = [order for order in range(1, ORDERS + 1) if not means[1 + order]]
        if len(orders) == ORDERS:
            return (Remark("nothing_matched"),)
        return (Remark("unmatched_orders", {"orders": orders, "smooth": self.smooth}),) if orders else ()


def _brevity(means: FloatArray) -> FloatArray:
    """exp(1 − reference length / hypothesis length) where hypotheses are shorter, else 1; 0 where there are none."""
    hypothesis, reference = means[..., 0], means[..., 1]
    brief = hypothesis < reference
    ratio = np.divide(reference, hypothesis, out=np.full_like(reference, np.inf), where=hypothesis > 0.0)
    return np.asarray(np.where(brief, np.exp(1.0 - np.where(brief, ratio, 1.0)), 1.0))
