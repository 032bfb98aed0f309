"""Conversion of records to tables: items, runs, clusters and slices encoded as sorted integer codes."""

import re
from collections.abc import Sequence
from itertools import repeat

import numpy as np

from tellapart.data.encoded_names import EncodedNames
from tellapart.data.roles import LABELS, SLICE
from tellapart.data.rows import ItemKeys, Items, Labels, Records
from tellapart.foundation.arrays import IntArray
from tellapart.foundation.errors import ComesTwice, DataError
from tellapart.foundation.surfaces import option

# How rows become a table: who is which item, which run, in which cluster.

MOST_CELLS = 10_000_000
"""How many systems times items are taken on trust, whatever share of them is scored."""


def refuse_sparse(rows: Records, items: int) -> None:
    """A table with next to nothing in it does not fit in memory, and is a mistaken role rather than an evaluation."""
    cells, filled = len(rows.system.names) * items, len(rows)
    # An evaluation scores most systems on most items; a column of free text taken for the system scores each on one.
    if cells > max(MOST_CELLS, 100 * filled):
        raise DataError(
            f"{len(rows.system.names)} systems and {items} items have only {filled} scores; wanted most systems scored on "
            f"most items. Check the columns taken for them: {option('column', 'system=…')} and {option('column', 'item=…')}"
        )


def identify(rows: Records) -> tuple[IntArray, Items]:
    """For each row the place of its (dataset, item) among the sorted distinct ones."""
    return identify_items(rows.item, rows.labels.get("dataset"))


def identify_items(item: Labels, dataset: Labels | None) -> tuple[IntArray, Items]:
    """`identify` for rows with these names."""
    names, name = in_order(item)
    if dataset is None:
        return name, ItemKeys(names) if isinstance(names, EncodedNames) else tuple(zip(repeat(""), names))
    homes, home = in_order(dataset)
    # One whole number per (dataset, item), which sorts as the pair of names does.
    mixed, inverse = np.unique(home * len(names) + name, return_inverse=True)
    home_of, name_of = np.divmod(mixed, len(names))
    if isinstance(names, EncodedNames):
        return inverse, ItemKeys(names.only(name_of), homes, home_of)
    keys = zip(map(homes.__getitem__, home_of.tolist()), map(names.__getitem__, name_of.tolist()), strict=True)
    return inverse, tuple(keys)


def identify_in_groups(group: Labels, item: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Rows of one item in several groups apart: for each row the place of its (group, item), and of each place group and item."""
    items = int(item.max(initial=0)) + 1
    mixed, inverse = np.unique(group.codes * items + item, return_inverse=True)
    return inverse, *np.divmod(mixed, items)


def in_order(labels: Labels) -> tuple[tuple[str, ...] | EncodedNames, IntArray]:
    """The names in order, and the codes that go with that, so that the order of rows leaves no trace."""
    if isinstance(labels.names, EncodedNames):  # which are in order
        return labels.names, labels.codes
    order = np.array(sorted(range(len(labels.names)), key=labels.names.__getitem__), dtype=np.int64)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return tuple(map(labels.names.__getitem__, order.tolist())), place[labels.codes]


def first_met(item: IntArray, items: int) -> IntArray:
    """The first row of each item."""
    first = np.empty(items, dtype=np.int64)
    # Of several assignments to one place the last one stays.
    first[item[::-1]] = np.arange(len(item) - 1, -1, -1)
    return first


def place_runs(rows: Records, item: IntArray) -> tuple[IntArray, int, int | None]:
    """For each row its place among the runs of its (system, item), how many places there are, and how many each seed has.

    Runs of one seed stand side by side; None where no column says seeds. The same run twice is refused.
    """
    items = int(item.max(initial=0)) + 1
    cell = rows.system.codes * items + item
    # Almost every table has one score per system and item: nothing to sort. A mark per cell is an eighth of a count.
    met = np.zeros(len(rows.system.names) * items, dtype=np.bool_)
    met[cell] = True
    if np.count_nonzero(met) == len(cell):
        return np.broadcast_to(np.int64(0), cell.shape), 1, 1 if _trained_once(rows) else None
    seed, seeds = _seeds_of_systems(rows, cell, items)
    position, runs = _places_in_cells(rows, cell if seeds is None else cell * seeds + seed)
    if seeds is None:
        return position, runs, None
    return seed * runs + position, seeds * runs, runs


def _places_in_cells(rows: Records, cell: IntArray) -> tuple[IntArray, int]:
    """For each row its place among the runs of its cell, and the largest number of these."""
    run = run_codes(rows)
    # By arrival last, so that of two equal rows the later one is refused.
    order = np.lexsort((np.arange(len(cell)), run, cell))
    ordered, ordered_run = cell[order], run[order]
    same_cell = np.concatenate(([False], ordered[1:] == ordered[:-1]))
    again = same_cell & np.concatenate(([False], ordered_run[1:] == ordered_run[:-1]))
    if again.any():
        raise _twice(rows, *order[np.flatnonzero(again)[0] + np.array([0, -1])].tolist())
    # The place of a row among its runs is how far it stands behind the first row of its cell.
    starts = np.maximum.accumulate(np.where(same_cell, 0, np.arange(len(cell))))
    position = np.empty_like(cell)
    position[order] = np.arange(len(cell)) - starts
    return position, int(position.max(initial=0)) + 1


def run_codes(rows: Records) -> IntArray:
    """A number for the run of each row, in the order of the names of seeds and runs."""
    codes = np.zeros(len(rows), dtype=np.int64)
    for role in ("seed", "run"):
        if role in rows.labels:
            names, code = in_order(rows.labels[role])
            codes = codes * len(names) + code
    return codes


def _trained_once(rows: Records) -> bool:
    """Whether a column says seeds, and no system has two."""
    if "seed" not in rows.labels:
        return False
    systems, seeds = rows.system.codes, rows.labels["seed"].codes
    return len(np.unique(np.stack([systems, seeds]), axis=1).T) == len(np.unique(systems))


CROSSED = 0.5
"""The share of (seed, item) that has a score from which on seeds are of trainings: one drawn for each answer is met on one item."""


def _seeds_of_systems(rows: Records, cell: IntArray, items: int) -> tuple[IntArray, int | None]:
    """For each row the place of its seed among those of its system, and the largest number of these; None where they are not of trainings."""
    if "seed" not in rows.labels:
        return cell, None
    names, code = in_order(rows.labels["seed"])
    trainings, training = np.unique(rows.system.codes * len(names) + code, return_inverse=True)
    system_of = trainings // len(names)
    items_of = np.bincount(np.unique(cell) // items, minlength=len(rows.system.names))
    scored = len(np.unique(training * items + cell % items))
    if scored < CROSSED * items_of[system_of].sum():
        return cell, None
    place = (np.arange(len(trainings)) - np.searchsorted(system_of, system_of))[training]
    return np.asarray(place, dtype=np.int64), int(place.max(initial=0)) + 1


def _twice(rows: Records, row: int, before: int) -> ComesTwice:
    named = ((role, rows.label(role, row)) for role in ("seed", "run"))
    again = "".join(f", {role} {label!r}" for role, label in named if label is not None)
    first, second = sorted((before, row))
    roles = (option("column", f"{role.name}=…") for role in LABELS if role.identifies and role.absent is not None)
    found = (
        f"{rows.where(second)}: system {rows.label('system', row)!r} already has a score for item {rows.show_item(row)!r}{again} "
        f"({rows.where(first)}): it comes twice"
    )
    return ComesTwice(found, (*roles, option("measure")))


def clusters_of_items(rows: Records, item: IntArray, keys: Sequence[tuple[str, str]]) -> IntArray | None:
    """The cluster of each item where rows say one, refusing an item that is in two."""
    cluster = rows.labels.get("cluster")
    if cluster is None:
        return None
    codes = np.full(len(keys), -1, dtype=np.int64)
    # Of several rows of an item one stays; a row that says otherwise then differs from it.
    codes[item] = cluster.codes
    strays = np.flatnonzero(codes[item] != cluster.codes)
    if len(strays):
        row = int(strays[0])
        raise DataError(
            f"{rows.where(row)}: item {rows.show_item(row)!r} is in cluster {rows.label('cluster', row)!r} here and in another "
            "elsewhere; an item has one cluster"
        )
    return recode(codes)


def slices_of_items(rows: Records, item: IntArray, items: int) -> dict[str, Labels]:
    """By column, what each item holds there, refusing one that holds two things; a blank says nothing."""
    found = {}
    for role, cells in rows.labels.items():
        if not role.startswith(SLICE):
            continue
        said = np.array([bool(name) for name in cells.names], dtype=np.bool_)[cells.codes]
        blank = len(cells.names)
        codes = np.full(items, blank, dtype=np.int64)
        codes[item[said]] = cells.codes[said]
        strays = np.flatnonzero(said & (codes[item] != cells.codes))
        if len(strays):
            row = int(strays[0])
            raise DataError(
                f"{rows.where(row)}: item {rows.show_item(row)!r} has {role.removeprefix(SLICE)} "
                f"{rows.label(role, row)!r} here and another elsewhere; slicing takes one value per item"
            )
        found[role.removeprefix(SLICE)] = Labels((*cells.names, ""), codes)
    return found


_HASH = re.compile(r"( |^)[0-9a-f]{24,}$")


def texts_of_items(rows: Records, item: IntArray) -> tuple[str, ...]:
    """The text of each item, where rows have it."""
    text = rows.labels.get("text")
    if text is None or not len(rows):
        return ()
    first = np.unique(item, return_index=True)[1]
    said = tuple(_HASH.sub("", text.names[code]) for code in text.codes[first].tolist())
    return said if any(said) else ()


def recode(codes: IntArray) -> IntArray:
    """Cluster codes 0, 1, … in order of first item, whatever their labels were."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)
