import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.foundation.errors import ReadError
from tellapart.readers.format import ERROR, FORMATS, Facts, Log, OpenLog, Origin, Row, scalars, text_of
from tellapart.readers.formats.pytest import junit_cases, junit_outcome
from tellapart.readers.storage.csv_rows import csv_rows
from tellapart.readers.storage.json_objects import nested_value, objects_in
from tellapart.readers.storage.json_walk import Walk, walk_json
from tellapart.readers.tables.places import Occurrences

SUCCESS, HUMAN = "success", "human"
_FAILED = 2
_STATUS = {"PASS": 1, "FAIL": 0}


@FORMATS.add("promptfoo")
@dataclass(frozen=True)
class Promptfoo(Log):
    """promptfoo, -o json, jsonl, csv or junit.xml: a system is a provider with a prompt, spelled as promptfoo does, `[label] prompt`.

    The item is the variables of a test, with its description; repeats have other numbers and equal variables. Only failureReason 2
    is an error: a failed assertion fills `error` too, and is a 0. Where a person rated a result, that is `human`, and success
    and score are what the assertions said.
    """

    label = "promptfoo results"
    first_line = "Grader Reason"
    program = "promptfoo"
    items = "vars, with the description"
    unit = "result"

    def example(self) -> bytes:
        one = '{"promptIdx": 0, "provider": {"id": "p", "label": "base"}, "prompt": {"label": "Say {{w}}"}, "testIdx": %d, '
        rest = '"vars": {"w": "%s"}, "success": %s, "score": %d, "namedScores": {}, "failureReason": %d}'
        rows = ", ".join((one % 0 + rest % ("yes", "true", 1, 0), one % 1 + rest % ("no", "false", 0, 1)))
        return f'{{"evalId": "eval-1", "results": {{"version": 3, "prompts": [], "results": [{rows}]}}, "config": {{}}}}'.encode()

    def recognises(self, origin: Origin) -> bool:
        preview = origin.preview
        whole = preview.kind == "object" and (
            isinstance(preview.at("results", "results"), list) or _old_results(preview.at("results"))
        )
        row = preview.has("promptIdx", "provider", "prompt", "vars")
        table = preview.kind == "text" and ",Grader Reason" in origin.opening.partition("\n")[0]
        junit = preview.kind == "xml" and 'name="promptfoo"' in origin.opening[:1000]
        return whole or row or table or junit

    def open_log(self, origin: Origin) -> OpenLog:
        if origin.preview.kind in {"text", "xml"}:
            read = _table_rows if origin.preview.kind == "text" else _rows_of_junit
            return OpenLog(Facts(primary=SUCCESS), read(origin))
        found = _Found()
        with walk_json(origin) as walk:
            if origin.preview.kind == "object" and not origin.preview.has("promptIdx"):
                found.walk(walk)
            else:
                for _, record in walk.values():
                    found.add(record)
        return OpenLog(Facts(dataset=found.description or None, primary=SUCCESS), found.rows())

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        return measure.removeprefix("namedScores."), {}

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        said: Mapping[str, Any] = record
        return said


def _old_results(found: Any) -> bool:
    """Whether these are results, as the first releases wrote them without what lies around them."""
    first = next(iter(objects_in(found)), {})
    return {"prompt", "vars", "success"} <= first.keys()


class _Found:
    """The results of a file, each with what is kept of it."""

    def __init__(self) -> None:
        self.description = ""
        self._results: list[tuple[str, str, str, str, dict[str, Any], dict[str, Any]]] = []

    def walk(self, walk: Walk) -> None:
        for key in walk.entries():
            if key == "config":
                self.description = text_of(nested_value(walk.value(), "description"))
            elif key == "results" and walk.peek() == "[":
                for record in walk.each():
                    self.add(record)
            elif key == "results" and walk.peek() == "{":
                for inner in walk.entries():
                    if inner == "results" and walk.peek() == "[":
                        for record in walk.each():
                            self.add(record)

    def add(self, record: Any) -> None:
        if not isinstance(record, dict):
            return
        test = record.get("testCase")
        said = record.get("vars")
        metadata = record.get("metadata") or nested_value(test, "metadata")
        keys = scalars("vars", said) | scalars("metadata", metadata)
        description = text_of(nested_value(test, "description") or record.get("description"))
        scores = _verdicts(record)
        named = record.get("namedScores")
        scores |= {str(name): score for name, score in named.items()} if isinstance(named, dict) else {}
        status = ERROR if _failed(record) else ""
        self._results.append(
            (_system(record), item_of(description, said), text_of(record.get("testIdx")), status, scores, keys)
        )

    def rows(self) -> Iterator[Row]:
        measures = dict.fromkeys(name for *_, scores, _ in self._results for name in scores)
        runs = _runs([(item, index) for _, item, index, *_ in self._results])
        for number, (system, item, index, status, scores, keys) in enumerate(self._results, 1):
            run = runs[item, index]
            for measure in measures if status else scores:
                yield Row(number, item, measure, scores.get(measure), status, run=run, system=system, record=keys)


def _verdicts(record: dict[str, Any]) -> dict[str, Any]:
    """What assertions said, and people, whose rating promptfoo writes over it."""
    said = {SUCCESS: record.get(SUCCESS), "score": record.get("score")}
    given = objects_in(nested_value(record, "gradingResult", "componentResults"))
    by_people = [one for one in given if nested_value(one, "assertion", "type") == HUMAN]
    if not by_people:
        return said
    before = nested_value(record, "metadata", "manualRating", "original")
    if not isinstance(before, dict):
        others = [one for one in given if one not in by_people]
        weights = [float(nested_value(one, "assertion", "weight") or 1) for one in others]
        points = sum(weight * float(one.get("score") or 0) for weight, one in zip(weights, others, strict=True))
        passed = all(one.get("pass") for one in others)
        before = {SUCCESS: passed, "score": points / sum(weights)} if others else {}
    return {name: before.get(name) for name in said} | {HUMAN: by_people[-1].get("score")}


def _runs(met: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Which repeat each test is of its item, in the order of their numbers."""
    tests: defaultdict[str, set[str]] = defaultdict(set)
    for item, index in met:
        tests[item].add(index)
    ordered = {item: sorted(found, key=lambda index: (len(index), index)) for item, found in tests.items()}
    return {(item, index): str(place) for item, found in ordered.items() for place, index in enumerate(found, 1)}


def _failed(record: dict[str, Any]) -> bool:
    reason = record.get("failureReason")
    if reason is not None:
        return bool(reason == _FAILED)
    # Older releases do not say why: what was never graded has failed.
    return bool(record.get("error")) and not record.get("gradingResult")


def _system(record: dict[str, Any]) -> str:
    provider, prompt = record.get("provider"), record.get("prompt")
    who = (
        text_of(nested_value(provider, "label") or nested_value(provider, "id"))
        if isinstance(provider, dict)
        else text_of(provider)
    )
    said = (
        text_of(nested_value(prompt, "label") or nested_value(prompt, "raw"))
        if isinstance(prompt, dict)
        else text_of(prompt)
    )
    return f"[{who}] {said}"


def item_of(description: str, said: Any) -> str:
    """A test by its variables, after its description."""
    shown = ", ".join(f"{key}={_shown(value)}" for key, value in sorted(said.items())) if isinstance(said, dict) else ""
    return f"{description}: {shown}" if description and shown else description or shown


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _table_rows(origin: Origin) -> Iterator[Row]:
    """The table of -o csv: variables first, then equally named columns for each system."""
    header: list[str] | None = None
    repeats = Occurrences()
    for lines, rows in csv_rows(origin, ",", exact=True):
        for line, row in zip(lines, rows, strict=True):
            if header is None:
                header = row
                starts = [place - 1 for place, name in enumerate(row) if place and name == "Status"]
                if not starts:
                    raise ReadError(
                        f"{origin.name}, line {line}: no column is called Status; promptfoo's table has one per provider and prompt"
                    )
                continue
            if len(row) != len(header):
                raise ReadError(
                    f"{origin.name}, line {line}: found {len(row)} fields; wanted {len(header)}, as in the header. Is the file whole?"
                )
            variables = [place for place in range(starts[0]) if header[place] != "Description"]
            described = row[0] if header[0] == "Description" else ""
            said = {header[place]: row[place] for place in variables}
            item = item_of(described, said)
            run = repeats.of(item)
            for start, end in zip(starts, [*starts[1:], len(header)], strict=True):
                yield from _of_system(line, item, run, header[start:end], row[start:end])


def _of_system(line: int, item: str, run: str, header: list[str], row: list[str]) -> Iterator[Row]:
    scores: dict[str, Any] = {}
    failed = ""
    for name, cell in zip(header, row, strict=False):
        if name == "Status":
            failed = ERROR if cell == "ERROR" else ""
            scores[SUCCESS] = _STATUS.get(cell)
        elif name == "Score":
            scores["score"] = cell
        elif name.startswith("Metric: "):
            scores[name.removeprefix("Metric: ")] = cell
    for measure, score in scores.items():
        yield Row(line, item, measure, score, failed, run=run, system=header[0])


_NUMBERED_TEST = re.compile(r"test \d+: (.+)")


def _rows_of_junit(origin: Origin) -> Iterator[Row]:
    """The report of -o junit.xml: a suite per system, and of each test whether it passed."""
    repeats = Occurrences()
    for number, case in enumerate(junit_cases(origin), 1):
        name, system = case.get("name", ""), case.get("classname", "")
        described = _NUMBERED_TEST.fullmatch(name)
        item = described[1] if described else name
        outcome = junit_outcome(case)
        status = ERROR if outcome == "error" else ""
        passed = {"passed": 1, "failed": 0}.get(outcome)
        yield Row(number, item, SUCCESS, passed, status, run=repeats.of(system, item), system=system)
