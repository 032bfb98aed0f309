"""Mean or metric of one system with an interval, on all items and per dataset."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from tellapart.answers.parts import Note
from tellapart.answers.score import DatasetScore, FurtherSystem, ScoreReport, SystemScore
from tellapart.data.ratings import Ratings
from tellapart.data.scores import Scores
from tellapart.foundation.errors import TellapartError, Unsuitable
from tellapart.foundation.formatting import amount
from tellapart.foundation.seeds import fingerprint
from tellapart.foundation.spelling import spell
from tellapart.foundation.surfaces import option, verb
from tellapart.metrics import Metric
from tellapart.readers import read
from tellapart.verbs.given_scores import GivenScores, named_metric
from tellapart.verbs.judging_options import POWER
from tellapart.verbs.plan import PlanQuestion, planned
from tellapart.verbs.python_verb import python_verb
from tellapart.verbs.run_summaries import summarise_runs
from tellapart.verbs.score.one_system import OneSystem, ScoreQuestion
from tellapart.verbs.signature import sign
from tellapart.verbs.source_notes import reading_notes, source_parts


def scored(given: Any, question: ScoreQuestion) -> ScoreReport:
    """The mean or metric of a system, or of each, with an interval; of one system also what another would have to reach.

    >>> scores = Scores.from_arrays({"new": [0, 1, 1, 1, 0, 1, 1, 1]}, alone=True)
    >>> found = scored(scores, ScoreQuestion()).systems[0]
    >>> found.mean, found.interval.method
    (0.75, 'wilson')
    """
    scores = summarise_runs(_plain_or_fixed(given, question), question.runs_as, "drop")
    scores.refuse_groups()
    if question.seeds_as == "random":
        raise Unsuitable(
            f"the score of one system covers only the trainings scored; pass {option('seeds_as', 'fixed')}, or use "
            f"{verb('compare')} for others"
        )
    asked, question = question, question.facing(scores)
    metric = question.aggregation(scores)
    question = question.turned_by(metric)
    names = scores.systems if question.system is None else (scores.systems[scores.system(question.system)],)
    each = {name: OneSystem.of(scores, name, metric, question) for name in names}
    only = next(iter(each.values())) if len(each) == 1 else None
    sources = source_parts(scores, asked, lower_is_better=question.lower_is_better)
    return ScoreReport(
        measure=scores.measure,
        metric=str(metric),
        items=len(scores.items),
        level=1.0 - question.alpha,
        systems=tuple(_system_score(name, one, scores, metric, question) for name, one in each.items()),
        further=() if only is None else further_systems(only, question),
        lower_is_better=question.lower_is_better,
        notes=(*sources.notes, *_notes(each, scores), *sources.last),
        signature=_signature(each, metric, question),
        sources=sources.fields.get("sources"),
    )


def _plain_or_fixed(given: Any, question: ScoreQuestion) -> Scores:
    """Scores of items; ratings only where these raters are meant and no others."""
    if isinstance(given, Scores):
        return given
    if not isinstance(given, Ratings):
        raise Unsuitable(f"votes give no system a score of its own; use {verb('compare')}")
    if question.raters_as == "fixed":
        return given.averaged()
    raise Unsuitable(
        f"these are ratings by {amount(len(given.raters), 'rater')}, and other raters would give other means. Pass "
        f"{option('raters_as', 'fixed')} to speak of these raters only; {verb('agreement')} shows how far they agree"
    )


def _system_score(name: str, one: OneSystem, scores: Scores, metric: Metric, question: ScoreQuestion) -> SystemScore:
    parts = scores.datasets if scores.items[0][0] != scores.items[-1][0] else {}
    return SystemScore(
        name=name,
        mean=one.mean,
        interval=one.interval_result(),
        items=one.items,
        missing=len(scores.items) - one.items,
        right=one.right,
        runs=one.runs,
        clusters=one.cluster_count,
        datasets=tuple(
            _dataset_score(home, part, name, metric, question)
            for home, part in parts.items()
            if part.scored(name).any()
        ),
    )


def _dataset_score(home: str, part: Scores, name: str, metric: Metric, question: ScoreQuestion) -> DatasetScore:
    """One dataset by itself; of a single item there is no interval."""
    alone = OneSystem.of(part, name, metric, question, fewest=1)
    interval = None if alone.too_few else alone.interval_result()
    return DatasetScore(home, alone.mean, interval, alone.items, alone.right)


def _notes(each: Mapping[str, OneSystem], scores: Scores) -> tuple[Note, ...]:
    notes = list(reading_notes(one for one in scores.remarks if one.system in {None, *each}))
    notes += [
        Note("items_without_score", {"system": name, "items": len(scores.items) - one.items})
        for name, one in each.items()
        if one.items < len(scores.items)
    ]
    notes += [Note("scores_do_not_vary", {"system": name}) for name, one in each.items() if one.constant]
    if scores.seed_runs is not None:
        notes.append(Note("seeds_averaged"))
    if scores.items[0][0] != scores.items[-1][0]:
        notes.append(Note("datasets_pooled", {"datasets": len(scores.datasets)}))
    return (*notes, Note("each_by_itself")) if len(each) > 1 else tuple(notes)


def _signature(each: Mapping[str, OneSystem], metric: Metric, question: ScoreQuestion) -> str:
    arrays = [one.values for one in each.values()]
    pieces = [piece for one in arrays for piece in (repr(one.shape).encode(), np.ascontiguousarray(one))]
    return sign(
        "score",
        fingerprint([bytes(piece) for piece in pieces]),
        metric=metric,
        system=question.system,
        interval=question.named_interval,
        alpha=question.alpha,
        lower_is_better=question.lower_is_better or None,
        runs_as=question.runs_as,
        seeds_as=question.seeds_as,
        seed=question.seed,
    )


def _given(scores: GivenScores, question: ScoreQuestion) -> ScoreReport:
    """The mean or metric of one system, or of each there is, with an interval; and what another system would have to reach.

    `scores` are scores already read, a file, several, a frame, or an array or dict per system; one system is enough.
    """
    if isinstance(scores, Mapping):
        parts = ("score",) if question.metric is None else named_metric(question.metric).parts()
        return scored(Scores.from_arrays(scores, parts=parts, alone=True), question)
    if isinstance(scores, Scores | Ratings):
        return scored(scores, question)
    metric = None if question.metric is None else named_metric(question.metric)
    return scored(read(scores, metric=metric, systems=(question.system,), alone=True), question)


score = python_verb("score", ScoreQuestion, _given)


# The smallest gain of a further system that the same items could detect, for several correlations.

CORRELATIONS = (0.0, 0.5, 0.8)
"""Between unrelated systems, systems of one kind, and two versions of one system: the user knows which it is."""


def further_systems(one: OneSystem, question: ScoreQuestion) -> tuple[FurtherSystem, ...]:
    """A row per correlation: the smallest gain that `plan` says is found with 80 % power, and the score that it makes."""
    return tuple(_further_at(one, correlation, question) for correlation in CORRELATIONS)


def _further_at(one: OneSystem, correlation: float, question: ScoreQuestion) -> FurtherSystem:
    population, unit = _assumed_population(one, correlation, lower=question.lower_is_better)
    try:
        plan = planned(population, PlanQuestion(items=one.items, power=POWER, alpha=question.alpha))
    except TellapartError:  # the scores leave no room for an effect that these items find
        return FurtherSystem(correlation, POWER, None, None, population)
    effect = plan.rows[0].effect
    gain = -unit * effect if question.lower_is_better else unit * effect
    return FurtherSystem(correlation, POWER, unit * effect, one.mean + gain, population)


def _assumed_population(one: OneSystem, correlation: float, *, lower: bool) -> tuple[str, float]:
    """The assumed population, as `plan` takes it, and the unit of its effects."""
    if one.code is not None and one.clusters is None and one.right is not None:
        good = one.items - one.right if lower else one.right
        return (f"paired_binary(accuracy={spell(good / one.items)}, correlation={spell(correlation)})", one.code.step)
    # The standard error carries what clusters add to it.
    sd = one.standard_error * math.sqrt(one.items)
    return f"gaussian(sd={spell(sd)}, correlation={spell(correlation)})", 1.0
