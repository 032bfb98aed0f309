"""Expansion of coded texts or labels into the counts that a metric is computed from."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from tellapart.data.provenance import Counted, Remark
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import UsageError
from tellapart.metrics.counting.texts import Mapper, Segment
from tellapart.metrics.from_labels import OUTSIDE, LabelMetric, in_order
from tellapart.metrics.from_texts import TextMetric
from tellapart.metrics.rate import AveragedRate
from tellapart.readers.tables.counted_columns import CodedLabels, Texts

Expand: TypeAlias = Callable[[Scores], Scores]

FEW_LABELS = 10
"""Of a class that decides: with 1 label 95 % intervals of F1 hold the truth 25 % of the time, with 3 68 to 81 %, with 10 as promised."""

MOST_NUMBERS = 1 << 28
"""Parts of all systems, items and runs: two gigabytes."""


def expand_texts(metric: TextMetric, texts: Texts, mapper: Mapper) -> Expand:
    """Codes of segments as what the metric counts of each."""

    def expand(scores: Scores) -> Scores:
        segments: list[Segment] = list(texts.segment.known)
        counts = metric.counter(mapper)(segments)
        codes = scores.values[..., 0]
        values = counts[np.where(np.isnan(codes), 0, codes).astype(np.int64)]
        values[np.isnan(codes)] = np.nan
        several = {len(references) for _, references in segments}
        counted = Counted(str(metric), metric.signature(max(several)))
        return replace(
            scores,
            values=values,
            parts=metric.parts(),
            counted=counted,
            remarks=(*scores.remarks, *_empty(scores, segments)),
        )

    return expand


def _empty(scores: Scores, segments: list[Segment]) -> list[Remark]:
    blank = np.array([not text for text, _ in segments])
    codes = scores.values[..., 0]
    met = blank[np.where(np.isnan(codes), 0, codes).astype(np.int64)] & ~np.isnan(codes)
    return [
        Remark("empty_hypotheses", {"system": system, "lines": int(lines), "of": int((~np.isnan(row)).sum())}, system)
        for system, lines, row in zip(scores.systems, met.sum(axis=(1, 2)).tolist(), codes, strict=True)
        if lines
    ]


def expand_labels(metric: LabelMetric, labels: CodedLabels) -> Expand:
    """Codes of labels and predictions as what the metric counts of each item."""

    def expand(scores: Scores) -> Scores:
        said, told = (tuple(codes.known) for codes in (labels.label, labels.prediction))
        label, prediction = scores.values[..., 0], scores.values[..., 1]
        missing = np.isnan(label) | np.isnan(prediction)
        there = in_order(said[int(code)] for code in np.unique(label[~np.isnan(label)]))
        predicted = {told[int(code)] for code in np.unique(prediction[~missing])}
        classes = _classes(metric, there, predicted)
        _refuse_too_many(metric, scores, classes)
        # Whatever is no class is told apart from it, and labels from predictions.
        places = _placed(label, said, classes, OUTSIDE - 1), _placed(prediction, told, classes, OUTSIDE)
        values = metric.count(*places, classes)
        values[missing] = np.nan
        made = replace(scores, values=values, parts=metric.parts(classes), counted=Counted(str(metric), None, classes))
        remarks = _remarks(metric, made, _placed(prediction, told, there, OUTSIDE), missing, there, prediction, told)
        rare = _rare(metric.deciding(classes), label, said)
        return replace(made, remarks=(*scores.remarks, *remarks, *rare))

    return expand


def _rare(deciding: tuple[str, ...], label: FloatArray, said: tuple[str, ...]) -> list[Remark]:
    """The class with the fewest labels of those that decide, where these are too few to know how well it is recognised."""
    # An item has one label, whichever systems and runs have a prediction for it.
    codes = np.fmax.reduce(label, axis=(0, 2))
    counts = np.bincount(codes[~np.isnan(codes)].astype(np.int64), minlength=len(said))
    found = sorted((int(counts[said.index(name)]) if name in said else 0, name) for name in deciding)
    few = [name for labels, name in found if labels < FEW_LABELS]
    if not few:
        return []
    return [Remark("few_labels", {"name": few[0], "labels": found[0][0], "classes": len(few), "below": FEW_LABELS})]


def _classes(metric: LabelMetric, labels: tuple[str, ...], predicted: set[str]) -> tuple[str, ...]:
    if isinstance(metric, AveragedRate) and metric.average == "binary":
        return (metric.positive_of(labels),)
    return metric.classes_of(labels, predicted)


def _refuse_too_many(metric: LabelMetric, scores: Scores, classes: tuple[str, ...]) -> None:
    numbers = scores.values[..., 0].size * len(metric.parts(classes))
    if numbers > MOST_NUMBERS:
        raise UsageError(
            f"{metric} counts {len(metric.parts(classes))} numbers per item, because the labels have {len(classes)} "
            "classes: too many for the memory. Is the label a text? Accuracy or a micro average needs few"
        )


def _placed(codes: FloatArray, names: tuple[str, ...], classes: tuple[str, ...], outside: int) -> IntArray:
    """For every code the place of its name among the classes; other names, and no name, are outside."""
    place = {name: i for i, name in enumerate(classes)}
    where = np.array([place.get(name, outside) for name in names] + [outside], dtype=np.int64)
    return where[np.where(np.isnan(codes), len(names), codes).astype(np.int64)]


def _remarks(  # noqa: PLR0913, PLR0917  (what was counted, in names and codes)
    metric: LabelMetric,
    scores: Scores,
    placed: IntArray,
    missing: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    there: tuple[str, ...],
    prediction: FloatArray,
    told: tuple[str, ...],
) -> list[Remark]:
    found = []
    if isinstance(metric, AveragedRate) and metric.average == "micro":
        found.append(Remark("micro_is_accuracy", {"metric": str(metric)}))
    outside = (placed == OUTSIDE) & ~missing
    for row, system in enumerate(scores.systems):
        if outside[row].any():
            others = {told[int(code)] for code in np.unique(prediction[row][outside[row]])}
            values = {
                "system": system,
                "predictions": int(outside[row].sum()),
                "of": int((~missing[row]).sum()),
                "others": sorted(others)[:5],
                "metric": str(metric),
                "scikit_learn": _over_all(metric, scores.values[row], len(there), len(others)),
            }
            found.append(Remark("predictions_outside", values, system))
    return found


def _over_all(metric: LabelMetric, values: FloatArray, classes: int, others: int) -> float | None:
    """Scikit-learn's default for one system, where it is another number."""
    parts = values[~np.isnan(values).any(axis=-1)]
    value = float(metric.value(parts.mean(axis=0), len(parts)))
    told = metric.scikit_learn_value(value, classes, others)
    return None if told == value else told
