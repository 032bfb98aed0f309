"""Intervals drawn as lines of characters, one below the other on a common scale."""

import math
from dataclasses import replace

from tellapart.render.grid import BLANK, Cell, Column, Grid
from tellapart.wording import decimals_for, number

NARROWEST, WIDEST = 8, 32
"""Characters of a line: fewer tell nothing, more tell no more."""


def with_lines(grid: Grid, room: int) -> Grid:
    """The table with its intervals drawn beside their numbers, where it has any and where there is room for them."""
    width, ends = min(room, WIDEST), _scale(grid)
    if grid.spans is None or ends is None or width < NARROWEST:
        return replace(grid, spans=None)
    place = grid.spans.behind + 1
    title = Column(_ruler(ends, width), "words")
    drawn = [_line(span, ends, width) for span in grid.spans.ends]
    rows = zip(grid.rows, drawn, strict=True)
    return replace(
        grid,
        columns=(*grid.columns[:place], title, *grid.columns[place:]),
        rows=tuple((*row[:place], cell, *row[place:]) for row, cell in rows),
        spans=None,
    )


def _scale(grid: Grid) -> tuple[float, float] | None:
    """From the lowest to the highest end; None where there is nothing to draw."""
    bounds = [x for span in (grid.spans.ends if grid.spans else ()) for x in span if math.isfinite(x)]
    low, high = (min(bounds), max(bounds)) if bounds else (0.0, 0.0)
    return (low, high) if low < high else None


def _ruler(ends: tuple[float, float], width: int) -> str:
    """The two ends of the scale, in as few digits as tell them apart, or nothing where they do not fit."""
    low, high = ends
    places = decimals_for(high - low)
    left, right = number(low, places), number(high, places)
    return left + " " * (width - len(left) - len(right)) + right if len(left) + len(right) < width else ""


def _line(span: tuple[float, float, float], ends: tuple[float, float], width: int) -> Cell:
    """From the lower end to the upper one, with a point where the value is.

    >>> _line((0.2, 0.5, 0.7), (0.0, 1.0), 11).text, _line((0.5, 0.5, 0.5), (0.0, 1.0), 5).text
    ('  ├──●─┤', '  ●')
    """
    if not all(map(math.isfinite, span)):
        return BLANK
    scale = (width - 1) / (ends[1] - ends[0])
    low, middle, high = (round((x - ends[0]) * scale) for x in span)
    drawn = {**dict.fromkeys(range(low, high), "─"), low: "├", high: "┤", middle: "●"}
    return Cell("".join(drawn.get(place, " ") for place in range(high + 1)))
