"""Where each record came from, kept as one entry per block."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tellapart.arrays import IntArray
from tellapart.readers.table import Table
from tellapart.shelf import SHELF, refuse_rows


class Places:
    """Names the source and line of a record; a wide row is as many records as it has systems."""

    def __init__(self) -> None:
        self._ends: list[int] = []
        self._blocks: list[tuple[Table, Sequence[int], int]] = []

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def add(self, table: Table, lines: Sequence[int], copies: int) -> None:
        """The records of a block, its rows repeated `copies` times one after the other."""
        self._ends.append(len(self) + len(lines) * copies)
        self._blocks.append((table, lines, copies))
        if SHELF.get() is not None:
            refuse_rows(len(self))

    @property
    def tables(self) -> list[Table]:
        """Each table that a record came from, once."""
        return list({id(table): table for table, _, _ in self._blocks}.values())

    @property
    def table_of_records(self) -> IntArray:
        """For each record which of the tables it came from."""
        place = {id(table): number for number, table in enumerate(self.tables)}
        if len(place) == 1:
            return np.broadcast_to(np.int64(0), len(self))
        sizes = [len(lines) * copies for _, lines, copies in self._blocks]
        return np.repeat([place[id(table)] for table, _, _ in self._blocks], sizes)

    def __call__(self, record: int) -> str:
        block = bisect_right(self._ends, record)
        table, lines, _ = self._blocks[block]
        start = self._ends[block - 1] if block else 0
        return table.place(lines[(record - start) % len(lines)])

    @cached_property
    def arrival(self) -> IntArray:
        """For each record how many rows were met before its own."""
        before, found = 0, [np.empty(0, dtype=np.int64)]
        for _, lines, copies in self._blocks:
            found.append(np.tile(np.arange(before, before + len(lines)), copies))
            before += len(lines)
        return np.concatenate(found)
