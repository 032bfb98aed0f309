"""For a notebook, and for pages to come: a piece of HTML in which every name is text."""

import math
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from tellapart.render.commands import with_command
from tellapart.render.grid import Cell
from tellapart.render.sheet import Sheet, sheet_of
from tellapart.results.answer import Answer


def html(page: Sheet) -> str:
    """One element that holds the sheet without its figures; it needs no script and no style of the page around it."""
    return template("sheet.html.j2").render(page=page)


def notebook(answer: Answer) -> str:
    """What a notebook shows of an answer."""
    return html(sheet_of(answer))


def _numbers(cell: Cell) -> str:
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
    templates.filters |= {"numbers": _numbers, "with_command": with_command}
    return templates.get_template(name)
