"""Lines of fields between blanks, as TREC writes runs and judgements, column by column, each line with its number."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from tellapart.errors import ReadError
from tellapart.readers.detect import UNREADABLE
from tellapart.readers.origin import Origin

BLANK = np.isin(np.arange(256), list(b" \t\n\r\v\f"))
"""What separates fields for a program in C. `str.split` takes more for blanks: separators of ASCII, and blanks of other scripts."""
_FIELD = re.compile(r"[^ \t\n\r\v\f]+")
_MORE_BLANKS = "\x1c\x1d\x1e\x1f"


@dataclass(frozen=True, eq=False)
class Lines:
    """The leading fields of every line that is not blank and no comment, by column, and the number of that line."""

    source: str
    columns: Sequence[Sequence[str]]
    numbers: Sequence[int]

    @classmethod
    def of(cls, origin: Origin, names: Sequence[str], wanted: str) -> "Lines":
        """The lines of a file that should be what is `wanted`, with fields of these names; more than these are nobody's."""
        text = _text(origin, wanted)
        width = _even_width(text)
        if width is not None and width >= len(names):
            # Lines of equal width need no list each: the fields of all of them stand in one.
            fields = text.split()
            columns = [fields[place::width] for place in range(len(names))]
            return cls(origin.name, columns, range(1, len(columns[0]) + 1))
        found = list(_lines(text))
        if not found:
            raise ReadError(f"{origin.name}: the file is empty; wanted {wanted}")
        for number, row in found:
            if len(row) < len(names):
                raise ReadError(
                    f"{origin.name}, line {number}: found {len(row)} fields; wanted at least {len(names)}: {' '.join(names)}. "
                    "Complete the line, or check that this is the right file"
                )
        columns = [[row[place] for _, row in found] for place in range(len(names))]
        return cls(origin.name, columns, [number for number, _ in found])

    def place(self, row: int) -> str:
        return f"{self.source}, line {self.numbers[row]}"

    def stretches(self) -> Iterator[tuple[str, slice]]:
        """Rows in a row of one query; a query may have several."""
        start = 0
        for query, rows in groupby(self.columns[0]):
            end = start + sum(1 for _ in rows)
            yield query, slice(start, end)
            start = end

    def refuse_twice(self, what: str) -> None:
        """A query has a document once."""
        seen: dict[tuple[str, str], int] = {}
        for row, key in enumerate(zip(self.columns[0], self.columns[2], strict=True)):
            first = seen.setdefault(key, row)
            if first != row:
                raise ReadError(
                    f"{self.place(row)}: query {key[0]!r} has {what} {key[1]!r} already (line {self.numbers[first]}). Keep one of them"
                )


def _lines(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    for number, line in enumerate(text.split("\n"), 1):
        fields = _FIELD.findall(line)
        if fields and not line.startswith("#"):
            yield number, fields


def _even_width(text: str) -> int | None:
    """How many fields every line has, or None where that differs, some line is blank or a comment, or blanks need a closer look."""
    if not text.isascii() or any(blank in text for blank in _MORE_BLANKS):
        return None
    letters = np.frombuffer(text.encode(), dtype=np.uint8)
    blank = BLANK[letters]
    begins = ~blank
    begins[1:] &= blank[:-1]
    starts = np.concatenate(([0], np.flatnonzero(letters == ord("\n")) + 1))
    if len(letters) == 0 or starts[-1] == len(letters) or (letters[starts] == ord("#")).any():
        return None
    widths = np.add.reduceat(begins, starts, dtype=np.int64)
    return int(widths[0]) if (widths == widths[0]).all() else None


def _text(origin: Origin, wanted: str) -> str:
    for signature, kind in UNREADABLE.items():
        if origin.head.startswith(signature):
            raise ReadError(f"{origin.name}: found {kind}; wanted {wanted}, as text, gzipped or not")
    with origin.text() as lines:
        text = lines.read()
    if "\0" in text:
        raise ReadError(f"{origin.name}: found binary content (NUL bytes); wanted {wanted}, as text")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n")
