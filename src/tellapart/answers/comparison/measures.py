"""Sentences about a comparison by several measures: one decision by rules, or all measures as one family."""

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import MeasureDecision, MeasureResult, MeasureRule
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, first_of, one_line, percent, pvalue
from tellapart.foundation.formatting.units import RAW
from tellapart.foundation.surfaces import option

MEASURES: NoteTexts[Comparison] = NoteTexts()

MOST_NAMED = 8
"""Measures that a sentence names one by one."""


@MEASURES
def measures_judged(answer: Comparison) -> str:
    return (
        f"the p-values of {amount(len(answer.measures or ()), 'measure')} are corrected together by Holm, and each interval is at the level of "
        f"its step; rules decide at once: {option('better', 'M')}, {option('not_worse', 'M:0.01')}"
    )


@MEASURES
def decision_judged(answer: Comparison) -> str:
    assert answer.decision is not None
    if answer.decision.any_better:
        return "better on one measure is enough: those are corrected together by Holm; all other rules must be shown, each at alpha"
    return "every rule must be shown, so each is held against alpha as it is: no correction is needed (intersection–union test)"


@MEASURES
def measures_sliced(answer: Comparison) -> str:
    """On which slices B is better or worse, by measure."""
    family, found = answer.slice_family, [one for one in answer.slices or () if one.judged]
    assert family is not None
    shared = "" if family.correction == "none" else " in each measure's share of alpha"
    named = {
        verdict: [f"{one_line(one.slice)} ({one_line(str(one.measure))})" for one in found if one.verdict == verdict]
        for verdict in ("b better", "a better")
    }
    better, worse = (
        f"{len(told) or 'none'}{f': {first_of(told, MOST_NAMED)}' if told else ''}" for told in named.values()
    )
    return f"of {amount(family.slices, 'slice')} by measure, all one family ({family.correction_label}{shared}), {one_line(answer.b.name)} is better on {better}; worse on {worse}"


@MEASURES
def ratio_of_means(_: Comparison, measures: list[str]) -> str:
    return (
        f"the margin of {first_of([one_line(name) for name in measures], MOST_NAMED)} is a share of the baseline's "
        "mean, tested by Fieller's ratio of means: means add up to the whole time or bill, as medians do not"
    )


def measures_headline(answer: Comparison) -> str:
    a, b = one_line(answer.a.name), one_line(answer.b.name)
    if answer.decision is None:
        better, worse = (
            [one for one in answer.measures or () if one.verdict == word] for word in ("b better", "a better")
        )
        return (
            f"{b} is better than {a} on {len(better) or 'none'} of {amount(len(answer.measures or ()), 'measure')}{_measures_named(better)} and worse on "
            f"{len(worse) or 'none'}{_measures_named(worse)}, after Holm"
        )
    decision = answer.decision
    claim = f"{b} is {claimed(decision, a)}"
    return {"pass": claim, "fail": f"refuted: that {claim}", "undetermined": f"not shown: that {claim}"}[
        decision.verdict
    ]


def claimed(decision: MeasureDecision, a: str) -> str:
    """What the rules say of B beside A; of a decision that is shown by one better measure, on which."""
    better = [rule for rule in decision.rules if rule.rule == "better"]
    kept = [with_margin(rule) for rule in decision.rules if rule.rule == "not-worse"]
    if decision.any_better and decision.shown:
        better = [rule for rule in better if rule.shown]
    joined = (" or " if decision.any_better and not decision.shown else " and ").join(
        one_line(rule.measure) for rule in better
    )
    first = f"better than {a} on {joined}" if better else ""
    second = f"not worse {'' if better else f'than {a} '}on {' and '.join(kept)}" if kept else ""
    return ", and ".join(filter(None, (first, second)))


def with_margin(rule: MeasureRule) -> str:
    """A measure and how much worse is not worse: in units, hundredths, or as a share of the baseline's mean."""
    margin = rule.margin if rule.margin_share is None else f"{percent(rule.margin_share)} of the baseline's mean"
    return f"{one_line(rule.measure)} (by {margin})"


def _measures_named(measures: list[MeasureResult]) -> str:
    return f" ({first_of([one_line(one.measure) for one in measures], MOST_NAMED)})" if measures else ""


def measures_sentence(answer: Comparison) -> str:
    """Every measure in a clause, then the rules that are not shown."""
    told = [_clause(one, answer.alpha) for one in answer.measures or ()]
    decision = answer.decision
    if decision is None:
        return f"{'; '.join(told)}."
    lacking = [
        f"{'better' if rule.rule == 'better' else 'not worse'} on {one_line(rule.measure)} ({pvalue(rule.pvalue or 0.0, decision.alpha)})"
        for rule in decision.rules
        if not rule.shown
    ]
    return f"{'; '.join(told)}." + ("" if decision.shown or not lacking else f" Not shown: {'; '.join(lacking)}.")


def _clause(one: MeasureResult, alpha: float) -> str:
    found = one.interval
    places = RAW.places(found.low, found.high)
    return (
        f"{one_line(one.measure)}: Δ = {RAW.difference(one.effect, places)}, {percent(round(found.level, 5), 4)} CI {RAW.bare_interval(found.low, found.high, places)}, "
        f"{pvalue(one.pvalue if one.adjusted_pvalue is None else one.adjusted_pvalue, alpha)} ({one.label})"
    )
