from collections.abc import Sequence
from dataclasses import dataclass

from tellapart.arrays import FloatArray
from tellapart.counting.edits import edit_counts
from tellapart.counting.texts import Segment
from tellapart.metrics.edit_rate import EditRate
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
