"""Wide tables, with one column per system: scores as a matrix of items by systems."""

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from tellapart.data import score_storage
from tellapart.data.provenance import Reading, Source
from tellapart.data.records import first_met, identify_items
from tellapart.data.roles import ROLES
from tellapart.data.rows import Items, Labels
from tellapart.data.score_storage import BYTES, array_on_disk, bytes_of_marks, scores_of_bytes, scratch, written
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.progress import with_progress
from tellapart.readers.tables.labels import Growing, LabelColumn
from tellapart.readers.tables.layout import Layout
from tellapart.readers.tables.places import Places

# Rows of a wide table that are too many to hold, in a temporary file: in pieces of some rows, each of them
# system after system.


class FiledRows:
    """Doubles of these systems in a growing file, of at least this many rows."""

    def __init__(self, systems: int, rows: int) -> None:
        self._systems = systems
        self._file = scratch(BYTES * systems * rows)
        weakref.finalize(self, self._file.close)
        self._starts = [0]
        """Where each piece begins, in rows, and where the last one ends."""

    def add(self, rows: npt.NDArray[Any]) -> None:
        """Some more rows, `(row, system)`."""
        if len(rows):
            self._file.seek(0, 2)
            written(self._file, np.ascontiguousarray(rows.T, dtype=np.float64))
            self._starts.append(self._starts[-1] + len(rows))

    def __len__(self) -> int:
        return self._starts[-1]

    def column(self, system: int) -> FloatArray:
        """The scores of one system, `(row,)`."""
        found = np.empty(len(self))
        for start, stop in pairwise(self._starts):
            self._file.seek(8 * (start * self._systems + system * (stop - start)))
            self._file.readinto(found[start:stop].data.cast("B"))
        return found

    def block(self, start: int, stop: int) -> FloatArray:
        """The scores of some rows, `(system, row)`."""
        found = np.empty((self._systems, stop - start))
        for first, last in pairwise(self._starts):
            low, high = max(first, start), min(last, stop)
            if low < high:
                self._file.seek(8 * first * self._systems)
                piece = np.frombuffer(self._file.read(8 * (last - first) * self._systems))
                shaped = piece.reshape(self._systems, last - first)
                found[:, low - start : high - start] = shaped[:, low - first : high - first]
        return found

    def values(self, order: IntArray) -> FloatArray:
        """All scores as a table holds them, `(system, item, run, part)`, with these rows one after the other; they lie in a file too."""
        systems = with_progress("sorting scores by system", range(self._systems), self._systems)
        rows = (self.column(system)[order] for system in systems)
        values: FloatArray = array_on_disk(rows, (self._systems, len(self)))
        return values[..., np.newaxis, np.newaxis]


# The scores of a wide table while its rows stream by: a byte each as long as all are right or wrong, else a
# double.

TURNED = 1 << 22
"""Scores that are turned from rows to systems at once."""


class Cells:
    """One row per item and one column per system; doubles that are too many to hold are moved to a file."""

    def __init__(self, systems: int) -> None:
        self._systems = systems
        self._rows: Growing[Any] = Growing(np.uint8, (systems,))
        self._filed: FiledRows | None = None

    def add(self, columns: Sequence[FloatArray]) -> None:
        """The scores of some rows, by system."""
        rows = np.stack(columns, axis=1)
        marks = bytes_of_marks(rows) if self._rows.dtype == np.uint8 else None
        if marks is None and self._rows.dtype == np.uint8:
            self._widen()
        self._rows.add(rows if marks is None else marks)
        if marks is None and self._many:
            self._file()

    @property
    def _many(self) -> bool:
        return len(self._rows) * self._systems >= (score_storage.HELD if self._filed is None else score_storage.BLOCK)

    def _widen(self) -> None:
        if self._many:
            self._file()
        else:
            self._rows.widen(np.float64)

    def _file(self) -> None:
        """Move the rows that are held to the file."""
        self._filed = self._filed or FiledRows(self._systems, len(self._rows))
        rows, step = self._rows.taken(), max(1, score_storage.BLOCK // self._systems)
        for start in range(0, len(rows), step):
            self._filed.add(rows[start : start + step])
        self._rows = Growing(np.float64, (self._systems,))

    def block(self, start: int, stop: int) -> FloatArray:
        """The scores of some rows, `(system, row)`."""
        if self._filed is not None:
            self._file()
            return self._filed.block(start, stop)
        return np.ascontiguousarray(self._rows.taken()[start:stop].T, dtype=np.float64)

    def scored(self, system: int) -> npt.NDArray[np.bool_]:
        """Which rows have a score of this system."""
        if self._filed is not None:
            self._file()
            return np.asarray(~np.isnan(self._filed.column(system)))
        rows = self._rows.taken()
        return np.ones(len(rows), dtype=np.bool_) if rows.dtype == np.uint8 else ~np.isnan(rows[:, system])

    def values(self, order: IntArray) -> FloatArray:
        """All scores as a table holds them, `(system, item, run, part)`, with these rows one after the other."""
        if self._filed is not None:
            self._file()
            return self._filed.values(order)
        rows = self._rows.taken()
        turned = np.empty(rows.shape[::-1], dtype=rows.dtype)
        step = max(1, TURNED // rows.shape[1])
        for start in range(0, len(rows), step):
            turned[:, start : start + step] = rows[order[start : start + step]].T
        return scores_of_bytes(turned) if turned.dtype == np.uint8 else turned[..., np.newaxis, np.newaxis]


NAMED = frozenset({"system", "item", "dataset"})
"""Names that identify rows of a wide table; all other axes need a column."""


class WideRows:
    """The rows of one wide table whose columns are the same throughout."""

    def __init__(self, layout: Layout, systems: Sequence[str]) -> None:
        self.layout, self.systems = layout, tuple(systems)
        self.labels = {role: LabelColumn(ROLES[role]) for role in layout.says if role != "system"}
        self.places = Places()
        self.blocks: list[tuple[Sequence[int], int]] = []
        """The lines of each block, and how many rows came before it."""
        self._cells = Cells(len(self.systems))

    def add(self, lines: Sequence[int], scores: Sequence[FloatArray]) -> None:
        """The scores of a block, by system; its names are added to `labels`."""
        self._cells.add(scores)
        self.blocks.append((lines, len(self.places)))
        self.places.add(self.layout.table, lines, 1)

    def scores(self, block: int) -> FloatArray:
        """The scores of one of the blocks, `(system, row)`."""
        lines, start = self.blocks[block]
        return self._cells.block(start, start + len(lines))

    def values(self, item: IntArray) -> FloatArray:
        """The scores as a table holds them, with each row at the place of its item."""
        order = np.empty_like(item)
        order[item] = np.arange(len(item))
        return self._cells.values(order)

    def reading(self, systems: Sequence[str], datasets: Labels | None) -> Reading | None:
        """How they were read, with the systems as they are to be called; of a frame, which is no file, there is nothing to say."""
        if not self.layout.table.format:
            return None
        homes = datasets if datasets is not None else Labels(("",), np.zeros(len(self.places), dtype=np.int64))
        rows = np.bincount(homes.codes, minlength=len(homes.names))
        found = [
            self._source_of_column(name, homes.names[home], int(rows[home]), int(scored[home]))
            for system, name in enumerate(systems)
            for scored in [self._scored(system, homes)]
            for home in range(len(homes.names))
        ]
        return Reading(tuple(sorted(found, key=lambda one: (one.system, one.dataset or ""))), plain=True)

    def _scored(self, system: int, homes: Labels) -> IntArray:
        scored = self._cells.scored(system)
        return np.bincount(homes.codes[scored], minlength=len(homes.names))

    def _source_of_column(self, system: str, dataset: str, rows: int, scored: int) -> Source:
        table = self.layout.table
        return Source(table.name, table.format, system, dataset or None, rows, scored, rows - scored, errors=0)


@dataclass(frozen=True, eq=False)
class WideTable:
    """The items of a wide table in their order, and for each row its place among them."""

    rows: WideRows
    items: Items
    item: IntArray
    datasets: Labels | None

    @classmethod
    def of(cls, rows: WideRows, labels: Mapping[str, Labels]) -> "WideTable | None":
        """None where an item has several rows."""
        item, items = identify_items(labels["item"], labels.get("dataset"))
        return cls(rows, items, item, labels.get("dataset")) if len(items) == len(item) else None

    def scores(self, systems: Sequence[str], measure: str, *, alone: bool = False) -> Scores:
        """The table, with the systems as they are to be called."""
        reading = self.rows.reading(systems, self.datasets)
        return Scores(
            tuple(systems),
            self.items,
            self.rows.values(self.item),
            measure=measure,
            reading=reading,
            alone=alone,
            arrival=first_met(self.item, len(self.items)),
        )
