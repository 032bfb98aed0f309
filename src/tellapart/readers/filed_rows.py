"""Rows of a wide table that are too many to hold, in a temporary file: in pieces of some rows, each of them system after system."""

import weakref
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from tellapart.arrays import FloatArray, IntArray
from tellapart.progress import stepped
from tellapart.scores.on_disk import BYTES, laid_down, scratch, written


class FiledRows:
    """Doubles of so many systems; at least so many rows, how many in the end need not be known."""

    def __init__(self, systems: int, rows: int) -> None:
        self._systems = systems
        self._file = scratch(BYTES * systems * rows)
        weakref.finalize(self, self._file.close)
        self._starts = [0]
        """Where each piece begins, in rows, and where the last one ends."""

    def add(self, rows: npt.NDArray[Any]) -> None:
        """Some more rows, `(row, system)`."""
        if len(rows):
            self._file.seek(0, 2)
            written(self._file, np.ascontiguousarray(rows.T, dtype=np.float64))
            self._starts.append(self._starts[-1] + len(rows))

    def __len__(self) -> int:
        return self._starts[-1]

    def column(self, system: int) -> FloatArray:
        """The scores of one system, `(row,)`."""
        found = np.empty(len(self))
        for start, stop in pairwise(self._starts):
            self._file.seek(8 * (start * self._systems + system * (stop - start)))
            self._file.readinto(found[start:stop].data.cast("B"))
        return found

    def block(self, start: int, stop: int) -> FloatArray:
        """The scores of some rows, `(system, row)`."""
        found = np.empty((self._systems, stop - start))
        for first, last in pairwise(self._starts):
            low, high = max(first, start), min(last, stop)
            if low < high:
                self._file.seek(8 * first * self._systems)
                piece = np.frombuffer(self._file.read(8 * (last - first) * self._systems))
                shaped = piece.reshape(self._systems, last - first)
                found[:, low - start : high - start] = shaped[:, low - first : high - first]
        return found

    def values(self, order: IntArray) -> FloatArray:
        """All scores as a table holds them, `(system, item, run, part)`, with these rows one after the other; they lie in a file too."""
        systems = stepped("sorting scores by system", range(self._systems), self._systems)
        rows = (self.column(system)[order] for system in systems)
        values: FloatArray = laid_down(rows, (self._systems, len(self)))
        return values[..., np.newaxis, np.newaxis]
