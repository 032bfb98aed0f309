import csv
import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, islice
from operator import itemgetter
from typing import Protocol

from tellapart.errors import ReadError
from tellapart.readers.format import FORMATS, Claim, Format
from tellapart.readers.origin import Origin
from tellapart.readers.table import BLOCK_ROWS, Block, no_rows, refuse_repeated
from tellapart.readers.values import is_number

DELIMITERS = {"\t": "tab", ";": "semicolon", ",": "comma"}
SNIFFED_ROWS = 50
_LINE_END = re.compile(r"\r\n|\r|\n")

Row = list[str]
Getter = Callable[[Row], str]


class Reader(Iterator[Row], Protocol):
    """What `csv.reader` gives: rows, and how many lines they took so far."""

    @property
    def line_num(self) -> int: ...


@FORMATS.add("delimited")
@dataclass(frozen=True)
class Delimited(Format):
    """A header and rows separated by commas, semicolons or tabs, with quotes where a field holds one of those."""

    def claim(self, origin: Origin) -> Claim:  # noqa: ARG002  (any text may be a table)
        return Claim.FALLBACK

    def blocks(self, origin: Origin) -> Iterator[Block]:
        delimiter = sniff(origin.opening)
        try:
            with origin.text() as text, _fields_of_any_length():
                yield from _blocks(origin.name, delimiter, _reader(text, delimiter))
        except csv.Error as error:
            line = _line_of_fault(origin, delimiter)
            raise ReadError(
                f"{origin.name}, line {line}: a quoted field is not closed as it should be ({error}). "
                'Close the quote; a quote inside a quoted field is written ""'
            ) from None


def sniff(opening: str) -> str:
    """The delimiter under which most of the first rows are as wide as the header, and then the widest."""

    def fit(delimiter: str) -> tuple[int, int]:
        widths = [len(row) for row in _first_rows(opening, delimiter)]
        return (widths.count(widths[0]), widths[0]) if widths and widths[0] > 1 else (0, 0)

    return max(DELIMITERS, key=fit)


def _first_rows(opening: str, delimiter: str) -> list[Row]:
    lines = io.StringIO(opening, newline="")
    try:
        rows = list(islice(csv.reader(lines, delimiter=delimiter, skipinitialspace=True), SNIFFED_ROWS))
    except csv.Error:
        return []
    # The last row may be cut where the sample ends.
    return [row for row in (rows[:-1] if len(rows) > 2 else rows) if any(row)]


def _reader(text: Iterator[str], delimiter: str) -> Reader:
    return csv.reader(text, delimiter=delimiter, skipinitialspace=True, strict=True)


def _blocks(source: str, delimiter: str, reader: Reader) -> Iterator[Block]:
    names = _header(source, delimiter, reader)
    getters: dict[str, Getter] = {name: itemgetter(place) for place, name in enumerate(names)}
    met = False
    while True:
        before = reader.line_num
        rows: Sequence[Row] = list(islice(reader, BLOCK_ROWS))
        if not rows:
            break
        lines = _lines(rows, before, reader.line_num)
        if not all(map(any, rows)):
            full = [i for i, row in enumerate(rows) if any(row)]
            rows, lines = [rows[i] for i in full], [lines[i] for i in full]
        _refuse_ragged(source, delimiter, names, rows, lines)
        if rows:
            met = True
            yield _block(getters, rows, lines)
    if not met:
        raise no_rows(source)


def _block(getters: dict[str, Getter], rows: Sequence[Row], lines: Sequence[int]) -> Block:
    return Block(tuple(getters), lines, lambda name: list(map(getters[name], rows)))


def _header(source: str, delimiter: str, reader: Reader) -> tuple[str, ...]:
    names = tuple(name.strip() for name in next((row for row in reader if any(row)), ()))
    if not names:
        raise no_rows(source)
    if names[0].startswith("sep="):
        raise ReadError(
            f"{source}, line {reader.line_num}: found {names[0]!r}, which only Excel understands. Remove this line"
        )
    if all(map(is_number, filter(None, names))):
        raise ReadError(
            f"{source}, line {reader.line_num}: found only numbers where the names of the columns should be. "
            f"Add a header line, such as {delimiter.join(('system', 'item', 'score'))}"
        )
    if "" in names[1:]:
        raise ReadError(
            f"{source}, line {reader.line_num}: column {names.index('', 1) + 1} has no name. Name it or remove it"
        )
    refuse_repeated(f"{source}, line {reader.line_num}", names)
    return names


def _lines(rows: Sequence[Row], before: int, after: int) -> Sequence[int]:
    """The line each row starts on; only quoted line ends make a row take more than one."""
    if after - before == len(rows):
        return range(before + 1, after + 1)
    spans = [1 + sum(len(_LINE_END.findall(field)) for field in row) for row in rows]
    return [before + 1 + taken for taken in accumulate(spans[:-1], initial=0)]


def _refuse_ragged(
    source: str, delimiter: str, names: tuple[str, ...], rows: Sequence[Row], lines: Sequence[int]
) -> None:
    if set(map(len, rows)) <= {len(names)}:
        return
    row, line = next((r, n) for r, n in zip(rows, lines, strict=True) if len(r) != len(names))
    mark = DELIMITERS[delimiter]
    advice = f"A {mark} inside a field needs quotes around the field"
    if delimiter == "," and len(row) > len(names):
        advice += "; a decimal comma must be a point"
    raise ReadError(
        f"{source}, line {line}: found {len(row)} {mark}-separated fields; wanted {len(names)}, as in the header. {advice}"
    )


def _line_of_fault(origin: Origin, delimiter: str) -> int:
    """The line on which the row starts that `csv` stumbles over."""
    with origin.text() as text, _fields_of_any_length():
        reader = _reader(text, delimiter)
        start = 1
        try:
            for _ in reader:
                start = reader.line_num + 1
        except csv.Error:
            return start
    raise AssertionError("the rows can be read one by one")


@contextmanager
def _fields_of_any_length() -> Iterator[None]:
    """Prompts of long-context evaluations outgrow the limit that `csv` sets for the whole process."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)
