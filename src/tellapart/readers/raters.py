"""Several raters of one item are not averaged in silence."""

import numpy as np

from tellapart.errors import ReadError
from tellapart.records import Labels, Records, show_item


def refuse_several_raters(rows: Records, rater: Labels, column: str) -> None:
    """Refuse rows in which two raters scored the same system on the same item, saying how to go on."""
    home = rows.dataset.codes if rows.dataset is not None else np.zeros_like(rows.item.codes)
    order = np.lexsort((rater.codes, rows.item.codes, home, rows.system.codes))
    same = np.ones(len(order) - 1, dtype=np.bool_)
    for codes in (rows.system.codes, home, rows.item.codes):
        same &= np.diff(codes[order]) == 0
    clashes = np.flatnonzero(same & (np.diff(rater.codes[order]) != 0))
    if len(clashes):
        first, second = sorted(order[clashes[0] : clashes[0] + 2].tolist())
        raise ReadError(_clash(rows, rater, first, second, column))


def _clash(rows: Records, rater: Labels, first: int, second: int, column: str) -> str:
    home = rows.dataset.names[rows.dataset.codes[second]] if rows.dataset is not None else ""
    item = show_item((home, rows.item.names[rows.item.codes[second]]))
    names = [rater.names[rater.codes[row]] for row in (first, second)]
    return (
        f"{rows.where(second)}: system {rows.system.names[rows.system.codes[second]]!r} has ratings of item {item!r} by "
        f"{names[1]!r} and by {names[0]!r} ({rows.where(first)}); averaging raters would hide how they differ. Keep the "
        f"rows of one rater, or pass --column run={column} to take raters as interchangeable repeats"
    )
