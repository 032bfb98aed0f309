"""A board of some of the systems: what the others lack or have is nobody's business."""

from dataclasses import replace

import numpy as np

from tellapart.multiplicity.gaps import only
from tellapart.scores import Scores


def among(scores: Scores, names: tuple[str, ...]) -> Scores:
    """The scores of these systems, on the items and in the runs that any of them has; a system that is not there is refused."""
    rows = sorted({scores.system(_as_known(name, scores.systems)) for name in names})
    if len(rows) == len(scores.systems):
        return scores
    known = tuple(scores.systems[row] for row in rows)
    met = np.any([scores.scored(name) for name in known], axis=0)
    kept, reading = _in_used_runs(only(scores, np.array(rows), met)), scores.reading
    if reading is None:
        return kept
    return replace(
        kept, reading=replace(reading, sources=tuple(one for one in reading.sources if one.system in known))
    )


def _as_known(name: str, systems: tuple[str, ...]) -> str:
    """The system that is called so, or but for blanks around its name if only one is."""
    alike = [known for known in systems if known.strip() == name.strip()]
    return alike[0] if name not in systems and len(alike) == 1 else name


def _in_used_runs(scores: Scores) -> Scores:
    """Without the runs that only other systems have."""
    runs = scores.values.shape[2]
    if runs == 1:
        return scores
    used = np.any(~np.isnan(scores.values).any(axis=3), axis=(0, 1))
    return scores if used.all() else replace(scores, values=scores.values[:, :, used])
