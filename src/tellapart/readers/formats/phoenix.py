import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import ERROR, FORMATS, Log, Origin, Row, scalars, text_of
from tellapart.readers.storage.csv_rows import csv_records
from tellapart.readers.storage.json_objects import numbered_records, objects_in

_ANNOTATION, _SCORE = "annotation_", "_score"


@FORMATS.add("phoenix")
@dataclass(frozen=True)
class Phoenix(Log):
    """Experiments of Arize Phoenix, downloaded as JSON or CSV: a run of an example per record, with its annotations as measures.

    A run with an error has no score, and neither has an annotation without one: a label alone is no number.
    """

    label = "Phoenix experiments"
    first_line = r"\bannotation_.*_score\b"
    program = "Arize Phoenix"
    items = "example_id"
    unit = "run"

    def example(self) -> bytes:
        one = '{"example_id": "%s", "repetition_number": 1, "input": {"q": "x"}, "output": "y", "error": null, "annotations": [%s]}'
        said = '{"name": "correct", "annotator_kind": "CODE", "label": null, "score": %d}'
        return f"[{one % ('e1', said % 1)}, {one % ('e2', said % 0)}]".encode()

    def recognises(self, origin: Origin) -> bool:
        if origin.preview.kind != "text":
            return origin.preview.has("example_id", "repetition_number", "annotations")
        names = origin.opening.lstrip("\ufeff").partition("\n")[0].rstrip("\r").split(",")
        return {"example_id", "repetition_number"} <= {*names} and any(map(_measure_of_column, names))

    def rows(self, origin: Origin) -> Iterator[Row]:
        records = list(_records_of_csv(origin) if origin.preview.kind == "text" else _records_of_json(origin))
        measures = dict.fromkeys(name for _, _, scores in records for name in scores)
        for number, record, scores in records:
            asked = record.get("input")
            text = asked if isinstance(asked, str) else json.dumps(asked, sort_keys=True, ensure_ascii=False)
            status = ERROR if record.get("error") else ""
            for measure in measures:
                yield Row(
                    number,
                    text_of(record.get("example_id")),
                    measure,
                    scores.get(measure),
                    status,
                    run=text_of(record.get("repetition_number")),
                    record=record,
                    text=text,
                )

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        return {**scalars("input", record.get("input")), **scalars("metadata", record.get("metadata"))}


Found = tuple[int, Mapping[str, Any], Mapping[str, Any]]
"""The number of a record, what it says, and its scores by annotation."""


def _records_of_json(origin: Origin) -> Iterator[Found]:
    for number, record in numbered_records(origin):
        said = objects_in(record.get("annotations"))
        yield number, record, {text_of(one.get("name")): one.get("score") for one in said if one.get("name")}


def _records_of_csv(origin: Origin) -> Iterator[Found]:
    for number, (header, row) in enumerate(csv_records(origin), 1):
        record = dict(zip(header, row, strict=False))
        measures = {name: measure for name in header if (measure := _measure_of_column(name))}
        yield number, record, {measure: record.get(name) for name, measure in measures.items()}


def _measure_of_column(name: str) -> str:
    """The annotation whose scores a column holds, or nothing."""
    named = name.startswith(_ANNOTATION) and name.endswith(_SCORE)
    return name.removeprefix(_ANNOTATION).removesuffix(_SCORE) if named else ""
