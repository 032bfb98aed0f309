"""Sentences about the slices of a comparison: where each system is better, and which slice looks worst."""

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import SliceResult
from tellapart.answers.reading_texts import MOST_NAMED, SLICED
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.decision import rejects
from tellapart.foundation.formatting import amount, first_of, one_line, pvalue
from tellapart.foundation.formatting.units import Unit

SLICES: NoteTexts[Comparison] = NoteTexts(SLICED)


@SLICES
def slices_judged(answer: Comparison, column: str) -> str:
    """How many slices each system is better on, and which looks worst once chance is allowed for."""
    family = answer.slice_family
    assert family is not None
    found = [one for one in answer.slices or () if one.column == column and one.judged]
    better_verdict, worse_verdict = "b better", "a better"
    better, worse = ([one for one in found if one.verdict == verdict] for verdict in (better_verdict, worse_verdict))
    told = (
        f"{one_line(answer.b.name)} is better on {len(better) or 'none'} of {amount(len(found), 'slice')} of {one_line(column)}{_named(answer.unit, better)} "
        f"and worse on {len(worse) or 'none'}{_named(answer.unit, worse)}, after {family.correction_label} over {amount(family.slices, 'slice')}"
    )
    return f"{told}{_worst(answer, found)}"


def _named(unit: Unit, slices: list[SliceResult]) -> str:
    if not slices:
        return ""
    return (
        f" ({first_of([f'{one_line(one.slice)}: {_at_places(unit, one, one.effect)}' for one in slices], MOST_NAMED)})"
    )


def _at_places(unit: Unit, one: SliceResult, value: float) -> str:
    """With the decimals of the slice's own effect in the table."""
    assert one.interval is not None
    return unit.difference(value, unit.places(one.interval.low, one.interval.high))


def _worst(answer: Comparison, found: list[SliceResult]) -> str:
    """The slice that looks worst for B, raw and with chance allowed for."""
    far_end = max if answer.lower_is_better else min
    worst = far_end(found, key=lambda one: one.effect, default=None)
    if worst is None or worst.shrunk is None:
        return ""
    return (
        f"; {one_line(worst.slice)} looks worst at {_at_places(answer.unit, worst, worst.effect)} on {amount(worst.items, 'item')}; allowing for chance, "
        f"{_at_places(answer.unit, worst, worst.shrunk)}"
    )


@SLICES
def slices_vary(answer: Comparison, column: str) -> str:
    """Whether the difference varies over the slices, and which is most unlike the rest."""
    assert answer.slice_family is not None
    found = next(one for one in answer.slice_family.columns if one.column == column)
    assert found.omnibus_pvalue is not None
    p = pvalue(found.omnibus_pvalue, answer.alpha)
    if not rejects(found.omnibus_pvalue, answer.alpha):
        return f"the difference is not shown to vary over {one_line(column)} ({p})"
    contrasts = [one for one in answer.slices or () if one.column == column and one.against_rest is not None]
    # Of p-values that no resample reached, the largest difference.
    most = min(contrasts, key=lambda one: (one.against_rest_adjusted_pvalue or 0.0, -abs(one.against_rest or 0.0)))
    assert most.against_rest is not None
    return (
        f"the difference varies over {one_line(column)} ({p}): most unlike the rest is {one_line(most.slice)}, "
        f"{_at_places(answer.unit, most, most.against_rest)} against all other items"
    )


@SLICES
def slices_opposed(answer: Comparison, column: str) -> str:
    return (
        f"every judged slice of {one_line(column)} points the other way than all items together ({answer.unit.difference(answer.effect, answer.unit.places(answer.interval.low, answer.interval.high))}): the "
        "whole depends on how many items each slice has (Simpson's paradox)"
    )
