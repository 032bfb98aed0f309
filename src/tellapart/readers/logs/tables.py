"""A plain table beside logs: its rows as those of a log."""

from collections import Counter

import numpy as np

from tellapart.readers.columns import Wanted
from tellapart.readers.facts import Facts
from tellapart.readers.format import Format
from tellapart.readers.logs.asked import Asked
from tellapart.readers.logs.found import Found
from tellapart.readers.logs.marks import ABSENT, SCORED
from tellapart.readers.origin import Origin
from tellapart.readers.rows import Rows


def of_table(origin: Origin, format_: Format, asked: Asked, *, alone: bool) -> Found:
    """What a table holds of the measure that is asked for."""
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
