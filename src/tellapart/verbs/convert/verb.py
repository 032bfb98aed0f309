"""Logs of any kind as one tidy table: what every file says, in the same columns."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tellapart.doors import option
from tellapart.errors import UsageError
from tellapart.readers.limits import Limits
from tellapart.readers.logs.asked import Asked, Runs
from tellapart.readers.logs.tidy_rows import tidy_rows
from tellapart.readers.paths import origins_at, paths_of
from tellapart.verbs.convert.written import as_csv, as_json_lines, as_parquet, gzipped

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
    runs: Runs | None = None,
    format: str | None = None,  # noqa: A002  (what the caller calls it)
    limits: Mapping[str, float | str] = MappingProxyType({}),
) -> bytes:
    """The content of a file of this name that holds all that the sources say; read back, it gives the same answers."""
    writer, packed = writer_for(fspath(output))
    asked = Asked(measure, dataset, where, "apart", partial, universe, runs, format, columns, whole=True)
    names, rows = tidy_rows(origins_at(paths_of(source) or [], Limits.of(limits)), asked)
    content = writer(names, rows)
    return gzipped(content) if packed else content


def writer_for(path: str) -> tuple[Writer, bool]:
    """What writes a file of this name, and whether it is gzipped then."""
    name = Path(path).name.lower()
    packed = name.endswith(".gz")
    suffix = Path(name.removesuffix(".gz")).suffix
    if suffix not in _WRITERS:
        raise UsageError(
            f"{option('output', path)}: a file is written as its name ends; wanted {', '.join(_WRITERS)}, or one of them with .gz"
        )
    return _WRITERS[suffix], packed
