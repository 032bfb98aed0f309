from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.metrics.counting.sacrebleu_counts import checked_counts, signature
from tellapart.metrics.counting.texts import Segment
from tellapart.metrics.from_texts import EditRate
from tellapart.metrics.metric import METRICS


@METRICS.add("ter")
@dataclass(frozen=True)
class Ter(EditRate):
    """The translation edit rate in percent, lower is better: insertions, deletions, substitutions and shifts of words.

    100 · edits / words of the references, both summed over all segments: sacrebleu's numbers. Of several references the one
    with the fewest edits counts, over their mean length. The wrong choice where word order is free, for every shift is an error,
    and for single segments. It is smooth: influence hardly ever fails. Snover et al. (2006).
    """

    normalized: bool = field(
        default=False, metadata={"help": "whether punctuation is split off and entities are resolved"}
    )
    no_punct: bool = field(default=False, metadata={"help": "whether punctuation is left out"})
    asian_support: bool = field(default=False, metadata={"help": "whether Asian characters are words of their own"})
    case_sensitive: bool = field(default=False, metadata={"help": "whether capitals differ from small letters"})

    whole = 100.0
    slow = True

    def without_reference(self, edits: FloatArray) -> FloatArray:
        """All wrong, or nothing: as sacrebleu says."""
        return np.where(edits > 0.0, 1.0, 0.0)

    def count(self, segments: Sequence[Segment]) -> FloatArray:
        return checked_counts(self, "TER", self._sacrebleu_ter_options, segments)

    def signature(self, references: int) -> str:
        return signature("TER", self._sacrebleu_ter_options, references)

    @property
    def _sacrebleu_ter_options(self) -> dict[str, Any]:
        return {
            "normalized": self.normalized,
            "no_punct": self.no_punct,
            "asian_support": self.asian_support,
            "case_sensitive": self.case_sensitive,
        }
