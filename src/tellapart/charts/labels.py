"""Names as labels of an axis: whole, however long, in lines that leave room for the picture."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

LONGEST = 26
"""Characters of a line."""
FEW, WIDE = 12, 60
"""Rows that may be high, and characters of a line where there are more."""


def lines(text: str, longest: int = LONGEST) -> list[str]:
    """The text in lines, broken where it can be read on: after a space, a slash, a hyphen, an underscore, else anywhere.

    >>> lines("meta-llama/Llama-3.1-405B-Instruct-Turbo")
    ['meta-llama/Llama-3.1-405B-', 'Instruct-Turbo']
    >>> lines("short"), lines("x" * 30, 20)
    (['short'], ['xxxxxxxxxxxxxxxxxxxx', 'xxxxxxxxxx'])
    """
    found = [""]
    for part in re.findall(rf"[^ /_:,-]{{1,{longest}}}[ /_:,-]?|[ /_:,-]", text):
        if len(found[-1]) + len(part.rstrip()) > longest and found[-1]:
            found.append("")
        found[-1] += part
    return [line.rstrip(" ") if line.strip() else line for line in found]


def among(count: int) -> int:
    """Characters of a line beside so many rows: where they are many, a name in several lines would make a page of each chart."""
    return LONGEST if count <= FEW else WIDE


def label(text: str, longest: int = LONGEST) -> str:
    """The same as one text with line ends, for an axis that sets it `in_lines`."""
    return "\n".join(lines(text, longest))


_SPLIT = "split(datum.label, '\\n')"
_LINE = 12
"""From one line to the next."""


def in_lines() -> dict[str, Any]:
    """What tells an axis to set labels in their lines, each block beside its tick rather than below it."""
    middle = [
        {"test": f"length({_SPLIT}) == {many}", "value": -_LINE // 2 * (many - 1)} for many in range(2, 12)
    ]
    return {
        "labelExpr": _SPLIT,
        "labelLineHeight": _LINE,
        "labelOffset": {"condition": middle, "value": 0},
    }


MANY_DIGITS, MANY_ZEROS = 1e6, 1e-4
"""From which on numbers of an axis are in powers of ten."""
CLOSE = 0.01
"""The share of the largest within which all of them are close together."""


def digits(rows: Sequence[Mapping[str, Any]], *fields: str) -> dict[str, Any]:
    """What tells an axis how to write its numbers: as it likes, or in powers of ten where these are very large or very small.

    Where all lie so close together that powers of ten would be the same for all, an axis writes them out.

    >>> digits([{"low": -0.2, "high": None}], "low", "high"), digits([{"low": 3e9}, {"low": 0.0}], "low")
    ({}, {'format': '~g'})
    >>> digits([{"low": 3_000_000_000.0}, {"low": 3_000_000_001.0}], "low")
    {}
    """
    values = [row[field] for row in rows for field in fields if row.get(field) is not None]
    largest = max(map(abs, values), default=0.0)
    usual = largest == 0.0 or MANY_ZEROS < largest < MANY_DIGITS
    return {} if usual or max(values) - min(values) < CLOSE * largest else {"format": "~g"}


def height(names: list[str], least: int = 16, longest: int = LONGEST) -> int:
    """What the step of an axis must be for the tallest of these labels."""
    return max([least, *(_LINE * len(lines(name, longest)) + 4 for name in names)])
