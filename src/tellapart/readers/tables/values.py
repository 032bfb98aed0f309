"""Parsing of score cells: numbers, words for right and wrong, blanks and N/A as missing; all else is an error."""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tellapart.foundation.arrays import EXACT, FloatArray
from tellapart.foundation.surfaces import option
from tellapart.readers.format import ERROR, MISSING
from tellapart.readers.tables.notation import plainly_written
from tellapart.readers.tables.table import Block, InvalidCell, joined_text

_RIGHT_WRONG = (
    ("true", "false"),
    ("correct", "incorrect"),
    ("pass", "fail"),
    ("passed", "failed"),
    ("yes", "no"),
    # As Inspect writes them. Its P and N are left out: a part of a point, and no answer, are for the caller to judge.
    ("C", "I"),
)
_MISSING = ("N/A", "NA", "null", "none")

WORDS = (
    {right.casefold(): 1.0 for right, _ in _RIGHT_WRONG}
    | {wrong.casefold(): 0.0 for _, wrong in _RIGHT_WRONG}
    | {word.casefold(): math.nan for word in _MISSING}
)

WANTED = (
    f"a finite number, {', '.join(map('/'.join, _RIGHT_WRONG[:-1]))} or {'/'.join(_RIGHT_WRONG[-1])}, "
    "or a blank or N/A if it is missing"
)

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_BARE = {int, float, bool}

_SCORE = option("column", "score=…")
_ADVICE = {
    r"[+-]?\d*,\d+": "This looks like a decimal comma: write a point",
    r"[+-]?\d[\d ,._']*": "Write it without thousands separators and with a decimal point",
    r"[+-]?(nan|inf|infinity)": "Leave it blank if there is no score; correct it if there is one",
    r"#n/a|nil|missing|error|-+|\?+|\.": "Leave it blank if there is no score",
    r"y|n|t|f|right|wrong": "Write true or false, or leave it blank if there was no answer to judge; if this is not "
    f"a score, name the column of scores: {_SCORE}",
    r".*%": "Write the number without a percent sign",
    r"[\N{MINUS SIGN}\N{EN DASH}].*": "Write the minus sign as -",
}
_INEXACT = f"Whole numbers above {EXACT} lose their last digits. If this is an id, name the column of scores: {_SCORE}"
_NESTED = f"Lift the score out of the nested value, for example with jq -c '.score = .metrics.accuracy', or name its column: {_SCORE}"


def scores(column: Sequence[Any]) -> FloatArray:
    """The scores of a column, NaN where blank, or `Unfit` for the first cell that is none."""
    values = _at_once(column)
    if values is not None:
        return values
    cells = plainly_written(column)
    try:
        return np.array([_score(row, cell) for row, cell in enumerate(cells)])
    except InvalidCell as cell:
        raise InvalidCell(cell.row, column[cell.row], cell.wanted, cell.advice) from None


def scores_in(block: Block, column: str) -> FloatArray:
    """The scores of a column of a block: as numbers where they are stored so, else cell by cell."""
    stored = None if block.numbers is None else block.numbers(column)
    return scores(block.column(column)) if stored is None else stored


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text.strip()) is not None


def _at_once(column: Sequence[Any]) -> FloatArray | None:
    """All cells by `float`, if they are plain numbers without what only Python takes for one (1_000, nan, ١)."""
    # `float` also reads 1_000, nan and digits of other scripts: what holds none of these can be left to it.
    text = joined_text(column)
    plain = set(map(type, column)) <= _BARE if text is None else "_" not in text and text.isascii()
    if not plain:
        return None
    try:
        values = np.fromiter(map(float, column), np.float64, len(column))
    except (ValueError, OverflowError):
        return None
    # NaN fails the comparison too, and is then refused cell by cell.
    return values if (np.abs(values) <= EXACT).all() else None


def _score(row: int, cell: Any) -> float:
    if cell is None:
        return math.nan
    if not isinstance(cell, str):
        return _bare(row, cell)
    text = cell.strip()
    if not text:
        return math.nan
    word = WORDS.get(text.casefold())
    if word is not None:
        return word
    if _NUMBER.fullmatch(text) is None:
        raise InvalidCell(row, cell, WANTED, advice_on(text))
    value = float(text)
    if math.isinf(value):
        raise InvalidCell(row, cell, WANTED, "This is too large: give the scores in another unit")
    if abs(value) > EXACT and text.lstrip("+-").isdecimal():
        raise InvalidCell(row, cell, WANTED, _INEXACT)
    return value


def _bare(row: int, cell: Any) -> float:
    """A number that is not text, of whatever type; nested values have no `float`."""
    try:
        value = float(cell)
    except (TypeError, ValueError, OverflowError):
        raise InvalidCell(row, cell, WANTED, _NESTED if isinstance(cell, dict | list) else None) from None
    if not math.isfinite(value):
        raise InvalidCell(row, cell, WANTED, "Make it null if there is no score; correct it if there is one")
    if isinstance(cell, int) and abs(cell) > EXACT:
        raise InvalidCell(row, cell, WANTED, _INEXACT)
    return value


def advice_on(text: str) -> str | None:
    """Advice on a cell that looks like a number, or a judgement, in another notation."""
    fitting = (advice for shape, advice in _ADVICE.items() if re.fullmatch(shape, text, re.IGNORECASE | re.ASCII))
    return next(fitting, None)


SCORED, ABSENT, FAILED, UNFIT = range(4)
"""The outcome of a row: a score, none, an error, or an unusable value."""

Marks = np.ndarray[Any, np.dtype[np.int8]]

_LOG_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_NO_SCORE = frozenset(("", "nan", "none", "null", "n/a", "na", "<na>"))
_PLAIN_TYPES = {float, int, bool}


def marked(scores: Sequence[Any], statuses: Sequence[str]) -> tuple[FloatArray, Marks]:
    """The scores as numbers, NaN where there is none, and what became of each row; `Unfit` for a number beyond all floats."""
    kinds = set(map(type, scores))
    if kinds <= _PLAIN_TYPES and not any(statuses):
        values = np.fromiter(scores, np.float64, len(scores)) if int not in kinds or _no_huge_integer(scores) else None
        if values is not None and (np.abs(values) <= EXACT).all():
            return values, np.zeros(len(scores), dtype=np.int8)
    found = [
        _parse_log_score(row, score, status) for row, (score, status) in enumerate(zip(scores, statuses, strict=True))
    ]
    return np.array([value for value, _ in found]), np.array([mark for _, mark in found], dtype=np.int8)


def _no_huge_integer(scores: Sequence[Any]) -> bool:
    """Whether no whole number is beyond all floats."""
    return all(abs(score) < EXACT for score in scores if type(score) is int)


def _parse_log_score(row: int, score: Any, status: str) -> tuple[float, int]:
    if status == ERROR:
        return math.nan, FAILED
    if status == MISSING or score is None:
        return math.nan, ABSENT
    if isinstance(score, str):
        return _parse_log_text(row, score)
    if not isinstance(score, int | float):
        return math.nan, UNFIT
    return _parse_log_number(row, score, score)


def _parse_log_text(row: int, score: str) -> tuple[float, int]:
    text = score.strip()
    if text.casefold() in _NO_SCORE:
        return math.nan, ABSENT
    if _LOG_NUMBER.fullmatch(text) is not None:
        return _parse_log_number(row, float(text), score)
    word = WORDS.get(text.casefold())
    return (math.nan, UNFIT) if word is None else (word, SCORED)


def _parse_log_number(row: int, value: float, found: Any) -> tuple[float, int]:
    if value != value:  # noqa: PLR0124  (only NaN differs from itself)
        return math.nan, ABSENT
    # Where a text says 1e400, Python says infinity; a file that says Infinity was read as nothing.
    if value in {math.inf, -math.inf} or (type(value) is int and abs(value) > EXACT):
        raise InvalidCell(
            row, found, WANTED, "This is too large for a score: correct it, or make it null if there is none"
        )
    return float(value), SCORED
