"""Items won and lost between two systems, largest differences first, for error analysis."""

import numpy as np

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import ChangedItem, ChangedItems
from tellapart.data.pair import Pair
from tellapart.data.scores import Scores
from tellapart.data.summaries import Differences, average_runs
from tellapart.foundation.arrays import FloatArray

MOST_LISTED = 10_000
"""Items of each kind that an answer lists; a file takes them all."""


def changed_items(
    pair: Pair, scores: tuple[FloatArray, FloatArray], gains: FloatArray, most: int | None = MOST_LISTED
) -> ChangedItems:
    """Items that B gains or loses, the largest differences first, equal ones in the order of items; `scores` are those of A and B."""
    won, lost = (
        places[np.argsort(-np.abs(gains[places]), kind="stable")]
        for places in (np.flatnonzero(gains > 0.0), np.flatnonzero(gains < 0.0))
    )
    listed = (
        tuple(
            ChangedItem(pair.items[place], one, other, pair.texts[place] or None if pair.texts else None)
            for place, one, other in zip(places.tolist(), *(x[places].tolist() for x in scores), strict=True)
        )
        for places in (won[:most], lost[:most])
    )
    return ChangedItems(len(won), len(lost), *listed)


def all_changed(scores: Scores, answer: Comparison) -> ChangedItems:
    """All changed items between the two systems of an answer."""
    pair = scores.pair(answer.a.name, answer.b.name, "drop")
    a, b = (average_runs(scores)[..., 0] for scores in (pair.a, pair.b))
    gains = Differences.between(a, b).snapped
    return changed_items(pair, (a, b), -gains if answer.lower_is_better else gains, most=None)
