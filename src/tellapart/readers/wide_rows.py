"""A table in which each column is a system: its rows are named once, and not once for each of their scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.readers.cells import Cells
from tellapart.readers.labels import LabelColumn
from tellapart.readers.layout import Layout
from tellapart.readers.places import Places
from tellapart.records import Items, Labels, identify_items
from tellapart.roles import ROLES
from tellapart.scores import Scores
from tellapart.sources import Reading, Source

NAMED = frozenset({"system", "item", "dataset"})
"""What rows may be called to be kept so: whatever else tells scores apart needs a name for each of them."""


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
        homes = (
            datasets if datasets is not None else Labels(("",), np.zeros(len(self.places), dtype=np.int64))
        )
        rows = np.bincount(homes.codes, minlength=len(homes.names))
        found = [
            self._source(name, homes.names[home], int(rows[home]), int(scored[home]))
            for system, name in enumerate(systems)
            for scored in [self._scored(system, homes)]
            for home in range(len(homes.names))
        ]
        return Reading(tuple(sorted(found, key=lambda one: (one.system, one.dataset or ""))), plain=True)

    def _scored(self, system: int, homes: Labels) -> IntArray:
        scored = self._cells.scored(system)
        return np.bincount(homes.codes[scored], minlength=len(homes.names))

    def _source(self, system: str, dataset: str, rows: int, scored: int) -> Source:
        table = self.layout.table
        return Source(
            table.name, table.format, system, dataset or None, rows, scored, rows - scored, errors=0
        )


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

    def scores(self, systems: Sequence[str], measure: str) -> Scores:
        """The table, with the systems as they are to be called."""
        reading = self.rows.reading(systems, self.datasets)
        return Scores(
            tuple(systems), self.items, self.rows.values(self.item), measure=measure, reading=reading
        )
