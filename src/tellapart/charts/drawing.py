"""What a chart is before it is drawn."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tellapart.charts.altair import Picture

Row = dict[str, Any]
Rows = list[Row]
"""Numbers of the answer under the titles of their columns; a field with an underscore before it serves the picture alone."""


@dataclass(frozen=True)
class Drawing:
    """A name, a title, the numbers that are shown, and how.

    `rows` are empty where an answer has nothing to show here. Where they are those of a `matrix`, it names the fields of its rows, its
    columns and its cells, for a table that says each name once. What a chart finds is said in `words/captions`.
    """

    name: str
    title: str
    rows: Callable[[Any], Rows]
    picture: Callable[[Any, Rows], Picture]
    matrix: tuple[str, str, str] | None = None


def known(value: float | None) -> float | None:
    """A number that can be drawn, or None."""
    return value if value is not None and math.isfinite(value) else None
