"""Slices of the items, whose cells hold a name or several tags: the items of each, their levels, and what is noted of a column."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tellapart.answers.parts import Note, SliceColumn
from tellapart.boards import CORRECTIONS
from tellapart.boards.corrections.correction import PvalueCorrection
from tellapart.boards.corrections.holm import Holm
from tellapart.data.roles import BETWEEN_TAGS
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.foundation.errors import DataError, TooFew, Unsuitable, nearest
from tellapart.foundation.surfaces import option
from tellapart.verbs.judging_options import SliceOptions

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
        raise DataError(f"every item has {column} {names[0]!r}; there is nothing to compare it with")
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


def correction_of(question: SliceOptions) -> PvalueCorrection:
    """The correction for how many slices are judged."""
    found = CORRECTIONS.parse(question.slice_correction)
    assert isinstance(found, PvalueCorrection)
    return found


def slice_levels(question: SliceOptions, pvalues: FloatArray, alpha: float) -> FloatArray:
    """The level that each slice is judged at: that of its step, or of the family."""
    correction, share = correction_of(question), alpha / question.slice_families
    if isinstance(correction, Holm):
        return correction.step_levels(pvalues, share)
    return np.full(len(pvalues), share / len(pvalues) if correction.multiplies_pvalues else share)


def refuse_judgements(scores: Any) -> None:
    if not isinstance(scores, Scores):
        raise Unsuitable(f"slices are for scores, and these are ratings or votes; leave {option('slice')} out")


def too_few_in_slices(units: Sequence[tuple[str, int]], least: int) -> TooFew:
    sizes = ", ".join(f"{name!r}: {count}" for name, count in units[:5])
    return TooFew(
        f"no slice has {least} items, or clusters where there are some ({sizes}{', …' if len(units) > 5 else ''}); "
        f"lower {option('slice_least')}, or slice by a coarser column"
    )


def slice_column(
    column: str, masks: Mapping[str, BoolArray], scored: BoolArray, judged: Sequence[str], **more: float | None
) -> SliceColumn:
    held = np.sum(list(masks.values()), axis=0)
    left_out = tuple(name for name in masks if name not in judged)
    blank, overlap = int((scored & (held == 0)).sum()), bool((held > 1).any())
    return SliceColumn(column, len(masks), left_out, blank, overlap, **more)


def column_notes(column: SliceColumn, items: Mapping[str, int], least: int) -> Iterator[Note]:
    """Items in no slice, slices too small to be judged, and slices that share items."""
    said = {"column": column.column}
    if column.blank_items:
        yield Note("slices_blank", {**said, "items": column.blank_items})
    if column.left_out:
        small = [{"slice": name, "items": items.get(name, 1)} for name in column.left_out]
        yield Note("slices_left_out", {**said, "slices": small, "below": least})
    if column.overlap:
        yield Note("slices_overlap", said)
