"""Costs are fixed numbers: they decide which way is taken, and so the last bits of an answer."""

import numpy as np
import pytest

from tellapart.numerics.sign_flip_law import choice_of_method as methods
from tellapart.numerics.sign_flip_law.choice_of_method import counting_time, enumeration_time, grouping_time
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums
from tellapart.numerics.sign_flip_law.whole_numbers import fourier_time


def asked(sizes: list[float], threshold: float, *, whole: bool) -> SubsetSums:
    """One row of these sizes."""
    return SubsetSums(np.array([sizes]), np.array([threshold]), np.zeros(1), np.array([whole]), np.zeros(1))


WHOLE, REAL = asked([1.0, 2.0, 2.0, 7.0], 5.0, whole=True), asked([0.1, 0.25, 0.25, 0.9], 0.5, whole=False)


def test_convolution_grows_with_sizes_and_threshold() -> None:
    """Four additions of six numbers: 3 µs each and 0.6 ns per number; for reals, or ten million numbers, never."""
    assert methods._convolution_time(WHOLE).tolist() == [pytest.approx(4 * (3e3 + 0.6 * 5.0))]
    assert methods._convolution_time(REAL).tolist() == [np.inf]
    far = [asked([1.0, 2.0], threshold, whole=True) for threshold in (1e7 - 1.0, 1e7)]
    assert [np.isfinite(methods._convolution_time(x)[0]) for x in far] == [True, False]


def test_grouping_grows_with_the_sums_of_a_half() -> None:
    """Sizes 1, 2 twice and 7 have √(2·3·2) sums per half: 50 ns each in a table, 150 ns in a search."""
    half = np.sqrt(12.0)
    assert grouping_time(WHOLE).tolist() == [pytest.approx(8e4 + 50.0 * half)]
    assert grouping_time(REAL).tolist() == [pytest.approx(8e4 + 150.0 * half)]


def test_counting_takes_the_faster_way() -> None:
    """Few small whole numbers are convolved; reals can only be grouped."""
    assert counting_time(WHOLE).tolist() == methods._convolution_time(WHOLE).tolist()
    assert counting_time(REAL).tolist() == grouping_time(REAL).tolist()


def test_enumeration_doubles_every_two_sizes() -> None:
    """50 ns for each of the 2^(k/2) sums of a half, up to forty sizes."""
    assert enumeration_time(REAL).tolist() == [pytest.approx(50.0 * 4.0)]
    forty, more = (asked([0.1 * i for i in range(1, k + 1)], 9.0, whole=False) for k in (40, 41))
    assert enumeration_time(forty).tolist() == [pytest.approx(50.0 * 2.0**20)]
    assert enumeration_time(more).tolist() == [np.inf]


def test_a_fourier_sum_grows_with_rows_and_its_period() -> None:
    """Half the distance of the sums, in nodes: 40 ns per row and node and 0.2 more per level, and the table of cosines."""
    sizes = np.array([1.0, 2.0, 2.0, 7.0])
    period = abs(12.0 - 2.0 * 5.0) + min(12.0, 8.6 * np.sqrt(np.sum(sizes**2))) + 4.0
    nodes = 0.25 * period
    assert fourier_time(WHOLE) == pytest.approx(1e5 + nodes * (40.0 + 0.2 * 7.0) + 20.0 * 7.0 * nodes)
    tables = [asked([1.0, size], size, whole=True) for size in (2.0**12, 2.0**14)]
    assert [np.isfinite(fourier_time(x)) for x in tables] == [True, False]


def test_patience() -> None:
    """A second for all rows of a batch, and 30 ms for one that inversion would answer as well."""
    assert (methods.PATIENCE, methods.ROW_PATIENCE) == (1e9, 3e7)
