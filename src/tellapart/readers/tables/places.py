"""Where each record came from, kept as one entry per block."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cached_property

import numpy as np

from tellapart.foundation.arrays import IntArray
from tellapart.foundation.errors import DataError, UnknownSystem, nearest
from tellapart.foundation.files import UPLOADED_FILES, refuse_rows
from tellapart.readers.tables.columns import Wanted
from tellapart.readers.tables.labels import as_text
from tellapart.readers.tables.table import Block, Table

# Repeats that carry no number are counted as they come.


class Occurrences:
    """How many times a key was met."""

    def __init__(self) -> None:
        self._met: Counter[Hashable] = Counter()

    def of(self, *key: Hashable) -> str:
        """Which time this is, from 1."""
        self._met[key] += 1
        return str(self._met[key])


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
        if UPLOADED_FILES.get() is not None:
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


# Only the rows that are asked about: what is wrong with the others stops nobody who does not ask for them.


class NameChoice:
    """The names of one role that are asked for, or all of them; those met are kept, to name the nearest to one that was not."""

    def __init__(self, role: str, asked: Collection[str]) -> None:
        self._role = role
        self._asked = asked
        self.found: dict[str, None] = {}

    def rows_of(self, block: Block, column: str | None, constant: str | None) -> Sequence[int]:
        """The rows of a block that are asked for, named by a column or all alike; all rows where nothing names them."""
        if not self._asked or (column is None and constant is None):
            return range(len(block))
        names = [constant or ""] * len(block) if column is None else _names(block, column)
        self.found.update(dict.fromkeys(names))
        return _where(names, self._asked)

    def refuse_unknown(self) -> None:
        """Once all rows are met: refuse a name that none of them has."""
        for name in self._asked if self.found else ():
            if name not in self.found:
                error = UnknownSystem if self._role == "system" else DataError
                raise error(f"no {self._role} is called {name!r}; {nearest(name, self.found)}")


def asked_rows(block: Block, roles: Mapping[str, str], wanted: Wanted) -> Block:
    """The rows of a block that will be taken, or all of them if none is among them."""
    asked = {
        "system": wanted.systems,
        "dataset": () if wanted.dataset is None else (wanted.dataset,),
        "measure": () if wanted.measure is None else (wanted.measure,),
    }
    left = block
    for role, names in asked.items():
        if names and role in roles:
            left = left.only(_where(_names(left, roles[role]), names))
    return left if len(left) else block


def _names(block: Block, column: str) -> list[str]:
    return [as_text(cell).strip() for cell in block.column(column)]


def _where(names: list[str], asked: Collection[str]) -> list[int]:
    return [row for row, name in enumerate(names) if name in asked]
