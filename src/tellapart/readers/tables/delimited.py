import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter

from tellapart.foundation.errors import ReadError
from tellapart.foundation.formatting import unguarded
from tellapart.readers.format import FORMATS, Certainty, Format
from tellapart.readers.storage.csv_rows import DELIMITERS, Row, csv_rows, guess_delimiter, title_rows
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Block, no_rows, refuse_repeated
from tellapart.readers.tables.values import is_number

Getter = Callable[[Row], str]


@FORMATS.add("delimited")
@dataclass(frozen=True)
class Delimited(Format):
    """A header and rows separated by commas, semicolons, tabs or blanks, with quotes where a field holds one of those."""

    label = "CSV, TSV"

    def example(self) -> bytes:
        return b"system,item,score\nold,q1,0.1\nold,q2,0.4\nnew,q1,0.3\nnew,q2,\n"

    def claim(self, origin: Origin) -> Certainty:
        # Any text may be a table.
        return Certainty.FALLBACK if origin.opening.strip() else Certainty.NONE

    def blocks(self, origin: Origin) -> Iterator[Block]:
        _refuse_markdown(origin)
        delimiter = guess_delimiter(origin.opening)
        pieces = ((lines, rows) for lines, rows in csv_rows(origin, delimiter) if rows)
        lines, rows = next(pieces, ((), ()))
        titles = title_rows(origin.opening, delimiter)
        lines, rows = lines[titles:], rows[titles:]
        if not rows:
            raise no_rows(origin.name)
        origin.limits.refuse_many(f"{origin.name}, line {lines[0]}", rows[0])
        names = _checked_header(f"{origin.name}, line {lines[0]}", delimiter, rows[0])
        for body_lines, body in chain(((lines[1:], rows[1:]),) if rows[1:] else (), pieces):
            _refuse_ragged(origin.name, delimiter, names, body, body_lines)
            yield _block_of_rows(names, body_lines, body, decimal_comma=delimiter == ";")


_MARKDOWN = re.compile(r"[ \t]*\|.*\|[ \t]*\r?\n[ \t]*\|[ \t:|-]+\|[ \t]*(\r?\n|$)")


def _refuse_markdown(origin: Origin) -> None:
    if _MARKDOWN.match(origin.opening.lstrip("\ufeff\r\n")):
        raise ReadError(
            f"{origin.name}: found a Markdown table. Write it as CSV: "
            f"grep '|' {shlex.quote(origin.name)} | grep -v -- '--' | sed 's/^ *| *//; s/ *| *$//; s/ *| */,/g' > scores.csv"
        )


_WITH_COMMA = re.compile(r"[+-]?\d+(,\d+)?", re.ASCII)


def _block_of_rows(names: tuple[str, ...], lines: Sequence[int], rows: Sequence[Row], *, decimal_comma: bool) -> Block:
    getters: dict[str, Getter] = {name: itemgetter(place) for place, name in enumerate(names)}

    def column(name: str) -> list[str]:
        cells = list(map(getters[name], rows))
        # Apostrophes are rare: looking for one in all cells at once costs next to nothing.
        joined = "".join(cells)
        cells = list(map(unguarded, cells)) if "'" in joined else cells
        # Semicolons stand where commas are points: there 1,351 is no number above a thousand.
        if decimal_comma and "," in joined and all(_WITH_COMMA.fullmatch(cell.strip()) for cell in cells if cell):
            return [cell.replace(",", ".") for cell in cells]
        return cells

    return Block(names, lines, column)


def _checked_header(place: str, delimiter: str, row: Row) -> tuple[str, ...]:
    names = tuple(name.strip() for name in row)
    if any(name.startswith("'") for name in names):
        names = tuple(map(unguarded, names))
    if names[0].startswith("sep="):
        raise ReadError(f"{place}: found {names[0]!r}, which only Excel understands. Remove this line")
    if all(map(is_number, filter(None, names))):
        raise ReadError(
            f"{place}: found only numbers where column names should be. Add a header line, such as "
            f"{delimiter.join(('system', 'item', 'score'))}"
        )
    if "" in names[1:]:
        raise ReadError(f"{place}: column {names.index('', 1) + 1} has no name. Name it or remove it")
    refuse_repeated(place, names)
    return names


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
