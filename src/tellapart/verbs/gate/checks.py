"""Checks of a gate: the non-inferiority of the candidate, by the numbers of `compare`."""

import math
from dataclasses import dataclass, replace

import numpy as np

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import MeasureResult, MeasureRule
from tellapart.answers.gate import Check
from tellapart.boards.corrections.holm import Holm
from tellapart.data.pair import zero_errors_hint
from tellapart.data.scores import Scores
from tellapart.foundation.decision import ClaimResult, EstablishedClaims, gate_verdict, verdict_after_correction
from tellapart.foundation.errors import ItemMismatch
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option
from tellapart.metrics import Metric
from tellapart.verbs.compare import CompareQuestion
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.claims import claims_asked
from tellapart.verbs.compare.methods import analyse
from tellapart.verbs.compare.systems import pair_of


@dataclass(frozen=True, eq=False)
class Judgement:
    """Two systems on some items: the numbers that `compare` answers with, and what they show."""

    analysis: Analysis
    claims: EstablishedClaims
    lower_is_better: bool

    @classmethod
    def of(cls, scores: Scores, metric: Metric, question: CompareQuestion) -> "Judgement":
        assert question.a is not None
        assert question.b is not None
        pair = pair_of(scores, (question.a, question.b), question.named_test, question.missing)
        analysis, _ = analyse(pair, metric, question)
        return cls(analysis, claims_asked(analysis, question), question.lower_is_better)

    def check(self, dataset: str | None) -> Check:
        """The numbers that decide, as if it were the only thing that must pass."""
        analysis, claim = self.analysis, self.claims.not_worse
        assert claim is not None
        assert analysis.margin is not None
        sign = -1.0 if self.lower_is_better else 1.0
        bounds = analysis.margin_interval
        low, high = sorted((sign * bounds.low, sign * bounds.high))
        pvalue = min(_known(self.claims.better), worse := _known(self.claims.worse))
        return Check(
            dataset=dataset,
            verdict=gate_verdict(claim.pvalue, worse, (low, high), analysis.margin, analysis.alpha),
            items=analysis.items,
            effect=sign * analysis.effect,
            low=low,
            high=high,
            not_worse_pvalue=claim.pvalue,
            pvalue=pvalue,
            adjusted_pvalue=pvalue,
        )


def _known(claim: ClaimResult | None) -> float:
    """Its p-value: two-sided on the side that the test points to, else 1. One-sided tests were refused."""
    assert claim is not None
    return claim.pvalue


def corrected(checks: list[Check], alpha: float) -> tuple[Check, ...]:
    """The checks with p-values corrected by Holm: passing all needs no correction, naming a failure does."""
    adjusted = Holm().adjust_list(np.array([one.pvalue for one in checks])).tolist()
    return tuple(
        replace(one, adjusted_pvalue=pvalue, verdict=verdict_after_correction(one.verdict, pvalue, alpha))
        for one, pvalue in zip(checks, adjusted, strict=True)
    )


def rule_checks(compared: Comparison) -> tuple[Check, ...]:
    """Each rule of a decision as a check, its numbers counted towards better."""
    assert compared.decision is not None
    measures = {one.measure: one for one in compared.measures or ()}
    return tuple(_rule_check(rule, measures[rule.measure]) for rule in compared.decision.rules)


def _rule_check(rule: MeasureRule, one: MeasureResult) -> Check:
    sign = -1.0 if one.lower_is_better else 1.0
    low, high = sorted((sign * one.interval.low, sign * one.interval.high))
    known = math.nan if rule.pvalue is None else rule.pvalue
    return Check(
        dataset=None,
        verdict=rule.verdict,
        items=one.items,
        effect=sign * one.effect,
        low=low,
        high=high,
        not_worse_pvalue=known if rule.rule == "not-worse" else math.nan,
        pvalue=one.pvalue,
        adjusted_pvalue=one.pvalue if rule.adjusted_pvalue is None else rule.adjusted_pvalue,
        rule=f"{rule.rule}:{rule.measure}{f':{rule.margin}' if rule.margin else ''}",
    )


def on_items_of_baseline(scores: Scores, names: tuple[str, str], missing: str) -> tuple[Scores, int]:
    """The scores without items of the candidate alone, and the number of those.

    An item that the candidate lacks is refused: whoever skips what it fails must not pass.
    """
    baseline, candidate = names
    had, has = scores.scored(baseline), scores.scored(candidate)
    vanished = had & ~has
    if missing == "error" and vanished.any():
        raise ItemMismatch(
            f"{candidate!r} lacks {int(vanished.sum())} of the {amount(int(had.sum()), 'item')} of {baseline!r} (first: "
            f"{scores.show(int(vanished.argmax()))!r}); a candidate that leaves out what it fails must not pass. Score it on them, or pass "
            f"{option('missing', 'drop')} to do without{zero_errors_hint(scores.reading)}"
        )
    new = has & ~had
    return (scores.only(~new) if new.any() else scores), int(new.sum())
