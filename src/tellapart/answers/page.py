"""Format-independent pages (headline, tables, figures, remarks) that answers build and `render` prints."""

import importlib
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from tellapart.answers.answer import Answer
from tellapart.foundation.formatting import printable

# Tables of a page: columns that know what they hold, cells that keep the numbers behind their words.

Kind = Literal["name", "number", "words", "interval", "ranks"]
SIDES: dict[Kind, Literal["left", "right"]] = {
    "name": "left",
    "words": "left",
    "number": "right",
    "interval": "right",
    "ranks": "right",
}
"""Words begin below each other; numbers and intervals end so, which puts their digits below each other.

`ranks` are the best and the worst rank of a row, which formats with pictures draw as a bar on the scale of all rows.
"""


@dataclass(frozen=True)
class Column:
    """A heading, and what stands below it; how a format sets the column follows from that."""

    title: str
    kind: Kind
    minor: bool = False
    """Given up first where a line of text has no room for drawn intervals."""

    @property
    def side(self) -> Literal["left", "right"]:
        return SIDES[self.kind]


@dataclass(frozen=True)
class Cell:
    """What is printed, and the numbers in it in that order: one, the bounds of an interval, or none.

    The text is for people; the values are for a page that sorts or is read back.
    """

    text: str
    values: tuple[float | None, ...] = ()


Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Spans:
    """Low, middle and high of every row, to be drawn on one common scale behind the column at this place, where lines can be drawn."""

    behind: int
    ends: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True)
class Grid:
    """A table; the first column names its rows."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    caption: str = ""
    spans: Spans | None = None

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)


BLANK = Cell("")

FEW = 3
"""Rows from which on a column that says the same in all of them is said once."""


def condensed(grid: Grid) -> Grid:
    """The table with columns that are the same in every row said once, in its caption; the first one names the rows and stays."""
    if len(grid.rows) < FEW:
        return grid
    same = [i for i in range(1, len(grid.columns)) if len({row[i].text for row in grid.rows}) == 1]
    kept = [i for i in range(len(grid.columns)) if i not in same]
    said = throughout([(grid.columns[i].title, grid.rows[0][i]) for i in same])
    return replace(
        grid,
        columns=tuple(grid.columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in grid.rows),
        caption=". ".join(part for part in (grid.caption, said) if part),
    )


def throughout(cells: Sequence[tuple[str, Cell]]) -> str:
    """A line with the values that are the same in all rows, in place of their columns; blanks are left out."""
    said = ", ".join(f"{title} {cell.text}" for title, cell in cells if cell.text)
    return f"Throughout: {said}" if said else ""


Tone = Literal["good", "bad", "even", "open"]
"""How a headline is to be taken: shown as hoped, shown against it, settled either way, or left open."""


@dataclass(frozen=True)
class Curve:
    """Points (x, share), from left to right."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Figure:
    """Curves of shares between 0 and 1 over a common axis, as numbers: how they are drawn is the format's affair."""

    horizontal: str
    vertical: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class Page:
    """A headline, tables, figures, facts by name, remarks under headings, and the sentence to quote."""

    headline: str
    tone: Tone
    grids: tuple[Grid, ...]
    facts: tuple[tuple[str, str], ...]
    remarks: tuple[tuple[str, tuple[str, ...]], ...]
    sentence: str
    signature: str
    figures: tuple[Figure, ...] = ()
    folded: tuple[Grid, ...] = ()
    """Tables that open on demand where a format has that, under their captions; others leave them out."""
    finding: str = ""
    """One line below the headline: effect, interval and p-value."""
    next_steps: tuple[str, ...] = ()
    """What to do next, with commands to paste."""
    document: bool = False
    """Whether its tables are there to be looked through, so that no format shortens them."""


def page_of(answer: Answer, command: str = "") -> Page:
    """The page of an answer, from `answers/KIND/page.py`; `command` is what was typed to get it, if anything was."""
    make_page: Callable[[Answer], Page] = importlib.import_module(f"tellapart.answers.{answer.kind}.page").make_page
    page: Page = _page_printable(make_page(answer))
    return replace(page, next_steps=with_typed(page.next_steps, command)) if page.next_steps else page


TYPED = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands in a next step for the command that was typed."""
FILES = "\N{SYMBOL FOR NULL}"
"""Stands in a next step for the files that were typed, where little else was."""


def with_typed(steps: Sequence[str], command: str) -> tuple[str, ...]:
    """Next steps with the typed command in its place; left out where there is none, or where it has the flag already.

    >>> steps = ("ask for a margin", f"find it: {TYPED} --effect 0.1")
    >>> with_typed(steps, "tellapart compare x.csv"), with_typed(steps, "")
    (('ask for a margin', 'find it: tellapart compare x.csv --effect 0.1'), ('ask for a margin',))
    >>> with_typed(steps, "tellapart compare x.csv --effect 0.2")
    ('ask for a margin',)
    """
    files = _only_files(command)
    typed = command.split()
    new = (step for step in steps if not {*step.partition(TYPED)[2].split()[:1]} & {*typed})
    kept = (step for step in new if (command or TYPED not in step) and (files or FILES not in step))
    return tuple(step.replace(TYPED, command).replace(FILES, files) for step in kept)


def _only_files(command: str) -> str:
    """The files of a command that has no flags but those that pick a system or reference raters.

    >>> _only_files("tellapart score 'a b.csv' --system x"), _only_files("tellapart score a.csv --alpha 0.1"), _only_files("")
    ("'a b.csv'", '', '')
    """
    try:
        words = shlex.split(command)[2:]
    except ValueError:  # no command line of ours
        return ""
    while place := next((i for i, word in enumerate(words) if word in {"--system", "--reference-raters"}), 0):
        del words[place : place + 2]
    return "" if any(word.startswith("-") for word in words) else shlex.join(words)


def _page_printable(part: Any) -> Any:
    """A part of a page with every text of it printable: names are data, and no format has to think of what they may hold."""
    if isinstance(part, str):
        return part if part.isprintable() else printable(part)
    if isinstance(part, tuple):
        parts = tuple(map(_page_printable, part))
        return parts if any(new is not old for new, old in zip(parts, part, strict=True)) else part
    if not isinstance(part, Cell | Column | Curve | Figure | Grid | Page):
        return part
    texts = {f.name: _page_printable(getattr(part, f.name)) for f in fields(part)}
    changes = {name: new for name, new in texts.items() if new is not getattr(part, name)}
    return replace(part, **changes) if changes else part


def without_repeats(reasons: Iterable[str]) -> Iterator[str]:
    """Reasons down a column of a table, each told once where rows have it in a row.

    >>> list(without_repeats(["few items", "few items", "", "few items"]))
    ['few items', 'as above', '', 'few items']
    """
    above = ""
    for reason in reasons:
        yield "as above" if reason and reason == above else reason
        above = reason
