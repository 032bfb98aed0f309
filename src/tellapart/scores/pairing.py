"""Two systems of a table as a `Pair`: on the items that both are scored on, or each on its own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from tellapart.arrays import BoolArray, FloatArray
from tellapart.errors import UsageError
from tellapart.pair import Pair
from tellapart.records import ItemKeys, only_items, recode, show_items
from tellapart.remarks import concerning
from tellapart.scores.gaps import Gaps
from tellapart.scores.marks import marks_of
from tellapart.scores.on_disk import rows_of

if TYPE_CHECKING:
    from tellapart.scores.table import Scores

Missing = Literal["error", "drop"]


def paired(scores: "Scores", a: str, b: str, missing: Missing) -> Pair:
    """The items both systems are scored on, in canonical order; an item only one has is an error unless dropped."""
    if repr(missing) not in map(repr, get_args(Missing)):  # an array has no single answer to `in`
        raise UsageError(f"missing={missing!r} should be {' or '.join(map(repr, get_args(Missing)))}")
    gaps = Gaps((a, b), scores.scored(a), scores.scored(b), _unscored(scores), scores.items)
    if missing == "error":
        gaps.refuse(scores.reading)
    shared, lost, first_lost = gaps.shared, gaps.lost, gaps.first_lost
    return Pair(
        _runs(scores, a, shared),
        _runs(scores, b, shared),
        None if scores.clusters is None else recode(scores.clusters[shared]),
        _shown(scores, shared),
        lost,
        first_lost,
        int(gaps.unscored.sum()),
        concerning(scores.remarks, (a, b)) if scores.remarks else (),
        None if scores.reading is None else scores.reading.better,
    )


def unpaired(scores: "Scores", a: str, b: str) -> Pair:
    """Each system on its own items, for tests of systems that share none."""
    return Pair(_runs(scores, a, scores.scored(a)), _runs(scores, b, scores.scored(b)))


def _unscored(scores: "Scores") -> BoolArray:
    """Items that no system has a complete score on."""
    if marks_of(scores.values) is not None:
        return np.zeros(len(scores.items), dtype=np.bool_)
    unscored = np.ones(len(scores.items), dtype=np.bool_)
    for system in rows_of(scores.values):
        unscored &= np.isnan(system).any(axis=-1).all(axis=-1)
    return unscored


def _shown(scores: "Scores", which: BoolArray) -> Sequence[str]:
    """These items as a person reads them."""
    kept = only_items(scores.items, which)
    names = kept.shown if isinstance(kept, ItemKeys) else None
    return show_items(kept) if names is None else names


def _runs(scores: "Scores", name: str, which: BoolArray) -> FloatArray:
    """One system's scores on some items; a run that lacks a part has no score, and a run that no item uses is left out."""
    rows = scores.values[scores.system(name)]
    if not which.all():
        rows = rows[which]
    incomplete = np.asarray(np.isnan(rows).any(axis=-1))
    if not incomplete.any():
        return np.ascontiguousarray(rows)  # no copy of millions of scores
    used = ~incomplete.all(axis=0) if len(rows) else np.ones(rows.shape[1], dtype=np.bool_)
    # C order, so that sums over items have the same bits whichever runs are left out.
    return np.ascontiguousarray(np.where(incomplete[..., np.newaxis], np.nan, rows)[:, used])
