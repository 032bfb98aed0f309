"""What to do about items that only some systems are scored on: refuse, leave out, or compare each pair on what it shares."""

from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from tellapart.arrays import BoolArray, IntArray
from tellapart.errors import ItemMismatch, TooFew
from tellapart.records import show_item
from tellapart.scores import Scores
from tellapart.wording import percent, thousands

Missing = Literal["error", "drop", "pairwise"]

MISSING: tuple[Missing, ...] = ("error", "drop", "pairwise")

MOST_LACKING = 0.2
"""A system that lacks a larger share of the items is left out before items are."""

SHOWN = 5


class Filled(NamedTuple):
    """Scores whose gaps were dealt with, and what a reader must know about how."""

    scores: Scores
    notes: tuple[str, ...]


def close_gaps(scores: Scores, missing: Missing) -> Filled:
    """Scores without gaps, or, pairwise, with gaps that were asked for.

    `drop` first leaves out systems that lack more than 20 % of the items, then items not scored for all the others.
    """
    has = np.stack([scores.scored(name) for name in scores.systems])
    scores, has, blank = _without_blank(scores, has)
    if has.all() and (missing != "error" or not blank):
        return Filled(scores, blank)
    if missing == "error":
        raise ItemMismatch(_named(scores, has) if not has.all() else _blank_error(blank))
    return _drop(scores, has, blank) if missing == "drop" else _pairwise(scores, has, blank)


def _without_blank(scores: Scores, has: BoolArray) -> tuple[Scores, BoolArray, tuple[str, ...]]:
    scored = np.asarray(has.any(axis=0))
    if scored.all():
        return scores, has, ()
    if not scored.any():
        raise TooFew(f"none of the {thousands(len(scored))} items is scored for any system")
    blank = int((~scored).sum())
    said = ("item is", "was") if blank == 1 else ("items are", "were")
    note = f"{thousands(blank)} {said[0]} scored for no system and {said[1]} left out"
    return only(scores, np.arange(len(has)), scored), has[:, scored], (note,)


def _blank_error(notes: tuple[str, ...]) -> str:
    return (
        f"{notes[0].rpartition(' and ')[0]}. Pass --missing drop (missing='drop' in Python) to leave them out"
    )


def _named(scores: Scores, has: BoolArray) -> str:
    gaps = [_gap(scores, has, int(i)) for i in np.flatnonzero(~has.all(axis=1))]
    more = f", and {len(gaps) - SHOWN} more systems" if len(gaps) > SHOWN else ""
    return (
        f"{len(gaps)} of {len(has)} systems {'lack' if len(gaps) > 1 else 'lacks'} items: {'; '.join(gaps[:SHOWN])}{more}. Pass --missing drop (missing='drop' in "
        f"Python) to leave out systems that lack more than {percent(MOST_LACKING)} and then items not scored for all, or --missing "
        "pairwise to compare each pair on what it shares"
    )


def _gap(scores: Scores, has: BoolArray, system: int) -> str:
    lacking = np.flatnonzero(~has[system])
    first = show_item(scores.items[int(lacking[0])])
    return f"{scores.systems[system]!r} lacks {thousands(len(lacking))} of {thousands(has.shape[1])} items (first: {first!r})"


def _drop(scores: Scores, has: BoolArray, notes: tuple[str, ...]) -> Filled:
    lacking = 1.0 - has.mean(axis=1)
    keep = lacking <= MOST_LACKING
    if keep.sum() < 2:
        raise TooFew(
            f"only {int(keep.sum())} of {len(keep)} systems are scored on at least {percent(1.0 - MOST_LACKING)} of the items; two are "
            "needed. Pass --missing pairwise (missing='pairwise' in Python) to compare each pair on what it shares"
        )
    left_out = [
        f"{scores.systems[i]} left out: it lacks {percent(round(float(lacking[i]), 3))} of the items"
        for i in np.flatnonzero(~keep)
    ]
    shared = has[keep].all(axis=0)
    lost = int((~shared).sum())
    dropped = (
        [f"{thousands(lost)} of {thousands(len(shared))} items left out: not scored for all systems"]
        if lost
        else []
    )
    if shared.sum() < 2:
        raise TooFew(
            f"the systems share {int(shared.sum())} items; two are needed. Pass --missing pairwise (missing='pairwise' in Python)"
        )
    return Filled(only(scores, np.flatnonzero(keep), shared), (*notes, *left_out, *dropped))


def _pairwise(scores: Scores, has: BoolArray, notes: tuple[str, ...]) -> Filled:
    _refuse_empty(scores, has)
    short = int((~has.all(axis=1)).sum())
    said = (
        f"{f'{short} systems lack' if short > 1 else '1 system lacks'} items: each pair is compared on the items it shares, and a rank counts the systems that are "
        "better so; means are over each system's own items"
    )
    return Filled(scores, (*notes, said))


def _refuse_empty(scores: Scores, has: BoolArray) -> None:
    """A system with one item, or none, shares two items with nobody."""
    empty = [name for name, row in zip(scores.systems, has, strict=True) if row.sum() < 2]
    if empty:
        raise ItemMismatch(
            f"{', '.join(map(repr, empty[:SHOWN]))}{', …' if len(empty) > SHOWN else ''}: scored on fewer than two items, which can be compared "
            "with nothing. Leave out such systems, or pass --missing drop (missing='drop' in Python)"
        )


def only(scores: Scores, systems: IntArray, items: BoolArray) -> Scores:
    """The scores of some systems on some items."""
    return replace(
        scores,
        systems=tuple(scores.systems[i] for i in systems),
        items=tuple(key for key, keep in zip(scores.items, items, strict=True) if keep),
        values=scores.values[systems][:, items],
        clusters=None if scores.clusters is None else scores.clusters[items],
    )
