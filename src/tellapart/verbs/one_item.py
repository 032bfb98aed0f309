"""Scores of one item alone: nothing varies, whichever way they are looked at."""

from tellapart.errors import TooFew
from tellapart.scores import Scores

UNITS = {
    "texts": ("segment", "Give more segments: in a file of texts each is a line"),
    "trec_run": ("query", "Give runs and judgements of more queries"),
}
"""What an item is in files of some formats, and how more of them are given."""


def refuse_one_item(scores: Scores) -> None:
    """Where there is one item in all, no system lacks any: that is said, with how more are given."""
    if len(scores.items) != 1:
        return
    read_as = scores.reading.sources[0].format if scores.reading and scores.reading.sources else ""
    unit, advice = UNITS.get(read_as, ("item", "Score more items, or check the column of items"))
    raise TooFew(
        f"there is one {unit} in all, {scores.show(0)!r}; at least two are needed to see how scores vary. {advice}"
    )
