"""Sentences about a gate: pass or fail with the deciding bound, and the items that would settle open checks."""

import math
from dataclasses import replace

from tellapart.answers.comparison import texts
from tellapart.answers.comparison.judged import by_labels
from tellapart.answers.comparison.measures import claimed
from tellapart.answers.comparison.sequential import look_step, sequential_reach
from tellapart.answers.gate import Check, Gate
from tellapart.answers.plan.check_texts import checked
from tellapart.answers.reading_texts import READING, STOPPED
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, first_of, one_line, percent, pvalue, thousands
from tellapart.foundation.surfaces import option

NOTES: NoteTexts[Gate] = NoteTexts(READING, STOPPED)

MOST_NAMED = 5
"""Datasets that a sentence names one by one."""


def with_texts(answer: Gate) -> Gate:
    if answer.comparison.decision is not None:
        compared, a = texts.with_texts(answer.comparison), one_line(answer.baseline)
        claim = f"{one_line(answer.candidate)} is {claimed(answer.comparison.decision, a)}"
        return replace(
            answer,
            headline=f"pass: {claim}" if answer.verdict == "pass" else f"{answer.verdict}: not shown that {claim}",
            sentence=compared.sentence,
            notes=NOTES.with_texts(answer, answer.notes),
            comparison=compared,
            plan=compared.plan,
        )
    plan = None if answer.plan is None else checked(answer.plan)
    return replace(
        answer,
        headline=_gate_headline(answer) + look_step(answer.comparison),
        sentence=" ".join(
            filter(
                None,
                [
                    _gate_sentence(answer),
                    sequential_reach(answer.comparison),
                    "" if plan is None else plan.sentence,
                ],
            )
        ),
        notes=NOTES.with_texts(answer, answer.notes),
        comparison=texts.with_texts(answer.comparison),
        plan=plan,
    )


@NOTES
def new_items_left_out(answer: Gate, items: int) -> str:
    return (
        f"{amount(items, 'item')} that only {one_line(answer.candidate)} has {'was' if items == 1 else 'were'} left out"
    )


@NOTES
def datasets_pooled(answer: Gate, datasets: int) -> str:
    return (
        f"items of {datasets} datasets were pooled: the verdict is about all {thousands(answer.items)} items alike, so a loss on one dataset can "
        f"hide behind the others; {option('each', 'dataset')} asks every one of them to pass"
    )


def _gate_headline(answer: Gate) -> str:
    old, new = one_line(answer.baseline), one_line(answer.candidate)
    where, judged = _gate_where(answer), texts.judged_by(answer.comparison)
    margin = answer.comparison.unit.as_given(answer.margin)
    if answer.verdict == "pass":
        return f"pass: {new} is not worse than {old} by more than {margin}{where}{judged}"
    if answer.verdict == "fail":
        return f"fail: {new} is worse than {old}{where}{judged}"
    return f"undetermined: that {new} is worse than {old} by more than {margin} cannot be ruled out{where}"


def _gate_where(answer: Gate) -> str:
    """On which datasets, where each must pass."""
    if answer.checks[0].dataset is None:
        return ""
    alike = [check for check in answer.checks if check.verdict == answer.verdict]
    if answer.verdict == "pass":
        return f" on any of {amount(len(alike), 'dataset')}"
    named = first_of([one_line(check.dataset or "") for check in alike], MOST_NAMED)
    return f" on {named} ({len(alike)} of {amount(len(answer.checks), 'dataset')})"


def _gate_sentence(answer: Gate) -> str:
    shown = answer.checks[0] if len(answer.checks) == 1 else None
    sample = (
        f"{amount(answer.items, 'label')} and a judge" if by_labels(answer.comparison) else amount(answer.items, "item")
    )
    overall = f"On {sample}" + (" of all datasets together" if shown is None else "")
    unit = answer.comparison.unit
    places = unit.places(answer.low, answer.high, -answer.margin)
    better = ", counted towards better" if answer.comparison.lower_is_better else ""
    target = answer.comparison.interval.target
    bounded = "it" if target == "mean difference" else f"the {target}"
    sides = [f"above {unit.difference(answer.low, places)}"] if math.isfinite(answer.low) else []
    sides += [f"below {unit.difference(answer.high, places)}"] if math.isfinite(answer.high) else []
    each = ", each" if len(sides) == 2 else ""
    between = (
        f"{bounded} is {' and '.join(sides)}{each} with {percent(answer.level, 4)} confidence"
        if sides
        else "these items do not bound it"
    )
    return (
        f"{overall}, {one_line(answer.candidate)} − {one_line(answer.baseline)} is {unit.difference(answer.effect, places)}{better}; {between}. "
        f"{_decided(answer, shown)}"
    )


def _decided(answer: Gate, check: Check | None) -> str:
    if check is None:
        passed = answer.passed
        return f"{passed} of {amount(len(answer.checks), 'dataset')} {'passes by itself' if passed == 1 else 'pass, each by itself'}."
    if answer.verdict == "fail":
        return f"It is worse ({pvalue(check.pvalue, answer.two_sided_alpha)}, two-sided)."
    excluded, margin = (pvalue(check.not_worse_pvalue, answer.alpha), answer.comparison.unit.as_given(answer.margin))
    if answer.verdict == "undetermined" and answer.excludes(check):
        judged = texts.judged_by(answer.comparison)
        return f"The test excludes a loss of {margin} or more ({excluded}, one-sided{judged}), and the lower bound does not."
    ruled_out = "is ruled out" if answer.verdict == "pass" else "cannot be ruled out"
    return f"A loss of {margin} or more {ruled_out} ({excluded}, one-sided)."


def to_settle(answer: Gate) -> tuple[str, ...]:
    """How many items would settle what is open, check by check, and what else would."""
    if answer.verdict != "undetermined" or answer.comparison.sequential is not None:
        return ()
    left = [check for check in answer.checks if check.verdict == "undetermined"][:MOST_NAMED]
    more = [_passing(answer, check) for check in left if (check.needed_items or 0) > check.items]
    others = [_otherwise(answer, check) for check in left if (check.needed_items or 0) <= check.items]
    larger = "if a larger loss does not matter, give a larger margin"
    return (*more, *others, larger)


def _passing(answer: Gate, check: Check) -> str:
    needed = thousands(check.needed_items or 0)
    return f"{needed} items{_of_dataset(check)} would pass {percent(answer.power)} of the time if it is as good as the baseline"


def _gate_way_out(answer: Gate) -> str:
    """Methods to name where too few items differ to be resampled."""
    few = any(note.code == "no_bounds" for note in answer.comparison.notes)
    return f"; {option('test', 'paired_t')} takes their spread as it is seen" if few else ""


def _otherwise(answer: Gate, check: Check) -> str:
    """Where no number of items is known, or there are as many already."""
    if check.needed_items is None:
        return f"these items do not say how many{_of_dataset(check)} it would take{_gate_way_out(answer)}"
    return f"more items{_of_dataset(check)} may not help: {_passing(answer, check)}, and there are {thousands(check.items)} already"


def _of_dataset(check: Check) -> str:
    return "" if check.dataset is None else f" of {one_line(check.dataset)}"
