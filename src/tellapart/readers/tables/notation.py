"""Number notation in cells, detected per column: percent, fractions, thousands separators, decimal commas."""

import re
from collections.abc import Sequence
from typing import Any

from tellapart.readers.tables.table import InvalidCell

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_PERCENT = re.compile(rf"({_NUMBER}|[+-]?\d+,\d+)\s?%", re.ASCII)
_FRACTION = re.compile(r"(\d+(?:\.\d+)?)\s?/\s?(\d+)", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
_COMMA = re.compile(r"[+-]?\d*,\d+", re.ASCII)
_PLAIN = re.compile(rf"{_NUMBER}(?:[eE][+-]?\d+)?", re.ASCII)

RIGHT_MARKS, WRONG_MARKS = frozenset("✓✔✅☑"), frozenset("✗✘❌✖☒")
NOTHING = frozenset(("#n/a", "-", "–", "—"))
_TELLTALE = re.compile(r"[%,/#✓✔✅☑✗✘❌✖☒–—-]")
"""A sign in some cell of a column that is written in another notation."""

Cells = Sequence[Any]


def plainly_written(column: Cells) -> Cells:
    """The cells with numbers as Python reads them; a column that mixes two ways of writing them is refused."""
    texts = {row: cell.strip() for row, cell in enumerate(column) if isinstance(cell, str) and cell.strip()}
    different = set(texts.values())
    if _TELLTALE.search("".join(different)) is None and different.isdisjoint("yYnN"):
        return column
    cells = [texts.get(row, cell) for row, cell in enumerate(column)]
    kinds = {row: _kind(cell) for row, cell in enumerate(cells) if cell is not None}
    _refuse_mixed(cells, kinds, "percent", "Write all cells with a percent sign, or none")
    _refuse_mixed(cells, kinds, "fraction", "Write all cells as points out of points, such as 8/10, or none")
    decimal = _decimal_comma(cells, kinds)
    letters = _letters(cells)
    return [_rewritten(cell, kinds.get(row, ""), letters, decimal=decimal) for row, cell in enumerate(cells)]


def _kind(cell: Any) -> str:
    """How a number is written; nothing for words and what is no text or number."""
    if not isinstance(cell, str):
        return "plain" if isinstance(cell, int | float) and not isinstance(cell, bool) else ""
    shapes = (("percent", _PERCENT), ("fraction", _FRACTION), ("plain", _PLAIN))
    found = next((kind for kind, shape in shapes if shape.fullmatch(cell)), "")
    return found or ("comma" if _THOUSANDS.fullmatch(cell) or _COMMA.fullmatch(cell) else "")


def _refuse_mixed(cells: Cells, kinds: dict[int, str], kind: str, advice: str) -> None:
    """Refuse columns with and without percent signs: beside 70%, 0.7 may be 70 % or less than one."""
    if kind not in kinds.values():
        return
    so, otherwise = ([row for row, one in kinds.items() if one and (one == kind) is same] for same in (True, False))
    if so and otherwise:
        few, many = sorted((so, otherwise), key=len)
        wanted = f"a number written like the others, such as {cells[many[0]]}"
        raise InvalidCell(few[0], cells[few[0]], wanted, advice)


def _decimal_comma(cells: Cells, kinds: dict[int, str]) -> bool:
    """Whether commas stand for points: one that separates no thousands does; 1,351 alone is a number above a thousand."""
    found = {row: cells[row] for row, kind in kinds.items() if kind == "comma"}
    decimal = next((row for row, text in found.items() if not _THOUSANDS.fullmatch(text)), None)
    if decimal is None:
        return False
    if any(kind == "plain" and "." in str(cells[row]) for row, kind in kinds.items()):
        raise InvalidCell(
            decimal,
            found[decimal],
            "a number with a point, as in other rows",
            "This looks like a decimal comma: write a point",
        )
    thousands = next((row for row, text in found.items() if text.count(",") > 1 or "." in text), None)
    if thousands is not None:
        raise InvalidCell(
            thousands,
            found[thousands],
            f"a number written like {found[decimal]}",
            "Commas cannot be both decimal points and thousands separators: write numbers without separators, with a point",
        )
    return True


def _letters(cells: Cells) -> dict[str, str]:
    """Y and N as words where the column has both, and none of the letters of a program that means no answer by N."""
    words = {cell.casefold() for cell in cells if isinstance(cell, str)}
    return {"y": "yes", "n": "no"} if {"y", "n"} <= words and not words & {"c", "i", "p"} else {}


def _mark_of(cell: str) -> str:
    """A check mark or a cross, whichever emoji it is; nothing for other texts."""
    bare = cell.removesuffix("\ufe0f")
    return "yes" if bare in RIGHT_MARKS else "no" if bare in WRONG_MARKS else ""


def _rewritten(cell: Any, kind: str, letters: dict[str, str], *, decimal: bool) -> Any:
    if not isinstance(cell, str):
        return cell
    if kind == "percent":
        number = cell.rstrip("% \u00a0\u202f").replace(",", ".")
        return repr(float(f"{number}e-2"))
    if kind == "fraction":
        return _share(cell)
    if kind == "comma":
        return cell.replace(",", "." if decimal else "")
    folded = cell.casefold()
    return "" if folded in NOTHING else _mark_of(cell) or letters.get(folded, cell)


def _share(cell: str) -> str:
    """Points out of points; out of none is no score, and more than all is no share."""
    points, _, most = cell.partition("/")
    total = float(most)
    return cell if total == 0.0 or float(points) > total else repr(float(points) / total)
