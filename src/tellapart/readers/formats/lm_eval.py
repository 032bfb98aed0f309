import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

from tellapart.data.provenance import Better
from tellapart.readers.format import FORMATS, Axis, Facts, Log, LogBlock, OpenLog, Origin, scalars, text_of
from tellapart.readers.naming import stem
from tellapart.readers.storage.json_objects import small_json
from tellapart.readers.storage.json_walk import walk_json
from tellapart.readers.tables.table import BATCH_ROWS

_DATE = re.compile(r"_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)$")
_ROLES = {"item": "item", "measure": "measure", "score": "score"}
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

    def recognises(self, origin: Origin) -> bool:
        written = ("resps", "filtered_resps", "arguments", "doc_hash")
        return origin.preview.has("doc_id", "doc") and not origin.preview.keys.isdisjoint(written)

    def summary_only(self, origin: Origin) -> str | None:
        results = origin.preview.at("results")
        if origin.preview.has("results", "configs") and isinstance(results, dict):
            return "the results of lm-eval, means only; pass the samples_*.jsonl that --log_samples writes beside it"
        return None

    def open_log(self, origin: Origin) -> OpenLog:
        name = stem(origin.path)
        date = _DATE.search(name)
        results = _results(origin, date[1]) if date else {}
        dataset = _dataset(name[: date.start()] if date else name)
        facts = Facts(
            system=text_of(results.get("model_name")) or (_folder(origin) if date else None),
            dataset=dataset,
            directions=_task_directions(results, dataset),
            version=text_of(results.get("lm_eval_version")) or None,
            run=date[1] if date else None,
            created=date[1] if date else None,
            settings=_run_settings(results),
        )
        return OpenLog(facts, blocks=partial(_blocks, origin))

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        hashes = {key: record[key] for key in _HASHES if key in record}
        return scalars("doc", record.get("doc")) | hashes

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        plain, comma, chosen = measure.rpartition(",")
        return (plain, {"filter": chosen}) if comma and plain else (measure, {})


@dataclass
class _Rows:
    """Records that name the same measures and filter, taken apart one by one: none is kept whole, unless it is looked at later."""

    named: Any
    filter: Any
    measures: list[str]
    looked_at: bool
    lines: list[int] = field(default_factory=list)
    items: list[Any] = field(default_factory=list)
    hashes: list[Any] = field(default_factory=list)
    scores: list[list[Any]] = field(default_factory=list)
    records: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, record: dict[str, Any], *, looked_at: bool) -> "_Rows":
        """As this record has them; those of old releases do not name their measures."""
        named = record.get("metrics")
        found = named if isinstance(named, list) else [key for key in record if key not in _BOOKKEEPING]
        return cls(named, record.get("filter"), [str(one) for one in found], looked_at, scores=[[] for _ in found])

    def take_while_alike(self, records: Iterator[tuple[int, Any]]) -> tuple[int, dict[str, Any]] | None:
        """Every record up to one that is unlike the first, which is given back; nothing at the end, or where there are enough."""
        # A loop with next to nothing in it: what it does is done as often as a record is decoded.
        named, said, most = self.named, self.filter, BATCH_ROWS
        columns = [(measure, scores.append) for measure, scores in zip(self.measures, self.scores, strict=True)]
        lines, add_item, add_hash = self.lines, self.items.append, self.hashes.append
        for line, record in records:
            if type(record) is not dict:
                continue
            get = record.get
            if get("metrics") != named or get("filter") != said or len(lines) == most or (named is None and lines):
                return line, record
            lines.append(line)
            add_item(get("doc_id"))
            add_hash(get("doc_hash"))
            for measure, add in columns:
                add(get(measure))
            if self.looked_at:
                self.records.append({key: record[key] for key in ("doc", *_HASHES) if key in record})
        return None

    def blocks(self) -> Iterator[LogBlock]:
        """A block per measure."""
        times = len(self.lines)
        fixed = {"filter": [text_of(self.filter) or "none"] * times, "status": [""] * times}
        fixed |= {"text": self.hashes} if any(self.hashes) else {}
        for measure, scores in zip(self.measures, self.scores, strict=True):
            columns = {"item": self.items, "measure": [measure] * times, "score": scores, **fixed}
            records = self.records if self.looked_at else [None] * times
            yield LogBlock(tuple(columns), self.lines, columns.__getitem__, _ROLES, records)


def _blocks(origin: Origin, looked_at: bool) -> Iterator[LogBlock]:
    with walk_json(origin) as walk:
        records = walk.values()
        first = next(((line, record) for line, record in records if isinstance(record, dict)), None)
        while first is not None:
            rows = _Rows.of(first[1], looked_at=looked_at)
            first = rows.take_while_alike(chain((first,), records))
            yield from rows.blocks()


def _results(origin: Origin, date: str) -> dict[str, Any]:
    """The results file of the same date: only the date joins the two where several models share a folder."""
    usual = origin.neighbour(f"results_{date}.json")
    for other in [usual] if usual is not None else origin.neighbours():
        name = stem(other.path)
        if name.endswith(date) and not name.startswith("samples_"):
            found = small_json(other)
            if isinstance(found, dict) and "results" in found:
                return found
    return {}


def _dataset(name: str) -> str | None:
    """The task, between what all such files begin with and the date; a file of another name says none."""
    return name.removeprefix("samples_") if name.startswith("samples_") else None


def _task_directions(results: dict[str, Any], task: str | None) -> dict[str, Better]:
    said = results.get("higher_is_better")
    of_task = said.get(task) if isinstance(said, dict) else None
    if not isinstance(of_task, dict):
        return {}
    return {
        str(measure): "higher" if higher else "lower" for measure, higher in of_task.items() if isinstance(higher, bool)
    }


def _run_settings(results: dict[str, Any]) -> dict[str, str]:
    config = results.get("config")
    config = config if isinstance(config, dict) else {}
    found = scalars("gen_kwargs", config.get("gen_kwargs")) | scalars("model_args", config.get("model_args"))
    plain = {key.partition(".")[2]: str(value) for key, value in found.items()}
    return plain | {key: str(config[key]) for key in ("limit", "random_seed") if config.get(key) is not None}


def _folder(origin: Origin) -> str | None:
    """The folder that --output_path made for the model."""
    return origin.folders[-1].replace("__", "/", 1) if origin.folders else None
