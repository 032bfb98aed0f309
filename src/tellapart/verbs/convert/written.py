"""Tidy rows as bytes, one way per kind of file."""

import csv
import gzip
import io
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from tellapart.errors import UsageError
from tellapart.readers.formats.tidy import as_line
from tellapart.wording import guarded

Rows = Sequence[Mapping[str, Any]]


def as_csv(names: Sequence[str], rows: Rows) -> bytes:
    """Numbers to the last digit; a text that a spreadsheet would run is guarded, and read back as it was."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(row[name]) for name in names] for row in rows)
    return out.getvalue().encode()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else guarded(str(value))


def as_json_lines(names: Sequence[str], rows: Rows) -> bytes:
    return "".join(as_line({name: row[name] for name in names}) for row in rows).encode()


def as_parquet(names: Sequence[str], rows: Rows) -> bytes:
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise UsageError("Parquet needs pyarrow. Run: pip install 'tellapart[parquet]'") from None
    kinds = {name: pyarrow.float64() if name == "score" else pyarrow.string() for name in names}
    columns = {name: pyarrow.array([row[name] for row in rows], kinds[name]) for name in names}
    parquet.write_table(pyarrow.table(columns), out := io.BytesIO())
    return out.getvalue()


def gzipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
