"""Rows of a file as votes: which systems a row names, and rows that no vote can be."""

import numpy as np

from tellapart.arrays import IntArray
from tellapart.doors import option
from tellapart.errors import DataError
from tellapart.rated_rows import refuse_blank_raters, repeated
from tellapart.records import Labels, Records, in_order

TIES = ("tie", "tied", "draw", "equal", "tie (bothbad)")
"""How a vote says that neither is better; the last as chat arenas write it."""
NOBODY = -1
"""In place of a system: neither won, or nobody knows which was shown first."""


def pairs_named(rows: Records) -> list[tuple[str, str]]:
    a, b = rows.labels["a"], rows.labels["b"]
    return [(a.names[i], b.names[j]) for i, j in zip(a.codes.tolist(), b.codes.tolist(), strict=True)]


def places_of(column: Labels, place: dict[str, int]) -> IntArray:
    """The system that each row names; −1 for a tie or a blank, −2 for a stranger."""
    ties = {name: NOBODY for name in column.names if not name or name.casefold() in TIES}
    known = np.array([place.get(name, ties.get(name, NOBODY - 1)) for name in column.names], dtype=np.int64)
    return np.asarray(known[column.codes])


def raters_of(rows: Records) -> tuple[tuple[str, ...], IntArray | None]:
    if "rater" not in rows.labels:
        return (), None
    refuse_blank_raters(rows)
    names, rater = in_order(rows.labels["rater"])
    return tuple(names), rater


def refuse_strangers(rows: Records, a: IntArray, b: IntArray, winner: IntArray) -> None:
    same = np.flatnonzero(a == b)
    if len(same):
        row = int(same[0])
        raise DataError(
            f"{rows.where(row)}: a vote between {rows.label('a', row)!r} and itself; wanted two systems. Remove the row"
        )
    strange = (winner != a) & (winner != b) & (winner != NOBODY)
    named = rows.labels["winner"]
    blank = np.array([not name for name in named.names], dtype=np.bool_)[named.codes]
    bad = np.flatnonzero(strange | blank)
    if len(bad):
        row = int(bad[0])
        found = rows.label("winner", row)
        raise DataError(
            f"{rows.where(row)}: found {repr(found) if found else 'a blank'} for the winner; wanted {rows.label('a', row)!r}, "
            f"{rows.label('b', row)!r} or 'tie'. Correct it or remove the row"
        )


def refuse_twice(rows: Records, columns: tuple[IntArray | None, ...]) -> None:
    """A rater votes on an item once, or once in each order that the systems are shown in, or in each run."""
    a, b, *others = columns
    assert a is not None, "a vote names two systems"
    assert b is not None, "a vote names two systems"
    keys = [np.minimum(a, b), np.maximum(a, b), *(column for column in others if column is not None)]
    cell = np.unique(np.stack(keys, axis=-1), axis=0, return_inverse=True)[1].reshape(-1)
    found = repeated(rows, cell)
    if found is None:
        return
    row, before = found
    raise DataError(
        f"{rows.where(row)}: rater {rows.label('rater', row)!r} already voted between {rows.label('a', row)!r} and {rows.label('b', row)!r} "
        f"on item {rows.show_item(row)!r} ({rows.where(before)}). Keep one, or say which column tells repeats apart: "
        f"{option('column', 'run=…')}"
    )


def refuse_unseen(rows: Records, a: IntArray, b: IntArray, first: IntArray) -> None:
    strange = np.flatnonzero((first != a) & (first != b) & (first != NOBODY))
    if len(strange):
        row = int(strange[0])
        raise DataError(
            f"{rows.where(row)}: found {rows.label('first', row)!r} for what was shown first; wanted {rows.label('a', row)!r} or "
            f"{rows.label('b', row)!r}, or nothing where it is not known. Correct it"
        )
