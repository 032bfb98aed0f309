"""Excel workbooks (.xlsx): the only table, or the sheet named in `file.xlsx#Sheet`."""

import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, time
from importlib import import_module
from itertools import islice
from typing import Any
from xml.sax.saxutils import escape

from tellapart.foundation.errors import ReadError, nearest
from tellapart.foundation.formatting import first_of
from tellapart.readers.format import FORMATS, Certainty, Format
from tellapart.readers.storage.csv_rows import SNIFFED_ROWS, titles_above
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import BLOCK_ROWS, Block, no_rows, refuse_repeated

WORKBOOK = "xl/workbook.xml"
SheetRow = Sequence[Any]


@FORMATS.add("excel")
@dataclass(frozen=True)
class Excel(Format):
    """A sheet of an Excel workbook (.xlsx), read with openpyxl from the `excel` extra: the only one that holds a table, or `file.xlsx#Sheet`."""

    label = "Excel"
    unit = "row below the header"

    def example(self) -> bytes:
        return workbook_of(
            [
                ("system", "item", "score"),
                ("old", "q1", 0.1),
                ("old", "q2", 0.4),
                ("new", "q1", 0.3),
                ("new", "q2", None),
            ]
        )

    def claim(self, origin: Origin) -> Certainty:
        return Certainty.CERTAIN if origin.preview.kind == "zip" and WORKBOOK in origin.contents else Certainty.NONE

    def blocks(self, origin: Origin) -> Iterator[Block]:
        rows = (row for row in _rows_of_sheet(origin) if any(cell is not None for cell in row))
        head = list(islice(rows, SNIFFED_ROWS))
        head = head[titles_above([["" if cell is None else str(cell) for cell in row] for row in head]) :]
        if len(head) < 2:
            raise no_rows(origin.name)
        names = _names(origin, head[0])
        numbered = enumerate(_chained(head[1:], rows), 1)
        while some := list(islice(numbered, BLOCK_ROWS)):
            yield _block(origin.name, names, [row for _, row in some], [number for number, _ in some])


def _chained(head: list[SheetRow], rest: Iterator[SheetRow]) -> Iterator[SheetRow]:
    yield from head
    yield from rest


def _rows_of_sheet(origin: Origin) -> Iterator[SheetRow]:
    """The rows of the sheet that is meant, cells as Python has them."""
    library = _openpyxl(origin.name)
    _refuse_large_parts(origin)
    with origin.binary() as stream:
        content = io.BytesIO(stream.read())
    try:
        book = library.load_workbook(content, read_only=True, data_only=True)
        sheet = _sheet(origin, book)
        for row in sheet.iter_rows(values_only=True):
            origin.limits.refuse_many(origin.name, list(map(str, range(len(row)))))
            yield [_plain_cell(cell) for cell in row]
    except ReadError:
        raise
    except Exception as error:  # noqa: BLE001  (the library raises whatever the parts of a damaged file make it)
        raise ReadError(f"{origin.name}: a workbook that cannot be read ({error}). Save it again, or as CSV") from None


def _sheet(origin: Origin, book: Any) -> Any:
    """The sheet that the path names, or the only one that holds a table; the first where none does."""
    asked = origin.part
    if asked is None:
        tables = [sheet for sheet in book.worksheets if _is_table(sheet)]
        if len(tables) > 1:
            names = [sheet.title for sheet in tables]
            raise ReadError(
                f"{origin.name}: found tables on the sheets {first_of(names, 5)}. Name one ({origin.name}#{names[0]}), "
                f"or several, one system each:  {origin.name}#{names[0]} {origin.name}#{names[1]}"
            )
        return (tables or book.worksheets)[0]
    if asked not in book.sheetnames:
        raise ReadError(f"{origin.name}: no sheet is called {asked!r}; {nearest(asked, book.sheetnames)}")
    return book[asked]


def _is_table(sheet: Any) -> bool:
    """Whether two rows near the top have two cells or more each: notes have one, or one such row."""
    rows = islice(sheet.iter_rows(values_only=True), SNIFFED_ROWS)
    return sum(sum(_plain_cell(cell) is not None for cell in row) > 1 for row in rows) > 1


def _refuse_large_parts(origin: Origin) -> None:
    """Every part is unpacked once beside the limits before the library does, which knows none."""
    with origin.archive() as archive:
        for name in archive.names:
            taken = 0
            with archive.open(name) as part:
                while piece := part.read(1 << 20):
                    taken += len(piece)
                    if taken > origin.limits.record:
                        place = f"{origin.name}, {name}"
                        raise origin.limits.refusal(
                            place, f"a part of more than {origin.limits.record:,} bytes", "record"
                        )


def _plain_cell(cell: Any) -> Any:
    """Blank texts as nothing, whole numbers without a point, and days as text."""
    if isinstance(cell, str):
        return cell.strip() or None
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    return str(cell) if isinstance(cell, date | time) else cell


def _names(origin: Origin, row: SheetRow) -> tuple[str, ...]:
    cells = ["" if cell is None else str(cell).strip() for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    if "" in cells[1:]:
        raise ReadError(f"{origin.name}: column {cells.index('', 1) + 1} has no name. Name it or remove it")
    refuse_repeated(origin.name, cells)
    return tuple(cells)


def _block(source: str, names: tuple[str, ...], rows: list[SheetRow], lines: list[int]) -> Block:
    width = len(names)
    for line, row in zip(lines, rows, strict=True):
        if any(cell is not None for cell in row[width:]):
            raise ReadError(
                f"{source}, row {line} below the header: found a cell right of the table, in column {width + 1} or "
                "later, which has no name. Name the column, or move the cell to another sheet"
            )

    def column(name: str) -> list[Any]:
        place = names.index(name)
        return [row[place] if place < len(row) else None for row in rows]

    return Block(names, lines, column)


def _openpyxl(source: str) -> Any:
    """The library, imported by name because it is an extra and slow to import."""
    try:
        return import_module("openpyxl")
    except ImportError:
        raise ReadError(f"{source}: Excel workbooks need openpyxl. Run: pip install 'tellapart[excel]'") from None


# A workbook of one sheet with nothing but cells, as the example is and as tests write it.

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KINDS = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def workbook_of(rows: Sequence[SheetRow], sheet: str = "Sheet1") -> bytes:
    """A workbook with one sheet of texts and numbers."""
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/{WORKBOOK}" ContentType="{_KINDS}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KINDS}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{_RELATIONS}/officeDocument" Target="{WORKBOOK}"/></Relationships>',
        WORKBOOK: f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets><sheet name={_attribute(sheet)} sheetId="1" r:id="r1"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>'
        + "".join(f"<row>{''.join(map(_cell_xml, row))}</row>" for row in rows)
        + "</sheetData></worksheet>",
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return file.getvalue()


def _attribute(text: str) -> str:
    return f'"{escape(text, {chr(34): "&quot;"})}"'


def _cell_xml(cell: Any) -> str:
    if cell is None:
        return "<c/>"
    if isinstance(cell, bool):
        return f'<c t="b"><v>{int(cell)}</v></c>'
    if isinstance(cell, int | float):
        return f"<c><v>{cell!r}</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(str(cell))}</t></is></c>'
