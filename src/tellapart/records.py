"""Rows or arrays as they were found, and how they become a table: who is which item, which run, in which cluster."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Protocol

import numpy as np

from tellapart.arrays import EXACT, FloatArray, IntArray, floats
from tellapart.doors import option
from tellapart.errors import DataError
from tellapart.roles import LABELS
from tellapart.sources import Reading

MOST_CELLS = 10_000_000
"""How many systems times items are taken on trust, whatever share of them is scored."""


@dataclass(frozen=True, eq=False)
class Labels:
    """A column of names: the distinct ones, and for each row which of them it holds."""

    names: tuple[str, ...]
    codes: IntArray

    @classmethod
    def of(cls, column: Sequence[str]) -> "Labels":
        if column and column.count(column[0]) == len(column):
            return cls((column[0],), np.zeros(len(column), dtype=np.int64))
        known: dict[str, int] = {}
        codes = [known.setdefault(name, len(known)) for name in column]
        return cls(tuple(known), np.array(codes, dtype=np.int64))

    def only(self, rows: IntArray) -> "Labels":
        """Some of the rows, and the names that are still met in them."""
        used, codes = np.unique(self.codes[rows], return_inverse=True)
        return Labels(tuple(self.names[code] for code in used.tolist()), codes)


class Provenance(Protocol):
    """Where each row came from, as a person would look it up, and when."""

    def __call__(self, row: int, /) -> str:
        """The source and line of a row."""

    @property
    def arrival(self) -> IntArray:
        """For each row how many lines came before its own; the scores of one wide line arrive together."""


@dataclass(frozen=True, eq=False)
class Records:
    """Rows as a reader found them: `values` is `(row, part)` with NaN for a blank.

    `labels` holds, for each role of `tellapart.roles` that the source says something about, a name per row; a system and
    an item every row has.
    """

    values: FloatArray
    labels: Mapping[str, Labels]
    where: Provenance
    reading: Reading | None = None
    """How they were read, where that is known."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def system(self) -> Labels:
        return self.labels["system"]

    @property
    def item(self) -> Labels:
        return self.labels["item"]

    @property
    def arrival(self) -> IntArray:
        return self.where.arrival

    def label(self, role: str, row: int) -> str | None:
        """What a row is called in a role, or None if the source is silent about it."""
        column = self.labels.get(role)
        return None if column is None else column.names[column.codes[row]]

    def only(self, rows: IntArray) -> "Records":
        """Some of the rows, each still from where it came."""
        labels = {role: column.only(rows) for role, column in self.labels.items()}
        return Records(self.values[rows], labels, Some(self.where, rows))

    def show_item(self, row: int) -> str:
        return show_item((self.label("dataset", row) or "", self.item.names[self.item.codes[row]]))


@dataclass(frozen=True, eq=False)
class Some:
    """Where some of the rows came from."""

    whole: Provenance
    rows: IntArray

    def __call__(self, row: int, /) -> str:
        return self.whole(int(self.rows[row]))

    @property
    def arrival(self) -> IntArray:
        return self.whole.arrival[self.rows]


def show_item(key: tuple[str, str]) -> str:
    """An item as a person reads it: its name, after its dataset if it has one."""
    return show_items([key])[0]


def show_items(keys: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple([f"{dataset}/{name}" if dataset else name for dataset, name in keys])


def refuse_sparse(rows: Records, items: int) -> None:
    """A table with next to nothing in it does not fit in memory, and is a mistaken role rather than an evaluation."""
    cells, filled = len(rows.system.names) * items, len(rows)
    # An evaluation scores most systems on most items; a column of free text taken for the system scores each on one.
    if cells > max(MOST_CELLS, 100 * filled):
        raise DataError(
            f"{len(rows.system.names)} systems and {items} items have only {filled} scores; wanted most systems scored on "
            f"most items. Check the columns taken for them: {option('column', 'system=…')} and {option('column', 'item=…')}"
        )


def identify(rows: Records) -> tuple[IntArray, tuple[tuple[str, str], ...]]:
    """For each row the place of its (dataset, item) among the sorted distinct ones."""
    names, name = in_order(rows.item)
    if "dataset" not in rows.labels:
        return name, tuple(zip(repeat(""), names))
    homes, home = in_order(rows.labels["dataset"])
    # One whole number per (dataset, item), which sorts as the pair of names does.
    mixed, inverse = np.unique(home * len(names) + name, return_inverse=True)
    home_of, name_of = (places.tolist() for places in np.divmod(mixed, len(names)))
    return inverse, tuple(zip(map(homes.__getitem__, home_of), map(names.__getitem__, name_of), strict=True))


def identify_in_groups(group: Labels, item: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Rows of one item in several groups apart: for each row the place of its (group, item), and of each place group and item."""
    items = int(item.max(initial=0)) + 1
    mixed, inverse = np.unique(group.codes * items + item, return_inverse=True)
    return inverse, *np.divmod(mixed, items)


def in_order(labels: Labels) -> tuple[tuple[str, ...], IntArray]:
    """The names in order, and the codes that go with that, so that the order of rows leaves no trace."""
    order = np.array(sorted(range(len(labels.names)), key=labels.names.__getitem__), dtype=np.int64)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return tuple(map(labels.names.__getitem__, order.tolist())), place[labels.codes]


def place_runs(rows: Records, item: IntArray) -> tuple[IntArray, int]:
    """For each row its place among the runs of its (system, item), refusing the same run twice."""
    cell = rows.system.codes * (int(item.max(initial=0)) + 1) + item
    # Almost every table has one score per system and item: nothing to sort.
    if np.bincount(cell).max(initial=0) <= 1:
        return np.zeros_like(cell), 1
    run = in_order(rows.labels["run"])[1] if "run" in rows.labels else np.zeros_like(cell)
    # By arrival last, so that of two equal rows the later one is refused.
    order = np.lexsort((np.arange(len(cell)), run, cell))
    ordered, ordered_run = cell[order], run[order]
    same_cell = np.concatenate(([False], ordered[1:] == ordered[:-1]))
    again = same_cell & np.concatenate(([False], ordered_run[1:] == ordered_run[:-1]))
    if again.any():
        raise DataError(_twice(rows, *order[np.flatnonzero(again)[0] + np.array([0, -1])].tolist()))
    # The place of a row among its runs is how far it stands behind the first row of its cell.
    starts = np.maximum.accumulate(np.where(same_cell, 0, np.arange(len(cell))))
    position = np.empty_like(cell)
    position[order] = np.arange(len(cell)) - starts
    return position, int(position.max(initial=0)) + 1


def _twice(rows: Records, row: int, before: int) -> str:
    run = rows.label("run", row)
    again = "" if run is None else f", run {run!r}"
    first, second = sorted((before, row))
    roles = ", ".join(
        option("column", f"{role.name}=…") for role in LABELS if role.identifies and role.absent is not None
    )
    return (
        f"{rows.where(second)}: system {rows.label('system', row)!r} already has a score for item {rows.show_item(row)!r}{again} "
        f"({rows.where(first)}): it comes twice. Keep one, or say which column tells the rows apart: {roles} or {option('measure')}"
    )


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


def recode(codes: IntArray) -> IntArray:
    """Cluster codes 0, 1, … in order of first item, whatever their labels were."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)


def runs_of_items(name: str, values: Any, parts: int) -> FloatArray:
    """The scores of one system as `(item, run, part)`, NaN where there is none."""
    array = _numbers(name, values)
    if parts == 1 and array.ndim < 3:
        array = array[..., np.newaxis]
    if array.ndim == 2:
        array = array[:, np.newaxis, :]
    if array.ndim != 3 or array.shape[-1] != parts:
        raise DataError(
            f"the scores of {name!r} have shape {np.shape(values)}; wanted (item,), (item, run) or (…, {parts} parts)"
        )
    return array


def _numbers(name: str, values: Any) -> FloatArray:
    try:
        array = np.ma.asanyarray(values)
    except ValueError:
        raise DataError(
            f"the scores of {name!r} are rows of different lengths; fill up with NaN where there is no score"
        ) from None
    if array.dtype.kind not in "biuf":
        raise DataError(
            f"the scores of {name!r} are {array.dtype}, not numbers; make them float, NaN where missing"
        )
    if array.dtype.kind in "iu" and array.size and max(abs(int(array.max())), abs(int(array.min()))) > EXACT:
        raise DataError(
            f"the scores of {name!r} hold whole numbers above {EXACT}, whose last digits would be lost"
        )
    # What a masked array hides is missing, whatever value lies beneath the mask.
    numbers = np.ma.filled(array.astype(np.float64), np.nan)
    if np.isinf(numbers).any():
        raise DataError(f"the scores of {name!r} hold an infinity; scores must be finite (NaN is missing)")
    return floats(numbers)


def stack_runs(arrays: Sequence[FloatArray]) -> FloatArray:
    """`(system, item, run, part)` from arrays `(item, run, part)` of as many runs as each system has."""
    runs = max((array.shape[1] for array in arrays), default=0)
    padded = [
        np.pad(array, ((0, 0), (0, runs - array.shape[1]), (0, 0)), constant_values=np.nan)
        for array in arrays
    ]
    return np.stack(padded) if padded else np.empty((0, 0, 0, 0))


def names_of_items(label: str, column: Iterable[object], items: int) -> list[str]:
    """A column of names, one per item; nothing and NaN name nothing."""
    names = list(column)
    if len(names) != items:
        raise DataError(f"{label} has {len(names)} entries for {items} items")
    if any(name is None or name != name for name in names):  # noqa: PLR0124  (only NaN differs from itself)
        raise DataError(f"{label} holds a missing name; wanted one for each item")
    return list(map(str, names))


def refuse_repeated(keys: Sequence[tuple[str, str]], groups: Sequence[int]) -> None:
    """Each item is named once in its group."""
    found = Counter(zip(keys, groups, strict=True)).most_common(1)
    (key, _), times = found[0] if found else ((("", ""), 0), 1)
    if times > 1:
        raise DataError(
            f"item {show_item(key)!r} occurs {times} times; name each item once, and give repeats a run axis"
        )


_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def unfit_name(text: str) -> str | None:
    """What no name may hold, if this text holds it."""
    if "\0" in text:
        return "binary content (NUL bytes)"
    # JSON can spell half of a pair of code units, which no file can be written with.
    surrogate = None if text.isascii() else _LONE_SURROGATE.search(text)
    return None if surrogate is None else "half a character (a lone surrogate)"
