"""Details and signature of a metric that is computed from counts, for comparisons and leaderboards."""

from dataclasses import replace
from typing import Any

import numpy as np

from tellapart.answers.comparison import SystemResult
from tellapart.answers.leaderboard import Leaderboard
from tellapart.data.pair import Pair
from tellapart.data.provenance import Remark
from tellapart.data.scores import Scores
from tellapart.data.summaries import average_runs
from tellapart.foundation.arrays import FloatArray
from tellapart.metrics import Metric
from tellapart.verbs.source_notes import AnswerPart, reading_notes


def metric_details(
    systems: tuple[SystemResult, SystemResult], pair: Pair, metric: Metric, scores: Scores
) -> tuple[tuple[SystemResult, SystemResult], AnswerPart]:
    """Both systems with their details, and the signature of what was counted."""
    a, b = systems
    (of_a, remarks_a), (of_b, remarks_b) = (
        _details(system.name, values, metric, scores) for system, values in ((a, pair.a), (b, pair.b))
    )
    part = AnswerPart({"metric_signature": _signature(metric, scores)}, reading_notes((*remarks_a, *remarks_b)))
    return (replace(a, details=of_a), replace(b, details=of_b)), part


def with_metric_details(answer: Leaderboard, metric: Metric, scores: Scores) -> Leaderboard:
    """The leaderboard with the signature of what was counted, and with details of every system."""
    details = {
        one.name: _details(one.name, scores.values[scores.system(one.name)][scores.scored(one.name)], metric, scores)
        for one in answer.systems
    }
    systems = tuple(replace(one, details=details[one.name][0]) for one in answer.systems)
    remarks = [remark for _, found in details.values() for remark in found]
    return replace(
        answer,
        systems=systems,
        metric_signature=_signature(metric, scores),
        notes=(*reading_notes(remarks), *answer.notes),
    )


def _details(
    name: str, values: FloatArray, metric: Metric, scores: Scores
) -> tuple[dict[str, Any] | None, list[Remark]]:
    parts = average_runs(values)
    classes = () if scores.counted is None else scores.counted.classes
    means, items = np.asarray(parts.mean(axis=0)), len(parts)
    remarks = [replace(one, system=name, values={"system": name, **one.values}) for one in metric.remarks(means, items)]
    return metric.details(means, items, classes), remarks


def _signature(metric: Metric, scores: Scores) -> str | None:
    return None if scores.counted is None else metric.signed(scores.counted.signature)
