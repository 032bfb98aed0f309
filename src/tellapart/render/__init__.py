"""Answers into text, JSON, Markdown or LaTeX. One file a format, one sheet an answer; no arithmetic here."""

from collections.abc import Callable

from tellapart.render.csv import csv
from tellapart.render.latex import latex
from tellapart.render.markdown import markdown
from tellapart.render.sheet import sheet
from tellapart.render.text import text
from tellapart.results.answer import Answer

FORMATS: dict[str, Callable[[Answer, bool], str]] = {
    "text": lambda answer, color: text(sheet(answer), color=color),
    "json": lambda answer, color: answer.to_json() + "\n",  # noqa: ARG005  (JSON has no colour)
    "markdown": lambda answer, color: markdown(sheet(answer)),  # noqa: ARG005
    "csv": lambda answer, color: csv(answer),  # noqa: ARG005
    "latex": lambda answer, color: latex(sheet(answer)),  # noqa: ARG005
}

ROWS_ONLY = ("csv",)
"""Formats for answers that are a table of rows."""


def render(answer: Answer, form: str, *, color: bool = False) -> str:
    """An answer as it is printed in one of `FORMATS`."""
    return FORMATS[form](answer, color)
