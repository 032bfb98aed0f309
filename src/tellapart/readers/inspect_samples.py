"""What an Inspect log holds, whatever it is packed in: its header, and what is kept of its samples."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tellapart.readers.log import ERROR, LogBlock, Row, text_of

_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_ROLES = {name: name for name in ("item", "measure", "score", "run")}
_ONLY = ""
"""The scorer of a log of the first version: its samples have one score each, and the results say whose."""
_PLAIN = frozenset((str, int, float, bool))


def _nothing() -> Iterator[Any]:
    return iter(())


@dataclass
class InspectLog:
    """What a log holds, whatever it is packed in: the samples in columns, of each measure the scores by place."""

    header: dict[str, Any] = field(default_factory=dict)
    reductions: Callable[[], Iterable[Any]] = _nothing
    """What reducers made of the epochs, fetched where it is asked for."""
    unfinished: str = ""
    names: list[Any] = field(default_factory=list)
    epochs: list[Any] = field(default_factory=list)
    failed: list[bool] = field(default_factory=list)
    metadata: list[Any] = field(default_factory=list)
    """What items may be grouped by, or a function that fetches it where the samples have to be opened for that."""
    scores: dict[str, dict[int, Any]] = field(default_factory=dict)

    def blocks(self, _looked_at: bool = True) -> Iterator[LogBlock]:
        """The samples by measure: also what one lacks, be it that it failed or that nobody scored it."""
        times = len(self.names)
        if not times:
            return
        fixed = {"item": self.names, "run": self.epochs, "reducer": [""] * times}
        for measure in self.scores or dict.fromkeys(_declared(self.header)):
            scored = self.scores.get(measure, {})
            columns = {
                **fixed,
                "measure": [measure] * times,
                "score": list(map(scored.get, range(times))),
                "status": [
                    ERROR if failed and place not in scored else ""
                    for place, failed in enumerate(self.failed)
                ],
            }
            yield LogBlock(tuple(columns), range(1, times + 1), columns.__getitem__, _ROLES, self.metadata)

    def add(
        self, samples: Iterable[Any], completed: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    ) -> None:
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
            epochs.append(get("epoch", 1))
            failed.append(get("error") is not None)
            metadata.append(said if callable(said) else scalars_of(said))
            for scorer, score in scores.items() if isinstance(scores, dict) else ():
                value = score.get("value") if isinstance(score, dict) else score
                # The usual score is one letter or number: what serves all takes twice as long.
                if scorer in by_scorer and not isinstance(value, dict):
                    by_scorer[scorer][place] = _LETTERS.get(value, value) if isinstance(value, str) else value
                    continue
                for measure, one in _values(scorer, value):
                    by_scorer.setdefault(measure, {})[place] = one

    def name_only_scorer(self, results: Any) -> None:
        """Logs of the first version say in their results who scored the samples."""
        said = results.get("scorer") if isinstance(results, dict) else None
        name = (text_of(said.get("name")) if isinstance(said, dict) else "") or "score"
        for measure in [one for one in self.scores if one.partition("/")[0] == _ONLY]:
            self.scores[f"{name}{measure}"] = self.scores.pop(measure)

    def reduced(self) -> Iterator[Row]:
        """The reductions by measure and sample, each with what its sample is grouped by."""
        known = dict(zip(map(text_of, self.names), self.metadata, strict=True))
        for one in self.reductions():
            if not isinstance(one, dict) or not isinstance(one.get("samples"), list):
                continue
            reducer, scorer = text_of(one.get("reducer")) or "mean", text_of(one.get("scorer"))
            for number, sample in enumerate(one["samples"], 1):
                if isinstance(sample, dict):
                    name = sample.get("sample_id")
                    said = known.get(text_of(name), {})
                    for measure, score in _values(scorer, sample.get("value")):
                        yield Row(number, name, measure, score, axes=(reducer,), record=said)


def scalars_of(said: Any) -> dict[str, Any]:
    """The plain values of metadata: the rest may be as long as the sample itself."""
    if not isinstance(said, dict):
        return {}
    if _PLAIN.issuperset(map(type, said.values())):
        return said
    return {key: value for key, value in said.items() if type(value) in _PLAIN}


def _values(scorer: str, value: Any) -> Iterable[tuple[str, Any]]:
    """What a scorer says of a sample, by measure: a score of several values is several measures."""
    if isinstance(value, dict):
        return [(f"{scorer}/{key}", _number(one)) for key, one in value.items()]
    return ((scorer, _number(value)),)


def _number(value: Any) -> Any:
    return _LETTERS.get(value, value) if isinstance(value, str) else value


def _declared(header: dict[str, Any]) -> list[str]:
    """The measures that the log was to have, for samples none of which is scored."""
    return [text_of(scorer.get("name")) for scorer in scorers_in(header)]


def scorers_in(header: dict[str, Any]) -> list[dict[str, Any]]:
    about = header.get("eval")
    said = about.get("scorers") if isinstance(about, dict) else None
    return [scorer for scorer in said or () if isinstance(scorer, dict)] if isinstance(said, list) else []
