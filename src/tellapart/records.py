"""Rows as a reader found them, and how they become a table: who is which item, which run, in which cluster."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.errors import DataError

MOST_CELLS = 10_000_000
"""How many systems times items are taken on trust, whatever share of them is scored."""


@dataclass(frozen=True, eq=False)
class Labels:
    """A column of names: the distinct ones, and for each row which of them it holds."""

    names: tuple[str, ...]
    codes: IntArray

    @classmethod
    def of(cls, column: Sequence[str]) -> "Labels":
        known: dict[str, int] = {}
        codes = [known.setdefault(name, len(known)) for name in column]
        return cls(tuple(known), np.array(codes, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Records:
    """Rows as a reader found them: `values` is `(row, part)` with NaN for a blank; `where(row)` names file and line."""

    system: Labels
    item: Labels
    values: FloatArray
    where: Callable[[int], str]
    dataset: Labels | None = None
    cluster: Labels | None = None
    run: Labels | None = None


def show_item(key: tuple[str, str]) -> str:
    """An item as a person reads it: its name, after its dataset if it has one."""
    dataset, name = key
    return f"{dataset}/{name}" if dataset else name


def refuse_sparse(rows: Records, items: int) -> None:
    """A table with next to nothing in it does not fit in memory, and is a mistaken role rather than an evaluation."""
    cells, filled = len(rows.system.names) * items, len(rows.item.codes)
    if cells > max(MOST_CELLS, 100 * filled):
        raise DataError(
            f"{len(rows.system.names)} systems and {items} items have only {filled} scores; wanted most systems scored on "
            "most items. Check the columns taken for them: --column system=… and --column item=…"
        )


def identify(rows: Records) -> tuple[IntArray, tuple[tuple[str, str], ...]]:
    """For each row the place of its (dataset, item) among the sorted distinct ones."""
    names, name = _sorted(rows.item)
    if rows.dataset is None:
        return name, tuple(zip(repeat(""), names))
    homes, home = _sorted(rows.dataset)
    mixed, inverse = np.unique(home * len(names) + name, return_inverse=True)
    home_of, name_of = (places.tolist() for places in np.divmod(mixed, len(names)))
    return inverse, tuple(zip(map(homes.__getitem__, home_of), map(names.__getitem__, name_of), strict=True))


def _sorted(labels: Labels) -> tuple[tuple[str, ...], IntArray]:
    """The names in order, and the codes that go with that, so that the order of rows leaves no trace."""
    order = np.array(sorted(range(len(labels.names)), key=labels.names.__getitem__), dtype=np.int64)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return tuple(map(labels.names.__getitem__, order.tolist())), place[labels.codes]


def place_runs(rows: Records, item: IntArray) -> tuple[IntArray, int]:
    """For each row its place among the runs of its (system, item), refusing the same run twice."""
    cell = rows.system.codes * (int(item.max(initial=0)) + 1) + item
    if np.bincount(cell).max(initial=0) <= 1:
        return np.zeros_like(cell), 1
    run = _sorted(rows.run)[1] if rows.run is not None else np.zeros_like(cell)
    order = np.lexsort((np.arange(len(cell)), run, cell))
    ordered, ordered_run = cell[order], run[order]
    same_cell = np.concatenate(([False], ordered[1:] == ordered[:-1]))
    again = same_cell & np.concatenate(([False], ordered_run[1:] == ordered_run[:-1]))
    if again.any():
        raise DataError(_twice(rows, *order[np.flatnonzero(again)[0] + np.array([0, -1])].tolist()))
    starts = np.maximum.accumulate(np.where(same_cell, 0, np.arange(len(cell))))
    position = np.empty_like(cell)
    position[order] = np.arange(len(cell)) - starts
    return position, int(position.max(initial=0)) + 1


def _twice(rows: Records, row: int, before: int) -> str:
    system = rows.system.names[rows.system.codes[row]]
    home = rows.dataset.names[rows.dataset.codes[row]] if rows.dataset is not None else ""
    key = show_item((home, rows.item.names[rows.item.codes[row]]))
    run = f", run {rows.run.names[rows.run.codes[row]]!r}" if rows.run is not None else ""
    first, second = sorted((before, row))
    return (
        f"{rows.where(second)}: system {system!r} already has a score for item {key!r}{run} ({rows.where(first)}). Keep one, "
        "or say which column tells the rows apart: --column run=…, --column dataset=… or --measure"
    )


def clusters_of_items(rows: Records, item: IntArray, keys: Sequence[tuple[str, str]]) -> IntArray:
    """The cluster of each item, refusing an item that is in two."""
    assert rows.cluster is not None
    codes = np.full(len(keys), -1, dtype=np.int64)
    codes[item] = rows.cluster.codes
    strays = np.flatnonzero(codes[item] != rows.cluster.codes)
    if len(strays):
        row = int(strays[0])
        raise DataError(
            f"{rows.where(row)}: item {show_item(keys[item[row]])!r} is in cluster "
            f"{rows.cluster.names[rows.cluster.codes[row]]!r} here and in another elsewhere; an item has one cluster"
        )
    return recode(codes)


def recode(codes: IntArray) -> IntArray:
    """Cluster codes 0, 1, … in order of first item, whatever their labels were."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)
