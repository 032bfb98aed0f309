import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS, Facts, Log, OpenLog, Origin, Row
from tellapart.readers.storage.csv_rows import csv_records
from tellapart.readers.storage.json_walk import walk_json
from tellapart.readers.tables.json_object import rows_of_split

_TEXTS = frozenset(
    [
        "user_input",
        "retrieved_contexts",
        "reference_contexts",
        "response",
        "multi_responses",
        "reference",
        "rubrics",
        "rubric",
        "retrieved_context_ids",
        "reference_context_ids",
        "reference_tool_calls",
        "reference_topics",
        "persona_name",
        "query_style",
        "query_length",
        "synthesizer_name",
        # As releases before 0.2 call them.
        "question",
        "contexts",
        "answer",
        "ground_truth",
        "ground_truths",
    ]
)
_ASKED = ("user_input", "question")
_BESIDE = _TEXTS.difference(_ASKED)
_OLD = frozenset(("question", "contexts", "answer"))
"""Together they are how releases before 0.2 begin."""


@FORMATS.add("ragas")
@dataclass(frozen=True)
class Ragas(Log):
    """ragas to_pandas(), saved as CSV or JSON: the question, what was retrieved and answered, and a column per metric.

    Where the judge failed, the cell is empty or NaN: missing. JSON is read by rows, by columns, as pandas writes it unasked, and split.
    """

    label = "ragas tables"
    first_line = r"user_input|\bcontexts\b"
    program = "ragas"
    items = "user_input"
    unit = "row"

    def example(self) -> bytes:
        return b"user_input,response,reference,exact_match\nQ1?,a,a,1.0\nQ2?,b,c,0.0\n"

    def recognises(self, origin: Origin) -> bool:
        preview = origin.preview
        names = _header_names(origin) if preview.kind == "text" else _split_names(preview.first) or preview.keys
        # `question` beside `answer` is how many tables begin; by columns no table but this one is read.
        asked = _ASKED if _by_columns(preview.first) else _ASKED[:1]
        known = not _BESIDE.isdisjoint(names) and any(name in names for name in asked)
        return known or _OLD.issubset(names)

    def open_log(self, origin: Origin) -> OpenLog:
        records = _csv_records(origin) if origin.preview.kind == "text" else _json_records(origin)
        return OpenLog(Facts(), _rows(records))

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        return {key: value for key, value in record.items() if isinstance(value, str | int | float)}


def _header_names(origin: Origin) -> list[str]:
    return [name.strip().strip('"') for name in origin.opening.lstrip().partition("\n")[0].split(",")]


def _rows(records: Iterator[dict[str, Any]]) -> Iterator[Row]:
    for number, record in enumerate(records, 1):
        asked = next((record[name] for name in _ASKED if name in record), None)
        item = asked if isinstance(asked, str) else json.dumps(asked, ensure_ascii=False)
        for name, score in record.items():
            if name and name not in _TEXTS and not name.startswith("Unnamed"):
                yield Row(number, item, name, score, record=record)


def _json_records(origin: Origin) -> Iterator[dict[str, Any]]:
    with walk_json(origin) as walk:
        for _, record in walk.values():
            if _split_names(record):
                yield from rows_of_split(origin.name, record)
            elif _by_columns(record):
                yield from _turned(record)
            elif isinstance(record, dict):
                yield record


def _split_names(record: Any) -> list[str]:
    """The names of the columns of a table that pandas wrote with `orient` split."""
    split = isinstance(record, dict) and "index" in record and isinstance(record.get("columns"), list)
    return list(map(str, record["columns"])) if split else []


def _by_columns(record: Any) -> bool:
    """Whether this is a table by columns, each an object of cells by the number of their row."""
    return isinstance(record, dict) and any(
        isinstance(record.get(name), dict) and all(map(str.isdecimal, record[name])) for name in _ASKED
    )


def _turned(columns: dict[str, Any]) -> Iterator[dict[str, Any]]:
    cells = {name: column for name, column in columns.items() if isinstance(column, dict)}
    for row in dict.fromkeys(row for column in cells.values() for row in column):
        yield {name: column.get(row) for name, column in cells.items()}


def _csv_records(origin: Origin) -> Iterator[dict[str, Any]]:
    for header, row in csv_records(origin):
        yield dict(zip(header, row, strict=False))
