"""Answers into text, JSON, Markdown or LaTeX. One file a format, one sheet an answer; no arithmetic here."""

import importlib
from collections.abc import Callable

from tellapart.render.screen import PAPER, Screen
from tellapart.render.sheet import sheet
from tellapart.results.answer import Answer

FORMATS: dict[str, Callable[[Answer, Screen], str]] = {
    "text": lambda answer, screen: _printer("text")(sheet(answer), screen),
    "json": lambda answer, screen: answer.to_json() + "\n",  # noqa: ARG005  (only text is fitted to a screen)
    "markdown": lambda answer, screen: _printer("markdown")(sheet(answer)),  # noqa: ARG005
    "csv": lambda answer, screen: _printer("csv")(answer),  # noqa: ARG005
    "latex": lambda answer, screen: _printer("latex")(sheet(answer)),  # noqa: ARG005
}

ROWS_ONLY = ("csv",)
"""Formats for answers that are a table of rows."""


def _printer(form: str) -> Callable[..., str]:
    """What prints a format, in the module of its name, loaded when it is asked for."""
    printer: Callable[..., str] = getattr(importlib.import_module(f"tellapart.render.{form}"), form)
    return printer


def render(answer: Answer, form: str, screen: Screen = PAPER) -> str:
    """An answer as it is printed in one of `FORMATS`."""
    return FORMATS[form](answer, screen)
