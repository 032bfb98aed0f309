from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS, Facts, Log, OpenLog, Origin, Row, text_of
from tellapart.readers.storage.json_objects import nested_value
from tellapart.readers.storage.json_walk import walk_json

CORRECT = "correct"


@FORMATS.add("openai_evals")
@dataclass(frozen=True)
class OpenaiEvals(Log):
    """OpenAI evals: a specification, a final report, and events in any order; `match` events say what is correct.

    `metrics` events hold other scores. Several events of one sample are its repeats. Without a final report the evaluation did
    not come to its end.
    """

    label = "OpenAI evals"
    program = "OpenAI evals"
    items = "sample_id"

    def example(self) -> bytes:
        event = '{"run_id": "r", "event_id": %d, "sample_id": "s.%d", "type": "match", "data": {"correct": %s}}\n'
        return (
            '{"spec": {"completion_fns": ["m"], "base_eval": "add", "run_id": "r"}}\n{"final_report": {"accuracy": 0.5}}\n'
            + event % (0, 0, "true")
            + event % (1, 1, "false")
        ).encode()

    def recognises(self, origin: Origin) -> bool:
        preview = origin.preview
        known = isinstance(preview.at("spec", "completion_fns"), list) or preview.has(
            "event_id", "sample_id", "type", "data"
        )
        other = isinstance(preview.second, dict) and isinstance(
            nested_value(preview.second, "spec", "completion_fns"), list
        )
        return known or other

    def open_log(self, origin: Origin) -> OpenLog:
        spec: Any = None
        reported = False
        events: list[tuple[int, str, str, dict[str, Any]]] = []
        samples: dict[str, int] = {}
        asked: dict[str, Any] = {}
        with walk_json(origin) as walk:
            for line, record in walk.values():
                spec = nested_value(record, "spec") or spec
                reported = reported or nested_value(record, "final_report") is not None
                sample = text_of(nested_value(record, "sample_id"))
                if sample:
                    samples.setdefault(sample, line)
                if nested_value(record, "type") == "sampling":
                    asked.setdefault(sample, nested_value(record, "data", "prompt"))
                scores = _event_scores(record)
                if sample and scores:
                    events.append((line, sample, text_of(nested_value(record, "event_id")), scores))
        systems = nested_value(spec, "completion_fns")
        facts = Facts(
            system=",".join(map(str, systems)) if isinstance(systems, list) and systems else None,
            dataset=text_of(nested_value(spec, "base_eval")) or None,
            status=None if reported else "unfinished",
            because="" if reported else "it has no final_report",
            run=text_of(nested_value(spec, "run_id")) or None,
            created=text_of(nested_value(spec, "created_at")) or None,
        )
        return OpenLog(facts, _rows(events, samples, asked))

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        for prefix in ("match.data.", "metrics.data.", "match.", "metrics.", "data."):
            if measure.startswith(prefix):
                return measure.removeprefix(prefix), {}
        return measure, {}


def _event_scores(record: Any) -> dict[str, Any]:
    kind, data = nested_value(record, "type"), nested_value(record, "data")
    if kind == "match":
        return {CORRECT: nested_value(data, CORRECT)}
    if kind == "metrics" and isinstance(data, dict):
        return {str(name): score for name, score in data.items() if score is None or isinstance(score, int | float)}
    return {}


def _rows(
    events: list[tuple[int, str, str, dict[str, Any]]], samples: dict[str, int], asked: dict[str, Any]
) -> Iterator[Row]:
    met: dict[str, set[str]] = {}
    for line, sample, event, scores in events:
        for measure, score in scores.items():
            met.setdefault(measure, set()).add(sample)
            yield Row(line, sample, measure, score, run=event, text=asked.get(sample))
    for measure, scored in met.items():
        for sample, line in samples.items():
            if sample not in scored:
                yield Row(line, sample, measure, None, text=asked.get(sample))
