"""Answers into text, JSON, Markdown or LaTeX. One file a format, one sheet an answer; no arithmetic here."""

import importlib
from collections.abc import Callable

from tellapart.render.sheet import sheet
from tellapart.results.answer import Answer

FORMATS: dict[str, Callable[[Answer, bool], str]] = {
    "text": lambda answer, color: _printer("text")(sheet(answer), color=color),
    "json": lambda answer, color: answer.to_json() + "\n",  # noqa: ARG005  (JSON has no colour)
    "markdown": lambda answer, color: _printer("markdown")(sheet(answer)),  # noqa: ARG005
    "csv": lambda answer, color: _printer("csv")(answer),  # noqa: ARG005
    "latex": lambda answer, color: _printer("latex")(sheet(answer)),  # noqa: ARG005
}

ROWS_ONLY = ("csv",)
"""Formats for answers that are a table of rows."""


def _printer(form: str) -> Callable[..., str]:
    """What prints a format, in the module of its name, loaded when it is asked for."""
    printer: Callable[..., str] = getattr(importlib.import_module(f"tellapart.render.{form}"), form)
    return printer


def render(answer: Answer, form: str, *, color: bool = False) -> str:
    """An answer as it is printed in one of `FORMATS`."""
    return FORMATS[form](answer, color)
