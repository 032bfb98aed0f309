"""A sheet: what any answer looks like before a format is chosen. A format prints sheets, an answer fills one."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from tellapart.results.answer import Answer


@dataclass(frozen=True)
class Grid:
    """A table: the first column names its rows, the others hold numbers."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class Sheet:
    """A headline, tables, facts by name, remarks under headings, and the sentence to quote."""

    headline: str
    mood: str
    grids: tuple[Grid, ...]
    facts: tuple[tuple[str, str], ...]
    remarks: tuple[tuple[str, tuple[str, ...]], ...]
    sentence: str
    signature: str
    drawing: str = ""


def sheet(answer: Answer) -> Sheet:
    """The sheet of an answer, made by the module of this room that is named after its kind."""
    maker: Callable[[Answer], Sheet] = importlib.import_module(f"tellapart.render.{answer.kind()}").sheet
    return maker(answer)
