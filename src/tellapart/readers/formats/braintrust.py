import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import ERROR, FORMATS, Log, Origin, Row, scalars, text_of
from tellapart.readers.storage.json_objects import numbered_records
from tellapart.readers.tables.places import Occurrences


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

    def recognises(self, origin: Origin) -> bool:
        preview = origin.preview
        known = preview.has("input", "scores") and isinstance(preview.at("scores"), dict)
        return known and not preview.keys.isdisjoint(("expected", "output", "error"))

    def rows(self, origin: Origin) -> Iterator[Row]:
        kept: list[tuple[int, str, str, bool, dict[str, Any], dict[str, Any]]] = []
        trials = Occurrences()
        for number, record in numbered_records(origin):
            asked, scores = record.get("input"), record.get("scores")
            item = asked if isinstance(asked, str) else json.dumps(asked, sort_keys=True, ensure_ascii=False)
            run = text_of(record.get("id")) or trials.of(item)
            said = scores if isinstance(scores, dict) else {}
            keys = scalars("metadata", record.get("metadata"))
            kept.append((number, item, run, record.get("error") is not None, said, keys))
        measures = dict.fromkeys(str(name) for *_, said, _ in kept for name in said)
        for number, item, run, failed, said, keys in kept:
            for measure in measures:
                status = ERROR if failed else ""
                yield Row(number, item, measure, said.get(measure), status, run=run, record=keys)

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        said: Mapping[str, Any] = record
        return said

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        return measure.removeprefix("scores."), {}
