"""For a spreadsheet or a script: the rows of the answer, one line each."""

import csv as writer
import io
from typing import Any

from tellapart.errors import UsageError
from tellapart.results.answer import Answer
from tellapart.spelling import spell


def csv(answer: Answer) -> str:
    rows = answer.to_dict().get("rows")
    if not rows:
        raise UsageError(f"{type(answer).__name__.lower()} has no rows to print as csv; use --format json")
    out = io.StringIO()
    columns = list(dict.fromkeys(key for row in rows for key in row))
    table = writer.DictWriter(out, columns, lineterminator="\n")
    table.writeheader()
    table.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    """A range as it is spelled on the command line; all else as it is."""
    return spell(tuple(value)) if isinstance(value, list) else value
