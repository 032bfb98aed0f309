"""CSV for a spreadsheet or a script: the rows of an answer, one line each, guarded against formulas."""

import re
from collections.abc import Iterable
from typing import Any

from tellapart.answers.answer import Answer, cells
from tellapart.foundation.errors import UsageError
from tellapart.foundation.formatting import guarded
from tellapart.foundation.spelling import spell

_QUOTED = re.compile(r'[",\r\n]|^\s|\s$')
"""Characters that make a field quoted. Spelled out because Python before 3.13 leaves a lone carriage return bare."""


def csv(answer: Answer, *, raw: bool = False) -> str:
    """The rows; a text that a spreadsheet would run as a formula has an apostrophe before it, unless they are wanted raw."""
    rows = [{key: _csv_cell(value) for key, value in cells(row)} for row in answer.to_dict().get(answer.table, ())]
    if not rows:
        raise UsageError(f"{type(answer).__name__.lower()} has no rows to print as csv; use --format json")
    columns = list(dict.fromkeys(key for row in rows for key in row))
    lines: list[list[Any]] = [columns, *([row.get(column) for column in columns] for row in rows)]
    return csv_lines(lines, raw=raw)


def csv_lines(lines: Iterable[Iterable[Any]], *, raw: bool = False) -> str:
    """Lines of cells as text, guarded and quoted."""
    # The standard says CR LF; every reader takes LF, and shell tools take nothing else.
    return "".join(",".join(_csv_field(cell, raw=raw) for cell in line) + "\n" for line in lines)


def _csv_field(cell: Any, *, raw: bool) -> str:
    if cell is None:
        return ""
    text = str(cell) if raw or not isinstance(cell, str) else guarded(cell)
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def _csv_cell(value: Any) -> Any:
    """True, false and ranges as they are spelled elsewhere, sentences and notes one after the other; all else as it is."""
    if not isinstance(value, list):
        return spell(value) if isinstance(value, bool) else value
    texts = [v["text"] if isinstance(v, dict) else v for v in value]
    return "; ".join(texts) if all(isinstance(text, str) for text in texts) else spell(tuple(value))
