"""Conversion of logs in any known format to one tidy table in CSV, JSON Lines or Parquet: the verb `convert`."""

import csv
import gzip
import io
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tellapart.foundation.errors import UsageError
from tellapart.foundation.formatting import guarded
from tellapart.foundation.surfaces import option
from tellapart.readers.formats.tidy import as_line
from tellapart.readers.logs.reading import tidy_rows
from tellapart.readers.logs.request import LogRequest, SameSystem
from tellapart.readers.storage.files import origins_at, paths_of
from tellapart.readers.storage.limits import Limits

# Tidy rows as bytes, one way per kind of file.

WrittenRows = Sequence[Mapping[str, Any]]


def as_csv(names: Sequence[str], rows: WrittenRows) -> bytes:
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


def as_json_lines(names: Sequence[str], rows: WrittenRows) -> bytes:
    return "".join(as_line({name: row[name] for name in names}) for row in rows).encode()


def as_parquet(names: Sequence[str], rows: WrittenRows) -> bytes:
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


Rows = Sequence[Mapping[str, Any]]
Writer = Callable[[Sequence[str], Rows], bytes]

_WRITERS: dict[str, Writer] = {".csv": as_csv, ".jsonl": as_json_lines, ".parquet": as_parquet}


def convert(  # noqa: PLR0913  (one argument per thing that a caller may know of the files)
    source: Any,
    output: str | PathLike[str],
    *,
    measure: str | None = None,
    dataset: str | None = None,
    where: Mapping[str, str] = MappingProxyType({}),
    columns: Mapping[str, str] = MappingProxyType({}),
    partial: bool = False,
    universe: Any = None,
    same_system: SameSystem | None = None,
    format: str | None = None,  # noqa: A002  (what the caller calls it)
    limits: Mapping[str, float | str] = MappingProxyType({}),
) -> bytes:
    """The content of a file of this name that holds all that the sources say; read back, it gives the same answers."""
    writer, packed = writer_for(fspath(output))
    asked = LogRequest(measure, dataset, where, "apart", partial, universe, same_system, format, columns, whole=True)
    names, rows = tidy_rows(origins_at(paths_of(source) or [], Limits.of(limits)), asked)
    content = writer(names, rows)
    return gzipped(content) if packed else content


def writer_for(path: str) -> tuple[Writer, bool]:
    """The writer of a file with this name, and whether the file is gzipped."""
    name = Path(path).name.lower()
    packed = name.endswith(".gz")
    suffix = Path(name.removesuffix(".gz")).suffix
    if suffix not in _WRITERS:
        raise UsageError(
            f"{option('output', path)}: unknown ending; wanted {', '.join(_WRITERS)}, or one of them with .gz"
        )
    return _WRITERS[suffix], packed
