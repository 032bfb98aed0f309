"""Sentences about the groups of a comparison: whether the difference changed since the first group."""

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.notes import NOTES
from tellapart.answers.comparison.parts import GroupResult
from tellapart.foundation.formatting import amount, first_of, one_line, pvalue, thousands
from tellapart.foundation.formatting.units import Unit

MOST_NAMED = 8
"""Groups that a note names one by one."""


def drift_headline(answer: Comparison) -> str:
    return f"; the difference changed since {_comparison_first(answer)}" if answer.drift else ""


def drift_sentence(answer: Comparison) -> str:
    """The change that is told most surely, or that none is."""
    if answer.groups is None or answer.omnibus_pvalue is None:
        return ""
    later = answer.groups[1:]
    if not answer.drift:
        return (
            f"No change of the difference since {_comparison_first(answer)} is shown in {amount(len(later), f'{_comparison_others(answer)} group')} "
            f"(smallest adjusted {pvalue(answer.omnibus_pvalue, answer.alpha)})."
        )
    told = [one for one in later if (one.adjusted_pvalue or 0.0) <= answer.alpha]
    surest = min(told, key=lambda one: (one.adjusted_pvalue or 0.0, -abs(one.change or 0.0)))
    counted = f"{len(told)} of {amount(len(later), f'{_comparison_others(answer)} group')}"
    return f"The difference changed since {_comparison_first(answer)} in {counted}, most surely in {_change(surest, answer.alpha, answer.unit)}."


def _change(one: GroupResult, alpha: float, unit: Unit) -> str:
    bounds = one.change_interval
    assert bounds is not None, "a later group has a change"
    places = unit.places(bounds.low, bounds.high)
    held = unit.confidence_interval(bounds.level, bounds.low, bounds.high)
    adjusted = pvalue(one.adjusted_pvalue or 0.0, alpha)
    return f"{one_line(one.label)}: by {unit.difference(one.change or 0.0, places)}, simultaneous {held}, adjusted {adjusted}"


def _comparison_first(answer: Comparison) -> str:
    assert answer.groups is not None
    return one_line(answer.groups[0].label)


def _comparison_others(answer: Comparison) -> str:
    """Later groups follow the first; where nothing says so, they are other ones."""
    return "other" if "groups_as_met" in {note.code for note in answer.notes} else "later"


@NOTES
def groups_as_met(_: Comparison, first: str) -> str:
    return (
        f"groups are compared with {one_line(first)} because it comes first in the data: only groups that are all numbers, ISO dates or "
        "ordered categories are sorted"
    )


@NOTES
def groups_pooled(_: Comparison, groups: int, repeated: int, dropped: int) -> str:
    paired = (
        f"; {amount(repeated, 'item')} met in several groups count once, with their scores averaged, and changes allow for the pairing"
        if repeated
        else ""
    )
    left = f"; {amount(dropped, 'score')} of one system alone left out" if dropped else ""
    return f"effect, test and interval are about the items of all groups together ({groups} judged){paired}{left}"


@NOTES
def groups_left_out(_: Comparison, groups: list[dict[str, int | str]]) -> str:
    return f"groups with too few items to be judged alone, still pooled with the others: {_comparison_listed(groups, 'items')}"


@NOTES
def small_groups(_: Comparison, groups: list[dict[str, int | str]], below: int) -> str:
    return (
        f"groups with fewer than {below} items (clusters, where there are some): {_comparison_listed(groups, 'units')}; "
        "so few may miss a large difference that one item in ten has, and no test allows for that"
    )


def _comparison_listed(groups: list[dict[str, int | str]], count: str) -> str:
    return first_of([f"{one_line(str(one['label']))} ({one[count]})" for one in groups], MOST_NAMED)


@NOTES
def changes_judged(answer: Comparison, changes: int, resamples: int) -> str:
    return (
        f"changes since {_comparison_first(answer)} are judged together ({amount(changes, 'change')}, max-T), by the most cautious of three: normal theory "
        f"with each group's own spread, {thousands(resamples)} permutations of items between groups, and as many bootstrap draws within them"
    )
