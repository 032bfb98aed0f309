"""Source file and line of every row, and selection of the requested systems, datasets and measure."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cached_property

import numpy as np

from tellapart.data.provenance import Reading, Source
from tellapart.data.rows import Labels, Records
from tellapart.foundation.arrays import BoolArray, IntArray
from tellapart.foundation.errors import DataError, ReadError, UnknownSystem, nearest
from tellapart.foundation.files import UPLOADED_FILES, refuse_rows
from tellapart.foundation.formatting import first_of
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.columns import TableRequest
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
        names = [constant or ""] * len(block) if column is None else _stripped_names(block, column)
        self.found.update(dict.fromkeys(names))
        return _where(names, self._asked)

    def refuse_unknown(self) -> None:
        """Once all rows are met: refuse a name that none of them has."""
        for name in self._asked if self.found else ():
            if name not in self.found:
                error = UnknownSystem if self._role == "system" else DataError
                raise error(f"no {self._role} is called {name!r}; {nearest(name, self.found)}")


def requested_rows(block: Block, roles: Mapping[str, str], wanted: TableRequest) -> Block:
    """The rows of a block that will be taken, or all of them if none is among them."""
    asked = {
        "system": wanted.systems,
        "dataset": () if wanted.dataset is None else (wanted.dataset,),
        "measure": () if wanted.measure is None else (wanted.measure,),
    }
    left = block
    for role, names in asked.items():
        if names and role in roles:
            left = left.only(_where(_stripped_names(left, roles[role]), names))
    return left if len(left) else block


def _stripped_names(block: Block, column: str) -> list[str]:
    return [as_text(cell).strip() for cell in block.column(column)]


def _where(names: list[str], asked: Collection[str]) -> list[int]:
    return [row for row, name in enumerate(names) if name in asked]


def reading_of(rows: Records, tables: Sequence[Table], of_rows: IntArray, cluster: str | None) -> Reading | None:
    """How rows of tables were read; of a frame, which is no file, there is nothing to say."""
    if not all(table.format for table in tables):
        return None
    scored = np.asarray(~np.isnan(rows.values).any(axis=-1))
    found = counted(tables, of_rows, rows.labels["system"], rows.labels.get("dataset"), scored)
    return Reading(found, cluster=cluster, plain=True)


def counted(
    tables: Sequence[Table], of_rows: IntArray, systems: Labels, datasets: Labels | None, scored: BoolArray
) -> tuple[Source, ...]:
    """A count per table, system and dataset that has a row, by table and by name: the order of rows says nothing."""
    homes = datasets if datasets is not None else Labels(("",), np.broadcast_to(np.int64(0), of_rows.shape))
    # Of one table without datasets, as most are, the systems say it all: millions of rows are not copied.
    lone = len(tables) == 1 and datasets is None
    key = systems.codes if lone else (of_rows * len(systems.names) + systems.codes) * len(homes.names) + homes.codes
    rows = np.bincount(key)
    with_score = rows if scored.all() else np.bincount(key[scored], minlength=len(rows))
    found: list[tuple[int, Source]] = []
    for cell in np.flatnonzero(rows).tolist():
        total, good = int(rows[cell]), int(with_score[cell])
        rest, home = divmod(cell, len(homes.names))
        table, system = divmod(rest, len(systems.names))
        file, format_ = tables[table].name, tables[table].format
        dataset = homes.names[home] or None
        one = Source(file, format_, systems.names[system], dataset, total, good, total - good, errors=0)
        found.append((table, one))
    found.sort(key=lambda placed: (placed[0], placed[1].system, placed[1].dataset or ""))
    return tuple(one for _, one in found)


# Which measure is taken where rows of several stand below each other.


class MeasureChoice:
    """The measure that was asked for, or else the first one met; rows of others are counted and left out."""

    def __init__(self, asked: str | None) -> None:
        self._asked = asked
        self.taken = asked
        self._found: Counter[str] = Counter()

    def rows_of(self, block: Block, column: str | None) -> Block:
        """The rows of a block that are of this measure: all of them where no column names any."""
        if column is None or not len(block):
            return block
        names = [as_text(cell).strip() for cell in block.column(column)]
        self._found.update(names)
        if self.taken is None:
            self.taken = names[0]
        kept = [row for row, name in enumerate(names) if name == self.taken]
        return block if len(kept) == len(block) else block.only(kept)

    def refuse_open_choice(self, source: str) -> None:
        """Once all rows are counted: refuse to choose between measures, and a measure that is not there."""
        found = self._found
        if self._asked is None and len(found) > 1:
            counts = first_of([f"{name!r} ({count} rows)" for name, count in found.most_common()], 8)
            raise ReadError(f"{source}: several measures: {counts}. Pick one with {option('measure')}")
        if self._asked is not None and found and self._asked not in found:
            raise ReadError(f"{source}: no measure is called {self._asked!r}; {nearest(self._asked, found)}")


# The row `all` that trec_eval and ir_measures print below the items is their mean, and no item.

SUMMARY = "all"


def without_summaries(rows: Records) -> Records:
    """Leave out the rows called `all`, if each stands once beside other items of its system (dataset and run, where there are any).

    Only for tables that name a measure in each row, as those programs do: elsewhere `all` may be an item like any other.
    """
    item = rows.labels["item"]
    if SUMMARY not in item.names:
        return rows
    summary = item.codes == item.names.index(SUMMARY)
    group = _groups(rows)
    size = int(group.max()) + 1
    summaries = np.bincount(group[summary], minlength=size)
    items = np.bincount(group[~summary], minlength=size)
    if (summaries > 1).any() or (items[summaries > 0] == 0).any():
        return rows
    return rows.only(np.flatnonzero(~summary))


def _groups(rows: Records) -> IntArray:
    """For each row the number of its system, dataset and run together."""
    codes = [rows.labels[role].codes for role in ("system", "dataset", "run") if role in rows.labels]
    _, group = np.unique(np.stack(codes, axis=1), axis=0, return_inverse=True)
    return np.asarray(group, dtype=np.int64).ravel()
