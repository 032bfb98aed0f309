"""Sorted, distinct names stored in one array of bytes, for a quarter of the memory of Python strings."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import overload

import numpy as np
import numpy.typing as npt

from tellapart.foundation.arrays import BoolArray, IntArray

EncodedArray = npt.NDArray[np.bytes_]

WORD = 8
"""Bytes that are compared at once: names are filled up to a multiple of it."""

DECODED = 4096
"""Names that are text at once while all are looked at."""


class EncodedNames(Sequence[str]):
    """Distinct names in their order, as text when they are asked for.

    >>> names, codes = unique_names(encode_names(["q2", "q1", "q2"]))
    >>> list(names), codes.tolist()
    (['q1', 'q2'], [1, 0, 1])
    """

    def __init__(self, array: EncodedArray) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> "EncodedNames": ...
    def __getitem__(self, place: int | slice) -> "str | EncodedNames":
        if isinstance(place, slice):
            return EncodedNames(self.array[place])
        return bytes(self.array[place]).decode()

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(
            map(bytes.decode, self.array[start : start + DECODED].tolist()) for start in range(0, len(self), DECODED)
        )

    def only(self, which: BoolArray | IntArray) -> "EncodedNames":
        """Some of the names; all of them are no copy."""
        return self if which.dtype == np.bool_ and which.all() else EncodedNames(self.array[which])


def encode_names(names: Sequence[str]) -> EncodedArray | None:
    """The names as bytes of one width; None if one of them cannot be told from its bytes, or is too long beside the others."""
    text = "".join(names)
    if "\0" in text:
        return None
    try:
        array = np.array(names if text.isascii() else [name.encode() for name in names], dtype=np.bytes_)
    except UnicodeEncodeError:
        return None
    width = WORD * -(-array.dtype.itemsize // WORD)
    # Filled up to the longest, hardly more than they have.
    return array.astype(f"S{width}") if width <= WORD * 4 + 4 * len(text) // len(names) else None


def unique_names(array: EncodedArray) -> tuple[EncodedNames, IntArray]:
    """The distinct names in the order of their characters, and for each name its place among them.

    The order of UTF-8 is that of the characters.
    """
    words = array.view(">u8").reshape(len(array), -1)
    if bool(_above(words).all()):
        return EncodedNames(array), np.arange(len(array))
    order = _word_order(words)
    ordered = array[order]
    first = np.append(True, _above(ordered.view(">u8").reshape(len(array), -1)))
    codes = np.empty(len(array), dtype=np.int64)
    codes[order] = np.cumsum(first) - 1
    del order
    return EncodedNames(ordered[first]), codes


def _word_order(words: npt.NDArray[np.uint64]) -> IntArray:
    # One word after the other, the first last: a copy of one of them at a time.
    if words.shape[1] == 1:
        return np.argsort(words[:, 0].astype(np.uint64), kind="stable").astype(np.int64, copy=False)
    order = np.argsort(words[:, -1].astype(np.uint64), kind="stable").astype(np.int64, copy=False)
    for word in range(words.shape[1] - 2, -1, -1):
        order = order[np.argsort(words[order, word].astype(np.uint64), kind="stable")]
    return order


def _above(words: npt.NDArray[np.uint64]) -> BoolArray:
    """Whether each name but the first is behind the one before it."""
    above = np.zeros(max(len(words) - 1, 0), dtype=np.bool_)
    same = np.ones_like(above)
    for word in range(words.shape[1]):
        column = words[:, word].astype(np.uint64)
        above |= same & (column[1:] > column[:-1])
        same &= column[1:] == column[:-1]
    return above
