"""Tables of a sheet: columns that know what they hold, cells that keep the numbers behind their words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["name", "number", "words", "interval"]


@dataclass(frozen=True)
class Column:
    """A heading, and what stands below it; how a format sets the column follows from that."""

    title: str
    kind: Kind

    @property
    def side(self) -> Literal["left", "right"]:
        """Words begin below each other; numbers and intervals end so, which puts their digits below each other."""
        return "left" if self.kind in {"name", "words"} else "right"


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
    """What is the same all over a table, by the titles of the columns that it would fill; blanks say nothing."""
    said = ", ".join(f"{title} {cell.text}" for title, cell in cells if cell.text)
    return f"Throughout: {said}" if said else ""
