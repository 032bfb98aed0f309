from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from tellapart.foundation.errors import ReadError
from tellapart.readers.format import (
    ERROR,
    FORMATS,
    Axis,
    Facts,
    Log,
    LogBlock,
    OpenLog,
    Origin,
    Row,
    is_plain,
    scalars,
    text_of,
)
from tellapart.readers.storage.archive import Archive
from tellapart.readers.storage.json_objects import nested_value, objects_in
from tellapart.readers.storage.json_walk import Walk, walk_json
from tellapart.readers.storage.origin import Characters
from tellapart.readers.storage.preview import Preview
from tellapart.readers.tables.labels import question_key

_HEADER = ("status", "eval", "plan", "invalidated", "version")
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_ROLES = {name: name for name in ("item", "measure", "score", "run")}
_ONLY = ""
"""The scorer of a log of the first version: its samples have one score each, and the results say whose."""


@dataclass
class InspectLog:
    """The content of a log, however packed: samples in columns, and scores by measure and place."""

    header: dict[str, Any] = field(default_factory=dict)
    reductions: Callable[[], Iterable[Any]] = tuple  # what reducers made of the epochs
    unfinished: str = ""
    names: list[Any] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # without ids of their own, samples are called by their place
    epochs: list[Any] = field(default_factory=list)
    failed: list[bool] = field(default_factory=list)
    metadata: list[Any] = field(default_factory=list)  # or functions that fetch it from the samples
    scores: dict[str, dict[int, Any]] = field(default_factory=dict)

    def blocks(self, _looked_at: bool = True) -> Iterator[LogBlock]:
        """The samples by measure, with blanks for samples that failed or have no score."""
        times = len(self.names)
        if not times:
            return
        fixed = {"item": self.names, "run": self.epochs, "reducer": [""] * times, "text": self.texts}
        for measure in self.scores or dict.fromkeys(text_of(scorer.get("name")) for scorer in scorers_in(self.header)):
            scored = self.scores.get(measure, {})
            status = [ERROR if failed and place not in scored else "" for place, failed in enumerate(self.failed)]
            columns = {
                **fixed,
                "measure": [measure] * times,
                "score": list(map(scored.get, range(times))),
                "status": status,
            }
            yield LogBlock(tuple(columns), range(1, times + 1), columns.__getitem__, _ROLES, self.metadata)

    def add(self, samples: Iterable[Any], completed: Callable[[dict[str, Any]], dict[str, Any]] | None = None) -> None:
        """Of each sample what is asked of it; its messages and events may be long. One that lacks something may be `completed`."""
        names, epochs, failed, metadata = self.names, self.epochs, self.failed, self.metadata
        by_scorer = self.scores
        for sample in samples:
            if not isinstance(sample, dict):
                continue
            get = sample.get
            if completed is not None and (get("metadata") is None or get("scores") is None):
                get = completed(sample).get
            place, said, scores = len(names), get("metadata"), get("scores")
            if scores is None and isinstance(get("score"), dict):
                scores = {_ONLY: get("score")}
            names.append(get("id"))
            self.texts.append(question_key(get("input")))
            epochs.append(get("epoch", 1))
            failed.append(get("error") is not None)
            metadata.append(said if callable(said) else scalars_of(said))
            for scorer, score in scores.items() if isinstance(scores, dict) else ():
                value = score.get("value") if isinstance(score, dict) else score
                # The usual score is one letter or number: what serves all takes twice as long.
                if scorer in by_scorer and not isinstance(value, dict):
                    by_scorer[scorer][place] = _LETTERS.get(value, value) if isinstance(value, str) else value
                    continue
                for measure, one in _scores_by_measure(scorer, value):
                    by_scorer.setdefault(measure, {})[place] = one

    def name_only_scorer(self, results: Any) -> None:
        """Logs of the first version say in their results who scored the samples."""
        said = results.get("scorer") if isinstance(results, dict) else None
        name = (text_of(said.get("name")) if isinstance(said, dict) else "") or "score"
        for measure in [one for one in self.scores if one.partition("/")[0] == _ONLY]:
            self.scores[f"{name}{measure}"] = self.scores.pop(measure)

    def reduced(self) -> Iterator[Row]:
        """The reductions by measure and sample, each with what its sample is grouped by."""
        names = list(map(text_of, self.names))
        known = dict(zip(names, zip(self.metadata, self.texts, strict=True), strict=True))
        for one in self.reductions():
            if not isinstance(one, dict) or not isinstance(one.get("samples"), list):
                continue
            reducer, scorer = text_of(one.get("reducer")) or "mean", text_of(one.get("scorer"))
            for number, sample in enumerate(one["samples"], 1):
                if isinstance(sample, dict):
                    name = sample.get("sample_id")
                    said, text = known.get(text_of(name), ({}, ""))
                    for measure, score in _scores_by_measure(scorer, sample.get("value")):
                        yield Row(number, name, measure, score, axes=(reducer,), record=said, text=text)


def scalars_of(said: Any) -> dict[str, Any]:
    """The plain values of metadata: the rest may be as long as the sample itself."""
    if not isinstance(said, dict):
        return {}
    return said if all(map(is_plain, said.values())) else {key: value for key, value in said.items() if is_plain(value)}


def _scores_by_measure(scorer: str, value: Any) -> Iterable[tuple[str, Any]]:
    """The scores of a sample by measure: a scorer with several values has several measures."""
    if isinstance(value, dict):
        return [(f"{scorer}/{key}", _letter_score(one)) for key, one in value.items()]
    return ((scorer, _letter_score(value)),)


def _letter_score(value: Any) -> Any:
    return _LETTERS.get(value, value) if isinstance(value, str) else value


def scorers_in(header: dict[str, Any]) -> list[dict[str, Any]]:
    return objects_in(nested_value(header, "eval", "scorers"))


@FORMATS.add("inspect")
@dataclass(frozen=True)
class Inspect(Log):
    """Inspect AI, .eval or .json: samples with a score per scorer, epochs as runs; reductions only where a reducer is asked for.

    A score of several values is several measures, as `shape/brevity`. C is 1, I and N are 0, P is 0.5. A sample that hit a limit
    is scored; one with an error is none.
    """

    label = "Inspect logs"
    program = "Inspect AI"
    items = "sample id"
    unit = "sample"
    axes = (Axis("reducer", forced=False, neutral=""),)

    def example(self) -> bytes:
        sample = '{"id": "s%d", "epoch": 1, "scores": {"match": {"value": "%s"}}, "metadata": {"topic": "t"}}'
        eval_ = '"eval": {"task": "sums", "model": "lab/m", "dataset": {"name": "sums"}, "config": {}, "scorers": []}'
        samples = ", ".join((sample % (1, "C"), sample % (2, "I")))
        return f'{{"version": 2, "status": "success", {eval_}, "plan": {{}}, "samples": [{samples}]}}'.encode()

    def recognises(self, origin: Origin) -> bool:
        preview = origin.preview
        packed = preview.kind == "zip" and not {"header.json", "_journal/start.json"}.isdisjoint(origin.contents)
        return packed or (_is_header(preview) and (preview.has("samples") or not preview.whole))

    def summary_only(self, origin: Origin) -> str | None:
        if _is_header(origin.preview) and origin.preview.whole and not origin.preview.has("samples"):
            return "an Inspect log with a header only; pass the .eval file, or a .json with samples"
        return None

    def open_log(self, origin: Origin) -> OpenLog:
        found = _from_archive(origin) if origin.preview.kind == "zip" else _from_json(origin)
        return OpenLog(_facts(found), found.reduced(), found.blocks)

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        return scalars("metadata", record() if callable(record) else record)


def _is_header(preview: Preview) -> bool:
    about = preview.at("eval")
    return isinstance(about, dict) and {"task", "model"} <= about.keys() and preview.kind == "object"


def _from_json(origin: Origin) -> InspectLog:
    found, has_samples, results = InspectLog(), False, None
    with walk_json(origin) as walk:
        for key in walk.entries():
            if key == "samples" and walk.peek() == "[":
                has_samples = True
                found.add(walk.each())
            elif key == "reductions" and walk.peek() == "[":
                found.reductions = partial(iter, walk.value())
            elif key == "results":
                results = walk.value()
            elif key in _HEADER:
                found.header[key] = walk.value()
        walk.finish()
    found.name_only_scorer(results)
    if not has_samples:
        raise ReadError(
            f"{origin.name}: this log holds no samples, only its header. Write it with its samples, or pass the .eval file"
        )
    return found


def _from_archive(origin: Origin) -> InspectLog:
    found = InspectLog()
    with origin.archive() as archive:
        header = "header.json" if "header.json" in archive else "_journal/start.json"
        with _member(archive, header) as walk:
            said = walk.value()
        found.header = said if isinstance(said, dict) else {}
        if "header.json" not in archive:
            found.unfinished = "it has no header.json, so the evaluation was killed"
        _add_summaries(origin, archive, found)
        if "reductions.json" in archive:
            found.reductions = partial(_reductions, origin)
    return found


def _reductions(origin: Origin) -> list[Any]:
    with origin.archive() as archive, _member(archive, "reductions.json") as walk:
        return list(walk.each())


def _add_summaries(origin: Origin, archive: Archive, found: InspectLog) -> None:
    kept = _Samples(origin)
    members = ["summaries.json"]
    if "summaries.json" not in archive:
        members = [name for name in archive.names if name.startswith("_journal/summaries/")]
    if not members:
        found.add(kept.samples.values())
    for member in members:
        with _member(archive, member) as walk:
            found.add(walk.each(), kept.completed)


class _Samples:
    """The samples of an archive, read only if something is asked that summaries do not say."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin

    def completed(self, summary: dict[str, Any]) -> dict[str, Any]:
        """A summary with the scores of its sample, and with its metadata or how to have it."""
        key = str(summary.get("id")), str(summary.get("epoch"))
        added = {} if "metadata" in summary else {"metadata": partial(self._metadata, key)}
        if "scores" not in summary and summary.get("error") is None and key in self.samples:
            added["scores"] = self.samples[key]["scores"]
        return summary | added

    def _metadata(self, key: tuple[str, str]) -> dict[str, Any]:
        return scalars_of(self.samples.get(key, {}).get("metadata"))

    @cached_property
    def samples(self) -> dict[tuple[str, str], dict[str, Any]]:
        found = {}
        with self._origin.archive() as archive:
            for member in archive.names:
                if member.startswith("samples/"):
                    with _member(archive, member) as walk:
                        sample = walk.value()
                    if isinstance(sample, dict):
                        found[str(sample.get("id")), str(sample.get("epoch"))] = _without_texts(sample)
        return found


def _without_texts(sample: dict[str, Any]) -> dict[str, Any]:
    kept = ("id", "epoch", "input", "scores", "error")
    return {key: sample.get(key) for key in kept} | {"metadata": scalars_of(sample.get("metadata"))}


@contextmanager
def _member(archive: Archive, member: str) -> Iterator[Walk]:
    place = f"{archive.name}:{member}"
    try:
        with archive.open(member) as stream:
            yield Walk(place, Characters(stream), archive.limits)
    except UnicodeDecodeError as error:
        found = f"byte 0x{error.object[error.start]:02x}"
        raise ReadError(f"{place}: found {found}, which is not UTF-8 text. Fetch or write the file again") from None


def _facts(found: InspectLog) -> Facts:
    header = found.header
    about: dict[str, Any] = header["eval"] if isinstance(header.get("eval"), dict) else {}
    clusters = _clusters(found)
    status, because = text_of(header.get("status")), found.unfinished
    if not because and status != "success":
        because = f"its status is {status or 'not said'!r}"
    if header.get("invalidated") is True:
        because = "it is marked as invalidated"
    return Facts(
        system=text_of(about.get("model")) or None,
        dataset=text_of(about.get("task")) or None,
        cluster=next(iter(clusters.values()), None),
        clusters=clusters,
        status=None if not because else "withdrawn" if "invalidated" in because else "unfinished",
        because=because,
        run=text_of(about.get("eval_id") or about.get("task_id") or about.get("run_id")) or None,
        created=text_of(about.get("created")) or None,
        settings=_settings(header, about),
    )


def _clusters(found: InspectLog) -> dict[str, str]:
    """Of each measure the key that a metric of its scorer was told to group by, as `stderr(cluster=…)` does."""
    by_scorer = {text_of(scorer.get("name")): _cluster(scorer) for scorer in scorers_in(found.header)}
    said = {name: key for name, key in by_scorer.items() if key is not None}
    return said | {measure: said[scorer] for measure in found.scores if (scorer := measure.partition("/")[0]) in said}


def _cluster(scorer: dict[str, Any]) -> str | None:
    metrics = scorer.get("metrics")
    groups = metrics.values() if isinstance(metrics, dict) else [metrics]
    for metric in (one for group in groups if isinstance(group, list) for one in group):
        key = nested_value(metric, "options", "cluster")
        if isinstance(key, str):
            return key
    return None


def _settings(header: dict[str, Any], about: dict[str, Any]) -> dict[str, str]:
    """Settings in which two runs of one model usually differ."""
    plan = header.get("plan")
    said = [plan.get("config") if isinstance(plan, dict) else None]
    said += [about.get(key) for key in ("model_generate_config", "task_args", "model_args")]
    found = {key: value for one in said for key, value in scalars_of(one).items()}
    config = scalars_of(about.get("config"))
    found |= {key: config[key] for key in ("limit", "epochs") if key in config}
    return {key: str(value) for key, value in found.items()} | {"task_version": str(about.get("task_version"))}
