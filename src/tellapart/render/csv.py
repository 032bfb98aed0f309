"""For a spreadsheet or a script: the rows of the answer, one line each."""

import csv as writer
import io
from collections.abc import Iterator, Mapping
from typing import Any

from tellapart.errors import UsageError
from tellapart.results.answer import Answer
from tellapart.spelling import spell


def csv(answer: Answer) -> str:
    rows = [dict(_cells(row)) for row in answer.to_dict().get(answer.table, ())]
    if not rows:
        raise UsageError(f"{type(answer).__name__.lower()} has no rows to print as csv; use --format json")
    out = io.StringIO()
    columns = list(dict.fromkeys(key for row in rows for key in row))
    # The standard says CR LF; every reader takes LF, and shell tools take nothing else.
    table = writer.DictWriter(out, columns, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()


def _cells(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Columns and cells of a row; what is nested gets the path to it as its column."""
    for key, value in row.items():
        if isinstance(value, dict):
            yield from _cells(value, f"{before}{key}.")
        else:
            yield before + key, _cell(value)


def _cell(value: Any) -> Any:
    """True, false and ranges as they are spelled elsewhere, sentences and notes one after the other; all else as it is."""
    if not isinstance(value, list):
        return spell(value) if isinstance(value, bool) else value
    texts = [v["text"] if isinstance(v, dict) else v for v in value]
    return "; ".join(texts) if all(isinstance(text, str) for text in texts) else spell(tuple(value))
