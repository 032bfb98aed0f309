"""Missing scores of a board: refuse them, drop systems and items, or compare each pair on the items it shares."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tellapart.boards.board import Board
from tellapart.data.pair import file_without_scores, zero_errors_hint
from tellapart.data.rows import show_item
from tellapart.data.score_storage import stored_bytes
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.errors import DataError, ItemMismatch, TooFew
from tellapart.foundation.formatting import percent, thousands
from tellapart.foundation.surfaces import option

Missing = Literal["error", "drop", "pairwise"]

MOST_LACKING = 0.2
"""Largest share of missing items of a system that is kept; a more incomplete one would cost the others their items."""

SHOWN = 5
"""Incomplete systems that an error names."""


@dataclass(frozen=True, eq=False)
class ClosedGaps:
    """Scores after the treatment of missing ones, and what was done.

    `blank_items` had no score at all. With `drop`, `left_out` are the dropped systems and their missing shares, and
    `dropped_items` of `of_items` items were dropped after them. With `pairwise`, `gappy_systems` are the incomplete ones.
    """

    scores: Scores
    blank_items: int
    left_out: tuple[tuple[str, float], ...] = ()
    dropped_items: int = 0
    of_items: int = 0
    gappy_systems: int = 0


def close_gaps(scores: Scores, missing: Missing) -> ClosedGaps:
    """Complete scores, or incomplete ones for `pairwise`.

    `drop` drops systems that lack more than 20 % of the items, then items not scored for all remaining systems.
    """
    if stored_bytes(scores.values) is not None:
        return ClosedGaps(scores, 0)
    # System by system, to save memory on large boards.
    if all(scores.scored(name).all() for name in scores.systems):
        return ClosedGaps(scores, 0)
    has = np.stack([scores.scored(name) for name in scores.systems])
    scored = np.asarray(has.any(axis=0))
    blank = int((~scored).sum())
    if blank == len(scored):
        raise TooFew(
            f"none of the {thousands(len(scored))} items is scored for any system. Pass files that were scored{zero_errors_hint(scores.reading)}"
        )
    if blank:
        scores, has = only(scores, np.arange(len(has)), scored), has[:, scored]
    if has.all():
        if blank and missing == "error":
            raise ItemMismatch(f"{_blank_error(blank)}{zero_errors_hint(scores.reading)}")
        return ClosedGaps(scores, blank)
    if missing == "error":
        raise ItemMismatch(_incomplete_systems(scores, has))
    return _drop(scores, has, blank) if missing == "drop" else _pairwise(scores, has, blank)


def _blank_error(blank: int) -> str:
    are = "item is" if blank == 1 else "items are"
    return f"{thousands(blank)} {are} scored for no system. Pass {option('missing', 'drop')} to leave them out"


def _incomplete_systems(scores: Scores, has: BoolArray) -> str:
    gaps = [_missing_items(scores, has, int(i)) for i in np.flatnonzero(~has.all(axis=1))]
    more = f", and {len(gaps) - SHOWN} more systems" if len(gaps) > SHOWN else ""
    return (
        f"{len(gaps)} of {len(has)} systems {'lack' if len(gaps) > 1 else 'lacks'} items: {'; '.join(gaps[:SHOWN])}{more}. Pass "
        f"{option('missing', 'drop')} to leave out systems that lack more than {percent(MOST_LACKING)} and then items not scored for "
        f"all, or {option('missing', 'pairwise')} to compare each pair on what it shares{zero_errors_hint(scores.reading)}"
    )


def _missing_items(scores: Scores, has: BoolArray, system: int) -> str:
    lacking = np.flatnonzero(~has[system])
    first = show_item(scores.items[int(lacking[0])])
    name = scores.systems[system]
    return (
        f"{name!r} lacks {thousands(len(lacking))} of {thousands(has.shape[1])} items (first: {first!r})"
        f"{file_without_scores(scores.reading, name)}"
    )


def _drop(scores: Scores, has: BoolArray, blank: int) -> ClosedGaps:
    lacking = 1.0 - has.mean(axis=1)
    keep = lacking <= MOST_LACKING
    if keep.sum() < 2:
        raise TooFew(
            f"only {int(keep.sum())} of {len(keep)} systems are scored on at least {percent(1.0 - MOST_LACKING)} of the items; two are "
            f"needed. Pass {option('missing', 'pairwise')} to compare each pair on what it shares"
        )
    shared = has[keep].all(axis=0)
    if shared.sum() < 2:
        raise TooFew(
            f"the systems share {int(shared.sum())} items; two are needed. Pass {option('missing', 'pairwise')}"
        )
    left_out = tuple((scores.systems[i], float(lacking[i])) for i in np.flatnonzero(~keep))
    kept = only(scores, np.flatnonzero(keep), shared)
    return ClosedGaps(kept, blank, left_out, int((~shared).sum()), len(shared))


def _pairwise(scores: Scores, has: BoolArray, blank: int) -> ClosedGaps:
    _refuse_empty(scores, has)
    return ClosedGaps(scores, blank, gappy_systems=int((~has.all(axis=1)).sum()))


def _refuse_empty(scores: Scores, has: BoolArray) -> None:
    """Refuse systems with fewer than two scored items."""
    empty = [name for name, row in zip(scores.systems, has, strict=True) if row.sum() < 2]
    if empty:
        raise ItemMismatch(
            f"{', '.join(map(repr, empty[:SHOWN]))}{', …' if len(empty) > SHOWN else ''}: scored on fewer than two "
            f"items, too few to compare. Name the others with {option('systems')}, or pass {option('missing', 'drop')}"
        )


def only(scores: Scores, systems: IntArray, items: BoolArray) -> Scores:
    """The scores of these systems on these items."""
    names = tuple(scores.systems[i] for i in systems)
    return replace(scores, systems=names, values=scores.values[systems]).only(items)


# Pairwise comparison on shared items.

LARGEST = 1 << 28
"""Numbers in the largest table of columns: 2 GB."""


def shared_columns(board: Board, a: IntArray, b: IntArray) -> tuple[FloatArray, IntArray, IntArray, FloatArray]:
    """Columns `(column, item)`, those of A and B of each pair, and the effects B − A on shared items.

    A column is a system restricted to the pattern of scored items of a partner; few patterns occur.
    """
    pattern, patterns = _patterns(board.scored)
    shared = patterns.astype(np.float64) @ patterns.T.astype(np.float64)
    common = shared[pattern[a], pattern[b]]
    _refuse_pairs_without_shared_items(board, a, b, common)
    # One key per system and pattern, so that a column shared by several pairs is computed once.
    keys = np.concatenate([a * len(patterns) + pattern[b], b * len(patterns) + pattern[a]])
    known, place = np.unique(keys, return_inverse=True)
    if len(known) * board.values.shape[1] > LARGEST:
        raise DataError(
            f"{len(patterns)} different sets of items over {len(board.systems)} systems are too many to compare pairwise in memory; "
            f"pass {option('missing', 'drop')}"
        )
    columns = np.stack([board.contributed(int(key // len(patterns)), patterns[key % len(patterns)]) for key in known])
    first, second = place[: len(a)], place[len(a) :]
    totals = columns.sum(axis=1)
    effects = (totals[second] - totals[first]) / common
    effects[np.abs(effects) <= board.noise(a, b)] = 0.0
    return columns, first, second, effects


def leads_on_shared_items(board: Board) -> FloatArray:
    """The lead of the row's system over the column's on their shared items, `(system, system)`; of their means if they share none."""
    has = board.scored.astype(np.float64)
    common = has @ has.T
    totals = _totals(board, has)
    apart = np.divide(totals - totals.T, common, out=board.leads(), where=common > 0.0)
    return board.without_noise(apart)


def _totals(board: Board, has: FloatArray) -> FloatArray:
    """Sums of the row system's scores over the items of the column's system."""
    if board.metric.linear:
        return np.asarray(np.where(board.scored, board.centred, 0.0) @ has.T)
    count = len(board.systems)
    return np.array([[board.contributed(i, board.scored[j]).sum() for j in range(count)] for i in range(count)])


def _patterns(scored: BoolArray) -> tuple[IntArray, BoolArray]:
    """The distinct patterns of scored items, and that of each system."""
    known: dict[bytes, int] = {}
    codes = [known.setdefault(np.packbits(row).tobytes(), len(known)) for row in scored]
    firsts = [codes.index(code) for code in range(len(known))]
    return np.array(codes, dtype=np.int64), scored[firsts]


def _refuse_pairs_without_shared_items(board: Board, a: IntArray, b: IntArray, common: FloatArray) -> None:
    unshared = np.flatnonzero(common < 2)
    if len(unshared):
        pair = int(unshared[0])
        names = board.systems[a[pair]], board.systems[b[pair]]
        raise ItemMismatch(
            f"systems {names[0]!r} and {names[1]!r} share {('no item', 'one item')[int(common[pair])]}; two are needed to compare them. Leave one of them "
            f"out, or pass {option('missing', 'drop')}"
        )
