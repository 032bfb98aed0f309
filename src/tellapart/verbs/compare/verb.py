"""Comparison of two systems on the same items: the difference, its test, and the detectable effect."""

from dataclasses import replace
from typing import Any

from tellapart.answers.comparison import Comparison, Detectable, Needed
from tellapart.answers.parts import NextPlan, Note
from tellapart.data.judged_pair import JudgedScores
from tellapart.data.scores import Scores
from tellapart.foundation.decision import EstablishedClaims, is_open, verdict
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option
from tellapart.metrics import Metric
from tellapart.verbs import compare as package
from tellapart.verbs.anytime import AtAnyTime, refuse_alone
from tellapart.verbs.compare.analysis import Analysis, difference_test
from tellapart.verbs.compare.answer import build_comparison
from tellapart.verbs.compare.claims import claims_asked
from tellapart.verbs.compare.descriptives import counts, effect_sizes, shapes
from tellapart.verbs.compare.detectable import detectable, needed
from tellapart.verbs.compare.methods import analyse
from tellapart.verbs.compare.notes import notes
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.runs import repeats
from tellapart.verbs.compare.systems import pair_of, two_systems
from tellapart.verbs.given_scores import on_given_scores
from tellapart.verbs.judged_scores import check_judge_options
from tellapart.verbs.python_verb import python_verb
from tellapart.verbs.run_summaries import summarise_runs
from tellapart.verbs.seeds import resolve_seeds
from tellapart.verbs.signature import sign
from tellapart.verbs.source_notes import EMPTY, AnswerPart, source_parts, with_sources

MANY, USUALLY = 2_000, 9_999
"""Items from which on what is drawn again may be cut into pieces, and how often that is; more draws do so for fewer items."""


def comparison(scores: Any, question: CompareQuestion) -> Comparison:
    """Is B different from A? Test and interval are chosen by the shape of the scores unless named.

    `margin` asks whether the systems are equivalent within it; `effect` asks how many items would find a difference of
    that size. The effect is B − A always; `lower_is_better` changes the verdict, not the sign. `test="all"` runs every
    test that suits the scores beside the chosen one.

    >>> from tellapart import Scores, compare
    >>> scores = Scores.from_arrays({"old": [0, 1, 0, 1, 0, 0, 1, 0], "new": [1, 1, 1, 1, 0, 1, 1, 1]})
    >>> answer = compare(scores)
    >>> answer.effect, answer.verdict
    (0.5, 'undetermined')
    """
    if question.measure_names:
        return package.compare_measures(scores, question, comparison)
    if question.direction:
        question = question.about(getattr(scores, "measure", ""))
    planned = question.plan is not None and (not question.anytime or package.has_looks(question))
    if planned or question.record is not None or _shared(scores, question):
        return _not_alone(scores, question)
    return _alone(scores, question)


def _shared(scores: Any, question: CompareQuestion) -> bool:
    """Whether others were named, or there may be enough to draw again for more than one thread."""
    if question.divided:
        return True
    if not isinstance(scores, Scores) or len(scores.items) >= MANY:
        return True
    named = question.test is not None or question.interval is not None
    return named and len(scores.items) * question.resample_count >= MANY * USUALLY


def _alone(scores: Any, question: CompareQuestion) -> Comparison:
    if question.slices:
        package.refuse_judgements(scores)
    refuse_alone(question)
    check_judge_options(question)
    facing = question.facing(scores)
    if isinstance(scores, Scores):
        return _compared(scores, facing, asked=question)
    if isinstance(scores, JudgedScores):
        return package.comparison_by_labels(scores, facing, lambda plain, asked: _compared(plain, asked, asked=asked))
    if question.runs_as is not None or question.seeds_as is not None:
        raise UsageError(
            f"{option('runs_as')} and {option('seeds_as')} are for scores, and these are ratings or votes; leave them out"
        )
    if question.raters_as != "fixed":
        package.refuse_people(question)
    answer = package.comparison_by_people(scores, facing, comparison)
    return answer if scores.reading is None else with_sources(answer, scores, question)


def _not_alone(scores: Any, question: CompareQuestion) -> Comparison:
    """With others who resample, or beside its plan."""
    if question.plan is None and question.record is None:
        return package.compare_with_workers(_alone, scores, question)
    if package.has_looks(question):
        return package.comparison_at_look(scores, question, comparison)
    return package.comparison_beside_plan(comparison(scores, replace(question, plan=None)), scores, question)


def _compared(scores: Scores, question: CompareQuestion, *, asked: CompareQuestion) -> Comparison:
    """Two systems on all items alike, and in each group and on each dataset where there are several; `asked` is the question as it was given."""
    names = two_systems(scores, question.a, question.b)
    scores = summarise_runs(scores, question.runs_as, question.missing)
    metric = question.aggregation(scores)
    question = question.turned_by(metric)
    sources = source_parts(scores, asked, lower_is_better=question.lower_is_better)
    given, scores = scores, resolve_seeds(scores, names, question)
    moment = package.at_any_time(scores, names, metric, question) if question.anytime else None
    if moment is not None:
        scores, question = moment.scores, moment.question
    scores, groups = _groups(scores, names, metric, question)
    pair = pair_of(scores, names, question.named_test, question.missing)
    analysis, reasons = analyse(pair, metric, question)
    claims = claims_asked(analysis, question)
    detects, needs, limits = _detectable_and_needed(analysis, question, unsettled=is_open(verdict(claims)))
    systems = package.anytime_systems(analysis, names, question) if question.anytime else analysis.systems(names)
    details = EMPTY
    if metric.counted_from:
        systems, details = package.metric_details(systems, pair, metric, scores)
    datasets = _sequential(analysis, question, claims, moment) or _datasets(scores, names, metric, question)
    seeds = EMPTY if given.seed_runs is None else package.seed_answer(given, analysis, names, question)
    slices = package.compare_slices(scores, names, metric, question, analysis) if question.slices else EMPTY
    parts = (sources, groups, datasets, slices, details, seeds)
    return build_comparison(
        analysis,
        claims,
        question,
        systems,
        measure=scores.measure,
        **_descriptives(analysis, question, names),
        next_plan=_next_plan(analysis, question, seeds, detects),
        detectable=detects,
        needed=needs,
        reasons=reasons,
        notes=(*_notes_of(parts), *notes(analysis, claims, names, question), *limits, *sources.last),
        signature=_signature(analysis, question),
        **{name: value for part in parts for name, value in part.fields.items()},
    )


def _notes_of(parts: tuple[AnswerPart, ...]) -> list[Note]:
    return [note for part in parts for note in part.notes]


def _next_plan(
    analysis: Analysis, question: CompareQuestion, seeds: AnswerPart, detects: Detectable | None
) -> NextPlan | None:
    """What to plan next, where runs or seeds vary."""
    runs, of_seeds = repeats(analysis, grouped=question.grouped), seeds.fields.get("seeds")
    return None if runs is None and of_seeds is None else package.next_plan(runs, of_seeds, analysis.items, detects)


def _groups(
    scores: Scores, names: tuple[str, str], metric: Metric, question: CompareQuestion
) -> tuple[Scores, AnswerPart]:
    """The scores of all groups together, and how the difference changed between groups."""
    if scores.groups is None:
        return scores, EMPTY
    grouped = package.GroupedPair(scores, names, question.missing)
    return grouped.pooled(), package.compare_groups(grouped, metric, question)


def _sequential(
    analysis: Analysis, question: CompareQuestion, claims: EstablishedClaims, moment: AtAnyTime | None
) -> AnswerPart | None:
    """The evidence of a test that holds at any moment; None of other tests, whose datasets are told apart."""
    if not difference_test(analysis.test).ordered:
        return None
    found = tuple(package.sequential_notes(analysis, question, claims, moment))
    waiting = 0 if moment is None else moment.waiting
    return AnswerPart({"sequential": package.sequential_result(analysis, claims, waiting)}, found)


def _datasets(scores: Scores, names: tuple[str, str], metric: Metric, question: CompareQuestion) -> AnswerPart:
    # Items are in the order of their datasets: where the first and the last are of one, all are.
    if scores.items[0][0] == scores.items[-1][0]:
        return EMPTY
    return package.compare_datasets(scores, names, metric, question)


def _descriptives(analysis: Analysis, question: CompareQuestion, names: tuple[str, str]) -> dict[str, Any]:
    """The fields that describe scores of items, which ratings and votes lack."""
    return {
        "clusters": analysis.clusters,
        "lost": dict(zip(names, analysis.pair.lost, strict=True)),
        "correlation": analysis.correlation,
        "sd_difference": analysis.sd_difference,
        "discordance": analysis.discordance,
        "counts": counts(analysis, lower_is_better=question.lower_is_better),
        "effects": effect_sizes(analysis),
        "repeats": repeats(analysis, grouped=question.grouped),
        **shapes(analysis, lower_is_better=question.lower_is_better),
    }


def _detectable_and_needed(
    analysis: Analysis, question: CompareQuestion, *, unsettled: bool
) -> tuple[Detectable | None, Needed | None, tuple[Note, ...]]:
    """The smallest effect that these items detect, how many are needed, and why either is not known."""
    _check_effect(analysis, question)
    smallest, *sides = detectable(analysis)
    asked = unsettled or question.effect is not None
    more = needed(analysis, question.effect, named=question.named_test is not None) if asked else None
    # A note on both is given once.
    notes = [one for one in (smallest, *sides) if isinstance(one, Note)]
    notes += [more] if isinstance(more, Note) and more not in notes else []
    return (
        None if isinstance(smallest, Note) else smallest,
        None if isinstance(more, Note) else more,
        tuple(notes),
    )


def _check_effect(analysis: Analysis, question: CompareQuestion) -> None:
    if question.effect is None:
        return
    code = analysis.coding
    if code is not None and abs(question.effect) > code.step:
        raise UsageError(
            f"effect is {question.effect:g}, and the means of scores that are {code.wrong:g} or {code.right:g} differ by "
            f"{code.step:g} at most; a point is {code.step / 100.0:g}"
        )


def _signature(analysis: Analysis, question: CompareQuestion) -> str:
    return sign(
        "compare",
        analysis.pair,
        metric=analysis.metric,
        test=analysis.test,
        interval=analysis.interval,
        alpha=analysis.alpha,
        margin=question.margin,
        effect=question.effect,
        lower_is_better=question.lower_is_better or None,
        runs_as=question.runs_as,
        seeds_as=question.seeds_as,
        by=question.by,
        labels=",".join(question.file_labels) or None,
        **question.signed_slices,
        seed=analysis.seed,
    )


compare = python_verb(
    "compare",
    CompareQuestion,
    on_given_scores(
        comparison, lambda asked: (asked.a, asked.b), lambda asked: asked.grouping, lambda asked: asked.measure_names
    ),
)
