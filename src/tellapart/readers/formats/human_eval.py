import re
from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.readers.format import FORMATS, Certainty, Log, OpenLog, Row, text_of
from tellapart.readers.naming import stem
from tellapart.readers.storage.json_walk import walk_json
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.places import Occurrences
from tellapart.readers.tables.table import Facts

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

    def claim(self, origin: Origin) -> Certainty:
        return Certainty.CERTAIN if origin.preview.has("task_id", "result", PASSED) else Certainty.NONE

    def open_log(self, origin: Origin) -> OpenLog:
        return OpenLog(Facts(primary=PASSED), _rows(origin))

    def system_name(self, path: str) -> str:
        return re.sub(r"\.jsonl_results$", "", stem(path))


def _rows(origin: Origin) -> Iterator[Row]:
    samples = Occurrences()
    with walk_json(origin) as walk:
        for line, record in walk.values():
            if isinstance(record, dict):
                task = text_of(record.get("task_id"))
                yield Row(line, task, PASSED, record.get(PASSED), run=samples.of(task))
