"""Terminal width, colour and line wrapping."""

import re
import unicodedata
from dataclasses import dataclass
from itertools import accumulate, takewhile

# Words broken into the lines of a terminal, by the columns that they take there.

# A share and its sign, or a name and its value, are read together: `80 %`, `p = 0.03`.
_WORD = re.compile(r"\s*\S+(?: (?:%|[=<] \S+))*")
# The last place at which a name may be broken without reading as another word.
_JOINT = re.compile(r"[-/_@(=, ](?=[^-/_@(=, ]*$)")


def wrapped(words: str, width: int) -> list[str]:
    """Lines no wider than this, broken between words, and inside a word that is wider than a line; `80 %` and `p = 0.03` stay whole.

    >>> wrapped("one two three", 7), wrapped("a seventeen b", 5), wrapped("", 9)
    (['one two', 'three'], ['a', 'seven', 'teen', 'b'], [''])
    >>> wrapped("with 80 % power", 7), wrapped("then p = 0.03", 8), wrapped("a-very/long-name", 9)
    (['with', '80 %', 'power'], ['then', 'p = 0.03'], ['a-very/', 'long-name'])
    """
    lines = [""]
    for word in _WORD.findall(words):
        if width_of(lines[-1] + word) <= width:
            lines[-1] += word
            continue
        pieces = _chopped(word.strip(), max(width, 1))
        lines = (lines if lines[-1] else lines[:-1]) + pieces
    return lines


def width_of(words: str) -> int:
    """How many columns of a terminal these words take.

    >>> width_of("p = 0.03"), width_of("模型"), width_of("e\u0301")
    (8, 4, 1)
    """
    if words.isascii():
        return len(words)
    return sum(map(_screen_columns, words))


def _screen_columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def widest_word(words: str) -> int:
    """Columns of the longest piece that `wrapped` keeps whole while it can."""
    return max((width_of(word.strip()) for word in _WORD.findall(words)), default=0)


def _chopped(word: str, width: int) -> list[str]:
    """Pieces that fit, cut after the last joint of a name (`-`, `/`, …) unless that leaves half a line empty."""
    pieces = []
    while width_of(word) > width:
        end = _screen_fitting(word, width)
        joint = _JOINT.search(word[:end])
        if joint is not None and joint.end() > end // 2:
            end = joint.end()
        pieces.append(word[:end].rstrip())
        word = word[end:].lstrip()
    return [*pieces, word]


def _screen_fitting(word: str, width: int) -> int:
    """How many characters fit into these columns, and at least one."""
    taken = accumulate(map(width_of, word))
    return max(sum(1 for columns in takewhile(lambda columns: columns <= width, taken)), 1)


WIDEST = 110
"""Columns of a page: longer lines are hard to read, however wide the terminal."""


@dataclass(frozen=True)
class Screen:
    """A terminal or a file, the command that was typed, and whether CSV keeps texts that look like formulas; a file keeps the signature on one line."""

    width: int = WIDEST
    color: bool = False
    terminal: bool = False
    command: str = ""
    title: str = ""
    raw_csv: bool = False


PAPER = Screen()
"""A file or a pipe: the same text whatever terminal it was made in."""


# Commands that a page advises: they are there to be copied, so that no format breaks them or changes a sign
# of them.

_COMMAND = re.compile(r"(?:^|(?<=: ))tellapart [a-z]+ .*")


def with_command(remark: str) -> tuple[str, str]:
    """A remark, and the command that it is or ends in; either may be empty.

    >>> with_command("it takes a plan: tellapart plan pilot 'a  b.csv'"), with_command("as `tellapart compare` says")
    (('it takes a plan:', "tellapart plan pilot 'a  b.csv'"), ('as `tellapart compare` says', ''))
    """
    found = _COMMAND.search(remark)
    return (remark, "") if found is None else (remark[: found.start()].rstrip(), found[0])
