"""The scores of a wide table while its rows stream by: a byte each as long as all are right or wrong, else a double."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tellapart.arrays import FloatArray, IntArray
from tellapart.readers.filed_rows import FiledRows
from tellapart.readers.growing import Growing
from tellapart.scores import on_disk
from tellapart.scores.marks import marks_in, scores_of_marks

TURNED = 1 << 22
"""Scores that are turned from rows to systems at once."""


class Cells:
    """One row per item and one column per system; doubles that are too many to hold are moved to a file."""

    def __init__(self, systems: int) -> None:
        self._systems = systems
        self._rows: Growing[Any] = Growing(np.uint8, (systems,))
        self._filed: FiledRows | None = None

    def add(self, columns: Sequence[FloatArray]) -> None:
        """The scores of some rows, by system."""
        rows = np.stack(columns, axis=1)
        marks = marks_in(rows) if self._rows.dtype == np.uint8 else None
        if marks is None and self._rows.dtype == np.uint8:
            self._widen()
        self._rows.add(rows if marks is None else marks)
        if marks is None and self._many:
            self._file()

    @property
    def _many(self) -> bool:
        return len(self._rows) * self._systems >= (on_disk.HELD if self._filed is None else on_disk.BLOCK)

    def _widen(self) -> None:
        if self._many:
            self._file()
        else:
            self._rows.widen(np.float64)

    def _file(self) -> None:
        """Move the rows that are held to the file."""
        self._filed = self._filed or FiledRows(self._systems, len(self._rows))
        rows, step = self._rows.taken(), max(1, on_disk.BLOCK // self._systems)
        for start in range(0, len(rows), step):
            self._filed.add(rows[start : start + step])
        self._rows = Growing(np.float64, (self._systems,))

    def block(self, start: int, stop: int) -> FloatArray:
        """The scores of some rows, `(system, row)`."""
        if self._filed is not None:
            self._file()
            return self._filed.block(start, stop)
        return np.ascontiguousarray(self._rows.taken()[start:stop].T, dtype=np.float64)

    def scored(self, system: int) -> npt.NDArray[np.bool_]:
        """Which rows have a score of this system."""
        if self._filed is not None:
            self._file()
            return np.asarray(~np.isnan(self._filed.column(system)))
        rows = self._rows.taken()
        return np.ones(len(rows), dtype=np.bool_) if rows.dtype == np.uint8 else ~np.isnan(rows[:, system])

    def values(self, order: IntArray) -> FloatArray:
        """All scores as a table holds them, `(system, item, run, part)`, with these rows one after the other."""
        if self._filed is not None:
            self._file()
            return self._filed.values(order)
        rows = self._rows.taken()
        turned = np.empty(rows.shape[::-1], dtype=rows.dtype)
        step = max(1, TURNED // rows.shape[1])
        for start in range(0, len(rows), step):
            turned[:, start : start + step] = rows[order[start : start + step]].T
        return scores_of_marks(turned) if turned.dtype == np.uint8 else turned[..., np.newaxis, np.newaxis]
