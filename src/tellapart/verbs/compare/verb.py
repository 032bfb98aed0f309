"""Two systems on the same items: is B different from A, by how much, and what could these items have shown?"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tellapart.answers.comparison.fields import Comparison, Detectable, Needed
from tellapart.answers.parts import Note
from tellapart.data.scores import Scores
from tellapart.foundation.decision import is_open, verdict
from tellapart.foundation.errors import UsageError
from tellapart.metrics import Metric
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.claims import decision_fields, establish_claims
from tellapart.verbs.compare.descriptives import counts, effect_sizes, every_test, repeats, shapes
from tellapart.verbs.compare.detectable import detectable, needed
from tellapart.verbs.compare.methods import analyse
from tellapart.verbs.compare.notes import notes
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.systems import pair_of, two_systems
from tellapart.verbs.given_scores import on_given_scores
from tellapart.verbs.python_verb import python_verb
from tellapart.verbs.signature import sign
from tellapart.verbs.source_notes import asking_back, with_sources

if TYPE_CHECKING:
    from tellapart.verbs.compare.datasets import ByDataset
    from tellapart.verbs.compare.groups import ByGroup

MANY, USUALLY = 2_000, 9_999
"""Items from which on what is drawn again may be cut into pieces, and how often that is; more draws do so for fewer items."""


def comparison(scores: Scores, question: CompareQuestion) -> Comparison:
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
    if question.plan is not None or _shared(scores, question):
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
    if not isinstance(scores, Scores):
        if getattr(scores, "reading", None) is None:  # votes have none
            return _by_people(scores, question)
        return with_sources(_by_people(scores, question.facing(scores)), scores, question)
    if scores.more_is_better:
        question = question.facing(scores)
    if scores.reading is None:
        return asking_back(_compared(scores, question), scores, question)
    if scores.reading.plain:
        answer = _compared(scores, question)
        answer = replace(answer, sources=scores.reading.sources, cluster=scores.reading.cluster)
        return asking_back(answer, scores, question)
    return with_sources(_compared(scores, question.facing(scores)), scores, question)


def _not_alone(scores: Scores, question: CompareQuestion) -> Comparison:
    """With others who resample, or beside its plan."""
    if question.plan is not None:
        from tellapart.verbs.deviations import comparison_beside_plan  # noqa: PLC0415  (only a question with a plan needs it)

        return comparison_beside_plan(comparison(scores, replace(question, plan=None)), scores, question)
    from tellapart.verbs.compare.by_workers import by_workers  # noqa: PLC0415  (few comparisons take long)

    return by_workers(_alone, scores, question)


def _compared(scores: Scores, question: CompareQuestion) -> Comparison:
    names = two_systems(scores, question.a, question.b)
    metric = question.aggregation(scores)
    question = question.turned_by(metric)
    if scores.groups is None:
        return _pooled(scores, names, metric, question)
    from tellapart.verbs.compare.groups import Grouped, by_group  # noqa: PLC0415  (few scores come in groups)

    grouped = Grouped(scores, names, question.missing)
    found = by_group(grouped, metric, question)
    return _with_groups(_pooled(grouped.pooled(), names, metric, question), found, question)


def _by_people(given: Any, question: CompareQuestion) -> Comparison:
    from tellapart.verbs.compare.raters_and_votes import comparison_by_people  # noqa: PLC0415  (plain scores have no need of it)

    return comparison_by_people(given, question, comparison)


def _pooled(scores: Scores, names: tuple[str, str], metric: Metric, question: CompareQuestion) -> Comparison:
    """Two systems on all items alike, and on each dataset where there are several."""
    pair = pair_of(scores, names, question.named_test, question.missing)
    analysis, reasons = analyse(pair, metric, question)
    _check_effect(analysis, question)
    answer = _answer(analysis, question, names, scores.measure, reasons)
    if metric.counted_from:
        from tellapart.verbs.counted_answers import told_of_pair  # noqa: PLC0415  (a mean has nothing to tell)

        answer = told_of_pair(answer, pair, metric, scores)
    # Items are in the order of their datasets: where the first and the last are of one, all are.
    if scores.items[0][0] == scores.items[-1][0]:
        return answer
    from tellapart.verbs.compare.datasets import by_dataset  # noqa: PLC0415  (most scores are of one)

    found = by_dataset(scores, names, metric, question)
    return answer if found is None else _with_datasets(answer, found)


def _with_datasets(answer: Comparison, found: "ByDataset") -> Comparison:
    return replace(
        answer,
        datasets=found.results,
        across_datasets=found.across,
        notes=(*found.notes, *answer.notes),
    )


def _with_groups(answer: Comparison, found: "ByGroup", question: CompareQuestion) -> Comparison:
    return replace(
        answer,
        by=question.by,
        groups=found.results,
        omnibus_pvalue=found.omnibus,
        drift=found.drift,
        notes=(*found.notes, *answer.notes),
    )


def _answer(
    analysis: Analysis,
    question: CompareQuestion,
    names: tuple[str, str],
    measure: str,
    reasons: tuple[Note, ...],
) -> Comparison:
    named = question.named_test is not None
    claims = establish_claims(analysis, named=named, lower_is_better=question.lower_is_better)
    unsettled = is_open(reached := verdict(claims))
    first, second = analysis.systems(names)
    least, more, asked = _detectable_and_needed(analysis, question, unsettled=unsettled)
    return Comparison(
        a=first,
        b=second,
        measure=measure,
        **decision_fields(analysis, claims, lower_is_better=question.lower_is_better),
        clusters=analysis.clusters,
        lost=dict(zip(names, analysis.pair.lost, strict=True)),
        correlation=analysis.correlation,
        sd_difference=analysis.sd_difference,
        discordance=analysis.discordance,
        counts=counts(analysis, lower_is_better=question.lower_is_better),
        detectable=least,
        effects=effect_sizes(analysis),
        needed=more,
        repeats=repeats(analysis.pair),
        **shapes(analysis),
        verdict=reached,
        reasons=reasons,
        notes=(*notes(analysis, claims, names, question), *asked),
        tests=every_test(analysis) if question.every_test else None,
        signature=_signature(analysis, question),
    )


def _detectable_and_needed(
    analysis: Analysis, question: CompareQuestion, *, unsettled: bool
) -> tuple[Detectable | None, Needed | None, tuple[Note, ...]]:
    """What these items detect and how many are needed, with notes on what cannot be told."""
    found, *beside = detectable(analysis)
    named = question.named_test is not None
    asked_for = unsettled or question.effect is not None
    more = needed(analysis, question.effect, named=named) if asked_for else None
    asked = [one for one in (found, *beside) if isinstance(one, Note)]
    # One that says both is said once.
    asked += [more] if isinstance(more, Note) and more not in asked else []
    return None if isinstance(found, Note) else found, None if isinstance(more, Note) else more, tuple(asked)


def _check_effect(analysis: Analysis, question: CompareQuestion) -> None:
    code = analysis.coding
    if question.effect is not None and code is not None and abs(question.effect) > code.step:
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
        by=question.by,
        labels=",".join(question.file_labels) or None,
        seed=analysis.seed,
    )


compare = python_verb(
    "compare",
    CompareQuestion,
    on_given_scores(comparison, lambda asked: (asked.a, asked.b), lambda asked: asked.grouping),
)
