"""Names as they are written, coded as small integers while they stream by."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np

from tellapart.arrays import IntArray
from tellapart.readers.table import Unfit, joined
from tellapart.records import Labels

NESTED = (dict, list, tuple, set, np.ndarray)


class Coder:
    """Gives each distinct name of a role a number, in the order they are met, over all files."""

    def __init__(self) -> None:
        self._known: defaultdict[str, int] = defaultdict(count().__next__)

    def codes(self, column: Sequence[Any]) -> IntArray:
        texts = column if joined(column) is not None else _texts(column)
        return np.array(list(map(self._known.__getitem__, texts)), dtype=np.int64)

    def code(self, name: str) -> int:
        return self._known[name]

    def labels(self, codes: Sequence[IntArray]) -> Labels:
        """The names behind these codes; blanks around a name do not count."""
        rows, names = np.concatenate(codes), tuple(self._known)
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
