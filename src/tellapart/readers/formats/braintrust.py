import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import ERROR, FORMATS, Certainty, Log, OpenLog, Row, scalars, text_of
from tellapart.readers.storage.json_walk import walk_json
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.places import Occurrences
from tellapart.readers.tables.table import Facts


@FORMATS.add("braintrust")
@dataclass(frozen=True)
class Braintrust(Log):
    """Braintrust rows: input, output, expected, scores by name; a row with an error has none. Rows of one input are its trials."""

    label = "Braintrust rows"
    program = "Braintrust"
    items = "input"
    unit = "row"
    repeated = True

    def example(self) -> bytes:
        one = '{"input": "%s", "output": "x", "expected": "y", "metadata": {"g": 1}, "scores": {"exact": %d}, "error": null}'
        return f"[{one % ('a', 1)}, {one % ('b', 0)}]".encode()

    def claim(self, origin: Origin) -> Certainty:
        preview = origin.preview
        known = preview.has("input", "scores") and preview.keys & {"expected", "output", "error"}
        return Certainty.CERTAIN if known and isinstance(preview.at("scores"), dict) else Certainty.NONE

    def open_log(self, origin: Origin) -> OpenLog:
        return OpenLog(Facts(), _rows(origin))

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        said: Mapping[str, Any] = record
        return said

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        return measure.removeprefix("scores."), {}


def _rows(origin: Origin) -> Iterator[Row]:
    kept: list[tuple[int, str, str, bool, dict[str, Any], dict[str, Any]]] = []
    trials = Occurrences()
    with walk_json(origin) as walk:
        for number, (_, record) in enumerate(walk.values(), 1):
            if isinstance(record, dict):
                asked, scores = record.get("input"), record.get("scores")
                item = (
                    asked if isinstance(asked, str) else json.dumps(asked, sort_keys=True, ensure_ascii=False)
                )
                run = text_of(record.get("id")) or trials.of(item)
                said = scores if isinstance(scores, dict) else {}
                keys = scalars("metadata", record.get("metadata"))
                kept.append((number, item, run, record.get("error") is not None, said, keys))
    measures = dict.fromkeys(str(name) for *_, said, _ in kept for name in said)
    for number, item, run, failed, said, keys in kept:
        for measure in measures:
            status = ERROR if failed else ""
            yield Row(number, item, measure, said.get(measure), status, run=run, record=keys)
