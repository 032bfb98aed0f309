"""Answers into text, JSON, Markdown, CSV, LaTeX or a page. One file per format, one page per answer; no arithmetic here."""

from collections.abc import Callable

from tellapart.answers.answer import Answer
from tellapart.answers.page import page_of
from tellapart.render.screen import PAPER, Screen

# Only the format that is asked for is loaded: a command that prints JSON wraps no lines. Only text is fitted to a screen.


def _text(answer: Answer, screen: Screen) -> str:
    from tellapart.render.text import text  # noqa: PLC0415

    return text(page_of(answer), screen)


def _json(answer: Answer, _screen: Screen) -> str:
    return answer.to_json() + "\n"


def _markdown(answer: Answer, _screen: Screen) -> str:
    from tellapart.render.markdown import markdown  # noqa: PLC0415

    return markdown(page_of(answer))


def _csv(answer: Answer, _screen: Screen) -> str:
    from tellapart.render.csv import csv  # noqa: PLC0415

    return csv(answer)


def _latex(answer: Answer, _screen: Screen) -> str:
    from tellapart.render.latex import latex  # noqa: PLC0415

    return latex(page_of(answer))


def _html(answer: Answer, screen: Screen) -> str:
    from tellapart.render.html import report  # noqa: PLC0415

    return report(answer, screen.command)


FORMATS: dict[str, Callable[[Answer, Screen], str]] = {
    "text": _text,
    "json": _json,
    "markdown": _markdown,
    "csv": _csv,
    "latex": _latex,
    "html": _html,
}

SUFFIXES = {
    ".txt": "text",
    ".json": "json",
    ".md": "markdown",
    ".csv": "csv",
    ".tex": "latex",
    ".html": "html",
}
"""The format of a file by the ending of its name."""

ROWS_ONLY = ("csv",)
"""Formats for answers that are a table of rows."""


def render(answer: Answer, form: str, screen: Screen = PAPER) -> str:
    """An answer as it is printed in one of `FORMATS`."""
    return FORMATS[form](answer, screen)
