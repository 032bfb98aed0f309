"""What a block comes to is in the file as JSON and raw arrays, and comes back to the bit."""

import math
from typing import Any

import numpy as np
import pytest

from tellapart.compute.store.rows import StoredBlock, packed, unpacked


@pytest.mark.parametrize("value", [1, 0.1, 1e-320, -0.0, "text \u2603", None, (1, (2.5, None), "a"), ()])
def test_plain_values(value: Any) -> None:
    content = packed(value)
    assert isinstance(content, str)
    assert repr(unpacked(content)) == repr(value)


def test_what_is_no_number_stays_what_it_is() -> None:
    found = unpacked(packed((math.nan, math.inf, -math.inf)))
    assert math.isnan(found[0])
    assert found[1:] == (math.inf, -math.inf)


@pytest.mark.parametrize(
    "array",
    [
        np.array([[0.1, np.nan], [-0.0, np.inf]]),
        np.arange(600).reshape(2, 3, 100),
        np.array([-3, 5], dtype=np.int64),
        np.array([2**63 + 1], dtype=np.uint64),
        np.arange(5.0)[::2],
        np.array([1.5, 2.5], dtype=">f8"),
        np.zeros((0, 4)),
        np.array([True, False]),
        np.arange(3, dtype=np.int16),
    ],
)
def test_arrays(array: Any) -> None:
    """Each with its bits, shape and kind; they are aligned and their own."""
    first, found, last = unpacked(packed((7, array, "behind")))
    assert (first, last) == (7, "behind")
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert found.tobytes() == np.ascontiguousarray(array).tobytes()
    assert found.flags.aligned
    assert found.flags.writeable


def test_the_file_is_the_same_from_every_machine() -> None:
    """Raw numbers are little-endian, whatever order they were computed in."""
    content = packed(np.array([1.5, 2.5], dtype=">f8"))
    assert isinstance(content, bytes)
    assert content.endswith(np.array([1.5, 2.5], dtype="<f8").tobytes())


def test_several_arrays() -> None:
    counts, maxima = np.array([0, 255]), np.array([0.5, 2.0, 3.0])
    found = unpacked(packed((counts, (maxima,), counts)))
    assert [one.tolist() for one in (found[0], found[1][0], found[2])] == [
        [0, 255],
        [0.5, 2.0, 3.0],
        [0, 255],
    ]


def test_counts_take_as_few_bytes_as_hold_them() -> None:
    """A large board has half a million pairs, and forty blocks of them."""
    for largest, each in ((255, 1), (256, 2), (70_000, 4)):
        counts = np.full(10_000, largest)
        assert each * 10_000 <= len(packed(counts)) < each * 10_000 + 200


def test_a_changed_byte_of_an_array_is_found() -> None:
    block = StoredBlock.of("study", (0, 2), np.array([1.0, 2.0]))
    assert block.sound("study")
    assert not block.sound("another")
    assert isinstance(block.value, bytes)
    for place in range(len(block.value)):
        turned = bytearray(block.value)
        turned[place] ^= 1
        assert not block._replace(value=bytes(turned)).sound("study")
