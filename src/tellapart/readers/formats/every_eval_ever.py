from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.data.provenance import Better
from tellapart.readers.format import ERROR, FORMATS, Facts, Log, OpenLog, Origin, Row, scalars, text_of
from tellapart.readers.naming import stem
from tellapart.readers.storage.json_objects import nested_value, objects_in, records_by_line, small_json


@FORMATS.add("every_eval_ever")
@dataclass(frozen=True)
class EveryEvalEver(Log):
    """Every Eval Ever <uuid>_samples.jsonl: a row per sample and result; the direction is in <uuid>.json beside it.

    A row without an evaluation_result_id says 0 where no number was found: it is missing.
    """

    label = "Every Eval Ever samples"
    program = "Every Eval Ever"
    items = "sample_id"

    def example(self) -> bytes:
        one = '{"schema_version": "0.3.0", "model_id": "lab/m", "evaluation_name": "add", "evaluation_result_id": "acc", "sample_id": "%d", "evaluation": {"score": %d}, "error": null}\n'
        return "".join((one % (0, 1), one % (1, 0))).encode()

    def recognises(self, origin: Origin) -> bool:
        return origin.preview.has("model_id", "evaluation_name", "sample_id", "evaluation")

    def summary_only(self, origin: Origin) -> str | None:
        if origin.preview.has("evaluation_results", "schema_version"):
            return "the results of Every Eval Ever, means only; pass <uuid>_samples.jsonl, which lies beside it"
        return None

    def open_log(self, origin: Origin) -> OpenLog:
        name = stem(origin.path).removesuffix("_samples")
        about = small_json(origin.neighbour(f"{name}.json"))
        return OpenLog(Facts(directions=_directions(about)), _rows(origin))

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        said: Mapping[str, Any] = record
        return said


def _directions(about: Any) -> dict[str, Better]:
    said = {
        text_of(one.get("evaluation_result_id")): nested_value(one, "metric_config", "lower_is_better")
        for one in objects_in(nested_value(about, "evaluation_results"))
    }
    return {name: "lower" if lower else "higher" for name, lower in said.items() if isinstance(lower, bool)}


def _rows(origin: Origin) -> Iterator[Row]:
    measures: defaultdict[str, dict[str, None]] = defaultdict(dict)
    unscored: list[tuple[int, str, str, str, dict[str, Any], Any]] = []
    scored: set[tuple[str, str, str, str]] = set()
    for line, record in records_by_line(origin):
        system, dataset = text_of(record.get("model_id")), text_of(record.get("evaluation_name"))
        item, measure = text_of(record.get("sample_id")), text_of(record.get("evaluation_result_id"))
        keys = scalars("metadata", record.get("metadata"))
        text = nested_value(record, "input", "raw")
        if not measure:
            unscored.append((line, system, dataset, item, keys, text))
            continue
        measures[dataset][measure] = None
        scored.add((system, dataset, item, measure))
        failed = ERROR if record.get("error") else ""
        score = nested_value(record, "evaluation", "score")
        yield Row(line, item, measure, score, failed, system=system, dataset=dataset, record=keys, text=text)
    for line, system, dataset, item, keys, text in unscored:
        # A row that names no result is of one that the item has no row of.
        open_ = [one for one in measures[dataset] if (system, dataset, item, one) not in scored]
        for measure in open_ if measures[dataset] else ("unscored",):
            yield Row(line, item, measure, None, system=system, dataset=dataset, record=keys, text=text)
