"""How often units are met, one resample after the other or all at once, and in memory that was used before."""

import numpy as np
import pytest

from tellapart.foundation.seeds import stream
from tellapart.numerics.resampling.draws import drawn_counts, many_alike


@pytest.mark.parametrize("units", [3, 499, 500, 700])
@pytest.mark.parametrize("length", [None, 4, 5, 6])
def test_counts_are_those_of_units_drawn_one_by_one(units: int, length: int | None) -> None:
    """Whether there are few or many, and whatever memory is handed in: it is used where it is long enough."""
    held = None if length is None else np.full((length, units), np.nan)
    found = drawn_counts(units, 5, stream(2), held)
    each = stream(2).integers(0, units, size=(5, units))
    np.testing.assert_array_equal(found, [np.bincount(one, minlength=units) for one in each])
    used = held is not None and np.shares_memory(found, held)
    assert used == (units >= 500 and length in (5, 6))


@pytest.mark.parametrize(
    ("distinct", "units", "alike"),
    [(1, 8, True), (1, 7, False), (12, 100, True), (13, 100, False), (2, 15, False)],
)
def test_an_eighth_of_the_units_are_many_alike(distinct: int, units: int, alike: bool) -> None:
    assert many_alike(distinct, units) is alike
