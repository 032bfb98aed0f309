"""Detection and removal of summary rows, such as means and totals, which are not items."""

import re
from collections.abc import Sequence

import numpy as np

from tellapart.data.encoded_names import EncodedNames
from tellapart.data.rows import Labels, Records
from tellapart.foundation.arrays import FloatArray, IntArray

_TOTAL = re.compile(
    r"(grand |macro |micro |weighted )?(totals?|sum|average|avg\.?|mean|overall|aggregate|all)( score| accuracy)?:?"
)


def totals_among(items: Labels) -> list[int]:
    """The items that are called like a summary; where names are too many to look at, there are none."""
    if isinstance(items.names, EncodedNames):
        return []
    return [code for code, name in enumerate(items.names) if _TOTAL.fullmatch(name.strip().casefold())]


def without_totals(rows: Records) -> tuple[Records, Sequence[str]]:
    """The rows without summaries, and what these are called: what each system has there is the mean or the sum of its other rows."""
    codes = totals_among(rows.labels["item"])
    totals = np.isin(rows.labels["item"].codes, codes)
    if not codes or totals.all() or rows.values.shape[1] != 1:
        return rows, ()
    values, groups = rows.values[:, 0], _groups(rows)
    # A summary stands once: what is there twice is an item that was scored twice.
    stands = np.stack([groups, rows.labels["item"].codes], axis=1)[totals]
    if len(np.unique(stands, axis=0)) < len(stands):
        return rows, ()
    if not all(_sums_up(values[row], values[(groups == groups[row]) & ~totals]) for row in np.flatnonzero(totals)):
        return rows, ()
    return rows.only(np.flatnonzero(~totals)), [rows.labels["item"].names[code] for code in codes]


def _groups(rows: Records) -> IntArray:
    roles = [role for role in ("system", "dataset", "run", "group", "rater") if role in rows.labels]
    codes = np.stack([rows.labels[role].codes for role in roles], axis=1)
    found: IntArray = np.unique(codes, axis=0, return_inverse=True)[1].ravel()
    return found


def _sums_up(total: float, others: FloatArray) -> bool:
    known = others[~np.isnan(others)]
    if not len(known):
        return False
    decimals = len(f"{total:.10f}".rstrip("0").partition(".")[2])
    sums = known.mean(), known.sum(), 100.0 * known.mean()
    # A blank there says nothing; a rounded number may be half a digit off.
    return bool(np.isnan(total)) or any(abs(total - one) <= 0.5 * 10.0**-decimals + 1e-9 * abs(one) for one in sums)
