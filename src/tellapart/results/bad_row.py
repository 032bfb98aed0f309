"""A row of a table that could not be used."""

from dataclasses import dataclass


@dataclass(frozen=True)
class BadRow:
    """The line it is on, and what is wrong with it."""

    line: int
    problem: str
