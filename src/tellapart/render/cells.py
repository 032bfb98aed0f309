"""Cells of tables, made of the numbers that they show: `cells.number(0.25, 3)` beside `wording.number(0.25, 3)`."""

import math

from tellapart import wording
from tellapart.render.grid import Cell

BLANK = Cell("")


def words(text: str) -> Cell:
    return Cell(text)


def value(number: float | None, text: str) -> Cell:
    """A number that was written in a way of its own; one that is undefined leaves its words only."""
    return Cell(text, () if number is None or math.isnan(number) else (number,))


def count(amount: int) -> Cell:
    return value(amount, wording.thousands(amount))


def count_of(part: int, whole: int) -> Cell:
    """So many of all."""
    return Cell(f"{wording.thousands(part)} of {wording.thousands(whole)}", (part, whole))


def number(amount: float | None, decimals: int) -> Cell:
    return value(amount, wording.number(amount, decimals))


def signed(difference: float | None, decimals: int) -> Cell:
    return value(difference, wording.signed(difference, decimals))


def significant(magnitude: float | None, digits: int = 2) -> Cell:
    return value(magnitude, wording.significant(magnitude, digits))


def pvalue(probability: float, alpha: float = 0.05) -> Cell:
    return value(probability, wording.pvalue(probability, alpha))


def bare_pvalue(probability: float | None, alpha: float | None = None) -> Cell:
    return value(probability, wording.bare_pvalue(probability, alpha))


def interval(low: float, high: float, decimals: int) -> Cell:
    """Two bounds in brackets."""
    return Cell(f"[{wording.number(low, decimals)}, {wording.number(high, decimals)}]", (low, high))


def signed_interval(low: float, high: float, decimals: int) -> Cell:
    """Two bounds of a difference in brackets."""
    return Cell(f"[{wording.signed(low, decimals)}, {wording.signed(high, decimals)}]", (low, high))
