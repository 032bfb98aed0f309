"""The answer of a comparison by raters."""

from typing import Any

from tellapart.decision import Shown, verdict
from tellapart.metrics import METRICS
from tellapart.ratings import RatedPair
from tellapart.results.comparison import Comparison, SystemResult
from tellapart.results.note import Note
from tellapart.results.people import VotesResult
from tellapart.summaries.by_raters import ByRaters
from tellapart.summaries.crossed import Crossed
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.descriptives import every_test
from tellapart.verbs.compare.people.analysis import RaterAnalysis
from tellapart.verbs.compare.people.detectable import detectable_by_raters
from tellapart.verbs.compare.people.methods import choose_by_raters
from tellapart.verbs.compare.people.notes import notes_on_raters
from tellapart.verbs.compare.people.refusals import refuse_order_alone
from tellapart.verbs.compare.people.signature import sign_people
from tellapart.verbs.compare.people.spread import ratings_result
from tellapart.verbs.compare.people.systems import systems
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.shown import decided, shown
from tellapart.votes import VotePair


def analyse_raters(
    pair: RatedPair | VotePair, question: CompareQuestion
) -> tuple[RaterAnalysis, tuple[Note, ...]]:
    """What was judged with the methods that it is judged by, and why these."""
    metric = METRICS.parse("mean")
    sample: ByRaters = ByRaters.of(pair, metric)
    choice = choose_by_raters(sample, question)
    analysis = RaterAnalysis(
        pair,
        metric,
        choice.test,
        choice.interval,
        question.alpha,
        question.margin_of(choice.test),
        question.seed,
        made={ByRaters: sample},
    )
    return analysis, choice.reasons


def _claims(analysis: RaterAnalysis, question: CompareQuestion) -> Shown:
    named = question.named_test is not None
    return shown(analysis, named=named, lower_is_better=question.lower_is_better)


def answer_by_raters(
    pair: RatedPair | VotePair,
    names: tuple[str, str],
    question: CompareQuestion,
    measure: str,
    votes: VotesResult | None = None,
) -> Comparison:
    """Would other raters, on other items, judge alike?"""
    analysis, reasons = analyse_raters(pair, question)
    if isinstance(analysis.judged, Crossed):
        refuse_order_alone(analysis.judged, analysis.standard_error)
    claims = _claims(analysis, question)
    spread = ratings_result(analysis, pair)
    return comparison_of(
        analysis,
        claims,
        question,
        systems(pair, names, analysis),
        measure,
        detectable=detectable_by_raters(analysis),
        reasons=reasons,
        notes=notes_on_raters(analysis, claims, spread, question),
        ratings=spread,
        votes=votes,
    )


def comparison_of(
    analysis: Analysis,
    claims: Shown,
    question: CompareQuestion,
    both: tuple[SystemResult, SystemResult],
    measure: str,
    **beside: Any,
) -> Comparison:
    """What is answered of people whatever they judged, and what else is told `beside`."""
    a, b = both
    fields: dict[str, Any] = {
        **decided(analysis, claims, lower_is_better=question.lower_is_better),
        "clusters": None,
        "lost": dict.fromkeys((a.name, b.name), 0),
        "correlation": None,
        "sd_difference": None,
        "discordance": None,
        "counts": None,
        "effects": {},
        "needed": None,
        "repeats": None,
        "tests": every_test(analysis) if question.every_test else None,
        "signature": sign_people(analysis, question),
    }
    return Comparison(a=a, b=b, measure=measure, verdict=verdict(claims), **(fields | beside))
