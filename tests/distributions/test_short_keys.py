"""Short keys of differences: what they are, which rows they can rank, and what counts as zero."""

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws.signed_ranks import short_keys

STEPS = 2.0**30 - 1.0
"""The largest size in each of these rows, so that one is one step of the keys."""


def row(*sizes: float) -> FloatArray:
    return np.array([[*sizes, STEPS]])


def apart(*sizes: float) -> bool:
    found = short_keys(row(*sizes), STEPS)
    assert found is not None
    return bool(found[0][0])


def test_keys_are_sizes_with_a_sign() -> None:
    """Twice the thirty bits of each size beside the largest, cut off, and one less for negative ones; sorted."""
    values = np.array([[3.5, -2.0, 0.25, 7.0], [-7.0, 1.0, 2.0, -4.0]])
    found = short_keys(values, 7.0)
    assert found is not None
    expected = [sorted(2 * int(abs(x) * (STEPS / 7.0)) - (x < 0.0) for x in one) for one in values.tolist()]
    assert found[1].tolist() == expected
    assert found[2].tolist() == [0, 0]
    assert found[0].tolist() == [True, True]
    assert found[1].max() == 2 * int(STEPS)


@pytest.mark.parametrize(
    ("sizes", "are"),
    [
        ((10.0, 12.0), False),
        ((10.0, 13.0), True),
        ((10.0, -12.0), False),
        ((10.0, -13.0), True),
        ((-10.0, 12.0), True),
        ((-10.0, -12.0), False),
        ((10.0, 10.0), False),
        ((20.0, -10.0, 12.0), True),
    ],
)
def test_sizes_two_steps_apart(sizes: tuple[float, ...], are: bool) -> None:
    """Keys that differ by five are of sizes two steps apart whatever their signs; nearer ones may tie."""
    assert apart(*sizes) is are


@pytest.mark.parametrize(
    ("sizes", "are"),
    [
        ((2.0,), False),
        ((-2.0,), False),
        ((-3.0,), True),
        ((3.0,), True),
        ((0.0, 3.0), True),
        ((0.0, 2.0), False),
        ((-0.0, 0.0, 3.0), True),
        ((0.0, 0.0, 2.0), False),
        ((0.0, 0.0, 0.0, 9.0, 4.0), True),
        ((0.0, 0.0, 9.0, 9.0), False),
        ((0.3, 5.0), False),
        ((0.0, 0.3, 5.0), False),
        ((0.0, 0.3, 0.4, 5.0), False),
    ],
)
def test_zeros_are_apart_from_small_sizes(sizes: tuple[float, ...], are: bool) -> None:
    """Zeros may be many; a size below a step or two is none, and may tie with what a key cannot show."""
    assert apart(*sizes) is are


def test_zeros_are_counted() -> None:
    """Only what is exactly 0, in rows whose first key is 0."""
    rows = np.concatenate([row(0.0, -0.0, 5.0), row(0.3, 0.0, 5.0), row(1.0, 0.2, 9.0), row(4.0, 7.0, 10.0)])
    found = short_keys(rows, STEPS)
    assert found is not None
    assert found[2].tolist() == [2, 1, 0, 0]
    assert found[0].tolist() == [True, False, False, True]


def test_one_size_alone() -> None:
    """Nothing is beside it, and it is as large as any."""
    found = short_keys(np.array([[5.0], [-5.0]]), 5.0)
    assert found is not None
    assert found[0].tolist() == [True, True]


@pytest.mark.parametrize(("largest", "made"), [(4.3e-4, True), (4.2e-4, False), (np.inf, False), (0.0, False)])
def test_keys_are_coarser_than_noise(largest: float, made: bool) -> None:
    """Four times the noise of scores of this scale fits into a step, or none are made; nor are any of what has no end."""
    assert (short_keys(np.array([[largest, largest / 2.0]]), 1.0) is not None) is made
    assert (short_keys(np.array([[largest * 1e9, largest * 1e8]]), 1e9) is not None) is made
