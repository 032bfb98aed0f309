"""For a spreadsheet or a script: the rows of the answer, one line each."""

import csv as writer
import io

from tellapart.errors import UsageError
from tellapart.results.answer import Answer


def csv(answer: Answer) -> str:
    rows = answer.to_dict().get("rows")
    if not rows:
        raise UsageError(f"{type(answer).__name__.lower()} has no rows to print as csv; use --format json")
    out = io.StringIO()
    columns = list(dict.fromkeys(key for row in rows for key in row))
    table = writer.DictWriter(out, columns, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()
