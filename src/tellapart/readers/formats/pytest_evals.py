from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import ERROR, FORMATS, MISSING, Facts, Log, OpenLog, Origin, Row, scalars, text_of
from tellapart.readers.storage.json_objects import nested_value, read_object

PASSED = "passed"
_OUTCOMES = {"passed": 1.0, "failed": 0.0}


@FORMATS.add("pytest_evals")
@dataclass(frozen=True)
class PytestEvals(Log):
    """pytest-evals, eval-results-raw.json: a test case per evaluation; whether it passed, and every number that it put into its bag.

    The dataset is the name of the evaluation. A test that broke before or after its call is an error, a skipped one is missing.
    """

    label = "pytest-evals results"
    program = "pytest-evals"
    items = "the id of the test"
    unit = "test"

    def example(self) -> bytes:
        one = '"test_x.py::test_case[%d]": {"status": "passed", "duration_ms": 1.0, "params": {"i": %d}, "fixtures": {"eval_bag": {"accuracy": %d}}, "eval_name": "sums"}'
        return f"{{{one % (0, 0, 1)}, {one % (1, 1, 0)}}}".encode()

    def recognises(self, origin: Origin) -> bool:
        first = origin.preview.first
        if origin.preview.kind != "object" or not isinstance(first, dict):
            return False
        case = next(iter(first.values()), None)
        return isinstance(case, dict) and {"status", "eval_name", "fixtures"} <= case.keys()

    def open_log(self, origin: Origin) -> OpenLog:
        system = origin.folders[-1] if origin.folders else None
        return OpenLog(Facts(system=system, primary=PASSED), _rows_of_cases(read_object(origin)))

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        return scalars("params", record.get("params")) | scalars(
            "eval_bag", nested_value(record, "fixtures", "eval_bag")
        )


def _rows_of_cases(found: Mapping[str, Any]) -> Iterator[Row]:
    cases = {name: case for name, case in found.items() if isinstance(case, dict) and "status" in case}
    bags = {name: _numbers_in_bag(case) for name, case in cases.items()}
    measures = dict.fromkeys(measure for bag in bags.values() for measure in bag)
    for number, (name, case) in enumerate(cases.items(), 1):
        outcome = text_of(case.get("status"))
        # A case that failed its assertion was scored all the same; one that broke put nothing into its bag.
        status = "" if outcome in _OUTCOMES else MISSING if outcome == "skipped" else ERROR
        dataset = text_of(case.get("eval_name"))
        yield Row(number, name, PASSED, _OUTCOMES.get(outcome), status, dataset=dataset, record=case)
        for measure in measures:
            score = bags[name].get(measure)
            yield Row(number, name, measure, score, status, dataset=dataset, record=case)


def _numbers_in_bag(case: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers and truth values in the bag of a test case, without its repeated parameters."""
    bag, params = nested_value(case, "fixtures", "eval_bag"), case.get("params")
    given = set(params.values()) if isinstance(params, dict) and all(map(_is_plain, params.values())) else set()
    if not isinstance(bag, dict):
        return {}
    return {
        str(key): value
        for key, value in bag.items()
        if isinstance(value, bool | int | float | None) and not (type(value) is int and value in given)
    }


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float | bool | None)
