"""Plain text for a terminal: aligned tables, wrapped lines, line-drawn intervals and curves, optional colour."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tellapart.answers.page import BLANK, SIDES, Cell, Column, Curve, Figure, Grid, Page
from tellapart.foundation.formatting import decimals_for, number
from tellapart.render.screen import Screen, widest_word, width_of, with_command, wrapped

COLORS = {"good": "1;32", "bad": "1;31", "even": "1;36", "open": "1;33"}
"""Bold green, red, cyan and yellow, as terminals number their colours."""
BOLD, DIM = "1", "2"
GAP = 2
"""Blanks between columns, and beside what is set off."""
MARK = "• "
"""Before a remark."""
UNBROKEN = 12
"""A word of a table so long is not broken while another column can give way; longer ones are names."""

Paint = Callable[[str, str], str]


def text(page: Page, screen: Screen) -> str:
    paint = _painted if screen.color else _text_plain
    # Nobody sees blanks at the end of a line, but every comparison of two pages does.
    return "\n".join(line.rstrip() for line in _text_lines(page, screen, paint)) + "\n"


def _text_lines(page: Page, screen: Screen, paint: Paint) -> Iterator[str]:
    width = screen.width
    yield from (paint(line, COLORS[page.tone]) for line in wrapped(page.headline, width))
    if page.finding:
        yield from wrapped(page.finding, width)
    if steps := page.next_steps:
        yield from (
            "",
            paint("Next", BOLD),
            *(line for step in steps for line in _text_remark(*with_command(step), width)),
        )
    for grid in page.grids:
        yield from ("", *_text_table(grid, width, paint))
    if page.figures:
        for figure in page.figures:
            yield from ("", *draw_curves(figure))
    if page.facts:
        yield from ("", *_text_facts(page.facts, width, paint))
    for heading, remarks in [(heading, list(map(with_command, remarks))) for heading, remarks in page.remarks]:
        if remarks:
            yield from ("", paint(heading, BOLD))
            yield from (line for said, command in remarks for line in _text_remark(said, command, width))
    yield from ("", paint("To quote", BOLD), *_hanging("", page.sentence, width))
    signature = wrapped(page.signature, width) if screen.terminal else [page.signature]
    yield from ("", *(paint(line, DIM) for line in signature))


def _text_plain(words: str, style: str) -> str:  # noqa: ARG001  (the other painter's signature)
    return words


def _painted(words: str, style: str) -> str:
    return f"\x1b[{style}m{words}\x1b[0m" if words else ""


def _hanging(mark: str, words: str, width: int) -> list[str]:
    """Lines set off from both margins, all under the first after the mark."""
    lines = wrapped(words, width - 2 * GAP - len(mark))
    return [" " * GAP + (mark if i == 0 else " " * len(mark)) + line for i, line in enumerate(lines)]


def _text_remark(said: str, command: str, width: int) -> list[str]:
    """Beside its mark, and a command that it ends in below it: one line, however long, that can be copied."""
    lines = _hanging(MARK, said, width) if said else []
    if not command:
        return lines
    return [*lines, " " * GAP + (" " * len(MARK) if lines else MARK) + command]


def _text_facts(facts: tuple[tuple[str, str], ...], width: int, paint: Paint) -> Iterator[str]:
    names = max(width_of(name) for name, _ in facts)
    for name, value in facts:
        for i, line in enumerate(wrapped(value, width - names - GAP)):
            shown = _aligned(name if i == 0 else "", names, "left")
            yield paint(shown, BOLD) + " " * GAP + line


def _text_table(grid: Grid, width: int, paint: Paint) -> Iterator[str]:
    if grid.caption:
        yield from (paint(line, BOLD) for line in wrapped(grid.caption, width))
    if grid.spans is not None:
        grid = with_intervals(*_roomy(grid, width))
    rows = [tuple(cell.text for cell in row) for row in grid.rows]
    titles, sides = zip(*((column.title, SIDES[column.kind]) for column in grid.columns), strict=True)
    widths = _narrowed(list(zip(titles, *rows, strict=True)), width)
    for line in _text_stacked(titles, widths, at_bottom=True):
        yield (" " * GAP).join(paint(part, BOLD) for part in _text_row(line, widths, sides))
    for row in rows:
        for line in _text_stacked(row, widths, at_bottom=False):
            yield (" " * GAP).join(_text_row(line, widths, sides))


def _roomy(grid: Grid, width: int) -> tuple[Grid, int]:
    """The table without as many minor columns, from the left, as leave room for drawn intervals; whole where none do. And the room."""
    minor = [i for i, column in enumerate(grid.columns) if column.minor]
    for given_up in (minor[:count] for count in range(len(minor) + 1)):
        kept = [i for i in range(len(grid.columns)) if i not in given_up]
        rows = tuple(tuple(row[i] for i in kept) for row in grid.rows)
        less = replace(grid, columns=tuple(grid.columns[i] for i in kept), rows=rows)
        if (room := width - _text_width(less) - GAP) >= SHORTEST:
            return less, room
    return grid, 0


def _text_width(grid: Grid) -> int:
    """The width of the table without folding."""
    titles = [column.title for column in grid.columns]
    columns = zip(titles, *([cell.text for cell in row] for row in grid.rows), strict=True)
    return sum(max(map(width_of, column)) + GAP for column in columns) - GAP


def _text_row(parts: Sequence[str], widths: Sequence[int], sides: Sequence[str]) -> list[str]:
    return [_aligned(part, space, side) for part, space, side in zip(parts, widths, sides, strict=True)]


def _text_stacked(row: Sequence[str], widths: Sequence[int], *, at_bottom: bool) -> Iterator[tuple[str, ...]]:
    """The lines of a row whose cells are folded into their columns; titles of columns stand right above them."""
    folded = [wrapped(cell, space) for cell, space in zip(row, widths, strict=True)]
    height = max(map(len, folded))
    blank = [[""] * (height - len(lines)) for lines in folded]
    stacked = (b + f if at_bottom else f + b for f, b in zip(folded, blank, strict=True))
    return zip(*stacked, strict=True)


def _narrowed(columns: Sequence[Sequence[str]], width: int) -> list[int]:
    """Column widths that fit: the widest gives way first, and none breaks its words while another can give way."""
    widths = [max(map(width_of, column)) for column in columns]
    whole = [min(max(map(widest_word, column)), UNBROKEN) for column in columns]
    room = width - GAP * (len(widths) - 1)
    # One column of the screen at a time, so that columns that must give way end equally wide.
    while sum(widths) > room and max(widths) > 1:
        wide = [i for i in range(len(widths)) if widths[i] > whole[i]] or range(len(widths))
        widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def _aligned(words: str, space: int, side: str) -> str:
    blanks = " " * max(space - width_of(words), 0)
    return words + blanks if side == "left" else blanks + words


# Intervals drawn as lines of characters, one below the other on a common scale.

SHORTEST, LONGEST = 20, 32
"""Characters of a line: fewer tell nothing, more tell no more."""


def with_intervals(grid: Grid, room: int) -> Grid:
    """The table with its intervals drawn beside their numbers, where it has any and where there is room for them."""
    width, ends = min(room, LONGEST), _text_scale(grid)
    if grid.spans is None or ends is None or width < SHORTEST:
        return replace(grid, spans=None)
    place = grid.spans.behind + 1
    title = Column(_ruler(ends, width), "words")
    drawn = [_text_interval(span, ends, width) for span in grid.spans.ends]
    rows = zip(grid.rows, drawn, strict=True)
    return replace(
        grid,
        columns=(*grid.columns[:place], title, *grid.columns[place:]),
        rows=tuple((*row[:place], cell, *row[place:]) for row, cell in rows),
        spans=None,
    )


def _text_scale(grid: Grid) -> tuple[float, float] | None:
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


def _text_interval(span: tuple[float, float, float], ends: tuple[float, float], width: int) -> Cell:
    """From the lower end to the upper one, with a point where the value is.

    >>> _text_interval((0.2, 0.5, 0.7), (0.0, 1.0), 11).text, _text_interval((0.5, 0.5, 0.5), (0.0, 1.0), 5).text
    ('  ├──●─┤', '  ●')
    """
    if not all(map(math.isfinite, span)):
        return BLANK
    scale = (width - 1) / (ends[1] - ends[0])
    low, middle, high = (round((x - ends[0]) * scale) for x in span)
    drawn = {**dict.fromkeys(range(low, high), "─"), low: "├", high: "┤", middle: "●"}
    return Cell("".join(drawn.get(place, " ") for place in range(high + 1)))


CANVAS_WIDTH, CANVAS_HEIGHT = 64, 16
"""Characters of the canvas: with its labels it fits into 80 columns, and a line is a step of a sixteenth."""
CURVE_MARKS = "●○◆◇▲△■□"
"""One per curve; curves beyond these are only counted."""
CANVAS_MARGIN = 6
"""Characters left of the canvas: a label, a blank and the axis."""


def draw_curves(figure: Figure) -> list[str]:
    """The lines of a figure: curves over their axes, each with its own mark, and a legend."""
    low, high = _x_range(figure)
    canvas = [[" "] * CANVAS_WIDTH for _ in range(CANVAS_HEIGHT + 1)]
    for mark, curve in zip(CURVE_MARKS, figure.curves, strict=False):
        _trace(canvas, curve, mark, low, high)
    lines = [f"{_share_label(i)}┤{''.join(row).rstrip()}" for i, row in enumerate(canvas)]
    return [figure.vertical, *lines, *_text_axis(figure.horizontal, low, high), *_legend(figure.curves)]


def _x_range(figure: Figure) -> tuple[float, float]:
    xs = [x for curve in figure.curves for x, _ in curve.points]
    return min(xs), max(xs)


def _share_label(line: int) -> str:
    share = 1.0 - line / CANVAS_HEIGHT
    return f"{share:4.2f} " if line % 4 == 0 else "     "


def _text_axis(name: str, low: float, high: float) -> list[str]:
    left, right = (f"{end:.4g}" if end < 1e4 else f"{end:,.0f}" for end in (low, high))
    between = max(CANVAS_WIDTH - len(left) - len(right), len(name))
    return [f"{'':{CANVAS_MARGIN - 1}}└{'─' * CANVAS_WIDTH}", f"{'':{CANVAS_MARGIN}}{left}{name:^{between}}{right}"]


def _legend(curves: tuple[Curve, ...]) -> list[str]:
    shown = [f"{mark} {curve.name}" for mark, curve in zip(CURVE_MARKS, curves, strict=False)]
    if len(curves) > len(CURVE_MARKS):
        shown.append(f"and {len(curves) - len(CURVE_MARKS)} more that are not drawn")
    return [" " * CANVAS_MARGIN + line for line in shown]


def _trace(canvas: list[list[str]], curve: Curve, mark: str, low: float, high: float) -> None:
    """Dots along straight lines between the points, then the points themselves on top."""
    for (x0, y0), (x1, y1) in zip(curve.points, curve.points[1:], strict=False):
        for column in range(_canvas_column(x0, low, high), _canvas_column(x1, low, high) + 1):
            # The ends of a line were rounded to columns, so its first and last may lie beyond its points.
            x = low + (high - low) * column / (CANVAS_WIDTH - 1)
            share = 0.0 if x1 == x0 else min(max((x - x0) / (x1 - x0), 0.0), 1.0)
            line = _canvas_line(y0 + share * (y1 - y0))
            if canvas[line][column] == " ":
                canvas[line][column] = "·"
    for x, y in curve.points:
        canvas[_canvas_line(y)][_canvas_column(x, low, high)] = mark


def _canvas_column(x: float, low: float, high: float) -> int:
    return 0 if high == low else round((CANVAS_WIDTH - 1) * (x - low) / (high - low))


def _canvas_line(share: float) -> int:
    return CANVAS_HEIGHT - round(CANVAS_HEIGHT * min(max(share, 0.0), 1.0))
