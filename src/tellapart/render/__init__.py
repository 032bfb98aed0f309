"""Rendering of answers as text, JSON, Markdown, CSV, LaTeX, HTML or JUnit XML: one module per format, no arithmetic."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from tellapart.answers.answer import Answer
from tellapart.answers.page import page_of
from tellapart.foundation.errors import UsageError
from tellapart.foundation.files import refuse_unwritable, write_whole
from tellapart.foundation.lazy_names import lazy_names
from tellapart.render import csv, latex, markdown, text
from tellapart.render.screen import PAPER, Screen

if TYPE_CHECKING:
    from tellapart.render.html import notebook_html, report
    from tellapart.render.site import SITE_FILES, site_files

__all__ = [
    "FORMATS",
    "ROWS_ONLY",
    "SITE_FILES",
    "SUFFIXES",
    "formatted",
    "notebook_html",
    "render",
    "report",
    "save",
    "site_files",
]
__getattr__ = lazy_names(__name__)

FORMATS: dict[str, Callable[[Answer, Screen], str]] = {
    "text": lambda answer, screen: text.text(page_of(answer, screen.command), screen),
    "json": lambda answer, _: answer.to_json() + "\n",
    "markdown": lambda answer, screen: markdown.markdown(page_of(answer, screen.command)),
    "csv": lambda answer, screen: csv.csv(answer, raw=screen.raw_csv),
    "latex": lambda answer, _: latex.latex(page_of(answer)),
    # HTML needs jinja2, which is loaded for nothing else.
    "html": lambda answer, screen: __getattr__("report")(answer, screen.command, screen.title),
}
SUFFIXES = {".txt": "text", ".json": "json", ".md": "markdown", ".csv": "csv", ".tex": "latex", ".html": "html"}
"""The format of a file by the ending of its name."""
ROWS_ONLY = ("csv",)
"""Formats for answers that are a table of rows."""


def save(answer: Answer, path: str | PathLike[str]) -> None:
    """Write an answer in the format that the name ends in."""
    file = Path(path)
    form = SUFFIXES.get(file.suffix.lower())
    if form is None:
        raise UsageError(f"{file.name!r}: unknown ending; wanted {', '.join(SUFFIXES)}")
    refuse_unwritable(file)
    write_whole(file, formatted(answer, form))


def formatted(answer: Answer, form: str) -> str:
    """An answer in one of `FORMATS` as it goes into a file, which knows no command."""
    return render(answer, form)


def render(answer: Answer, form: str, screen: Screen = PAPER) -> str:
    """An answer as it is printed in one of `FORMATS`."""
    return FORMATS[form](answer, screen)
