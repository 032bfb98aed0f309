"""Votes that were decided, and what each file gave of every system: votes it took part in, and those that nobody won."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tellapart.arrays import BoolArray, IntArray
from tellapart.errors import ReadError
from tellapart.readers.table import Table
from tellapart.records import Records
from tellapart.sources import Reading, Source

_LOST = {"missing": "missing", "error": "errors"}
"""How a vote says that nobody judged, or that judging failed, unless a system is called so."""


def decided(rows: Records, tables: Sequence[Table], of_rows: IntArray) -> Records:
    """The votes that say who won or that neither did, with how many of each file did not."""
    systems = {*rows.labels["a"].names, *rows.labels["b"].names}
    winner = rows.labels["winner"]
    lost = [
        _LOST.get(name.casefold(), "scored") if name not in systems else "scored" for name in winner.names
    ]
    became = np.array(lost, dtype=object)[winner.codes]
    kept = np.asarray(became == "scored", dtype=np.bool_)
    if not kept.any():
        raise ReadError(f"{rows.where(0)}: no vote says who won; wanted a system or 'tie' in some of them")
    return replace(_only(rows, kept), reading=_reading(rows, tables, of_rows, became.tolist()))


def _only(rows: Records, kept: BoolArray) -> Records:
    return rows if kept.all() else rows.only(np.flatnonzero(kept))


def _reading(rows: Records, tables: Sequence[Table], of_rows: IntArray, became: list[str]) -> Reading | None:
    """Each vote is a row of both its systems."""
    if not all(table.format for table in tables):
        return None
    counts: dict[tuple[int, str, str], Counter[str]] = {}
    homes = rows.labels.get("dataset")
    for row, (table, what) in enumerate(zip(of_rows.tolist(), became, strict=True)):
        home = "" if homes is None else homes.names[homes.codes[row]]
        for role in "ab":
            counts.setdefault((table, str(rows.label(role, row)), home), Counter())[what] += 1
    found = (
        Source(
            tables[table].name, tables[table].format, system, home or None, sum(by.values()),
            by["scored"], by["missing"], by["errors"],
        )
        for (table, system, home), by in sorted(counts.items(), key=lambda item: item[0])
    )  # fmt: skip
    return Reading(tuple(found), plain=True)
