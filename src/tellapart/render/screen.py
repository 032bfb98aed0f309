"""What a page is printed on: how wide it is, whether it has colours, and what was typed to get it."""

from dataclasses import dataclass

WIDEST = 110
"""Columns of a page: longer lines are hard to read, however wide the terminal."""


@dataclass(frozen=True)
class Screen:
    """A terminal, or a file that will be read in one; only a terminal breaks the signature, which is one line."""

    width: int = WIDEST
    color: bool = False
    terminal: bool = False
    command: str = ""


PAPER = Screen()
"""A file or a pipe: the same text whatever terminal it was made in."""
