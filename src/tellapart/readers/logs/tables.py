"""A plain table beside logs: its rows as those of a log."""

from collections import Counter
from dataclasses import replace

import numpy as np

from tellapart.errors import OpenScore
from tellapart.readers.columns import Wanted
from tellapart.readers.facts import Facts
from tellapart.readers.format import Format
from tellapart.readers.logs.asked import Asked
from tellapart.readers.logs.found import Found
from tellapart.readers.logs.marks import ABSENT, SCORED
from tellapart.readers.origin import Origin
from tellapart.readers.rows import Rows


def of_table(origin: Origin, format_: Format, asked: Asked, *, alone: bool) -> Found:
    """What a table holds of the measure that is asked for, or of each that it has where all are wanted."""
    try:
        return _of_measure(origin, format_, asked, alone=alone)
    except OpenScore as error:
        if not (asked.survey or asked.whole):
            raise
        return _joined(
            [
                _of_measure(origin, format_, replace(asked, measure=name), alone=alone)
                for name in error.columns
            ]
        )


def _joined(parts: list[Found]) -> Found:
    """The rows of one table by one measure after those by the other."""
    found = parts[0]
    roles = dict.fromkeys(role for one in parts for role in one.texts)
    texts = {role: [cell for one in parts for cell in one.column(role)] for role in roles}
    ends = np.cumsum([len(one) for one in parts])

    def where(row: int) -> str:
        part = int(np.searchsorted(ends, row, side="right"))
        return parts[part].place(row - (int(ends[part - 1]) if part else 0))

    return replace(
        found,
        texts=texts,
        lines=list(range(1, int(ends[-1]) + 1)),
        values=np.concatenate([one.values for one in parts]),
        marks=np.concatenate([one.marks for one in parts]),
        measures={name: counts for one in parts for name, counts in one.measures.items()},
        where=where,
    )


def _of_measure(origin: Origin, format_: Format, asked: Asked, *, alone: bool) -> Found:
    rows = Rows(Wanted(asked.measure, ("score",), asked.columns))
    rows.take(format_.table(origin), alone=alone)
    records = rows.records()
    found = Found(origin, format_, Facts(), origin.label, named=True)
    for role, labels in records.labels.items():
        found.texts[role] = [labels.names[code] for code in labels.codes.tolist()]
    found.texts["measure"] = [rows.measure] * len(records)
    found.lines, found.where = list(range(1, len(records) + 1)), records.where
    found.values = records.values[:, 0]
    found.marks = np.where(np.isnan(found.values), ABSENT, SCORED).astype(np.int8)
    found.measures = {rows.measure: Counter(found.marks.tolist())}
    return found
