import ast
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from tellapart.foundation.errors import ReadError
from tellapart.readers.format import FORMATS, Facts, Log, LogBlock, OpenLog, Origin, text_of
from tellapart.readers.naming import stem
from tellapart.readers.storage.files import File
from tellapart.readers.storage.json_objects import nested_value, small_json
from tellapart.readers.tables.labels import question_key
from tellapart.readers.tables.parquet import open_parquet
from tellapart.readers.tables.places import Occurrences
from tellapart.readers.tables.table import BATCH_ROWS, refuse_repeated

_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?")
_ROLES = {role: role for role in ("item", "dataset", "measure", "score")}
_OLD_ROLES = {role: role for role in ("item", "measure", "score")}
_PREFIX = "metric."
_NAN = re.compile(r"\bnan\b")
_NEW = b"doc", b"task_name", b"metric", b"query"
_OLD = b"example", b"full_prompt", b"metrics", b"num_effective_few_shots"
"""Column names since version 0.10, and before it."""


@FORMATS.add("lighteval")
@dataclass(frozen=True)
class Lighteval(Log):
    """lighteval details parquet: a row per document, its scores in `metric`; only ids, tasks, queries and scores are read.

    The model is in the results file of the same date, else in the path: details/<model>/<date>. Before version 0.10 a document has no id:
    the text of the example is the item, with its number where a text comes again, and the name of the file says the task.
    """

    label = "lighteval details"
    program = "lighteval"
    items = "doc.id, or the example"
    unit = "row"

    def example(self) -> bytes:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        rows = [
            {"doc": {"id": str(n), "task_name": "add|0", "query": "x"}, "metric": {"em": score}}
            for n, score in ((0, 1.0), (1, 0.0))
        ]
        parquet.write_table(pyarrow.Table.from_pylist(rows), file := io.BytesIO())
        return file.getvalue()

    def recognises(self, origin: Origin) -> bool:
        if origin.preview.kind != "parquet":
            return False
        return any(all(name in origin.tail for name in names) for names in (_NEW, _OLD))

    def summary_only(self, origin: Origin) -> str | None:
        if origin.preview.has("config_general") and (origin.preview.has("results") or not origin.preview.whole):
            return "the results of lighteval, means only; pass the details_*.parquet that --save-details writes"
        return None

    def open_log(self, origin: Origin) -> OpenLog:
        date = _DATE.search(stem(origin.path)) or _DATE.search(origin.folders[-1] if origin.folders else "")
        made = date[0] if date else None
        facts = Facts(system=_model(origin, made), dataset=_task(origin), run=made, created=made)
        return OpenLog(facts, blocks=partial(_column_blocks, origin))

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        return measure.removeprefix(_PREFIX).removeprefix("metrics."), {}


def _model(origin: Origin, date: str | None) -> str | None:
    folders = origin.folders
    if "details" not in folders or date is None:
        return None
    start = len(folders) - 1 - folders[::-1].index("details")
    model = [part for part in folders[start + 1 :] if part != date]
    results = Path("/", *folders[:start], "results", *model, f"results_{date}.json")
    # The folders of a member of an archive are names that somebody chose, and say nothing of the disk.
    there = isinstance(origin, File) and results.is_file()
    said = small_json(File(str(results), "", limits=origin.limits)) if there else None
    named = nested_value(said, "config_general", "model_config", "model_name") or nested_value(
        said, "config_general", "model_name"
    )
    return text_of(named) or "/".join(model) or None


def _task(origin: Origin) -> str | None:
    """The task, where no row says it: details_<task>_<date>.parquet."""
    if all(name in origin.tail for name in _NEW):
        return None
    return _DATE.sub("", stem(origin.path)).removeprefix("details_").rstrip("_") or None


def _column_blocks(origin: Origin, looked_at: bool) -> Iterator[LogBlock]:  # noqa: ARG001  (its leaves are scores alone)
    """A block per measure and batch: stored by columns, and handed on by columns."""
    with open_parquet(origin) as file:
        leaves = [file.schema.column(place).path for place in range(len(file.schema))]
        refuse_repeated(origin.name, leaves)
        if {"example", "full_prompt"} <= {*leaves}:
            yield from _old_blocks(origin, file, leaves)
            return
        scores = [leaf for leaf in leaves if leaf.startswith(_PREFIX)]
        if not {"doc.id", "doc.task_name"} <= {*leaves} or not scores:
            raise ReadError(
                f"{origin.name}: found no doc.id, doc.task_name and metric; wanted the details of lighteval"
            )
        number, named = 1, ["doc.id", "doc.task_name", *(leaf for leaf in leaves if leaf == "doc.query")]
        for batch in file.iter_batches(BATCH_ROWS, columns=[*named, *scores]):
            doc, metric = (_fields(origin.name, name, batch.column(name)) for name in ("doc", "metric"))
            lines = range(number, number + len(batch))
            items, homes = (doc[name].to_pylist() for name in ("id", "task_name"))
            fixed = {"item": items, "dataset": homes, "status": [""] * len(batch)}
            if "query" in doc:
                fixed["text"] = list(map(question_key, doc["query"].to_pylist()))
            for name, column in metric.items():
                columns = {**fixed, "measure": [name] * len(batch), "score": column.to_pylist()}
                yield LogBlock(tuple(columns), lines, columns.__getitem__, _ROLES, [None] * len(batch))
            number += len(batch)


def _fields(source: str, name: str, column: Any) -> dict[str, Any]:
    """The fields of a struct, null where the whole is."""
    if not import_module("pyarrow").types.is_struct(column.type):
        raise ReadError(f"{source}: column {name!r} holds {column.type}; wanted a struct, as lighteval writes it")
    return dict(zip([field.name for field in column.type], column.flatten(), strict=True))


def _old_blocks(origin: Origin, file: Any, leaves: Sequence[str]) -> Iterator[LogBlock]:
    """Blocks of files before documents had ids; cells that did not fit a column were all written as texts."""
    wanted = [leaf for leaf in leaves if leaf.startswith("metrics.")] or ["metrics"]
    number, met = 1, Occurrences()
    for batch in file.iter_batches(BATCH_ROWS, columns=["example", *wanted]):
        lines = range(number, number + len(batch))
        texts = batch.column("example").to_pylist()
        items = [text if (time := met.of(text)) == "1" else f"{text} #{time}" for text in texts]
        said = [
            _scores_of_cell(origin, line, one)
            for line, one in zip(lines, batch.column("metrics").to_pylist(), strict=True)
        ]
        for name in dict.fromkeys(name for one in said for name in one):
            columns = {
                "item": items,
                "status": [""] * len(batch),
                "measure": [name] * len(batch),
                "score": [one.get(name) for one in said],
            }
            yield LogBlock(tuple(columns), lines, columns.__getitem__, _OLD_ROLES, [None] * len(batch))
        number += len(batch)


def _scores_of_cell(origin: Origin, line: int, cell: Any) -> dict[str, Any]:
    """The scores of a row, as they are or as Python prints them."""
    try:
        found = ast.literal_eval(_NAN.sub("None", cell)) if isinstance(cell, str) else cell or {}
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ReadError(f"{origin.name}, row {line}: found {str(cell)[:40]!r} as metrics; wanted names and scores")
    return {str(name): score for name, score in found.items()}
