from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import ERROR, FORMATS, Facts, Log, OpenLog, Origin, Row, text_of
from tellapart.readers.storage.json_objects import nested_value, objects_in, read_object

_METRICS = "metricsData", "metricsMetadata"
"""Fields with the metrics of a test case; before version 1 the second, where a metric is called `metric`."""


@FORMATS.add("deepeval")
@dataclass(frozen=True)
class DeepEval(Log):
    """DeepEval test runs: test cases with a score per metric; a metric that failed has an error, and is one."""

    label = "DeepEval test runs"
    program = "DeepEval"
    items = "name of the test case"
    unit = "test case"

    def example(self) -> bytes:
        case = '{"name": "case_%d", "input": "x", "tags": ["g"], "success": true, "metricsData": [{"name": "Exact", "score": %d}]}'
        return f'{{"testCases": [{case % (0, 1)}, {case % (1, 0)}], "hyperparameters": {{"model": "m"}}}}'.encode()

    def recognises(self, origin: Origin) -> bool:
        preview = origin.preview
        cases = [*objects_in(preview.at("testCases")), *objects_in(preview.at("conversationalTestCases"))]
        return any(name in case for case in cases for name in _METRICS)

    def open_log(self, origin: Origin) -> OpenLog:
        found = read_object(origin)
        said = found.get("hyperparameters")
        settings = {str(key): str(value) for key, value in said.items()} if isinstance(said, dict) else {}
        facts = Facts(system=text_of(nested_value(said, "model")) or None, settings=settings)
        return OpenLog(facts, _rows(found))

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        tags = record.get("tags")
        metadata = record.get("additionalMetadata") or record.get("metadata")
        found = {"tags": tags} if isinstance(tags, list) else {}
        more = metadata if isinstance(metadata, dict) else {}
        return found | {f"metadata.{key}": value for key, value in more.items()} | {"input": record.get("input")}


def _rows(found: dict[str, Any]) -> Iterator[Row]:
    cases = [*objects_in(found.get("testCases")), *objects_in(found.get("conversationalTestCases"))]
    for number, case in enumerate(cases, 1):
        for metric in (one for key in _METRICS for one in objects_in(case.get(key))):
            failed = ERROR if metric.get("error") else ""
            yield Row(
                number,
                case.get("name"),
                text_of(metric.get("name") or metric.get("metric")),
                metric.get("score"),
                failed,
                record=case,
                text=case.get("input") or case.get("scenario"),
            )
