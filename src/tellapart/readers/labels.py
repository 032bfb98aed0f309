"""Names as they are written, coded as small integers while they stream by."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np

from tellapart.arrays import IntArray
from tellapart.readers.table import Unfit, joined
from tellapart.records import Labels
from tellapart.roles import Role

NESTED = (dict, list, tuple, set, np.ndarray)


class LabelColumn:
    """The names of one role, row by row over all files; each distinct name gets a number in the order they are met."""

    def __init__(self, role: Role) -> None:
        self.role = role
        self._codes: defaultdict[str, int] = defaultdict(count().__next__)
        self._pieces: list[IntArray] = []
        self._rows = 0

    def add(self, cells: Sequence[Any], copies: int = 1) -> None:
        """Cells as a file has them, all of them again for each copy."""
        # Cells of text, the usual case, are told by joining them, many times faster than by asking each.
        texts = cells if joined(cells) is not None else _texts(cells)
        codes = np.fromiter(map(self._codes.__getitem__, texts), np.int64, len(texts))
        self._append(codes if copies == 1 else np.tile(codes, copies))

    def add_each(self, names: Sequence[str], times: int) -> None:
        """Each name for as many rows as one table or system has."""
        self._append(np.repeat(np.array([self._codes[name] for name in names], dtype=np.int64), times))

    def fill(self, rows: int) -> None:
        """Up to so many rows, what rows are called whose table is silent about this role."""
        if self._rows < rows:
            assert self.role.absent is not None
            self.add_each([self.role.absent], rows - self._rows)

    def _append(self, codes: IntArray) -> None:
        self._pieces.append(codes)
        self._rows += len(codes)

    def labels(self) -> Labels:
        """All rows; blanks around a name do not count."""
        # Stripped here, once per distinct name, instead of once per row.
        rows, names = np.concatenate(self._pieces), tuple(self._codes)
        stripped = tuple(map(str.strip, names))
        if stripped == names:
            return Labels(names, rows)
        merged = Labels.of(stripped)
        return Labels(merged.names, merged.codes[rows])


def _texts(column: Sequence[Any]) -> list[str]:
    for row, cell in enumerate(column):
        if isinstance(cell, NESTED):
            raise Unfit(
                row,
                cell,
                "a name or number",
                "Use a column without nested values, or lift the name out, for example with jq -c '.system = .model.name'",
            )
    return list(map(as_text, column))


def as_text(cell: Any) -> str:
    """A name as text: 7 and "7" are the same name, and nothing is a blank."""
    return "" if cell is None else str(cell)
