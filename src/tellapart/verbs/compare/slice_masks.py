"""Items of each slice of a column, whose cells hold a name or several tags."""

from collections.abc import Sequence

import numpy as np

from tellapart.data.roles import BETWEEN_TAGS
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import BoolArray
from tellapart.foundation.errors import DataError, nearest

MOST_SLICES = 500
"""A column with more different values names items rather than slices of them."""
MOST_NUMBERS = 20
"""A column of more different numbers is a measurement, to be cut into bands first."""
NOT_SAID = frozenset(("", "n/a", "na", "none", "null", "nan"))
"""Cells that name no slice."""


def slice_masks(scores: Scores, column: str, separator: str) -> dict[str, BoolArray]:
    """The items of each slice of a column, by the names of the slices in their order."""
    if column not in scores.slices:
        raise DataError(f"there is no column {column!r}; {nearest(column, list(scores.slices))}")
    cells = scores.slices[column]
    tags = [_tags(cell, separator) for cell in cells.names]
    names = sorted({tag for code in np.unique(cells.codes).tolist() for tag in tags[code]}, key=natural_order)
    _refuse_unfit(column, names)
    holds = {name: np.array([name in found for found in tags], dtype=np.bool_) for name in names}
    masks = {name: np.asarray(held[cells.codes]) for name, held in holds.items()}
    if len(names) == 1 and masks[names[0]].all():
        raise DataError(f"every item has {column} {names[0]!r}; there is nothing to hold it against")
    return masks


def _tags(cell: str, separator: str) -> frozenset[str]:
    parts = cell.replace(BETWEEN_TAGS, separator).split(separator) if separator else [cell]
    return frozenset(part.strip() for part in parts if part.strip().casefold() not in NOT_SAID)


def natural_order(name: str) -> tuple[float, str]:
    """Numbers by size, before all other names."""
    try:
        return float(name), name
    except ValueError:
        return np.inf, name


def _refuse_unfit(column: str, names: Sequence[str]) -> None:
    if not names:
        raise DataError(f"no item has anything in column {column!r}; wanted the name of a slice")
    if len(names) > MOST_SLICES:
        raise DataError(
            f"column {column!r} holds {len(names)} different values, {names[0]!r} and {names[1]!r} among them: is this an id? Slices are at most {MOST_SLICES}"
        )
    if len(names) > MOST_NUMBERS and all(np.isfinite(natural_order(name)[0]) for name in names):
        raise DataError(
            f"column {column!r} holds {len(names)} different numbers; cut it into bands first, at most {MOST_NUMBERS} of them"
        )
