"""Scores as programs write them: a number, nothing, or what is no score of one item."""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tellapart.foundation.arrays import EXACT, FloatArray
from tellapart.readers.log import ERROR, MISSING
from tellapart.readers.tables.table import Unfit
from tellapart.readers.tables.values import WANTED, WORDS

SCORED, ABSENT, FAILED, UNFIT = range(4)
"""What became of a row: a score, none, an error, or something that is no score."""

Marks = np.ndarray[Any, np.dtype[np.int8]]

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_NOTHING = frozenset(("", "nan", "none", "null", "n/a", "na", "<na>"))
_PLAIN = {float, int, bool}


def marked(scores: Sequence[Any], statuses: Sequence[str]) -> tuple[FloatArray, Marks]:
    """The scores as numbers, NaN where there is none, and what became of each row; `Unfit` for a number beyond all floats."""
    kinds = set(map(type, scores))
    if kinds <= _PLAIN and not any(statuses):
        values = np.fromiter(scores, np.float64, len(scores)) if int not in kinds or _small(scores) else None
        if values is not None and (np.abs(values) <= EXACT).all():
            return values, np.zeros(len(scores), dtype=np.int8)
    found = [
        _one(row, score, status) for row, (score, status) in enumerate(zip(scores, statuses, strict=True))
    ]
    return np.array([value for value, _ in found]), np.array([mark for _, mark in found], dtype=np.int8)


def _small(scores: Sequence[Any]) -> bool:
    """Whether no whole number is beyond all floats."""
    return all(abs(score) < EXACT for score in scores if type(score) is int)


def _one(row: int, score: Any, status: str) -> tuple[float, int]:
    if status == ERROR:
        return math.nan, FAILED
    if status == MISSING or score is None:
        return math.nan, ABSENT
    if isinstance(score, str):
        return _text(row, score)
    if not isinstance(score, int | float):
        return math.nan, UNFIT
    return _number(row, score, score)


def _text(row: int, score: str) -> tuple[float, int]:
    text = score.strip()
    if text.casefold() in _NOTHING:
        return math.nan, ABSENT
    if _NUMBER.fullmatch(text) is not None:
        return _number(row, float(text), score)
    word = WORDS.get(text.casefold())
    return (math.nan, UNFIT) if word is None else (word, SCORED)


def _number(row: int, value: float, found: Any) -> tuple[float, int]:
    if value != value:  # noqa: PLR0124  (only NaN differs from itself)
        return math.nan, ABSENT
    # Where a text says 1e400, Python says infinity; a file that says Infinity was read as nothing.
    if value in {math.inf, -math.inf} or (type(value) is int and abs(value) > EXACT):
        raise Unfit(
            row, found, WANTED, "No score is that large: correct it, or make it null if there is none"
        )
    return float(value), SCORED
