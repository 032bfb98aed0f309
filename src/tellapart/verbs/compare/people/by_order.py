"""Votes that stand alone and showed their systems in both orders: each order weighted alike."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tellapart.decision import Shown
from tellapart.distributions.equivalence_items import equivalence_items
from tellapart.distributions.noncentral_t import t_items, t_shift
from tellapart.distributions.score_of_orders import degrees_of_orders, error_of_orders
from tellapart.intervals import Interval
from tellapart.metrics import METRICS
from tellapart.results.comparison import Comparison, Detectable, Needed
from tellapart.results.note import Note
from tellapart.results.people import VotesResult
from tellapart.significance import TESTS
from tellapart.significance.margins import NonInferiority
from tellapart.summaries.by_order import ByOrder
from tellapart.verbs.compare.analysis import Analysis, of_difference
from tellapart.verbs.compare.needed import settled_by
from tellapart.verbs.compare.notes import disagreement, margin_notes
from tellapart.verbs.compare.people.answer import comparison_of
from tellapart.verbs.compare.people.systems import shares_of_votes
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.shown import shown
from tellapart.verbs.judged import POWER
from tellapart.votes import VotePair


@dataclass(frozen=True, eq=False)
class OrderAnalysis(Analysis):
    """Votes in both orders, with the test and interval they are judged by."""

    pair: Any

    @cached_property
    def judged(self) -> ByOrder:
        """What the methods look at."""
        found: ByOrder = self.summary(ByOrder)
        return found

    @property
    def paired(self) -> bool:
        return True

    @property
    def clusters(self) -> None:
        return None

    @property
    def items(self) -> int:
        return self.judged.items

    @property
    def effect(self) -> float:
        return float(self.judged.effect)

    @cached_property
    def standard_error(self) -> float:
        return float(error_of_orders(self.judged))

    @property
    def df(self) -> float:
        return float(degrees_of_orders(self.judged))

    @property
    def signs(self) -> None:
        """Signs of votes know no order."""
        return


def counted_by_order(
    pair: VotePair, names: tuple[str, str], question: CompareQuestion, measure: str, votes: VotesResult
) -> Comparison:
    """Would other votes, half of them in each order, prefer B?"""
    test = question.named_test or TESTS.parse("order_score")
    interval = question.named_interval or Interval.parse(test.interval)
    analysis = OrderAnalysis(
        pair, METRICS.parse("mean"), test, interval, question.alpha, question.margin_of(test), question.seed
    )
    claims = shown(analysis, named=question.named_test is not None, lower_is_better=question.lower_is_better)
    return comparison_of(
        analysis,
        claims,
        question,
        shares_of_votes(names, analysis.effect, analysis.interval_result),
        measure,
        detectable=_detectable(analysis),
        needed=_needed(analysis, question),
        reasons=(Note("votes_in_both_orders"),),
        notes=tuple(_notes(analysis, claims, question)),
        votes=votes,
    )


def _notes(analysis: OrderAnalysis, claims: Shown, question: CompareQuestion) -> Iterator[Note]:
    yield from disagreement(analysis, claims)
    yield from margin_notes(analysis, claims, question)
    yield Note("pvalue_method", {"method": analysis.outcome.method, "error": float(analysis.outcome.error)})


def _detectable(analysis: OrderAnalysis) -> Detectable | None:
    """By a noncentral t at the spread seen; None where that is more than all votes."""
    shift = t_shift(POWER, analysis.df, analysis.alpha, of_difference(analysis.test).alternative)
    effect = abs(float(shift)) * analysis.standard_error
    return Detectable(effect, POWER, None, "formula") if 0.0 < effect < 1.0 else None


def _needed(analysis: OrderAnalysis, question: CompareQuestion) -> Needed | None:
    """Votes, as many of them in each order as here, that find the effect or the margin that was asked about."""
    test, spread = analysis.test, analysis.standard_error * math.sqrt(analysis.items)
    df_of_each = analysis.df / analysis.items
    size = analysis.margin if question.effect is None else abs(question.effect)
    if size is None or not spread > 0.0:
        return None
    if question.effect is not None:
        side = of_difference(test).alternative
        votes = float(t_items(size, spread, POWER, analysis.alpha, side, df_of_each)[1])
        return settled_by("difference", size, votes)
    if isinstance(test, NonInferiority):
        votes = float(t_items(size, spread, POWER, analysis.alpha, "greater", df_of_each)[1])
        return settled_by("non-inferiority", size, votes)
    votes = equivalence_items(size, spread, POWER, analysis.alpha, df_of_each)
    return settled_by("equivalence", size, votes)
