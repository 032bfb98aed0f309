"""A comparison at a planned look: judged at the level of that look, answered over all looks."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import special

from tellapart.answers.comparison import Comparison, EquivalenceResult, Sequential, SystemResult
from tellapart.answers.parts import IntervalResult, Note
from tellapart.data.scores import Scores
from tellapart.foundation.decision import ClaimResult, EstablishedClaims, rejects, verdict
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.surfaces import option
from tellapart.methods.significance import Procedure
from tellapart.numerics.looks import LEAST, Sides
from tellapart.verbs.compare.analysis import difference_test
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.systems import pair_of, two_systems
from tellapart.verbs.deviations import comparison_beside_plan
from tellapart.verbs.judging_options import SMALLEST_ALPHA
from tellapart.verbs.looks import CurrentLook, current_look, refuse_unlike_looks
from tellapart.verbs.run_summaries import summarise_runs

Compare = Callable[[Any, CompareQuestion], Comparison]

LIMITS = frozenset(("too_few_items_differ", "too_few_clusters"))
"""Notes that no p-value here could reach the level."""


def comparison_at_look(scores: Any, question: CompareQuestion, compare: Compare) -> Comparison:
    """The answer at the look that the scores are at, which is then recorded."""
    if not isinstance(scores, Scores):
        raise Unsuitable(
            f"planned looks need scores, and these are ratings or votes. Pass {option('raters_as', 'fixed')} to "
            "speak of these raters only, or plan without looks"
        )
    refuse_unlike_looks(question, scores)
    names = two_systems(scores, question.a, question.b)
    pair = pair_of(summarise_runs(scores, question.runs_as, question.missing), names, None, question.missing)
    look = current_look(question, pair, names)
    answer = look_answer(scores, question, look, compare)
    if question.record is not None:
        look.recorded(question.record, **_recorded_numbers(answer))
    return comparison_beside_plan(answer, scores, question, look.deviations)


def look_answer(scores: Scores, question: CompareQuestion, look: CurrentLook, compare: Compare) -> Comparison:
    """The comparison by the test of the first look, at the level of this one."""
    test = question.test if question.test is not None or look.test is None else look.test
    named = None if test is None else difference_test(Procedure.parse(test))
    sides: Sides = 1 if named is not None and named.alternative != "two-sided" else 2
    level = max(look.nominal(sides), SMALLEST_ALPHA)
    answer = compare(scores, replace(question, plan=None, record=None, alpha=level, test=test))
    if question.test is None and test is not None:
        answer = replace(answer, reasons=(Note("first_look_chose"),))
    at = f"alpha={question.alpha} | look={look.number}/{len(look.planned)}"
    signed = replace(answer, signature=answer.signature.replace(f"alpha={level}", at))
    return _over_all_looks(signed, question, look, sides)


def _over_all_looks(answer: Comparison, question: CompareQuestion, look: CurrentLook, sides: Sides) -> Comparison:
    own_sides: Sides = sides if answer.tested.claim == "difference" else 1
    claims = _claims_over_looks(answer.shown, look, sides)
    pvalue = look.repeated(answer.pvalue, own_sides) or 1.0
    return replace(
        answer,
        alpha=look.alpha,
        pvalue=pvalue,
        pvalue_error=max(answer.pvalue_error, LEAST if pvalue <= LEAST else 0.0),
        interval=_interval_over_looks(answer.interval, look.alpha),
        a=_system_over_looks(answer.a, look.alpha),
        b=_system_over_looks(answer.b, look.alpha),
        tested=replace(answer.tested, rejected=bool(rejects(pvalue, look.alpha))),
        shown=claims,
        verdict=verdict(claims),
        equivalence=None
        if answer.equivalence is None
        else EquivalenceResult(answer.equivalence.margin, look.repeated(answer.equivalence.pvalue, 1) or 1.0),
        detectable=None,
        needed=None,
        datasets=None,
        across_datasets=None,
        sequential=_look_result(answer, question, look, own_sides, stop=verdict(claims) != "undetermined"),
        notes=(*_without_limits(answer, look.nominal(own_sides)), *_look_notes(claims, look)),
    )


def _claims_over_looks(shown: EstablishedClaims, look: CurrentLook, sides: Sides) -> EstablishedClaims:
    """Every claim over all looks; those about a margin are one-sided."""
    apart = (_claim_over_looks(one, look, sides) for one in (shown.better, shown.worse))
    within = (_claim_over_looks(one, look, 1) for one in (shown.not_worse, shown.not_better, shown.equivalent))
    return EstablishedClaims.at(look.alpha, *apart, *within)


def _claim_over_looks(claim: ClaimResult | None, look: CurrentLook, sides: Sides) -> float | None:
    return None if claim is None else look.repeated(claim.pvalue, sides)


def _interval_over_looks(interval: IntervalResult, alpha: float) -> IntervalResult:
    """At the level of this look it holds at all looks together. Jennison & Turnbull (1989)."""
    return replace(interval, level=1.0 - alpha)


def _system_over_looks(system: SystemResult, alpha: float) -> SystemResult:
    return replace(system, interval=_interval_over_looks(system.interval, alpha))


def _look_result(
    answer: Comparison, question: CompareQuestion, look: CurrentLook, sides: Sides, *, stop: bool
) -> Sequential:
    return Sequential(
        kind="looks",
        about="items like these",
        stop=stop or look.last,
        certain=False,
        items=answer.items,
        look=look.number,
        looks=len(look.planned),
        planned_items=look.planned[-1],
        information=float(look.information[-1]),
        nominal=look.nominal(sides),
        spent=look.spent(sides),
        spending=look.plan.spending,
        pvalue_alone=answer.pvalue,
        next_items=look.next_items,
        conditional_power=None if look.last else look.conditional_power(sides, _towards_plan(answer, look, sides)),
        record=question.record,
        path=look.path(answer.pvalue, sides),
    )


def _towards_plan(answer: Comparison, look: CurrentLook, sides: Sides) -> float:
    """The normal statistic of these items, above 0 on the side of the planned effect, or of the margin's claim."""
    z = -float(special.ndtri(np.clip(answer.pvalue / sides, 1e-300, 1.0 - 1e-16)))
    return z if sides == 1 or answer.effect * look.plan.effect >= 0.0 else -z


def _without_limits(answer: Comparison, nominal: float) -> Iterator[Note]:
    """A note that no p-value could be small enough is about the level of this look."""
    for note in answer.notes:
        if note.code in LIMITS:
            yield Note("look_cannot_decide", {"least_pvalue": note.values["least_pvalue"], "nominal": nominal})
        else:
            yield note


def _look_notes(claims: EstablishedClaims, look: CurrentLook) -> Iterator[Note]:
    if look.stopped is not None:
        yield Note("stopped_before", {"look": look.stopped.look, "items": look.stopped.items})
    elif verdict(claims) != "undetermined" and not look.last:
        yield Note("early_estimate")


def _recorded_numbers(answer: Comparison) -> dict[str, Any]:
    found = answer.sequential
    assert found is not None
    return {
        "a": answer.a.name,
        "b": answer.b.name,
        "nominal": found.nominal,
        "spent": found.spent,
        "pvalue": found.pvalue_alone,
        "repeated_pvalue": answer.pvalue,
        "verdict": answer.verdict,
        "test": answer.test,
    }
