"""Scores as they are written: numbers, or words for right and wrong; blank and N/A are missing; anything else is refused."""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tellapart.foundation.arrays import EXACT, FloatArray
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.table import Block, Unfit, joined

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
    r"[+-]?\d[\d ,._']*": "Write it without thousands separators, and a decimal sign as a point",
    r"[+-]?(nan|inf|infinity)": "Leave it blank if there is no score; correct it if there is one",
    r"#n/a|nil|missing|error|-+|\?+|\.": "Leave it blank if there is no score",
    r"y|n|t|f|right|wrong": "Write true or false, or leave it blank if there was no answer to judge; "
    f"if this is no score, name the column of scores: {_SCORE}",
    r".*%": "Write the number without a percent sign",
    r"[\N{MINUS SIGN}\N{EN DASH}].*": "Write the minus sign as -",
}
_INEXACT = f"Whole numbers above {EXACT} lose their last digits. If this is an id, name the column of scores: {_SCORE}"
_NESTED = f"Lift the score out of the nested value, for example with jq -c '.score = .metrics.accuracy', or name its column: {_SCORE}"


def scores(column: Sequence[Any]) -> FloatArray:
    """The scores of a column, NaN where blank, or `Unfit` for the first cell that is none."""
    values = _at_once(column)
    if values is None:
        values = np.array([_score(row, cell) for row, cell in enumerate(column)])
    return values


def scores_in(block: Block, column: str) -> FloatArray:
    """The scores of a column of a block: as numbers where they are stored so, else cell by cell."""
    stored = None if block.numbers is None else block.numbers(column)
    return scores(block.column(column)) if stored is None else stored


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text.strip()) is not None


def _at_once(column: Sequence[Any]) -> FloatArray | None:
    """All cells by `float`, if they are plain numbers without what only Python takes for one (1_000, nan, ١)."""
    # `float` also reads 1_000, nan and digits of other scripts: what holds none of these can be left to it.
    text = joined(column)
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
        raise Unfit(row, cell, WANTED, _advice(text))
    value = float(text)
    if math.isinf(value):
        raise Unfit(row, cell, WANTED, "No number is that large here: give the scores in another unit")
    if abs(value) > EXACT and text.lstrip("+-").isdecimal():
        raise Unfit(row, cell, WANTED, _INEXACT)
    return value


def _bare(row: int, cell: Any) -> float:
    """A number that is not text, of whatever type; nested values have no `float`."""
    try:
        value = float(cell)
    except (TypeError, ValueError, OverflowError):
        raise Unfit(row, cell, WANTED, _NESTED if isinstance(cell, dict | list) else None) from None
    if not math.isfinite(value):
        raise Unfit(row, cell, WANTED, "Make it null if there is no score; correct it if there is one")
    if isinstance(cell, int) and abs(cell) > EXACT:
        raise Unfit(row, cell, WANTED, _INEXACT)
    return value


def _advice(text: str) -> str | None:
    fitting = (
        advice for shape, advice in _ADVICE.items() if re.fullmatch(shape, text, re.IGNORECASE | re.ASCII)
    )
    return next(fitting, None)
