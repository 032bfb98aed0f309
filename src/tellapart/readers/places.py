"""Where each record came from, kept as one entry a block."""

from bisect import bisect_right
from collections.abc import Sequence

from tellapart.readers.table import Table


class Places:
    """Names the source and line of a record; a wide row is as many records as it has systems."""

    def __init__(self) -> None:
        self._ends: list[int] = []
        self._blocks: list[tuple[Table, Sequence[int]]] = []

    def add(self, table: Table, lines: Sequence[int], copies: int) -> None:
        """The records of a block, its rows repeated `copies` times one after the other."""
        self._ends.append((self._ends[-1] if self._ends else 0) + len(lines) * copies)
        self._blocks.append((table, lines))

    def __call__(self, record: int) -> str:
        block = bisect_right(self._ends, record)
        table, lines = self._blocks[block]
        start = self._ends[block - 1] if block else 0
        return table.place(lines[(record - start) % len(lines)])
