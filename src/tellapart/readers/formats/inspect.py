from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from tellapart.foundation.errors import ReadError
from tellapart.readers.format import FORMATS, Certainty
from tellapart.readers.inspect_samples import InspectLog, scalars_of, scorers_in
from tellapart.readers.log import Axis, Log, Opened, scalars, text_of
from tellapart.readers.sniff import Sight
from tellapart.readers.storage.archive import Archive
from tellapart.readers.storage.json_walk import Walk, walking
from tellapart.readers.storage.origin import Characters, Origin
from tellapart.readers.tables.table import Facts

_HEADER = ("status", "eval", "plan", "invalidated", "version")


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
        return (
            f'{{"version": 2, "status": "success", {eval_}, "plan": {{}}, "samples": [{samples}]}}'.encode()
        )

    def claim(self, origin: Origin) -> Certainty:
        sight = origin.sight
        if sight.kind == "zip":
            known = "header.json" in origin.contents or "_journal/start.json" in origin.contents
        else:
            known = _is_header(sight) and (sight.has("samples") or not sight.whole)
        return Certainty.CERTAIN if known else Certainty.NONE

    def barren(self, origin: Origin) -> str | None:
        if _is_header(origin.sight) and origin.sight.whole and not origin.sight.has("samples"):
            return "an Inspect log without its samples, its header only; pass the .eval file, or a .json that holds them"
        return None

    def opened(self, origin: Origin) -> Opened:
        found = _from_archive(origin) if origin.sight.kind == "zip" else _from_json(origin)
        return Opened(_facts(found), found.reduced(), found.blocks)

    def keys(self, record: Any) -> Mapping[str, Any]:
        return scalars("metadata", record() if callable(record) else record)


def _is_header(sight: Sight) -> bool:
    about = sight.at("eval")
    return isinstance(about, dict) and {"task", "model"} <= about.keys() and sight.kind == "object"


def _from_json(origin: Origin) -> InspectLog:
    found, has_samples, results = InspectLog(), False, None
    with walking(origin) as walk:
        for key in walk.entries():
            if key == "samples" and walk.peek() == "[":
                has_samples = True
                found.add(walk.each())
            elif key == "reductions" and walk.peek() == "[":
                found.reductions = partial(_kept, walk.value())
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


def _kept(found: list[Any]) -> list[Any]:
    return found


def _reductions(origin: Origin) -> Iterator[Any]:
    with origin.archive() as archive, _member(archive, "reductions.json") as walk:
        yield from walk.each()


def _add_summaries(origin: Origin, archive: Archive, found: InspectLog) -> None:
    """Summaries say all that is needed of a sample, unless one lacks the scores."""
    kept = _Samples(origin)
    members = ["summaries.json"]
    if "summaries.json" not in archive:
        members = [name for name in archive.names if name.startswith("_journal/summaries/")]
    if not members:
        found.add(kept.all)
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
        if "scores" not in summary and summary.get("error") is None and key in self._all:
            added["scores"] = self._all[key]["scores"]
        return summary | added

    @property
    def all(self) -> Iterable[Any]:
        return self._all.values()

    def _metadata(self, key: tuple[str, str]) -> dict[str, Any]:
        return scalars_of(self._all.get(key, {}).get("metadata"))

    @cached_property
    def _all(self) -> dict[tuple[str, str], dict[str, Any]]:
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
    """What is asked of a sample; its messages and events may be long."""
    kept = {key: sample.get(key) for key in ("id", "epoch", "scores", "error")}
    return kept | {"metadata": scalars_of(sample.get("metadata"))}


@contextmanager
def _member(archive: Archive, member: str) -> Iterator[Walk]:
    place = f"{archive.name}:{member}"
    try:
        with archive.open(member) as stream:
            yield Walk(place, Characters(stream), archive.limits)
    except UnicodeDecodeError as error:
        found = f"byte 0x{error.object[error.start]:02x}"
        raise ReadError(
            f"{place}: found {found}, which is not UTF-8 text. Fetch or write the file again"
        ) from None


def _facts(found: InspectLog) -> Facts:
    header = found.header
    about = header.get("eval") if isinstance(header.get("eval"), dict) else {}
    assert isinstance(about, dict)
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
    return said | {
        measure: said[scorer] for measure in found.scores if (scorer := measure.partition("/")[0]) in said
    }


def _cluster(scorer: dict[str, Any]) -> str | None:
    metrics = scorer.get("metrics")
    groups = metrics.values() if isinstance(metrics, dict) else [metrics]
    for metric in (one for group in groups if isinstance(group, list) for one in group):
        options = metric.get("options") if isinstance(metric, dict) else None
        if isinstance(options, dict) and isinstance(options.get("cluster"), str):
            return str(options["cluster"])
    return None


def _settings(header: dict[str, Any], about: dict[str, Any]) -> dict[str, str]:
    """What two runs of one model usually differ in."""
    plan = header.get("plan")
    said = [plan.get("config") if isinstance(plan, dict) else None]
    said += [about.get(key) for key in ("model_generate_config", "task_args", "model_args")]
    found = {key: value for one in said for key, value in scalars_of(one).items()}
    config = scalars_of(about.get("config"))
    found |= {key: config[key] for key in ("limit", "epochs") if key in config}
    return {key: str(value) for key, value in found.items()} | {
        "task_version": str(about.get("task_version"))
    }
