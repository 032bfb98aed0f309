import re
from collections.abc import Sequence
from dataclasses import dataclass

from tellapart.foundation.arrays import FloatArray
from tellapart.metrics.counting.texts import Segment, edit_counts
from tellapart.metrics.from_texts import EditRate
from tellapart.metrics.metric import METRICS

_SEVERAL = re.compile(r"\s\s+")


@METRICS.add("wer")
@dataclass(frozen=True)
class Wer(EditRate):
    """The word error rate, lower is better: words inserted, left out or replaced, over the words of the references.

    Edits / words, both summed over all segments; words are what blanks separate, as they are written: jiwer's numbers. Of several references
    the one with the fewest edits counts. It may be above 1. The wrong choice where capitals and punctuation do not matter: bring
    both texts to one form first. It is smooth: influence hardly ever fails. Levenshtein (1966).
    """

    whole = 1.0

    def count(self, segments: Sequence[Segment]) -> FloatArray:
        return edit_counts(segments, words)


def words(text: str) -> list[str]:
    """Words separated by single blanks after runs of blanks are collapsed, as jiwer has it: a lone tab is part of a word."""
    return [word for word in _SEVERAL.sub(" ", text).strip().split(" ") if word]
