"""A column that grows while rows stream by, in one piece of memory."""

from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

Kind = TypeVar("Kind", bound=np.generic)

LEAST = 1024
"""Numbers that room is made for at first, so that small files grow it once."""


class Growing(Generic[Kind]):
    """Rows of one shape, added some at a time.

    Pieces that are joined at the end are in memory twice then. One array that is made larger is not: large ones are moved by the
    system without a copy.
    """

    def __init__(self, dtype: npt.DTypeLike, row: tuple[int, ...] = ()) -> None:
        self._held: npt.NDArray[Any] = np.empty((0, *row), dtype=dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, rows: npt.NDArray[Kind]) -> None:
        needed = self._count + len(rows)
        if needed > len(self._held):
            # By an eighth: what is not filled yet counts as memory too.
            self._resize(max(LEAST, needed, len(self._held) * 9 // 8))
        self._held[self._count : needed] = rows
        self._count = needed

    def widen(self, dtype: npt.DTypeLike) -> None:
        """Rows of a wider kind from now on."""
        self._held = self._held[: self._count].astype(dtype)

    @property
    def dtype(self) -> "np.dtype[Any]":
        return self._held.dtype

    def taken(self) -> npt.NDArray[Kind]:
        """All rows; nothing is added after that."""
        self._resize(self._count)
        return self._held

    def _resize(self, rows: int) -> None:
        if rows != len(self._held):  # once it is taken, others may look at it
            self._held.resize((rows, *self._held.shape[1:]), refcheck=False)
