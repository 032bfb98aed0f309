"""For a person at a terminal: aligned tables and wrapped lines, colour only where there is a terminal to show it."""

from collections.abc import Callable, Iterator, Sequence

from tellapart.answers.page import Grid, Page, with_command
from tellapart.render.screen import Screen, widest_word, width_of, wrapped

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
    paint = _painted if screen.color else _plain
    # Nobody sees blanks at the end of a line, but every comparison of two pages does.
    return "\n".join(line.rstrip() for line in _lines(page, screen, paint)) + "\n"


def _lines(page: Page, screen: Screen, paint: Paint) -> Iterator[str]:
    width = screen.width
    yield from (paint(line, COLORS[page.tone]) for line in wrapped(page.headline, width))
    for grid in page.grids:
        yield from ("", *_table(grid, width, paint))
    if page.figures:
        from tellapart.render.text_figures import drawn  # noqa: PLC0415  (plans alone have figures)

        for figure in page.figures:
            yield from ("", *drawn(figure))
    if page.facts:
        yield from ("", *_facts(page.facts, width, paint))
    for heading, remarks in page.remarks:
        if remarks:
            yield from ("", paint(heading, BOLD))
            yield from (line for remark in remarks for line in _remark(remark, width))
    yield from ("", paint("To quote", BOLD), *_hanging("", page.sentence, width))
    signature = wrapped(page.signature, width) if screen.terminal else [page.signature]
    yield from ("", *(paint(line, DIM) for line in signature))


def _plain(words: str, style: str) -> str:  # noqa: ARG001  (the other painter's signature)
    return words


def _painted(words: str, style: str) -> str:
    return f"\x1b[{style}m{words}\x1b[0m" if words else ""


def _hanging(mark: str, words: str, width: int) -> list[str]:
    """Lines set off from both margins, all under the first after the mark."""
    lines = wrapped(words, width - 2 * GAP - len(mark))
    return [" " * GAP + (mark if i == 0 else " " * len(mark)) + line for i, line in enumerate(lines)]


def _remark(remark: str, width: int) -> list[str]:
    """Beside its mark, and a command that it ends in below it: one line, however long, that can be copied."""
    said, command = with_command(remark)
    lines = _hanging(MARK, said, width) if said else []
    if not command:
        return lines
    return [*lines, " " * GAP + (" " * len(MARK) if lines else MARK) + command]


def _facts(facts: tuple[tuple[str, str], ...], width: int, paint: Paint) -> Iterator[str]:
    names = max(width_of(name) for name, _ in facts)
    for name, value in facts:
        for i, line in enumerate(wrapped(value, width - names - GAP)):
            shown = _aligned(name if i == 0 else "", names, "left")
            yield paint(shown, BOLD) + " " * GAP + line


def _table(grid: Grid, width: int, paint: Paint) -> Iterator[str]:
    if grid.caption:
        yield from (paint(line, BOLD) for line in wrapped(grid.caption, width))
    if grid.spans is not None:
        from tellapart.render.text_figures import with_lines  # noqa: PLC0415  (most tables draw none)

        grid = with_lines(grid, width - _width(grid) - GAP)
    rows = [tuple(cell.text for cell in row) for row in grid.rows]
    widths = _narrowed(list(zip(grid.titles, *rows, strict=True)), width)
    sides = [column.side for column in grid.columns]
    for line in _stacked(grid.titles, widths, at_bottom=True):
        yield (" " * GAP).join(paint(part, BOLD) for part in _row(line, widths, sides))
    for row in rows:
        for line in _stacked(row, widths, at_bottom=False):
            yield (" " * GAP).join(_row(line, widths, sides))


def _width(grid: Grid) -> int:
    """What the table takes where nothing is folded."""
    columns = zip(grid.titles, *(tuple(cell.text for cell in row) for row in grid.rows), strict=True)
    return sum(max(map(width_of, column)) + GAP for column in columns) - GAP


def _row(parts: Sequence[str], widths: Sequence[int], sides: Sequence[str]) -> list[str]:
    return [_aligned(part, space, side) for part, space, side in zip(parts, widths, sides, strict=True)]


def _stacked(row: Sequence[str], widths: Sequence[int], *, at_bottom: bool) -> Iterator[tuple[str, ...]]:
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
