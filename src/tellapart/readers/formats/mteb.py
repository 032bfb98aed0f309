from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS, Axis, Facts, Log, OpenLog, Origin, Row, text_of
from tellapart.readers.storage.json_objects import nested_value, objects_in, read_object, small_json

MAIN = "main_score"
_ABOUT = frozenset(("hf_subset", "languages", "mteb_version", "evaluation_time", "scores_per_experiment"))


@FORMATS.add("mteb")
@dataclass(frozen=True)
class Mteb(Log):
    """MTEB: one JSON file per task in results/<org>__<model>/<revision>; an item is a subset of a task.

    The model is in model_meta.json beside it. Two revisions of a model are two runs of it. Files of release 1.2 and before
    have no main_score: theirs is missing.
    """

    label = "MTEB results"
    program = "MTEB"
    items = "task/subset"
    unit = "entry"
    axes = (Axis("split"), Axis("subset", forced=False))

    def example(self) -> bytes:
        entry = '{"main_score": %s, "cosine_spearman": %s, "hf_subset": "%s", "languages": ["eng-Latn"]}'
        scores = ", ".join((entry % (0.5, 0.5, "en"), entry % (0.7, 0.6, "de")))
        return (
            f'{{"dataset_revision": "x", "task_name": "STS", "mteb_version": "2.0.0", "scores": {{"test": [{scores}]}}}}'
        ).encode()

    def recognises(self, origin: Origin) -> bool:
        preview = origin.preview
        new = preview.has("task_name", "scores") and isinstance(preview.at("scores"), dict)
        return new or preview.has("mteb_dataset_name")

    def summary_only(self, origin: Origin) -> str | None:
        if origin.preview.has("mteb_model_meta"):
            return "predictions of MTEB without scores; pass the results folder of the model"
        return None

    def open_log(self, origin: Origin) -> OpenLog:
        found = read_object(origin)
        meta = small_json(origin.neighbour("model_meta.json"))
        folders = origin.folders
        by_folder = folders[-2].replace("__", "/", 1) if len(folders) > 1 and "__" in folders[-2] else None
        revision = text_of(nested_value(meta, "revision")) or (folders[-1] if by_folder else "")
        facts = Facts(
            system=text_of(nested_value(meta, "name")) or by_folder,
            primary=MAIN,
            version=text_of(found.get("mteb_version")) or None,
            run="/".join(folders) or None,
            created=None if found.get("date") is None else f"{found['date']}",
            settings={"revision": revision} if revision else {},
        )
        return OpenLog(facts, _rows(found) if "scores" in found else _old_rows(found))

    def system_name(self, path: str) -> str:
        folder = path.replace("\\", "/").rpartition("/")[0].rpartition("/")[2]
        return folder or super().system_name(path)

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        task, said = record
        return {"languages": said if isinstance(said, list) else [], "task": task}


def _rows(found: dict[str, Any]) -> Iterator[Row]:
    task, number = text_of(found.get("task_name")), 0
    for split, entries in found["scores"].items() if isinstance(found["scores"], dict) else ():
        for entry in objects_in(entries):
            number += 1
            subset = text_of(entry.get("hf_subset")) or "default"
            axes, record = (str(split), subset), (task, entry.get("languages"))
            measures = {MAIN: entry.get(MAIN)} | {
                key: value
                for key, value in entry.items()
                if key not in _ABOUT and (value is None or isinstance(value, int | float))
            }
            for measure, score in measures.items():
                yield Row(number, f"{task}/{subset}", measure, score, axes=axes, record=record)


def _old_rows(found: dict[str, Any]) -> Iterator[Row]:
    """A file that names no main score: what it measures, by the path to it, and a main score that is missing."""
    task = text_of(found.get("mteb_dataset_name"))
    splits = [(name, said) for name, said in found.items() if isinstance(said, dict)]
    for number, (split, said) in enumerate(splits, 1):
        for measure, score in {MAIN: None, **_flat("", said)}.items():
            yield Row(number, f"{task}/default", measure, score, axes=(split, "default"), record=(task, None))


def _flat(prefix: str, said: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in said.items():
        if isinstance(value, dict) and not prefix:
            found.update(_flat(f"{key}.", value))
        elif isinstance(value, int | float) and key not in _ABOUT:
            found[f"{prefix}{key}"] = value
    return found
