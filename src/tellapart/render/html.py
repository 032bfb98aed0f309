"""HTML: a notebook fragment or a self-contained page with inline SVG charts and tables; names are escaped."""

import json
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from tellapart.answers.answer import Answer
from tellapart.answers.drawing import Drawing, Rows, caption, drawings, pictured
from tellapart.answers.drawing.files import written
from tellapart.answers.drawing.theme import INSTALL, no_room, ready, themed
from tellapart.answers.page import BLANK, Cell, Column, Grid, Kind, Page, page_of
from tellapart.foundation.formatting import minus, number, printable, thousands
from tellapart.render.screen import with_command


def html(page: Page) -> str:
    """One element that holds the page without its figures; it needs no script and no style of the page around it."""
    return template("sheet.html.j2").render(page=page)


def notebook_html(answer: Answer) -> str:
    """The notebook display of an answer."""
    return html(page_of(answer))


def _html_numbers(cell: Cell) -> str:
    """The numbers behind a cell in full, if all of them are numbers."""
    known = [value for value in cell.values if value is not None and math.isfinite(value)]
    return " ".join(map(str, known)) if len(known) == len(cell.values) else ""


@cache
def template(name: str) -> Template:
    """A template of this folder, in which every name is text."""
    # Strict: a field that a template misspells must fail, not vanish from the page.
    templates = Environment(
        loader=PackageLoader("tellapart.render", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"numbers": _html_numbers, "with_command": with_command}
    return templates.get_template(name)


# A page in one file: verdict, charts, tables, remarks and the JSON of the answer; it loads nothing from a network.

MOST_BYTES = 1_500_000
"""Of a page; a longer one leaves the pairs out of the answer that it carries."""
MOST_DRAWN_OPEN = 12
"""Systems of a board whose charts are open; of more its table is what is looked at first, and they open on demand."""
MOST_SYSTEMS = 60
"""Whose pairs a page carries."""

SIGNS = {"good": "✓", "bad": "✗", "even": "≈", "open": "?"}
"""A sign beside the colour of the verdict."""


def report(answer: Answer, command: str = "", title: str = "") -> str:
    """The whole page."""
    fields = answer.to_dict()
    left_out = _standings(fields) > MOST_SYSTEMS and _without_pairs(fields)
    page = _page(answer, (command, title), fields, left_out=left_out)
    if len(page.encode()) > MOST_BYTES and not left_out and _without_pairs(fields):
        return _page(answer, (command, title), fields, left_out=True)
    return page


def _page(answer: Answer, named: tuple[str, str], fields: dict[str, Any], *, left_out: bool) -> str:
    command, title = named
    drawn, content = figures(answer), page_of(answer, command)
    page: str = template("report.html.j2").render(
        page=content,
        ranked=len(content.grids) > 0 and any(column.kind == "ranks" for column in content.grids[0].columns),
        folding=_standings(fields) > MOST_DRAWN_OPEN,
        sign=SIGNS[content.tone],
        kind=answer.kind,
        figures=drawn,
        install="" if ready() or not drawn else INSTALL,
        no_room=no_room(),
        command=command,
        title=title,
        schema=answer.schema,
        json=_html_address(fields),
        left_out=left_out,
    )
    return page + "\n"


def _html_address(fields: dict[str, Any]) -> str:
    """The answer as an address that holds it: JSON in ASCII, with nothing in it that ends an attribute or an address."""
    text = json.dumps(fields, allow_nan=False, separators=(",", ":"))
    return "data:application/json," + "".join(_ENDING.get(letter, letter) for letter in text)


_ENDING = {letter: f"%{ord(letter):02X}" for letter in "%#'&<> "}


def _standings(fields: dict[str, Any]) -> int:
    """How many systems an answer ranks; a plan of a board says only their number, and ranks none."""
    systems = fields.get("systems")
    return len(systems) if isinstance(systems, list) else 0


def _without_pairs(fields: dict[str, Any]) -> bool:
    """Take the pairs out of an answer, and say whether there were any."""
    boards = [fields, *((fields.get("datasets") or {}).get("within", ()) if fields.get("pairs") else ())]
    return any([board.pop("pairs", None) for board in boards])  # noqa: C419  (all of them, not the first)


# Charts: pictures that need no script, each with its finding in words and its numbers as a table.

_SVG = "{http://www.w3.org/2000/svg}"
_NEEDLESS = re.compile(r"role|class|pointer-events|aria-.*|version")
"""Attributes that describe parts of a picture which is described as a whole."""
MOST_WITH_ALL_DIGITS = 400
"""Rows of a table whose cells keep all digits of their numbers behind those that are printed; the JSON has them all."""
ENLARGED = 1.45
"""How many times a picture for the column of a paper is enlarged on a page."""
READABLE = 10.05
"""Pixels of the smallest letter on a phone, whose pictures are moved sideways where they have no room."""
BROAD = 430
"""Pixels that half a page has room for."""


@dataclass(frozen=True)
class PageFigure:
    """A chart as a page has it; `svg` is empty where charts cannot be drawn."""

    name: str
    title: str
    caption: str
    svg: str
    grid: Grid

    @property
    def broad(self) -> bool:
        """Whether it needs the whole width of a page, as pictures with long names do."""
        width = re.search(r'width="(\d+)', self.svg)
        return width is not None and int(width[1]) > BROAD


def figures(answer: Answer) -> tuple[PageFigure, ...]:
    """Every chart of an answer."""
    able = ready()
    return tuple(
        PageFigure(
            one.name,
            one.title,
            caption(answer, one.name),
            inline_svg(answer, one, rows) if able else "",
            matrix(rows, *one.matrix) if one.matrix else table(rows),
        )
        for one in drawings(answer.kind)
        if (rows := one.rows(answer))
    )


def inline_svg(answer: Answer, one: Drawing, rows: Rows) -> str:
    """The picture in the ink of the page around it, as one image with its finding as what is read aloud."""
    picture = themed(pictured(answer, one, rows), "currentColor", "transparent")
    root = ET.fromstring(written(picture, ".svg"))  # noqa: S314  (made a line above)
    for element in root.iter():
        for name in [name for name in element.attrib if _NEEDLESS.fullmatch(name)]:
            del element.attrib[name]
        for name, value in element.attrib.items():
            if name == "id" or "url(#" in value:  # unique on its own, and not beside the next picture
                element.set(name, re.sub(r"(^|url\(#)(?=(clip|gradient))", rf"\1{one.name}-", value))
    # All by one measure, so that words are as large in each; where there is no room, less, and they can still be read.
    sizes = [
        float(element.attrib["font-size"].removesuffix("px"))
        for element in root.iter()
        if "font-size" in element.attrib
    ]
    smallest = min(sizes, default=READABLE)
    width = float(root.attrib["width"]) / 16.0
    root.set("style", f"width:{ENLARGED * width:.4g}rem;min-width:{READABLE / smallest * width:.4g}rem")
    root.set("role", "img")
    root.set("aria-label", caption(answer, one.name))
    ET.register_namespace("", _SVG.strip("{}"))
    return ET.tostring(root, encoding="unicode")


def table(rows: Rows) -> Grid:
    """The numbers of a chart."""
    fields = [name for name in rows[0] if not name.startswith("_")]
    kinds = {name: _column_kind([row[name] for row in rows], first=name == fields[0]) for name in fields}
    exact = len(rows) <= MOST_WITH_ALL_DIGITS
    columns = tuple(Column(printable(name), kinds[name]) for name in fields)
    return Grid(columns, tuple(tuple(_chart_cell(row[name], exact=exact) for name in fields) for row in rows))


def matrix(rows: Rows, down: str, across: str, cell: str) -> Grid:
    """The pairs as a matrix, with each name once: columns are numbered as the rows are."""
    names = list(dict.fromkeys(row[side] for side in (down, across) for row in rows))
    numbers = {name: place for place, name in enumerate(names, 1)}
    exact = len(rows) <= MOST_WITH_ALL_DIGITS
    found = {(row[down], row[across]): _chart_cell(row[cell], exact=exact) for row in rows}
    kind: Kind = "words" if any(isinstance(row[cell], str) for row in rows) else "number"
    columns = (Column(cell, "name"), *(Column(str(numbers[name]), kind) for name in names[1:]))
    body = [(Cell(printable(f"{numbers[a]} {a}")), *(found.get((a, b), BLANK) for b in names[1:])) for a in names[:-1]]
    return Grid(columns, tuple(body))


def _column_kind(values: list[object], *, first: bool) -> Kind:
    if first:
        return "name"
    return "words" if any(isinstance(value, str) for value in values) else "number"


def _chart_cell(value: object, *, exact: bool) -> Cell:
    if value is None:
        return Cell("")
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, int):
        return Cell(thousands(value), (value,) if exact else ())
    if isinstance(value, float):
        return Cell(_six_digits(value), (value,)) if exact else Cell(minus(f"{value:.3g}"))
    return Cell(printable(str(value).replace("\n", ", ")))


def _six_digits(value: float) -> str:
    """A number to six digits, with a real minus."""
    shown = f"{value:.6g}"
    return number(value, 0) if shown == "0" else minus(shown)
