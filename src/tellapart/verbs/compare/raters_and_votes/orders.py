"""Presentation order in votes between two systems: its effect, the adjustment for it, and confounding."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tellapart.answers.comparison import Comparison, Detectable, Needed
from tellapart.answers.comparison.parts import VotesResult
from tellapart.answers.parts import Note
from tellapart.data.rater_pairs import VotePair
from tellapart.data.summaries.rater_samples import Crossed, VotesByOrder
from tellapart.foundation.decision import EstablishedClaims, rejects
from tellapart.methods.intervals import Interval
from tellapart.methods.significance import TESTS
from tellapart.methods.significance.margins import NonInferiority
from tellapart.metrics import METRICS
from tellapart.metrics.mean import Mean
from tellapart.numerics.mixed_models.fit_samples import fit_sample
from tellapart.numerics.null_laws.noncentral_t import equivalence_items, t_items, t_shift
from tellapart.numerics.null_laws.score_difference import degrees_of_orders, error_of_orders
from tellapart.verbs.compare.analysis import Analysis, difference_test
from tellapart.verbs.compare.answer import build_comparison
from tellapart.verbs.compare.claims import claims_asked
from tellapart.verbs.compare.detectable import settled_by
from tellapart.verbs.compare.notes import disagreement, margin_notes
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.raters_and_votes.analysis import shares_of_votes
from tellapart.verbs.compare.raters_and_votes.notes import sign_people
from tellapart.verbs.judging_options import POWER


def told_by_order(pair: VotePair, question: CompareQuestion) -> tuple[VotePair, tuple[Note, ...]]:
    """The votes with the order to adjust for, or without one, and the reason if it was not asked to be left out."""
    without = replace(pair, b_first=None)
    if pair.b_first is None or question.order == "ignore":
        return without, ()
    kept_out = tuple(_inseparable(pair)) or tuple(_by_other_methods(pair, question))
    return (without if kept_out else pair), kept_out


def _inseparable(pair: VotePair) -> Iterator[Note]:
    """Nothing says how much of a difference is the order's where only one was shown, or where some votes may be of either."""
    assert pair.b_first is not None, "some votes say what was shown first"
    votes, unknown = len(pair.b_first), int(np.isnan(pair.b_first).sum())
    if unknown:
        yield Note("order_partly_known", {"unknown": unknown, "votes": votes})
    elif not pair.in_both_orders:
        yield Note("shown_in_one_order", {"first": "b" if pair.b_first.all() else "a", "votes": votes})


def _by_other_methods(pair: VotePair, question: CompareQuestion) -> Iterator[Note]:
    """A test or interval that was named and takes no order decides as it is."""
    takes_order = "mixed_model" if pair.shared else "order_score"
    named = (None if question.named_test is None else difference_test(question.named_test), question.named_interval)
    others = [str(one) for one in named if one is not None and one.name != takes_order]
    if others:
        yield Note("method_takes_no_order", {"method": others[0], "effect": _of_both_orders(pair)})


def _of_both_orders(pair: VotePair) -> float:
    """The effect with both orders weighted alike."""
    if not pair.shared:
        return float(VotesByOrder.of(pair, Mean()).effect)
    return float(fit_sample(Crossed.of(pair, Mean())).effect)


def order_notes(
    pair: VotePair, counted: VotesResult, answer: Comparison, kept_out: tuple[Note, ...]
) -> tuple[Note, ...]:
    """How often the one shown first wins, and what the effect is adjusted for, or why it is not."""
    if counted.first_wins is None or pair.b_first is None:
        return kept_out
    shown = ~np.isnan(pair.b_first)
    decided = int((shown & (pair.values != 0.0)).sum())
    values = {"first_wins": counted.first_wins, "decided": decided, "pvalue": counted.first_pvalue}
    code = "first_shown_wins" if rejects(counted.first_pvalue or 1.0, answer.alpha) else "order_of_no_effect"
    adjusted = {
        "b_first": int((pair.b_first == 1.0).sum()),
        "votes": len(pair.b_first),
        "raw_effect": 2.0 * counted.raw_share_b - 1.0,
    }
    return Note(code, values), *([Note("order_adjusted", adjusted)] if counted.order_adjusted else kept_out)


# Votes that stand alone and showed their systems in both orders: each order weighted alike.


@dataclass(frozen=True, eq=False)
class OrderAnalysis(Analysis):
    """Votes in both orders, with the test and interval they are judged by."""

    pair: Any

    @cached_property
    def judged(self) -> VotesByOrder:
        """The summary that the methods use."""
        found: VotesByOrder = self.summary(VotesByOrder)
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
    claims = claims_asked(analysis, question)
    return build_comparison(
        analysis,
        claims,
        question,
        shares_of_votes(names, analysis.effect, analysis.interval_result),
        measure=measure,
        signature=sign_people(analysis, question),
        detectable=_detectable(analysis),
        needed=_needed(analysis, question),
        reasons=(Note("votes_in_both_orders"),),
        notes=tuple(_notes(analysis, claims, question)),
        votes=votes,
    )


def _notes(analysis: OrderAnalysis, claims: EstablishedClaims, question: CompareQuestion) -> Iterator[Note]:
    yield from disagreement(analysis, claims)
    yield from margin_notes(analysis, claims, question)
    yield Note("pvalue_method", {"method": analysis.outcome.method, "error": float(analysis.outcome.error)})


def _detectable(analysis: OrderAnalysis) -> Detectable | None:
    """By a noncentral t at the spread seen; None where that is more than all votes."""
    shift = t_shift(POWER, analysis.df, analysis.alpha, difference_test(analysis.test).alternative)
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
        side = difference_test(test).alternative
        votes = float(t_items(size, spread, POWER, analysis.alpha, side, df_of_each)[1])
        return settled_by("difference", size, votes)
    if isinstance(test, NonInferiority):
        votes = float(t_items(size, spread, POWER, analysis.alpha, "greater", df_of_each)[1])
        return settled_by("non-inferiority", size, votes)
    votes = equivalence_items(size, spread, POWER, analysis.alpha, df_of_each)
    return settled_by("equivalence", size, votes)
