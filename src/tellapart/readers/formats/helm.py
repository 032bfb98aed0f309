from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS, Axis, Facts, Log, OpenLog, Origin, Row, scalars, text_of
from tellapart.readers.storage.json_objects import nested_value, numbered_records, objects_in, small_json
from tellapart.readers.storage.json_walk import walk_json


@FORMATS.add("helm")
@dataclass(frozen=True)
class Helm(Log):
    """HELM: per_instance_stats.json of a run folder; model and scenario are in run_spec.json beside it.

    Of some twenty stats per instance the scores are those that a metric of the run lists by name. Train trials are runs; instances
    that were perturbed are left out unless one perturbation is picked.
    """

    label = "HELM instance stats"
    program = "HELM"
    items = "instance_id"
    unit = "instance"
    axes = (Axis("perturbation", neutral=""), Axis("split", forced=False))

    def example(self) -> bytes:
        stat = '{"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": %d, "mean": %.1f}'
        one = '{"instance_id": "id%d", "train_trial_index": 0, "stats": [%s]}'
        return f"[{one % (1, stat % (1, 1.0))}, {one % (2, stat % (0, 0.0))}]".encode()

    def recognises(self, origin: Origin) -> bool:
        return origin.preview.has("instance_id", "stats") and isinstance(origin.preview.at("stats"), list)

    def summary_only(self, origin: Origin) -> str | None:
        if (
            origin.preview.kind == "array"
            and origin.preview.has("name", "count", "sum")
            and nested_value(origin.preview.first, "name", "name")
        ):
            return "the stats of a HELM run, means only; pass per_instance_stats.json, which lies beside it"
        if origin.preview.has("adapter_spec", "request_states"):
            return "the requests of a HELM run, which say that a request worked, not that the answer is right; pass per_instance_stats.json"
        return None

    def open_log(self, origin: Origin) -> OpenLog:
        spec = small_json(origin.neighbour("run_spec.json"))
        name = text_of(nested_value(spec, "name"))
        folder = origin.folders[-1] if origin.folders else ""
        facts = Facts(
            system=text_of(nested_value(spec, "adapter_spec", "model")) or _model_in(folder),
            dataset=name.partition("model=")[0].rstrip(":,") or None,
            measures=_named_stats(spec),
            run="/".join(origin.folders) or None,
            settings={
                key: str(nested_value(spec, "adapter_spec", key))
                for key in (
                    "temperature",
                    "num_outputs",
                    "max_tokens",
                    "max_train_instances",
                    "model_deployment",
                    "method",
                )
                if nested_value(spec, "adapter_spec", key) is not None
            },
        )
        asked = nested_value(spec, "scenario_spec", "args")
        return OpenLog(facts, _rows(origin, _questions(origin.neighbour("scenario_state.json")), asked))

    def system_name(self, path: str) -> str:
        return path.replace("\\", "/").rstrip("/").rpartition("/")[0].rpartition("/")[2] or super().system_name(path)

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        split, scenario = record
        return {"split": split, **scalars("scenario", scenario)}


def _model_in(folder: str) -> str | None:
    """The model that the name of a run folder ends with, where there is no spec beside the stats."""
    said = folder.partition("model=")[2].partition(",")[0]
    return said.replace("_", "/", 1) or None


def _named_stats(spec: Any) -> tuple[str, ...]:
    """The metrics that a run lists as its own; the rest is bookkeeping."""
    lists = [nested_value(metric, "args", "names") for metric in objects_in(nested_value(spec, "metric_specs"))]
    return tuple(dict.fromkeys(str(name) for names in lists if isinstance(names, list) for name in names))


def _questions(state: Origin | None) -> dict[Any, Any]:
    """The question of each instance, from the requests beside the stats: an id is a place among the drawn instances."""
    found: dict[Any, Any] = {}
    if state is None:
        return found
    with walk_json(state) as walk:
        for key in walk.entries():
            if key == "request_states" and walk.peek() == "[":
                for request in walk.each():
                    if nested_value(request, "instance", "perturbation") is None:
                        name = text_of(nested_value(request, "instance", "id"))
                        found.setdefault(name, nested_value(request, "instance", "input", "text"))
    return found


def _rows(origin: Origin, questions: Mapping[Any, Any], scenario: Any) -> Iterator[Row]:
    for number, record in numbered_records(origin):
        item, trial = record.get("instance_id"), record.get("train_trial_index", 0)
        perturbed = _perturbation(record.get("perturbation"))
        for stat in objects_in(record.get("stats")):
            name = stat.get("name")
            measure, split = text_of(nested_value(name, "name")), text_of(nested_value(name, "split"))
            axes = (perturbed or _perturbation(nested_value(name, "perturbation")), split)
            score = stat.get("mean") if stat.get("count") != 0 else None
            text = questions.get(text_of(item))
            yield Row(number, item, measure, score, axes=axes, run=trial, record=(split, scenario), text=text)


def _perturbation(said: Any) -> str:
    return text_of(nested_value(said, "name"))
