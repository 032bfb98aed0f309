"""CSV parsing: rows of delimited text with their line numbers, the delimiter, and title rows above the header."""

import importlib.util
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, islice
from operator import itemgetter
from types import ModuleType
from typing import Protocol

from tellapart.foundation.errors import ReadError
from tellapart.readers.storage.origin import USUAL, Origin
from tellapart.readers.tables.table import BLOCK_ROWS

# In the order that breaks ties: a tab is hardly ever part of a field, a comma often.
_MARKS = ("\t", ";", ",")
BLANKS = " "
"""Columns set apart by one blank or several, as programs print them that line their output up."""
DELIMITERS = {"\t": "tab", ";": "semicolon", ",": "comma", BLANKS: "blank"}
SNIFFED_ROWS = 50
_LINE_END = re.compile(r"\r\n|\r|\n")

Row = list[str]


class Reader(Iterator[Row], Protocol):
    """The interface of `csv.reader`: rows, and the number of lines read."""

    @property
    def line_num(self) -> int: ...


@cache
def _parser(longest_field: int) -> ModuleType:
    """The parser of the standard library with a limit of its own.

    `csv.field_size_limit` holds for the whole process: raised here it would change what other code accepts, and lowered
    by another thread it would end our reading in the middle. The limit is kept per instance of the module, so this one
    has its own instance.
    """
    spec = importlib.util.find_spec("_csv")
    assert spec is not None
    assert spec.loader is not None
    parser = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(parser)
    parser.field_size_limit(longest_field)
    return parser


def titles_above(rows: Sequence[Row]) -> int:
    """How many of the first rows are titles: they fill fewer cells than the header and the rows below it do.

    >>> titles_above([["Results of May", ""], ["id", "score"], ["q1", "1"]]), titles_above([["id", "score"], ["q1", ""]])
    (1, 0)
    """
    filled = [sum(bool(cell.strip()) for cell in row) for row in rows]
    usual = max(set(filled), key=lambda width: (filled.count(width), width), default=0)
    # The index of a frame has no name.
    heads = (i for i, width in enumerate(filled) if width >= usual or (width == usual - 1 and not rows[i][0]))
    first = next(heads, 0)
    return first if usual > 1 and first < MOST_TITLES and max(filled[:first], default=0) < 2 else 0


MOST_TITLES = 20


def guess_delimiter(opening: str) -> str:
    """The delimiter under which most of the first rows are as wide as the header, and then the widest.

    Blanks separate columns only where no mark splits the header and the first rows all have as many fields as it.
    """

    def fit(delimiter: str) -> tuple[int, int]:
        rows = _first_rows(opening, delimiter)
        widths = [len(row) for row in rows[titles_above(rows) :]]
        return (widths.count(widths[0]), widths[0]) if widths and widths[0] > 1 else (0, 0)

    best = max(_MARKS, key=fit)
    return BLANKS if fit(best) == (0, 0) and _lined_up(opening) else best


def header_names(opening: str, delimiter: str) -> tuple[str, ...]:
    """The names in the first row, as far as the head of a file shows it."""
    rows = _first_rows(opening, delimiter)
    first: Row = rows[titles_above(rows)] if rows else []
    return tuple(name.strip() for name in first)


def title_rows(opening: str, delimiter: str) -> int:
    """How many rows that are not blank stand above the header."""
    return titles_above(_first_rows(opening, delimiter))


def _lined_up(opening: str) -> bool:
    widths = {len(row) for row in _first_rows(opening, BLANKS)}
    return len(widths) == 1 and widths != {1}


def _first_rows(opening: str, delimiter: str) -> list[Row]:
    lines = io.StringIO(opening, newline="")
    try:
        rows = list(islice(_reader(lines, delimiter, strict=False), SNIFFED_ROWS))
    except _USUAL.Error:
        return []
    # The last row may be cut where the sample ends.
    return [row for row in (rows[:-1] if len(rows) > 2 else rows) if any(row)]


_USUAL = _parser(USUAL.line)


def _reader(
    lines: Iterable[str], delimiter: str, *, strict: bool, parser: ModuleType = _USUAL, exact: bool = False
) -> Reader:
    # Blanks after a delimiter are skipped, so that several of them are one; only at the end of a line they would be a field.
    trimmed = map(_without_trailing_blanks, lines) if delimiter == BLANKS else lines
    reader: Reader = parser.reader(trimmed, delimiter=delimiter, skipinitialspace=not exact, strict=strict)
    return reader


def _without_trailing_blanks(line: str) -> str:
    text = line.rstrip("\r\n")
    return text.rstrip(BLANKS) + line[len(text) :]


def csv_rows(origin: Origin, delimiter: str, *, exact: bool = False) -> Iterator[tuple[Sequence[int], Sequence[Row]]]:
    """The rows that are not blank, some at a time, with the line each starts on; `exact` where a program wrote them, blanks and all."""
    # Asked for once: the errors of one instance are not those of another.
    parser = _parser(origin.limits.line)
    try:
        with origin.text() as text:
            # People write ", " between fields; strict, because half a quoted field would swallow the rows after it.
            reader = _reader(text, delimiter, strict=True, parser=parser, exact=exact)
            before = 0
            while rows := list(islice(reader, BLOCK_ROWS)):
                yield _without_blanks(_start_lines(rows, before, reader.line_num), rows)
                before = reader.line_num
    except parser.Error as error:
        raise _fault(origin, _line_of_fault(origin, delimiter, parser, exact=exact), error) from None


def csv_records(origin: Origin) -> Iterator[tuple[Row, Row]]:
    """Every row after the first, beside the first, which names the columns; of files that programs write."""
    header: Row | None = None
    for _, rows in csv_rows(origin, ",", exact=True):
        for row in rows:
            if header is None:
                header = row
            else:
                yield header, row


def _without_blanks(lines: Sequence[int], rows: list[Row]) -> tuple[Sequence[int], Sequence[Row]]:
    # A blank row has nothing in its first field: looking at that alone is enough for almost all blocks.
    if [] not in rows and "" not in map(itemgetter(0), rows):
        return lines, rows
    full = [i for i, row in enumerate(rows) if any(row)]
    return [lines[i] for i in full], [rows[i] for i in full]


def _start_lines(rows: Sequence[Row], before: int, after: int) -> Sequence[int]:
    """The line each row starts on; only quoted line ends make a row take more than one."""
    if after - before == len(rows):
        return range(before + 1, after + 1)
    # The parser counts lines for all rows at once; which row took more than one is told by its fields.
    spans = [1 + sum(len(_LINE_END.findall(field)) for field in row) for row in rows]
    return [before + 1 + taken for taken in accumulate(spans[:-1], initial=0)]


def _line_of_fault(origin: Origin, delimiter: str, parser: ModuleType, *, exact: bool) -> int:
    """The line on which the row starts that the parser stumbles over."""
    with origin.text() as text:
        reader = _reader(text, delimiter, strict=True, parser=parser, exact=exact)
        start = 1
        try:
            for _ in reader:
                start = reader.line_num + 1
        except parser.Error:
            return start
    raise AssertionError("the rows can be read one by one")


def _fault(origin: Origin, line: int, error: Exception) -> ReadError:
    place = f"{origin.name}, line {line}"
    if "field limit" in str(error):
        return origin.limits.refusal(
            place, f"a field of more than {origin.limits.line:,} characters (is a quote left open?)", "line"
        )
    return ReadError(
        f'{place}: a quoted field is not closed ({error}). Close the quote; a quote inside a quoted field is written ""'
    )
