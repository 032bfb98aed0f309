"""How often each unit is met when as many as there are are drawn with replacement."""

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.seeds import Generator

EQUAL_UNITS = 8
"""So many times fewer distinct units than units make drawing how often each is met cheaper than drawing units.

A multinomial draw takes one binomial per distinct unit, which costs as much as drawing some five to fifteen units.
"""


COUNTED_ALONE = 500
"""Units from which on counting one resample costs more than calling for it."""


def many_alike(distinct: int, units: int) -> bool:
    return distinct <= units // EQUAL_UNITS


def distinct_rows(rows: FloatArray) -> tuple[IntArray, IntArray]:
    """Where each distinct row is first met, and how many there are of it; found column by column."""
    code = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        values, place = np.unique(column, return_inverse=True)
        # Numbered anew after each column: products of two numbers of rows do not overflow, those of all columns would.
        code = np.unique(code * len(values) + place, return_inverse=True)[1]
    _, first, counts = np.unique(code, return_index=True, return_counts=True)
    return first, counts


def drawn_counts(units: int, size: int, rng: Generator, held: FloatArray | None = None) -> FloatArray:
    """How often each unit was drawn in `size` resamples, `(resample, unit)`; written over what is `held`, if that is long enough."""
    drawn = rng.integers(0, units, size=(size, units))
    if units >= COUNTED_ALONE:
        # Counters of one resample stay in the nearest cache, and memory that was used before is there at once.
        counts = np.empty((size, units)) if held is None or len(held) < size else held[:size]
        for row, one in zip(counts, drawn, strict=True):
            row[:] = np.bincount(one, minlength=units)
        return counts
    # Resamples are told apart by multiples of the number of units, so that one count serves all.
    drawn += units * np.arange(size)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)
