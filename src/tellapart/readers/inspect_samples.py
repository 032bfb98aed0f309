"""What an Inspect log holds, whatever it is packed in: its header, and what is kept of its samples."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tellapart.readers.json_walk import Walk
from tellapart.readers.log import ERROR, Row, scalars, text_of

_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}


@dataclass
class _Sample:
    """What is kept of a sample: its scores by measure, and where to find its metadata."""

    number: int
    name: Any
    epoch: Any
    scores: dict[str, Any]
    failed: bool
    metadata: Any


@dataclass
class InspectLog:
    """What a log holds, whatever it is packed in."""

    header: dict[str, Any] = field(default_factory=dict)
    samples: list[_Sample] = field(default_factory=list)
    reductions: list[Row] = field(default_factory=list)
    unfinished: str = ""

    def rows(self) -> Iterator[Row]:
        """A row per sample and measure: also of what a sample lacks, be it that it failed or that nobody scored it."""
        measures = dict.fromkeys(measure for sample in self.samples for measure in sample.scores)
        for measure in dict.fromkeys((*measures, *([] if measures else _declared(self.header)))):
            for sample in self.samples:
                failed = ERROR if sample.failed and measure not in sample.scores else ""
                score = sample.scores.get(measure)
                yield Row(
                    sample.number,
                    sample.name,
                    measure,
                    score,
                    failed,
                    ("",),
                    sample.epoch,
                    record=sample.metadata,
                )
        yield from self.reductions

    def add(self, sample: Any, metadata: Any = None) -> None:
        if not isinstance(sample, dict):
            return
        said = sample.get("metadata")
        self.samples.append(
            _Sample(
                len(self.samples) + 1,
                sample.get("id"),
                sample.get("epoch", 1),
                _scores(sample.get("scores")),
                sample.get("error") is not None,
                partial(_kept, scalars_of(said)) if metadata is None or isinstance(said, dict) else metadata,
            )
        )

    def add_reductions(self, walk: Walk) -> None:
        for _ in walk.elements():
            found = walk.value()
            if not isinstance(found, dict) or not isinstance(found.get("samples"), list):
                continue
            reducer = text_of(found.get("reducer")) or "mean"
            for number, one in enumerate(found["samples"], 1):
                if isinstance(one, dict):
                    for measure, score in _scores({text_of(found.get("scorer")): one}).items():
                        row = Row(number, one.get("sample_id"), measure, score, axes=(reducer,), record=dict)
                        self.reductions.append(row)


def _kept(metadata: dict[str, Any]) -> dict[str, Any]:
    return metadata


def scalars_of(said: Any) -> dict[str, Any]:
    """The plain values of metadata: the rest may be as long as the sample itself."""
    return {key.partition(".")[2]: value for key, value in scalars("", said).items()}


def _scores(said: Any) -> dict[str, Any]:
    """The scores of a sample by measure; a score of several values is several measures."""
    found: dict[str, Any] = {}
    for scorer, score in said.items() if isinstance(said, dict) else ():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            found.update({f"{scorer}/{key}": _number(one) for key, one in value.items()})
        else:
            found[scorer] = _number(value)
    return found


def _number(value: Any) -> Any:
    return _LETTERS.get(value, value) if isinstance(value, str) else value


def _declared(header: dict[str, Any]) -> list[str]:
    """The measures that the log was to have, for samples none of which is scored."""
    return [text_of(scorer.get("name")) for scorer in scorers_in(header)]


def scorers_in(header: dict[str, Any]) -> list[dict[str, Any]]:
    about = header.get("eval")
    said = about.get("scorers") if isinstance(about, dict) else None
    return [scorer for scorer in said or () if isinstance(scorer, dict)] if isinstance(said, list) else []
