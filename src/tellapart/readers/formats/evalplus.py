import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS, Facts, Log, OpenLog, Origin, Row, text_of
from tellapart.readers.naming import stem
from tellapart.readers.storage.json_objects import objects_in, read_object

# Releases before 0.2 used the second word of each.
_PASSED = {"pass": 1, "success": 1, "fail": 0, "failed": 0, "timeout": 0, "timed out": 0}


@FORMATS.add("evalplus")
@dataclass(frozen=True)
class EvalPlus(Log):
    """EvalPlus <samples>_eval_results.json: per problem the samples, each by the base tests and by the added ones.

    `plus` needs both to pass. Samples of a problem are runs; pass@k for k above 1 is not their mean.
    """

    label = "EvalPlus results"
    program = "EvalPlus"
    items = "task_id"
    unit = "sample"
    repeated = True

    def example(self) -> bytes:
        one = '"T/%d": [{"task_id": "T/%d", "base_status": "pass", "plus_status": "%s"}]'
        return f'{{"date": "2026-01-01", "hash": "x", "eval": {{{one % (0, 0, "pass")}, {one % (1, 1, "fail")}}}}}'.encode()

    def recognises(self, origin: Origin) -> bool:
        tasks = origin.preview.at("eval")
        first = next(iter(tasks.values()), None) if isinstance(tasks, dict) else None
        new = any("base_status" in one for one in objects_in(first))
        old = isinstance(first, dict) and {"nfiles", "base"} <= first.keys()
        return new or old

    def open_log(self, origin: Origin) -> OpenLog:
        found = read_object(origin)
        return OpenLog(Facts(created=text_of(found.get("date")) or None), _rows(found.get("eval")))

    def system_name(self, path: str) -> str:
        return re.sub(r"_eval_results$", "", stem(path))

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        return measure.removesuffix("_status"), {}


def _rows(tasks: Any) -> Iterator[Row]:
    number = 0
    for task, samples in tasks.items() if isinstance(tasks, dict) else ():
        for run, (base, plus) in enumerate(_statuses(samples), 1):
            number += 1
            first = _PASSED.get(text_of(base))
            yield Row(number, task, "base", first, run=str(run))
            if plus is not None:
                second = _PASSED.get(text_of(plus))
                both = None if first is None or second is None else first * second
                yield Row(number, task, "plus", both, run=str(run))


def _statuses(samples: Any) -> list[tuple[Any, Any]]:
    """Of each sample its status by the base tests and by the added ones, where there are any."""
    if isinstance(samples, dict):  # before release 0.2
        base, plus = samples.get("base"), samples.get("plus")
        tried = base if isinstance(base, list) else []
        added = plus if isinstance(plus, list) and plus else [None] * len(tried)
        return [(_first(one), _first(other)) for one, other in zip(tried, added, strict=False)]
    return [(one.get("base_status"), one.get("plus_status")) for one in objects_in(samples)]


def _first(status: Any) -> Any:
    return status[0] if isinstance(status, list) and status else status
