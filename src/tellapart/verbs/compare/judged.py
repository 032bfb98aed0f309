"""Comparison of two systems by a judge and a few human labels: checks, analysis and answer."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import JudgedResult
from tellapart.answers.parts import Note
from tellapart.data.judged_pair import JudgedPair, JudgedScores
from tellapart.data.scores import Scores
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import Degenerate, TooFew, Unsuitable, UsageError
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option
from tellapart.methods.intervals import Interval
from tellapart.methods.significance import TESTS, Procedure
from tellapart.methods.significance.judge_regression import Judged
from tellapart.metrics import METRICS
from tellapart.numerics.judge_regression import FEW_DIFFER, FEWEST_CLUSTERS, FEWEST_LABELS, LITTLE
from tellapart.verbs.compare.analysis import difference_test
from tellapart.verbs.compare.answer import build_comparison
from tellapart.verbs.compare.claims import claims_asked
from tellapart.verbs.compare.judged_report import judge_report
from tellapart.verbs.compare.labels_analysis import JudgedAnalysis
from tellapart.verbs.compare.notes import margin_notes
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.systems import two_of
from tellapart.verbs.signature import pair_fingerprint, sign
from tellapart.verbs.source_notes import reading_notes, source_parts

MANY_LABELS = 30
"""Labels from which on coverage is close to its level on most laws."""
NOT_RANDOM = 0.001
"""The p-value up to which labelled items are said to differ from the others."""
MISSES_TAILS = 1.5
"""Spread of the judge's differences on all items over that on labelled ones, from which on labels may miss the tails."""
MEANS_APART = 0.1
"""Standard errors by which the means of the systems may differ by something else than the effect without a note."""

TEST = "judge_regression"


def comparison_by_labels(
    given: JudgedScores, question: CompareQuestion, of_scores: Callable[[Scores, CompareQuestion], Comparison]
) -> Comparison:
    """The comparison by people's labels and a judge; `of_scores` is the one of plain scores, for where all is labelled."""
    if question.human is None:
        raise UsageError(f"these are scores by people and by a judge; name the people's with {option('human')}")
    names = two_of(given.systems, question.a, question.b)
    pair = given.pair(*names, question.missing, question.strata)
    analysis = judged_analysis(pair, question)
    report = judge_report(given, analysis)
    notes = (*_reading_of_both(given, pair, names), *_notes_on_labels(analysis, report))
    if len(pair.labelled) == len(pair.judge.items):
        plain = replace(question, a=names[0], b=names[1], human=None, judge=None, strata=None, missing="drop")
        return _all_labelled(of_scores(given.human, plain), report, notes)
    claims, sources = (
        claims_asked(analysis, question),
        source_parts(given.human, question, lower_is_better=question.lower_is_better),
    )
    systems = analysis.corrected_systems(names)
    return build_comparison(
        analysis,
        claims,
        question,
        systems,
        measure=given.measure,
        clusters=analysis.clusters,
        lost=dict(zip(names, pair.judge.lost, strict=True)),
        correlation=analysis.correlation,
        sd_difference=analysis.sd_difference,
        detectable=analysis.detectable(),
        judged=report,
        reasons=(_why_regression(analysis),),
        notes=(
            *sources.notes,
            *notes,
            *margin_notes(analysis, claims, question),
            *_means_apart(analysis, systems),
            Note("pvalue_method", {"method": analysis.outcome.method, "error": 0.0}),
            *sources.last,
        ),
        signature=_signature_by_labels(analysis, question),
        **sources.fields,
    )


def judged_analysis(pair: JudgedPair, question: CompareQuestion) -> JudgedAnalysis:
    """Labels and judge with the test and interval they are judged by, or a refusal with the way out."""
    metric = METRICS.parse("mean")
    _refuse_few_labels(pair, question)
    judged = Judged.of(pair, metric)
    _refuse_what_tells_nothing(pair, judged, _alone(pair, question))
    test = _regression_test(question)
    interval = Interval.parse(difference_test(test).interval)
    return JudgedAnalysis(
        pair.human,
        metric,
        test,
        interval,
        question.alpha,
        question.margin_of(test),
        question.seed,
        judged_pair=pair,
        made={Judged: judged},
    )


def _regression_test(question: CompareQuestion) -> Procedure:
    """The regression, or a test of a margin by it."""
    named = question.named_test
    inner = None if named is None else difference_test(named)
    if inner is not None and inner.name != TEST:
        raise UsageError(
            f"labels and a judge are tested by {TEST}, not by {inner}. Leave {option('test')} out, or compare "
            f"people's scores alone: {option('measure', str(question.human))} without {option('human')}"
        )
    if question.interval is not None and question.named_interval != Interval.parse(TEST):
        raise UsageError(f"the interval of labels and a judge is {TEST}; leave {option('interval')} out")
    return TESTS.parse(TEST) if named is None else named


# What labels and a judge cannot tell, with the way out.


def _alone(pair: JudgedPair, question: CompareQuestion) -> str:
    return "" if pair.raters else f", or compare people alone: {option('measure', str(question.human))}"


def _refuse_few_labels(pair: JudgedPair, question: CompareQuestion) -> None:
    if (labels := len(pair.labelled)) < FEWEST_LABELS:
        raise TooFew(
            f"{amount(labels, 'label')} of both systems; the method was checked with {FEWEST_LABELS} or more. Label "
            f"more{_alone(pair, question) if labels else ''}"
        )


def _refuse_what_tells_nothing(pair: JudgedPair, judged: Judged, alone: str) -> None:
    if np.ptp(judged.judge) == 0.0:
        none_human = " and people see none on the labels" if not judged.human.any() else ""
        raise Degenerate(
            f"the judge sees no difference anywhere between items{none_human}, so that nothing can be learnt from it. Have another judge score the "
            f"items{alone}"
        )
    if judged.strata is not None:
        _refuse_thin_strata(pair, judged)
    elif judged.clusters is not None:
        _refuse_few_clusters(judged, alone)


def _refuse_thin_strata(pair: JudgedPair, judged: Judged) -> None:
    assert judged.strata is not None
    if pair.human.clusters is not None:
        raise Unsuitable(
            f"strata and clusters of items cannot be combined; pass {option('cluster', 'none')} or leave {option('strata')} out"
        )
    counts = np.bincount(judged.strata[judged.place], minlength=len(pair.strata_names))
    if counts.min() < 2:
        name, count = pair.strata_names[int(counts.argmin())], int(counts.min())
        raise TooFew(
            f"stratum {name!r} has {amount(count, 'label')}; wanted two or more of each. Label more of it, or merge strata"
        )


def _refuse_few_clusters(judged: Judged, alone: str) -> None:
    assert judged.clusters is not None
    found = len(np.unique(judged.clusters[judged.place]))
    if found < FEWEST_CLUSTERS:
        raise TooFew(
            f"the labelled items come in {amount(found, 'cluster')}; the method was checked with {FEWEST_CLUSTERS} "
            f"or more. Label items of more clusters{alone}"
        )
    if int(judged.differ) < FEW_DIFFER:
        raise TooFew(
            f"people see a difference on {amount(int(judged.differ), 'labelled item')}; in clusters the method was "
            f"checked with {FEW_DIFFER} or more. Label more, or take items as independent: {option('cluster', 'none')}"
        )


# What is noted.


def _reading_of_both(given: JudgedScores, pair: JudgedPair, names: tuple[str, str]) -> Iterator[Note]:
    yield from reading_notes(pair.human.remarks)
    if given.people > 1:
        yield Note("people_averaged", {"people": given.people})
    lost = [
        {"system": name, "items": items, "first": first}
        for name, items, first in zip(names, pair.judge.lost, pair.judge.first_lost, strict=True)
        if items
    ]
    if lost or pair.judge.unscored:
        yield Note("items_dropped", {"lost": lost, "unscored": pair.judge.unscored})
    if pair.labels_dropped:
        yield Note("labels_dropped", {"labels": pair.labels_dropped})
    if max(one.shape[-2] for each in (pair.human, pair.judge) for one in (each.a, each.b)) > 1:
        yield Note("runs_averaged")


def _notes_on_labels(analysis: JudgedAnalysis, found: JudgedResult) -> Iterator[Note]:
    judged = analysis.judged
    if found.labels < MANY_LABELS:
        yield Note("few_labels", {"labels": found.labels, "below": MANY_LABELS})
    if found.plus_two:
        yield Note("few_differ", {"differ": found.differ, "below": FEW_DIFFER})
    if judged.strata is None and found.slope == 0.0:
        yield Note("judge_sees_none")
    elif found.worth < LITTLE * found.labels:
        yield Note("judge_adds_little", {"labels": found.labels, "worth": found.worth})
    if found.bias is None:
        yield Note("other_scale")
    elif found.bias["difference"].low > 0.0 or found.bias["difference"].high < 0.0:
        yield Note("judge_favours", {"by": found.bias["difference"].value})
    if found.randomness is not None and rejects(found.randomness["pvalue"], NOT_RANDOM):
        yield Note(
            "labels_not_random",
            {
                "labelled": found.randomness["labelled"],
                "unlabelled": found.randomness["unlabelled"],
                "pvalue": found.randomness["pvalue"],
            },
        )
    labelled, everywhere = (float(x.std(ddof=1)) for x in (judged.judge_on_labelled, judged.judge))
    if judged.strata is None and everywhere >= MISSES_TAILS * labelled:
        yield Note("labels_miss_tails", {"labelled": labelled, "everywhere": everywhere})


def _means_apart(analysis: JudgedAnalysis, systems: tuple[Any, Any]) -> Iterator[Note]:
    a, b = systems
    difference = b.mean - a.mean
    if abs(difference - analysis.effect) > MEANS_APART * analysis.standard_error:
        yield Note("means_apart", {"difference": difference})


def _why_regression(analysis: JudgedAnalysis) -> Note:
    if analysis.judged.strata is not None:
        return Note("labels_by_strata")
    return Note("labels_in_clusters") if analysis.judged.clusters is not None else Note("labels_and_judge")


def _all_labelled(plain: Comparison, report: JudgedResult, notes: tuple[Note, ...]) -> Comparison:
    """The plain comparison of people's scores, with what they say of the judge."""
    kept = tuple(note for note in notes if note.code in {"judge_favours", "other_scale", "people_averaged"})
    return replace(plain, judged=report, notes=(Note("judge_not_needed"), *kept, *plain.notes))


def _signature_by_labels(analysis: JudgedAnalysis, question: CompareQuestion) -> str:
    pair = analysis.judged_pair
    return sign(
        "compare",
        pair_fingerprint(pair.human),
        human=question.human,
        judge=question.judge,
        strata=question.strata,
        test=analysis.test,
        interval=analysis.interval,
        alpha=analysis.alpha,
        margin=question.margin,
        lower_is_better=question.lower_is_better or None,
        judged=pair_fingerprint(pair.judge),
    )
