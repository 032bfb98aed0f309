"""The answer of a comparison, built once from its analysis, for scores, ratings and votes alike."""

from typing import Any

from tellapart.answers.comparison import Comparison, EquivalenceResult, SystemResult, Tested
from tellapart.foundation.decision import EstablishedClaims, verdict
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.descriptives import every_test
from tellapart.verbs.compare.question import ALL, CompareQuestion


def build_comparison(
    analysis: Analysis,
    claims: EstablishedClaims,
    question: CompareQuestion,
    systems: tuple[SystemResult, SystemResult],
    **beside: Any,
) -> Comparison:
    """The answer with the fields `beside`; those that are only known of some kinds of scores are None unless given there."""
    a, b = systems
    test, outcome = analysis.test, analysis.outcome
    tests = every_test(analysis) if question.test == ALL else None
    fields: dict[str, Any] = {
        "items": analysis.items,
        "clusters": None,
        "lost": dict.fromkeys((a.name, b.name), 0),
        "effect": analysis.effect,
        "standard_error": analysis.standard_error,
        "interval": analysis.interval_result,
        "pvalue": float(outcome.pvalue),
        "pvalue_error": float(outcome.error),
        "test": str(test),
        "metric": str(analysis.metric),
        "tested": Tested(test.label, test.claim, test.alternative, test.estimand, analysis.rejected),
        "alpha": analysis.alpha,
        "margin": analysis.margin,
        "correlation": None,
        "sd_difference": None,
        "discordance": None,
        "counts": None,
        "effects": {},
        "equivalence": None
        if claims.equivalent is None or analysis.margin is None
        else EquivalenceResult(analysis.margin, claims.equivalent.pvalue),
        "needed": None,
        "repeats": None,
        "lower_is_better": question.lower_is_better,
        "shown": claims,
        "verdict": verdict(claims),
        "tests": tests,
    }
    return Comparison(a=a, b=b, **(fields | beside))
