"""What each table gave: rows per file, system and dataset, and how many of them have no score."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tellapart.data.provenance import Reading, Source
from tellapart.data.rows import Labels, Records
from tellapart.foundation.arrays import BoolArray, IntArray
from tellapart.foundation.errors import ReadError, nearest
from tellapart.foundation.formatting import first_of
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.labels import as_text
from tellapart.readers.tables.layout import Layout
from tellapart.readers.tables.table import Block, Table


def reading_of(
    rows: Records, tables: Sequence[Table], of_rows: IntArray, cluster: str | None
) -> Reading | None:
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
    key = (
        systems.codes
        if lone
        else (of_rows * len(systems.names) + systems.codes) * len(homes.names) + homes.codes
    )
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

    def rows_of(self, layout: Layout, block: Block) -> Block:
        """The rows of a block that are of this measure: all of them where no column names any."""
        if "measure" not in layout.roles or not len(block):
            return block
        names = [as_text(cell).strip() for cell in block.column(layout.roles["measure"])]
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
