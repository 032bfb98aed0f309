from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS, Certainty
from tellapart.readers.log import ERROR, Log, Opened, Row, text_of
from tellapart.readers.storage.json_objects import document, objects_in, under
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Facts

_METRICS = "metricsData", "metricsMetadata"
"""What metrics said of a test case; before version 1 the second, where a metric is called `metric`."""


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

    def claim(self, origin: Origin) -> Certainty:
        sight = origin.sight
        cases = [*objects_in(sight.at("testCases")), *objects_in(sight.at("conversationalTestCases"))]
        judged = any(name in case for case in cases for name in _METRICS)
        return Certainty.CERTAIN if judged else Certainty.NONE

    def opened(self, origin: Origin) -> Opened:
        found = document(origin)
        said = found.get("hyperparameters")
        settings = {str(key): str(value) for key, value in said.items()} if isinstance(said, dict) else {}
        facts = Facts(system=text_of(under(said, "model")) or None, settings=settings)
        return Opened(facts, _rows(found))

    def keys(self, record: Any) -> Mapping[str, Any]:
        tags = record.get("tags")
        metadata = record.get("additionalMetadata") or record.get("metadata")
        found = {"tags": ",".join(map(str, tags))} if isinstance(tags, list) else {}
        more = metadata if isinstance(metadata, dict) else {}
        return (
            found | {f"metadata.{key}": value for key, value in more.items()} | {"input": record.get("input")}
        )


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
            )
