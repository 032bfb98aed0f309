"""A board of some of the systems: what the others lack or have is nobody's business."""

from dataclasses import replace

import numpy as np

from tellapart.multiplicity.gaps import only
from tellapart.scores import Scores


def among(scores: Scores, names: tuple[str, ...]) -> Scores:
    """The scores of these systems, on the items that any of them has; a system that is not there is refused."""
    rows = sorted(scores.system(name) for name in names)
    if len(rows) == len(scores.systems):
        return scores
    met = np.any([scores.scored(name) for name in names], axis=0)
    kept, reading = only(scores, np.array(rows), met), scores.reading
    if reading is None:
        return kept
    return replace(
        kept, reading=replace(reading, sources=tuple(one for one in reading.sources if one.system in names))
    )
