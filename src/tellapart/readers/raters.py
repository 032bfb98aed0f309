"""Several raters of one item are not averaged in silence."""

import numpy as np

from tellapart.errors import ReadError
from tellapart.records import Records


def refuse_several_raters(rows: Records) -> None:
    """Refuse rows in which two raters scored the same system on the same item: as plain scores they cannot be compared."""
    if "rater" not in rows.labels:
        return
    rater = rows.labels["rater"].codes
    cell = [rows.labels[role].codes for role in ("item", "dataset", "group", "system") if role in rows.labels]
    # Sorted, all ratings of one system on one item are neighbours, and two raters among them differ somewhere.
    order = np.lexsort((rater, *cell))
    same = np.all([np.diff(codes[order]) == 0 for codes in cell], axis=0)
    clashes = np.flatnonzero(same & (np.diff(rater[order]) != 0))
    if len(clashes):
        first, second = sorted(order[clashes[0] : clashes[0] + 2].tolist())
        raise ReadError(_clash(rows, first, second))


def _clash(rows: Records, first: int, second: int) -> str:
    return (
        f"{rows.where(second)}: system {rows.label('system', second)!r} has ratings of item {rows.show_item(second)!r} by "
        f"{rows.label('rater', second)!r} and by {rows.label('rater', first)!r} ({rows.where(first)}). Ratings by several raters "
        "cannot be compared as plain scores: their average hides how raters differ, and finds differences that are none. "
        "Keep the rows of one rater per item, for example all rows of one rater, in a file of their own"
    )
