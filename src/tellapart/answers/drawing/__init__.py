"""Framework for charts of answers: the rows that a chart shows, its picture by altair, and its caption.

Each kind of answer has its charts in `answers/KIND/charts.py`, in the tuple `CHARTS`, the most telling first. No arithmetic: what a chart
shows is in the answer already, so that it can be drawn from its JSON alone.
"""

import importlib
import importlib.util
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tellapart.answers.answer import Answer
from tellapart.answers.drawing.theme import Picture, themed
from tellapart.foundation.errors import UsageError
from tellapart.foundation.formatting import shown
from tellapart.foundation.surfaces import Surface, spell_marks

Row = dict[str, Any]
Rows = list[Row]
"""Numbers of the answer under the titles of their columns; a field with an underscore before it serves the picture alone."""


@dataclass(frozen=True)
class Drawing:
    """A name, a title, what the chart finds in words, the numbers that are shown, and how.

    `rows` are empty where an answer has nothing to show here. Where they are those of a `matrix`, it names the fields of its rows, its
    columns and its cells, for a table that says each name once.
    """

    name: str
    title: str
    caption: Callable[[Any], str]
    rows: Callable[[Any], Rows]
    picture: Callable[[Any, Rows], Picture]
    matrix: tuple[str, str, str] | None = None


def known(value: float | None) -> float | None:
    """A number that can be drawn, or None."""
    return value if value is not None and math.isfinite(value) else None


def drawings(kind: str) -> tuple[Drawing, ...]:
    """Every chart that this kind of answer may have."""
    module = f"tellapart.answers.{kind}.charts"
    if importlib.util.find_spec(module) is None:
        return ()
    found: tuple[Drawing, ...] = importlib.import_module(module).CHARTS
    return found


def drawn(answer: Answer) -> tuple[Drawing, ...]:
    """The charts of this answer: those that it has the numbers for."""
    return tuple(one for one in drawings(answer.kind) if one.rows(answer))


def names(answer: Answer) -> tuple[str, ...]:
    """The names that `chart` takes, the most telling first."""
    return tuple(one.name for one in drawn(answer))


def named(answer: Answer, name: str | None = None) -> Drawing:
    """The chart of this name, or the first."""
    for one in drawings(answer.kind):
        if name in {one.name, None} and one.rows(answer):
            return one
    known = names(answer)
    if not known:
        raise UsageError(f"this {answer.kind.replace('_', ' ')} has nothing to draw")
    raise UsageError(f"this answer has no chart {name!r}; its charts: {', '.join(known)}")


def caption(answer: Answer, name: str, surface: Surface = "python") -> str:
    """The finding of the chart of this name, from the fields of the answer alone."""
    finding = next(one.caption for one in drawings(answer.kind) if one.name == name)
    return shown(spell_marks(finding(answer), surface))


def chart(answer: Answer, name: str | None = None) -> Picture:
    """A chart of an answer as altair has it, with what it finds as its description."""
    one = named(answer, name)
    return pictured(answer, one, one.rows(answer))


def pictured(answer: Answer, one: Drawing, rows: Rows) -> Picture:
    """The picture of a chart whose rows are there already."""
    return themed(one.picture(answer, rows).properties(description=caption(answer, one.name)))
