"""What each table gave: rows per file, system and dataset, and how many of them have no score."""

from collections.abc import Sequence

import numpy as np

from tellapart.arrays import BoolArray, IntArray
from tellapart.readers.table import Table
from tellapart.records import Labels, Records
from tellapart.sources import Reading, Source


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
