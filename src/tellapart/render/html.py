"""For a notebook, and for pages to come: a piece of HTML in which every name is text."""

import json
import math
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from tellapart.answers.answer import Answer
from tellapart.answers.drawing.theme import INSTALL, ready
from tellapart.answers.page import Cell, Page, page_of, with_command
from tellapart.render.figures import figures


def html(page: Page) -> str:
    """One element that holds the page without its figures; it needs no script and no style of the page around it."""
    return template("sheet.html.j2").render(page=page)


def notebook(answer: Answer) -> str:
    """What a notebook shows of an answer."""
    return html(page_of(answer))


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


# A page in one file: the verdict first, charts, tables, remarks, and the answer itself to take along. It
# asks nothing of any network.

MOST_BYTES = 1_500_000
"""Of a page; a longer one leaves the pairs out of the answer that it carries."""
MOST_SYSTEMS = 60
"""Whose pairs a page carries."""

SIGNS = {"good": "✓", "bad": "✗", "even": "≈", "open": "?"}
"""A sign beside the colour of the verdict."""


def report(answer: Answer, command: str = "") -> str:
    """The whole page."""
    told = answer.to_dict()
    left_out = len(told.get("systems", ())) > MOST_SYSTEMS and _without_pairs(told)
    page = _page(answer, command, told, left_out=left_out)
    if len(page.encode()) > MOST_BYTES and not left_out and _without_pairs(told):
        return _page(answer, command, told, left_out=True)
    return page


def _page(answer: Answer, command: str, told: dict[str, Any], *, left_out: bool) -> str:
    drawn, content = figures(answer), page_of(answer)
    page: str = template("report.html.j2").render(
        page=content,
        sign=SIGNS[content.tone],
        kind=answer.kind,
        figures=drawn,
        install="" if ready() or not drawn else INSTALL,
        command=command,
        schema=answer.schema,
        json=_address(told),
        left_out=left_out,
    )
    return page + "\n"


def _address(told: dict[str, Any]) -> str:
    """The answer as an address that holds it: JSON in ASCII, with nothing in it that ends an attribute or an address."""
    text = json.dumps(told, allow_nan=False, separators=(",", ":"))
    return "data:application/json," + "".join(_ENDING.get(letter, letter) for letter in text)


_ENDING = {letter: f"%{ord(letter):02X}" for letter in "%#'&<> "}


def _without_pairs(told: dict[str, Any]) -> bool:
    """Take the pairs out of an answer, and say whether there were any."""
    boards = [told, *((told.get("datasets") or {}).get("within", ()) if told.get("pairs") else ())]
    return any([board.pop("pairs", None) for board in boards])  # noqa: C419  (all of them, not the first)
