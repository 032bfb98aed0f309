"""The row `all` that trec_eval and ir_measures print below the items is their mean, and no item."""

import numpy as np

from tellapart.arrays import IntArray
from tellapart.records import Records

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
