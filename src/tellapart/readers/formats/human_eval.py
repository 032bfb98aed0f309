import re
from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.readers.format import FORMATS, Facts, Log, Origin, Row, text_of
from tellapart.readers.naming import stem
from tellapart.readers.storage.json_objects import records_by_line
from tellapart.readers.tables.places import Occurrences

PASSED = "passed"


@FORMATS.add("human_eval")
@dataclass(frozen=True)
class HumanEval(Log):
    """human-eval <samples>.jsonl_results.jsonl: a line per sample of a problem, which passed or not; samples are runs."""

    label = "human-eval results"
    program = "human-eval"
    items = "task_id"
    repeated = True

    def example(self) -> bytes:
        one = '{"task_id": "HumanEval/%d", "completion": "x", "result": "%s", "passed": %s}\n'
        return "".join((one % (0, "passed", "true"), one % (1, "failed: x", "false"))).encode()

    def recognises(self, origin: Origin) -> bool:
        return origin.preview.has("task_id", "result", PASSED)

    def facts(self, origin: Origin) -> Facts:  # noqa: ARG002  (of all its files)
        return Facts(primary=PASSED)

    def rows(self, origin: Origin) -> Iterator[Row]:
        samples = Occurrences()
        for line, record in records_by_line(origin):
            task = text_of(record.get("task_id"))
            yield Row(line, task, PASSED, record.get(PASSED), run=samples.of(task))

    def system_name(self, path: str) -> str:
        return re.sub(r"\.jsonl_results$", "", stem(path))
