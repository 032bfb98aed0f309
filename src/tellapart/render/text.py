"""For a person at a terminal: aligned tables and wrapped lines, colour only where there is a terminal to show it."""

import re
import shutil
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from tellapart.render.sheet import Grid, Sheet

MOODS = {"good": "1;32", "bad": "1;31", "even": "1;36", "open": "1;33"}
BOLD, DIM = "1", "2"
WIDTH = 110
"""Columns of a page; fewer where a narrower terminal shows it."""
WORDS = {"method", "verdict, reason"}
"""Columns that hold words; the others hold numbers."""
GAP = 2
"""Blanks between columns, and beside what is set off."""

Paint = Callable[[str, str], str]


def text(page: Sheet, *, color: bool) -> str:
    width = min(WIDTH, shutil.get_terminal_size((WIDTH, 0)).columns) if color else WIDTH
    paint = _painted if color else _plain
    return "\n".join(line.rstrip() for line in _lines(page, width, paint)) + "\n"


def _lines(page: Sheet, width: int, paint: Paint) -> Iterator[str]:
    yield from (paint(line, MOODS[page.mood]) for line in wrapped(page.headline, width))
    for grid in page.grids:
        yield from ("", *_table(grid, width, paint))
    if page.drawing:
        yield from ("", *page.drawing.splitlines())
    if page.facts:
        yield from ("", *_facts(page.facts, width, paint))
    for heading, remarks in page.remarks:
        if remarks:
            yield from ("", paint(heading, BOLD))
            yield from (line for remark in remarks for line in _hanging("• ", remark, width))
    yield from ("", paint("To quote", BOLD), *_hanging("", page.sentence, width))
    yield from ("", paint(page.signature, DIM))


def _plain(words: str, style: str) -> str:  # noqa: ARG001  (the other painter's signature)
    return words


def _painted(words: str, style: str) -> str:
    return f"\x1b[{style}m{words}\x1b[0m" if words else ""


def _hanging(mark: str, words: str, width: int) -> list[str]:
    """Lines set off from both margins, all under the first after the mark."""
    lines = wrapped(words, width - 2 * GAP - len(mark))
    return [" " * GAP + (mark if i == 0 else " " * len(mark)) + line for i, line in enumerate(lines)]


def _facts(facts: tuple[tuple[str, str], ...], width: int, paint: Paint) -> Iterator[str]:
    names = max(cells(name) for name, _ in facts)
    for name, value in facts:
        for i, line in enumerate(wrapped(value, width - names - GAP)):
            shown = _aligned(name if i == 0 else "", names, left=True)
            yield paint(shown, BOLD) + " " * GAP + line


def _table(grid: Grid, width: int, paint: Paint) -> Iterator[str]:
    if grid.caption:
        yield from (paint(line, BOLD) for line in wrapped(grid.caption, width))
    widths = _narrowed(
        [max(map(cells, column)) for column in zip(grid.columns, *grid.rows, strict=True)], width
    )
    left = [i == 0 or name in WORDS for i, name in enumerate(grid.columns)]
    for row in (grid.columns, *grid.rows):
        for parts in _side_by_side(row, widths, at_bottom=row is grid.columns):
            shown = [_aligned(*part) for part in zip(parts, widths, left, strict=True)]
            yield (" " * GAP).join(paint(part, BOLD) if row is grid.columns else part for part in shown)


def _side_by_side(row: Sequence[str], widths: Sequence[int], *, at_bottom: bool) -> Iterator[tuple[str, ...]]:
    """The lines of a row whose cells are folded into their columns; names of columns stand right above them."""
    folded = [wrapped(cell, space) for cell, space in zip(row, widths, strict=True)]
    height = max(map(len, folded))
    blank = [[""] * (height - len(lines)) for lines in folded]
    stacked = (b + f if at_bottom else f + b for f, b in zip(folded, blank, strict=True))
    return zip(*stacked, strict=True)


def _narrowed(widths: list[int], width: int) -> list[int]:
    """Column widths that fit: the widest columns give way first, together."""
    room = width - GAP * (len(widths) - 1)
    while (excess := sum(widths) - room) > 0 and max(widths) > 1:
        widest = [i for i, space in enumerate(widths) if space == max(widths)]
        next_widest = max([space for space in widths if space < max(widths)], default=1)
        most = max(max(widths) - next_widest, 1)
        for left, i in zip(range(len(widest), 0, -1), widest, strict=True):
            step = min(most, -(-excess // left))
            widths[i] -= step
            excess -= step
    return widths


def _aligned(words: str, space: int, left: bool) -> str:
    blanks = " " * max(space - cells(words), 0)
    return words + blanks if left else blanks + words


def wrapped(words: str, width: int) -> list[str]:
    """Lines no wider than this, broken between words, and inside a word that is wider than a line.

    >>> wrapped("one two three", 7), wrapped("a seventeen b", 5), wrapped("", 9)
    (['one two', 'three'], ['a', 'seven', 'teen', 'b'], [''])
    """
    lines = [""]
    for word in re.findall(r"\s*\S+", words):
        if cells(lines[-1] + word) <= width:
            lines[-1] += word
            continue
        pieces = _chopped(word.strip(), max(width, 1))
        lines = (lines if lines[-1] else lines[:-1]) + pieces
    return lines


def _chopped(word: str, width: int) -> list[str]:
    pieces = [""]
    for char in word:
        if cells(pieces[-1] + char) > width and pieces[-1]:
            pieces.append("")
        pieces[-1] += char
    return pieces


def cells(words: str) -> int:
    """How many columns of a terminal these words take."""
    if words.isascii():
        return len(words)
    return sum(map(_cells, words))


def _cells(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
