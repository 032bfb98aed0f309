"""A sheet: what any answer looks like before a format is chosen. A format prints sheets, an answer fills one."""

from dataclasses import dataclass
from functools import singledispatch

from tellapart.results import Answer


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


@singledispatch
def sheet(answer: Answer) -> Sheet:
    """The sheet of an answer; each kind of answer registers its own."""
    raise AssertionError(f"no sheet is registered for {type(answer).__name__}")
