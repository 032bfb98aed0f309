"""Order statistics of Walsh averages, against all of them written out."""

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws import walsh_averages
from tellapart.numerics.null_laws.walsh_averages import averages, order_statistics


def written_out(row: FloatArray) -> FloatArray:
    first, second = np.triu_indices(len(row))
    return np.sort(0.5 * (row[first] + row[second]))


@pytest.mark.parametrize("limit", [1, 1_500])
@pytest.mark.parametrize("held", [50, 1 << 23])
def test_both_ways_find_the_rank(limit: int, held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written out or selected, whole batch or row by row, the averages of two ranks are those of the sorted list."""
    monkeypatch.setattr(walsh_averages, "MOST_ITEMS_WRITTEN_OUT", limit)
    monkeypatch.setattr(walsh_averages, "HELD", held)
    values = np.random.default_rng(1).normal(size=(2, 3, 21)).round(1)
    low, high = order_statistics(values, (4, 200))
    assert low.shape == high.shape == (2, 3)
    for place in np.ndindex(2, 3):
        every = written_out(values[place])
        assert len(every) == averages(21) == 231
        assert float(low[place]) == pytest.approx(float(every[3]), rel=1e-14, abs=0.0)
        assert float(high[place]) == pytest.approx(float(every[199]), rel=1e-14, abs=0.0)


def test_the_ends_are_the_extreme_differences() -> None:
    """The smallest and the largest average are those of an item with itself."""
    low, high = order_statistics(np.array([3.0, -1.0, 7.0]), (1, averages(3)))
    assert (float(low), float(high)) == (-1.0, 7.0)
