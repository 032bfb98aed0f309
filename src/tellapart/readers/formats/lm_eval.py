import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.facts import Direction, Facts
from tellapart.readers.format import FORMATS, Certainty
from tellapart.readers.json_walk import walking
from tellapart.readers.log import Axis, Log, Opened, Row, scalars, text_of
from tellapart.readers.naming import stem
from tellapart.readers.origin import Origin
from tellapart.readers.small_json import small_json

_DATE = re.compile(r"_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)$")
_HASHES = ("doc_hash", "prompt_hash", "target_hash")
# What a record holds beside its scores; files of old releases do not name the scores.
_BOOKKEEPING = frozenset(
    [
        "doc_id",
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "filter",
        "metrics",
        "doc_hash",
        "prompt_hash",
        "target_hash",
        "request_hash",
        "schema_version",
    ]
)


@FORMATS.add("lm_eval")
@dataclass(frozen=True)
class LmEval(Log):
    """lm-evaluation-harness with --log_samples: samples_<task>_<date>.jsonl, and beside it the results of the same date.

    One line per document and filter. The model and the direction of a measure are in the results file.
    """

    label = "lm-eval samples"
    program = "lm-evaluation-harness"
    items = "doc_id, checked by doc_hash"
    axes = (Axis("filter"),)

    def example(self) -> bytes:
        line = '{"doc_id": %d, "doc": {"q": "%s"}, "target": "4", "arguments": {}, "resps": [["4"]], "filtered_resps": ["4"], '
        rest = '"filter": "none", "metrics": ["exact_match"], "doc_hash": "%s", "exact_match": %.1f}\n'
        rows = ((0, "2 + 2", "a1", 1.0), (1, "3 + 1", "b2", 0.0))
        return "".join(line % (n, q) + rest % (h, score) for n, q, h, score in rows).encode()

    def claim(self, origin: Origin) -> Certainty:
        sight = origin.sight
        known = sight.has("doc_id", "doc") and sight.keys & {
            "resps",
            "filtered_resps",
            "arguments",
            "doc_hash",
        }
        return Certainty.CERTAIN if known else Certainty.NONE

    def barren(self, origin: Origin) -> str | None:
        results = origin.sight.at("results")
        if origin.sight.has("results", "configs") and isinstance(results, dict):
            return "the results of lm-eval, means only; pass the samples_*.jsonl that --log_samples writes beside it"
        return None

    def opened(self, origin: Origin) -> Opened:
        name = stem(origin.name)
        date = _DATE.search(name)
        results = _results(origin, date[1]) if date else {}
        dataset = _dataset(name[: date.start()] if date else name)
        facts = Facts(
            system=text_of(results.get("model_name")) or (_folder(origin) if date else None),
            dataset=dataset,
            directions=_directions(results, dataset),
            version=text_of(results.get("lm_eval_version")) or None,
            run=date[1] if date else None,
            created=date[1] if date else None,
            settings=_settings(results),
        )
        return Opened(facts, _rows(origin))

    def keys(self, record: Any) -> Mapping[str, Any]:
        hashes = {key: record[key] for key in _HASHES if key in record}
        return scalars("doc", record.get("doc")) | hashes

    def meant(self, measure: str) -> tuple[str, dict[str, str]]:
        plain, comma, chosen = measure.rpartition(",")
        return (plain, {"filter": chosen}) if comma and plain else (measure, {})


def _rows(origin: Origin) -> Iterator[Row]:
    axes_of: dict[Any, tuple[str, ...]] = {}
    with walking(origin) as walk:
        for line, record in walk.values():
            if not isinstance(record, dict):
                continue
            named, said = record.get("metrics"), record.get("filter")
            measures = (
                named if isinstance(named, list) else [key for key in record if key not in _BOOKKEEPING]
            )
            axes = axes_of.get(said) if isinstance(said, str) else None
            if axes is None:
                axes = axes_of[str(said)] = (text_of(said) or "none",)
            kept = _kept(record)
            for measure in measures:
                yield Row(
                    line, record.get("doc_id"), str(measure), record.get(measure), "", axes, record=kept
                )


def _kept(record: dict[str, Any]) -> dict[str, Any]:
    """What may be asked of a record later: not its prompts and answers, which are nearly all of it."""
    return {key: record[key] for key in ("doc", *_HASHES) if key in record}


def _results(origin: Origin, date: str) -> dict[str, Any]:
    """The results file of the same date: only the date joins the two where several models share a folder."""
    usual = origin.beside(f"results_{date}.json")
    for other in [usual] if usual is not None else origin.neighbours():
        name = stem(other.name)
        if name.endswith(date) and not name.startswith("samples_"):
            found = small_json(other)
            if isinstance(found, dict) and "results" in found:
                return found
    return {}


def _dataset(name: str) -> str | None:
    """The task, between what all such files begin with and the date; a file of another name says none."""
    return name.removeprefix("samples_") if name.startswith("samples_") else None


def _directions(results: dict[str, Any], task: str | None) -> dict[str, Direction]:
    said = results.get("higher_is_better")
    of_task = said.get(task) if isinstance(said, dict) else None
    if not isinstance(of_task, dict):
        return {}
    return {
        str(measure): "higher" if higher else "lower"
        for measure, higher in of_task.items()
        if isinstance(higher, bool)
    }


def _settings(results: dict[str, Any]) -> dict[str, str]:
    config = results.get("config")
    config = config if isinstance(config, dict) else {}
    found = scalars("gen_kwargs", config.get("gen_kwargs")) | scalars("model_args", config.get("model_args"))
    plain = {key.partition(".")[2]: str(value) for key, value in found.items()}
    return plain | {key: str(config[key]) for key in ("limit", "random_seed") if config.get(key) is not None}


def _folder(origin: Origin) -> str | None:
    """The folder that --output_path made for the model."""
    return origin.folders[-1].replace("__", "/", 1) if origin.folders else None
