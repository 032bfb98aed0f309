"""Figures drawn in characters, for a terminal."""

import math
from dataclasses import replace

from tellapart.answers.page import BLANK, Cell, Column, Curve, Figure, Grid
from tellapart.foundation.formatting import decimals_for, number

# Intervals drawn as lines of characters, one below the other on a common scale.

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


WIDTH, HEIGHT = 64, 16
"""Characters of the canvas: with its labels it fits into 80 columns, and a line is a step of a sixteenth."""
MARKS = "●○◆◇▲△■□"
"""One per curve; curves beyond these are only counted."""
MARGIN = 6
"""Characters left of the canvas: a label, a blank and the axis."""


def drawn(figure: Figure) -> list[str]:
    """The lines of a figure: curves over their axes, each with its own mark, and a legend."""
    low, high = _ends(figure)
    canvas = [[" "] * WIDTH for _ in range(HEIGHT + 1)]
    for mark, curve in zip(MARKS, figure.curves, strict=False):
        _trace(canvas, curve, mark, low, high)
    lines = [f"{_label(i)}┤{''.join(row).rstrip()}" for i, row in enumerate(canvas)]
    return [figure.vertical, *lines, *_axis(figure.horizontal, low, high), *_legend(figure.curves)]


def _ends(figure: Figure) -> tuple[float, float]:
    xs = [x for curve in figure.curves for x, _ in curve.points]
    return min(xs), max(xs)


def _label(line: int) -> str:
    share = 1.0 - line / HEIGHT
    return f"{share:4.2f} " if line % 4 == 0 else "     "


def _axis(name: str, low: float, high: float) -> list[str]:
    left, right = (f"{end:.4g}" if end < 1e4 else f"{end:,.0f}" for end in (low, high))
    between = max(WIDTH - len(left) - len(right), len(name))
    return [f"{'':{MARGIN - 1}}└{'─' * WIDTH}", f"{'':{MARGIN}}{left}{name:^{between}}{right}"]


def _legend(curves: tuple[Curve, ...]) -> list[str]:
    shown = [f"{mark} {curve.name}" for mark, curve in zip(MARKS, curves, strict=False)]
    if len(curves) > len(MARKS):
        shown.append(f"and {len(curves) - len(MARKS)} more that are not drawn")
    return [" " * MARGIN + line for line in shown]


def _trace(canvas: list[list[str]], curve: Curve, mark: str, low: float, high: float) -> None:
    """Dots along straight lines between the points, then the points themselves on top."""
    for (x0, y0), (x1, y1) in zip(curve.points, curve.points[1:], strict=False):
        for column in range(_column(x0, low, high), _column(x1, low, high) + 1):
            # The ends of a line were rounded to columns, so its first and last may lie beyond its points.
            x = low + (high - low) * column / (WIDTH - 1)
            share = 0.0 if x1 == x0 else min(max((x - x0) / (x1 - x0), 0.0), 1.0)
            line = _line_of_figure(y0 + share * (y1 - y0))
            if canvas[line][column] == " ":
                canvas[line][column] = "·"
    for x, y in curve.points:
        canvas[_line_of_figure(y)][_column(x, low, high)] = mark


def _column(x: float, low: float, high: float) -> int:
    return 0 if high == low else round((WIDTH - 1) * (x - low) / (high - low))


def _line_of_figure(share: float) -> int:
    return HEIGHT - round(HEIGHT * min(max(share, 0.0), 1.0))
