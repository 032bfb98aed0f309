"""For a person at a terminal: aligned tables and wrapped lines, colour only where there is a terminal to show it."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, takewhile

from tellapart.render.screen import Screen
from tellapart.render.sheet import Grid, Sheet

MOODS = {"good": "1;32", "bad": "1;31", "even": "1;36", "open": "1;33"}
BOLD, DIM = "1", "2"
WORDS = {"method", "verdict, reason"}
"""Columns that hold words; the others hold numbers."""
GAP = 2
"""Blanks between columns, and beside what is set off."""
UNBROKEN = 12
"""A word of a table so long is not broken while another column can give way; longer ones are names."""

Paint = Callable[[str, str], str]


def text(page: Sheet, screen: Screen) -> str:
    paint = _painted if screen.color else _plain
    return "\n".join(line.rstrip() for line in _lines(page, screen, paint)) + "\n"


def _lines(page: Sheet, screen: Screen, paint: Paint) -> Iterator[str]:
    width = screen.width
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


def _facts(facts: tuple[tuple[str, str], ...], width: int, paint: Paint) -> Iterator[str]:
    names = max(cells(name) for name, _ in facts)
    for name, value in facts:
        for i, line in enumerate(wrapped(value, width - names - GAP)):
            shown = _aligned(name if i == 0 else "", names, left=True)
            yield paint(shown, BOLD) + " " * GAP + line


def _table(grid: Grid, width: int, paint: Paint) -> Iterator[str]:
    if grid.caption:
        yield from (paint(line, BOLD) for line in wrapped(grid.caption, width))
    widths = _narrowed(list(zip(grid.columns, *grid.rows, strict=True)), width)
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


def _narrowed(columns: Sequence[Sequence[str]], width: int) -> list[int]:
    """Column widths that fit: the widest gives way first, and none breaks its words while another can give way."""
    widths = [max(map(cells, column)) for column in columns]
    whole = [min(max(map(_longest, column)), UNBROKEN) for column in columns]
    room = width - GAP * (len(widths) - 1)
    while sum(widths) > room and max(widths) > 1:
        wide = [i for i in range(len(widths)) if widths[i] > whole[i]] or range(len(widths))
        widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def _longest(words: str) -> int:
    return max((cells(word.strip()) for word in _WORD.findall(words)), default=0)


def _aligned(words: str, space: int, left: bool) -> str:
    blanks = " " * max(space - cells(words), 0)
    return words + blanks if left else blanks + words


def wrapped(words: str, width: int) -> list[str]:
    """Lines no wider than this, broken between words, and inside a word that is wider than a line; `80 %` and `p = 0.03` stay whole.

    >>> wrapped("one two three", 7), wrapped("a seventeen b", 5), wrapped("", 9)
    (['one two', 'three'], ['a', 'seven', 'teen', 'b'], [''])
    >>> wrapped("with 80 % power", 7), wrapped("then p = 0.03", 8), wrapped("a-very/long-name", 9)
    (['with', '80 %', 'power'], ['then', 'p = 0.03'], ['a-very/', 'long-name'])
    """
    lines = [""]
    for word in _WORD.findall(words):
        if cells(lines[-1] + word) <= width:
            lines[-1] += word
            continue
        pieces = _chopped(word.strip(), max(width, 1))
        lines = (lines if lines[-1] else lines[:-1]) + pieces
    return lines


_WORD = re.compile(r"\s*\S+(?: (?:%|[=<] \S+))*")
_JOINT = re.compile(r"[-/_@(=, ](?=[^-/_@(=, ]*$)")


def _chopped(word: str, width: int) -> list[str]:
    """Pieces that fit, cut after the last joint of a name (`-`, `/`, …) unless that leaves half a line empty."""
    pieces = []
    while cells(word) > width:
        end = _fitting(word, width)
        joint = _JOINT.search(word[:end])
        if joint is not None and joint.end() > end // 2:
            end = joint.end()
        pieces.append(word[:end].rstrip())
        word = word[end:].lstrip()
    return [*pieces, word]


def _fitting(word: str, width: int) -> int:
    """How many characters fit into these columns, and at least one."""
    room = accumulate(map(cells, word))
    return max(sum(1 for taken in takewhile(lambda taken: taken <= width, room)), 1)


def cells(words: str) -> int:
    """How many columns of a terminal these words take."""
    if words.isascii():
        return len(words)
    return sum(map(_cells, words))


def _cells(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
