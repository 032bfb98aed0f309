"""Right-or-wrong scores of a large board, stored in one byte each, with exact sums over items."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tellapart.boards.canonical_order import order_of_binary
from tellapart.data.score_storage import ByteArray, LikeDoubles
from tellapart.foundation.arrays import FloatArray, IntArray

BLOCK = 1 << 22
"""Bytes converted to numbers at once."""

PackedBits = npt.NDArray[np.uint8]


class BinaryScores(LikeDoubles):
    """Bytes of a score table in the order of a board's systems and items; rows are read as doubles, `(unit,)` each."""

    def __init__(self, held: ByteArray, rows: IntArray, places: IntArray) -> None:
        self.held, self.rows, self.places = held, rows, places

    @classmethod
    def of(cls, held: ByteArray, rows: IntArray) -> "BinaryScores":
        """With items in canonical order."""
        return cls(held, rows, order_of_binary(held, rows))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.places)

    @property
    def size(self) -> int:
        return len(self.rows) * len(self.places)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: Any) -> FloatArray:
        if isinstance(key, tuple):
            return np.asarray(self[key[0]][key[1:]])
        return np.asarray(np.take(self.held[self.rows[key]], self.places, axis=-1), dtype=np.float64)

    def __iter__(self) -> Iterator[FloatArray]:
        return (self[row] for row in range(len(self)))

    def doubles(self) -> FloatArray:
        return self[np.arange(len(self))]

    def informative(self) -> "BinaryScores":
        """Only the items on which systems differ."""
        right = self.right_of_items[self.places]
        apart = (right > 0) & (right < len(self))
        if apart.all():
            return self
        made = BinaryScores(self.held, self.rows, self.places[apart])
        # Items that all systems got right are in every count of `together`.
        given = float(np.count_nonzero(right == len(self)))
        made.__dict__["together"] = self.together - given
        return made

    @cached_property
    def right_of_items(self) -> IntArray:
        """The number of systems right on each item, in the order of the table."""
        total = np.zeros(self.held.shape[1], dtype=np.int64)
        for row in self.rows:
            total += self.held[row]
        return total

    @cached_property
    def together(self) -> FloatArray:
        """Items that both systems got right, `(system, system)`."""
        found = np.zeros((len(self), len(self)))
        for block in self._marks_by_block():
            found += block @ block.T
        return found

    @property
    def right(self) -> FloatArray:
        """Items that each system got right."""
        return np.diagonal(self.together)

    @property
    def about_means(self) -> FloatArray:
        """Sums of products of two systems' deviations from their means, `(system, system)`."""
        items = float(len(self.places))
        return np.asarray((items * self.together - np.outer(self.right, self.right)) / items)

    def coin_sums(self, coins: PackedBits) -> FloatArray:
        """Items that each system got right among those with bit 1, `(system, flip)`."""
        found, start = np.zeros((len(self), len(coins))), 0
        for block in self._marks_by_block() if len(coins) else ():
            stop = start + block.shape[1]
            bits = np.unpackbits(coins[:, start // 8 : -(-stop // 8)], axis=1, count=stop - start)
            found += block @ bits.T.astype(np.float32)
            start = stop
        return found

    def _marks_by_block(self) -> Iterator[npt.NDArray[np.float32]]:
        """Blocks of items, `(system, unit)`, whose counts float32 represents exactly."""
        # A multiple of eight, so that the coins of a block start with a byte.
        step = max(8, BLOCK // len(self) // 8 * 8)
        for start in range(0, len(self.places), step):
            places = self.places[start : start + step]
            yield np.take(self.held, places, axis=1)[self.rows].astype(np.float32)


def as_binary_scores(values: object) -> BinaryScores | None:
    """The scores of a board, or columns of a family, where these are stored as bytes."""
    return values if isinstance(values, BinaryScores) else None
