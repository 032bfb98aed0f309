"""Charts on a page: pictures that need no script, each with its finding in words and its numbers as a table."""

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

from tellapart.charts import chart, drawn
from tellapart.charts.altair import ready
from tellapart.charts.drawing import Drawing, Rows
from tellapart.charts.files import written
from tellapart.charts.theme import themed
from tellapart.render.grid import Cell, Column, Grid, Kind
from tellapart.results.answer import Answer
from tellapart.wording import number, thousands
from tellapart.words.captions import caption

_SVG = "{http://www.w3.org/2000/svg}"
_NEEDLESS = re.compile(r"role|class|pointer-events|aria-.*|version")
"""What describes the parts of a picture that is described as a whole."""
MOST_WITH_ALL_DIGITS = 400
"""Rows of a table whose cells keep all digits of their numbers behind those that are printed; the JSON has them all."""


@dataclass(frozen=True)
class PageFigure:
    """A chart as a page has it; `svg` is empty where charts cannot be drawn."""

    name: str
    title: str
    caption: str
    svg: str
    grid: Grid


def figures(answer: Answer) -> tuple[PageFigure, ...]:
    """Every chart of an answer."""
    able = ready()
    return tuple(
        PageFigure(
            one.name,
            one.title,
            caption(answer, one.name),
            inline_svg(answer, one) if able else "",
            table(one.rows(answer)),
        )
        for one in drawn(answer)
    )


def inline_svg(answer: Answer, one: Drawing) -> str:
    """The picture in the ink of the page around it, as one image with its finding as what is read aloud."""
    picture = themed(chart(answer, one.name), "currentColor", "transparent")
    root = ET.fromstring(written(picture, ".svg"))  # noqa: S314  (made a line above)
    for element in root.iter():
        for name in [name for name in element.attrib if _NEEDLESS.fullmatch(name)]:
            del element.attrib[name]
        for name, value in element.attrib.items():
            if name == "id" or "url(#" in value:  # unique on its own, and not beside the next picture
                element.set(name, re.sub(r"(^|url\(#)(?=(clip|gradient))", rf"\1{one.name}-", value))
    root.set("role", "img")
    root.set("aria-label", caption(answer, one.name))
    ET.register_namespace("", _SVG.strip("{}"))
    return ET.tostring(root, encoding="unicode")


def table(rows: Rows) -> Grid:
    """The numbers of a chart."""
    fields = [name for name in rows[0] if not name.startswith("_")]
    kinds = {name: _kind([row[name] for row in rows], first=name == fields[0]) for name in fields}
    exact = len(rows) <= MOST_WITH_ALL_DIGITS
    columns = tuple(Column(name, kinds[name]) for name in fields)
    return Grid(columns, tuple(tuple(_cell(row[name], exact=exact) for name in fields) for row in rows))


def _kind(values: list[object], *, first: bool) -> Kind:
    if first:
        return "name"
    return "words" if any(isinstance(value, str) for value in values) else "number"


def _cell(value: object, *, exact: bool) -> Cell:
    if value is None:
        return Cell("")
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, int):
        return Cell(thousands(value), (value,) if exact else ())
    if isinstance(value, float):
        return Cell(_short(value), (value,) if exact else ())
    return Cell(str(value).replace("\n", ", "))


def _short(value: float) -> str:
    """A number to six digits, with a real minus."""
    shown = f"{value:.6g}"
    return number(value, 0) if shown == "0" else shown.replace("-", "−", 1) if value < 0.0 else shown
