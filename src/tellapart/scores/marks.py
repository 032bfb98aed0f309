"""Scores that are all right or wrong, one byte each: a board of a thousand systems and a million items is then one gigabyte, not eight."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from tellapart.arrays import FloatArray

ByteArray = npt.NDArray[np.uint8]

FROM = 1 << 24
"""Scores from which on a byte is kept for each; fewer fit as doubles, which is what everybody asks for."""

_ONE = np.float64(1.0).view(np.uint64)


class LikeDoubles(np.lib.mixins.NDArrayOperatorsMixin):
    """What is held otherwise, and is doubles to whoever computes with it: right for all, and frugal with those who ask for parts."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.asarray(self.doubles(), dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        doubles = (one.doubles() if isinstance(one, LikeDoubles) else one for one in inputs)
        return getattr(ufunc, method)(*doubles, **options)

    def doubles(self) -> FloatArray:
        """All of it."""
        raise NotImplementedError


class Marks(LikeDoubles):
    """Zeros and ones, `(system, item)`; whatever part of them is asked for comes as doubles `(system, item, run, part)`."""

    def __init__(self, held: ByteArray) -> None:
        self.held = held

    @property
    def shape(self) -> tuple[int, ...]:
        return (*self.held.shape, 1, 1)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(self.held.size)

    def __len__(self) -> int:
        return len(self.held)

    def __getitem__(self, key: Any) -> FloatArray:
        part = self.held[..., np.newaxis, np.newaxis][key]
        return np.asarray(part, dtype=np.float64)

    def doubles(self) -> FloatArray:
        return self[()]


def marks_of(values: object) -> ByteArray | None:
    """The bytes that are kept for scores, `(system, item)`, where these are bytes."""
    return values.held if isinstance(values, Marks) else None


def scores_of_marks(held: ByteArray) -> FloatArray:
    """Zeros and ones `(system, item)` as the values of a table: many of them stay bytes."""
    marks = Marks(held)
    # It answers whatever a table is asked for as an array of doubles would.
    return cast("FloatArray", marks) if held.size >= FROM else marks[()]


def marks_in(values: FloatArray) -> ByteArray | None:
    """Scores that are all 0 or 1 as bytes, else None; a zero with a sign is no plain one."""
    bits = values.view(np.uint64)
    return values.astype(np.uint8) if bool(((bits == 0) | (bits == _ONE)).all()) else None
