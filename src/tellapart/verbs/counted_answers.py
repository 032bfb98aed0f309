"""What answers tell of a metric that is no mean: how it was counted, and each system's details."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from tellapart.answers.comparison.fields import Comparison
from tellapart.answers.leaderboard.fields import Leaderboard
from tellapart.answers.parts import Note
from tellapart.data.pair import Pair
from tellapart.data.provenance import Remark
from tellapart.data.scores import Scores
from tellapart.data.summaries import average_runs
from tellapart.foundation.arrays import FloatArray
from tellapart.metrics import Metric


def told_of_pair(answer: Comparison, pair: Pair, metric: Metric, scores: Scores) -> Comparison:
    """The comparison with the signature of what was counted, and with details of both systems."""
    a, b = (
        _told(system.name, values, metric, scores)
        for system, values in ((answer.a, pair.a), (answer.b, pair.b))
    )
    return replace(
        answer,
        a=replace(answer.a, details=a[0]),
        b=replace(answer.b, details=b[0]),
        metric_signature=_signature(metric, scores),
        notes=(*_notes((*a[1], *b[1])), *answer.notes),
    )


def told_of_board(answer: Leaderboard, metric: Metric, scores: Scores) -> Leaderboard:
    """The leaderboard with the signature of what was counted, and with details of every system."""
    told = {
        one.name: _told(
            one.name, scores.values[scores.system(one.name)][scores.scored(one.name)], metric, scores
        )
        for one in answer.systems
    }
    systems = tuple(replace(one, details=told[one.name][0]) for one in answer.systems)
    remarks = [remark for _, found in told.values() for remark in found]
    return replace(
        answer,
        systems=systems,
        metric_signature=_signature(metric, scores),
        notes=(*_notes(remarks), *answer.notes),
    )


def _told(
    name: str, values: FloatArray, metric: Metric, scores: Scores
) -> tuple[dict[str, Any] | None, list[Remark]]:
    parts = average_runs(values)
    classes = () if scores.counted is None else scores.counted.classes
    means, items = np.asarray(parts.mean(axis=0)), len(parts)
    remarks = [
        replace(one, system=name, values={"system": name, **one.values})
        for one in metric.remarks(means, items)
    ]
    return metric.details(means, items, classes), remarks


def _signature(metric: Metric, scores: Scores) -> str | None:
    return None if scores.counted is None else metric.signed(scores.counted.signature)


def _notes(remarks: Iterable[Remark]) -> list[Note]:
    return [Note(one.code, dict(one.values)) for one in remarks]
