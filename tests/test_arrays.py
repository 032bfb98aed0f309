"""Float noise makes and breaks no ties, and arrays have one layout."""

import numpy as np
import pytest

from tellapart.foundation.arrays import EXACT, FINEST, LARGEST, SMALLEST, SNAP_DIGITS, floats, settle, snap


def test_floats_are_plain_doubles() -> None:
    """Whatever comes in, out comes an aligned C-ordered float64 array; one that is so already is not copied."""
    turned = np.arange(6, dtype=np.int32).reshape(2, 3).T
    made = floats(turned)
    assert (made.dtype, made.flags.c_contiguous, made.flags.aligned) == (np.dtype(np.float64), True, True)
    assert np.array_equal(made, turned)
    assert floats(made) is made


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 7.0, 100.0, 1e15, 1e30])
def test_noise_is_snapped_away(scale: float) -> None:
    """Numbers that differ by an ulp or two of the largest score become one number, and stay where they were."""
    noisy = scale * (np.array([0.3 - 0.1, 0.2, 0.1 + 0.1]))
    snapped = snap(noisy, scale)
    assert len(set(snapped.tolist())) == 1
    assert snapped == pytest.approx(noisy, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 7.0, 100.0, 1e15, 1e30])
def test_differences_beyond_noise_are_kept(scale: float) -> None:
    """Scores that differ in the thirteenth digit of the largest are different scores."""
    near = scale * np.array([0.5, 0.5 + 10.0 ** (2 - SNAP_DIGITS)])
    snapped = snap(near, scale)
    assert snapped[0] < snapped[1]


def test_decimals_stay_on_their_grid() -> None:
    """A score as a file writes it is not moved at all."""
    written = np.array([0.1, 0.7142, 12.345, 99.9, -3.3])
    assert np.array_equal(snap(written, 99.9), written)
    assert np.array_equal(snap(np.array([123456789.0, -2e8]), 2e8), [123456789.0, -2e8])
    assert snap(np.array([0.1234567890123]), 7.0)[0] == 0.1234567890123


@pytest.mark.parametrize("scale", [0.0, -1.0, float("inf"), float("nan"), 1e-300, 5e-324])
def test_nothing_to_snap_to(scale: float) -> None:
    """Without a usable scale, or with one whose grid is finer than doubles are, the numbers are returned as they are."""
    values = np.array([0.1 + 0.2, 0.3])
    assert snap(values, scale) is values


def test_snapping_in_the_large() -> None:
    """Beyond fourteen digits before the point the grid is coarser than one."""
    assert snap(np.array([123456789012345678.0]), 1e17)[0] == pytest.approx(123456789012350000.0, rel=1e-15, abs=0.0)


def test_equal_rows_settle() -> None:
    """A row that is one number up to noise becomes that number; other rows keep every bit."""
    constant = np.array([0.3, 0.1 + 0.2, 0.3])
    varied = np.array([0.3, 0.1 + 0.2, 0.30001])
    settled = settle(np.stack([constant, varied]), 1.0)
    assert np.ptp(settled[0]) == 0.0
    assert settled[0, 0] == 0.3
    assert np.array_equal(settled[1], varied)


def test_spread_beyond_noise_is_left() -> None:
    """Rows that vary by more than noise are returned untouched, and so is a row astride two grid points."""
    varied = np.array([1.0, 1.0 + 3e-13])
    assert settle(varied, 1.0) is varied
    astride = np.array([0.4999e-13, 0.5001e-13])
    assert np.array_equal(settle(astride, 1.0), astride)


def test_every_row_settles_alone() -> None:
    """Rows that lie apart are each judged by their own spread, whatever the other rows hold."""
    rows = np.array([[0.3, 0.1 + 0.2, 0.3], [5.0, 5.0, 5.0], [-1.0, 0.1 + 0.2, 7.0]])
    settled = settle(rows, 1.0)
    assert np.ptp(settled[:2], axis=-1).tolist() == [0.0, 0.0]
    assert np.array_equal(settled[2], rows[2])


def test_noise_is_judged_beside_the_largest_score() -> None:
    """The same spread is rounding beside scores of a hundred and a difference beside scores of one."""
    values = np.array([0.0, 2e-12])
    assert np.ptp(settle(values, 100.0)) == 0.0
    assert np.array_equal(settle(values, 1.0), values)


def test_limits_of_doubles() -> None:
    """Whole numbers are kept apart up to EXACT; squares of a million allowed scores neither overflow nor vanish."""
    assert float(EXACT - 1) != float(EXACT) == float(EXACT + 1)
    assert np.isfinite(1e6 * LARGEST**2)
    assert FINEST**2 / 1e6 > 0.0
    assert 0.0 < FINEST < 1.0 < LARGEST
    assert SMALLEST > 0.0 == SMALLEST / 2.0
