"""Tables of a sheet: columns that know what they hold, cells that keep the numbers behind their words."""

from dataclasses import dataclass
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
class Grid:
    """A table; the first column names its rows."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    caption: str = ""

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)


BLANK = Cell("")
