"""Rows of ratings before they are a table: everyone has a name, nobody rates the same twice, repeats are averaged."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray, IntArray, floats
from tellapart.doors import option
from tellapart.errors import DataError
from tellapart.records.rows import Records


def refuse_blank_raters(rows: Records) -> None:
    """Someone without a name cannot be told from the others: their ratings would be those of one more rater."""
    raters = rows.labels["rater"]
    if "" not in raters.names:
        return
    row = int(np.flatnonzero(raters.codes == raters.names.index(""))[0])
    raise DataError(
        f"{rows.where(row)}: found a blank for the rater, and a name elsewhere; wanted who judged in every row. Fill it in or remove the row"
    )


def refuse_twice(rows: Records, cell: IntArray) -> None:
    """A rater rates a system on an item once in each run."""
    found = repeated(rows, cell)
    if found is None:
        return
    row, before = found
    raise DataError(
        f"{rows.where(row)}: rater {rows.label('rater', row)!r} already rated system {rows.label('system', row)!r} on item "
        f"{rows.show_item(row)!r} ({rows.where(before)}). Keep one, or say which column tells repeats apart: {option('column', 'run=…')}"
    )


def repeated(rows: Records, cell: IntArray) -> tuple[int, int] | None:
    """A row that has the cell and the run of one before it, and that one; None where there is none."""
    run = rows.labels["run"].codes if "run" in rows.labels else np.zeros_like(cell)
    # By arrival last, so that of two equal rows the later one is refused.
    order = np.lexsort((np.arange(len(cell)), run, cell))
    again = np.flatnonzero((np.diff(cell[order]) == 0) & (np.diff(run[order]) == 0))
    return (int(order[again[0] + 1]), int(order[again[0]])) if len(again) else None


def averaged(cell: IntArray, values: FloatArray) -> tuple[IntArray, FloatArray, IntArray | None]:
    """The cells with a rating, in order, the average rating of each, and of how many it is where any has several."""
    rated = ~np.isnan(values)
    cells, inverse, counts = np.unique(cell[rated], return_inverse=True, return_counts=True)
    if counts.max(initial=1) == 1:
        return cells, floats(values[rated][np.argsort(inverse)]), None
    # Sorted within a cell, so that the order of rows changes no last digit of a sum.
    order = np.lexsort((values[rated], inverse))
    sums = np.bincount(inverse[order], weights=values[rated][order])
    return cells, floats(sums / counts), counts


@dataclass(frozen=True)
class Numbered:
    """Where entries of columns came from: their number."""

    length: int

    def __call__(self, row: int, /) -> str:
        return f"entry {row}"

    @property
    def arrival(self) -> IntArray:
        return np.arange(self.length)
