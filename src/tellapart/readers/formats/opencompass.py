from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS, Facts, Log, OpenLog, Origin, Row, text_of
from tellapart.readers.naming import stem
from tellapart.readers.storage.json_objects import nested_value, objects_in, read_object

CORRECT = "correct"
_VERDICTS = {"correct": CORRECT, "is_correct": CORRECT, "model_extract_correct": "model_extract_correct"}
"""Fields that say whether an example is correct, with the measure of each: a model may extract the answer."""


@FORMATS.add("opencompass")
@dataclass(frozen=True)
class OpenCompass(Log):
    """OpenCompass results with --dump-eval-details: results/<model>/<dataset>.json, whose details say what is correct.

    Several verdicts of one example are its repeats. Details that name no example are in the order of the dataset: its number is the item.
    """

    label = "OpenCompass results"
    program = "OpenCompass"
    items = "example_abbr, or its number"
    unit = "example"
    repeated = True

    def example(self) -> bytes:
        one = '{"example_abbr": "d_%d", "pred": ["x"], "answer": ["y"], "correct": [%s]}'
        return f'{{"accuracy": 50.0, "details": [{one % (0, "true")}, {one % (1, "false")}]}}'.encode()

    def recognises(self, origin: Origin) -> bool:
        details = origin.preview.at("details")
        return any(not _VERDICTS.keys().isdisjoint(one) for _, one in _examples(details))

    def summary_only(self, origin: Origin) -> str | None:
        preview = origin.preview
        if isinstance(preview.at("details"), dict) and any(
            "predictions" in one for _, one in _examples(preview.at("details"))
        ):
            return "OpenCompass results whose details do not say what is correct; use an evaluator that does"
        if nested_value(preview.first, "0", "origin_prompt") is not None and preview.at("0", "prediction") is not None:
            return "predictions of OpenCompass without a verdict; pass results/<model>/<dataset>.json, written with --dump-eval-details"
        if preview.kind == "object" and preview.has("accuracy") and len(preview.keys) == 1:
            return "OpenCompass results without details; evaluate again with --dump-eval-details"
        return None

    def open_log(self, origin: Origin) -> OpenLog:
        found = read_object(origin)
        system = origin.folders[-1] if origin.folders else None
        facts = Facts(system=system, dataset=stem(origin.path), primary=CORRECT)
        return OpenLog(facts, _rows(found.get("details")))

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        return measure.removeprefix("details."), {}


def _examples(details: Any) -> list[tuple[str, dict[str, Any]]]:
    if isinstance(details, dict):
        return [(str(name), one) for name, one in details.items() if isinstance(one, dict)]
    return [(text_of(one.get("example_abbr", str(number))), one) for number, one in enumerate(objects_in(details))]


def _rows(details: Any) -> Iterator[Row]:
    for number, (name, one) in enumerate(_examples(details), 1):
        measures = {_VERDICTS[key]: said for key, said in one.items() if key in _VERDICTS} or {CORRECT: None}
        for measure, said in measures.items():
            verdicts = said if isinstance(said, list) else [said]
            for run, verdict in enumerate(verdicts or [None], 1):
                yield Row(number, name, measure, verdict, run=str(run), text=one.get("prompt"))
