"""Ratings or votes on two systems, as a `RatedPair` or a `VotePair`."""

from dataclasses import dataclass, replace

import numpy as np

from tellapart.data.provenance import Better
from tellapart.data.records import run_codes
from tellapart.data.rows import Records
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray, floats
from tellapart.foundation.errors import DataError
from tellapart.foundation.surfaces import option

# Rows of ratings before they are a table: everyone has a name, nobody rates the same twice, repeats are
# averaged.


def refuse_blank_raters(rows: Records) -> None:
    """Someone without a name cannot be told from the others: their ratings would be those of one more rater."""
    raters = rows.labels["rater"]
    if "" not in raters.names:
        return
    row = int(np.flatnonzero(raters.codes == raters.names.index(""))[0])
    raise DataError(
        f"{rows.where(row)}: found a blank for the rater, while other rows name one. Fill it in or remove the row"
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
    run = run_codes(rows)
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
class EntryNumbers:
    """Where entries of columns came from: their number."""

    length: int

    def __call__(self, row: int, /) -> str:
        return f"entry {row}"

    @property
    def arrival(self) -> IntArray:
        return np.arange(self.length)


# Two systems of a table of ratings, by whoever rated either.


@dataclass(frozen=True, eq=False)
class RatedPair:
    """The ratings of two systems: `values` is `(*batch, rating)`, the others say of each rating whose it is and of what."""

    values: FloatArray
    of_b: BoolArray
    rater: IntArray
    item: IntArray
    raters: tuple[str, ...]
    items: tuple[str, ...]
    repeats: int = 0
    """How many ratings were averaged into others, because a rater rated a system on an item more than once."""
    better: Better | None = None
    """Which ratings are better, where their file says so."""

    @property
    def swapped(self) -> "RatedPair":
        return replace(self, of_b=~self.of_b)

    @property
    def cell(self) -> IntArray:
        """One number per rater and item."""
        return np.asarray(self.rater * len(self.items) + self.item)

    @property
    def complete(self) -> BoolArray:
        """Which ratings have a partner: the same rater rated the other system on the same item."""
        cells = len(self.raters) * len(self.items)
        rated = [np.bincount(self.cell[side], minlength=cells) > 0 for side in (self.of_b, ~self.of_b)]
        return np.asarray((rated[0] & rated[1])[self.cell])


@dataclass(frozen=True, eq=False)
class VotePair:
    """The votes between A and B: `values` is `(*batch, vote)`, 1 where B won, −1 where A did, 0 for a tie.

    A vote is a difference already taken. Where no column says the item, or the rater, every vote has one of its own.
    """

    values: FloatArray
    rater: IntArray
    item: IntArray
    raters: tuple[str, ...] | None
    items: tuple[str, ...] | None
    b_first: FloatArray | None = None
    """1 where B was shown first, 0 where A was, NaN where it is not known."""

    @property
    def swapped(self) -> "VotePair":
        return replace(self, values=-self.values, b_first=None if self.b_first is None else 1.0 - self.b_first)

    @property
    def in_both_orders(self) -> bool:
        """Whether every vote says what was shown first, and both systems were: then the order can be told from the systems."""
        return self.b_first is not None and set(np.unique(self.b_first).tolist()) == {0.0, 1.0}

    @property
    def repeats(self) -> int:
        """How many votes are by a rater who voted on the same item before."""
        cells = np.stack([self.rater, self.item])
        return int(cells.shape[1] - np.unique(cells, axis=1).shape[1])

    @property
    def shared(self) -> bool:
        """Whether any two votes are on the same item or by the same rater."""
        votes = self.values.shape[-1]
        return any(len(np.unique(codes)) < votes for codes in (self.item, self.rater))
