from collections.abc import Sequence
from dataclasses import dataclass

from tellapart.foundation.arrays import FloatArray
from tellapart.metrics.counting.texts import Segment, edit_counts
from tellapart.metrics.from_texts import EditRate
from tellapart.metrics.metric import METRICS


@METRICS.add("cer")
@dataclass(frozen=True)
class Cer(EditRate):
    """The character error rate, lower is better: characters inserted, left out or replaced, over those of the references.

    Edits / characters, both summed over all segments, blanks counted but for those at the ends: jiwer's numbers. Of several references the
    one with the fewest edits counts. It may be above 1. The wrong choice where words are what matters (`wer`). It is smooth:
    influence hardly ever fails. Levenshtein (1966).
    """

    whole = 1.0

    def count(self, segments: Sequence[Segment]) -> FloatArray:
        return edit_counts(segments, str.strip)
