"""Did the difference change between groups? Each group's own, and every change since the first, judged together."""

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from tellapart.decision import rejects
from tellapart.doors import option
from tellapart.errors import TooFew, UsageError
from tellapart.metrics import Metric
from tellapart.multiplicity.change_laws import RESAMPLES, JudgedChanges, judged_changes
from tellapart.multiplicity.changes import Lifts
from tellapart.results.comparison_parts import GroupResult
from tellapart.results.interval import IntervalResult
from tellapart.results.note import Note
from tellapart.seeds import stream
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.grouped import Grouped
from tellapart.verbs.compare.methods import analyse
from tellapart.verbs.compare.question import CompareQuestion

CHANGES = 3
"""The number of the stream of random numbers that changes are judged with; the comparison itself has those before."""

SMALL = 10
"""Items, or clusters, below which failures that one in ten has are missed one time in three: changes are then told by their absence."""


class ByGroup(NamedTuple):
    """Every group that can be judged and its change since the first of them; `omnibus` is that there was any change."""

    results: tuple[GroupResult, ...]
    omnibus: float
    drift: bool
    notes: tuple[Note, ...]


class _GroupAlone(NamedTuple):
    """One group: its place among all, and both systems in it."""

    group: int
    analysis: Analysis

    @property
    def units(self) -> int:
        return self.analysis.items if self.analysis.clusters is None else self.analysis.clusters


def by_group(grouped: Grouped, metric: Metric, question: CompareQuestion) -> ByGroup:
    """The groups with two items or more (two clusters, where there are some), and how the first differs from the later ones."""
    if question.alpha * (1 + RESAMPLES) < 1.0:
        raise UsageError(
            f"alpha is {question.alpha:g}, and changes between groups are judged by {RESAMPLES} resamples, which show nothing below "
            f"{1 / (1 + RESAMPLES):g}; raise {option('alpha')}"
        )
    alone = [_alone(grouped, group, metric, question) for group in range(len(grouped.labels))]
    judged = [one for one in alone if one is not None and one.units > 1]
    _refuse_few(grouped, judged)
    lifts = Lifts.of(
        [one.analysis.differences.snapped for one in judged], [grouped.units(one.group) for one in judged]
    )
    found = judged_changes(lifts, question.alpha, stream(question.seed, CHANGES), most=_most(judged))
    omnibus = float(found.adjusted.min())
    results = tuple(
        _result(grouped.labels[one.group], one.analysis, found, place) for place, one in enumerate(judged)
    )
    return ByGroup(
        results, omnibus, bool(rejects(omnibus, question.alpha)), tuple(_notes(grouped, judged, found))
    )


def _alone(grouped: Grouped, group: int, metric: Metric, question: CompareQuestion) -> _GroupAlone | None:
    pair = grouped.pair(group, question.named_test)
    return None if pair is None else _GroupAlone(group, analyse(pair, metric, question)[0])


def _most(judged: list[_GroupAlone]) -> float:
    """The largest change there can be: from all won by one system to all won by the other, where scores are right or wrong."""
    codings = [one.analysis.coding for one in judged]
    return max(inf if code is None else 2.0 * code.step for code in codings)


def _refuse_few(grouped: Grouped, judged: list[_GroupAlone]) -> None:
    if len(judged) > 1:
        return
    items = ", ".join(f"{label!r}: {grouped.items(group)}" for group, label in enumerate(grouped.labels[:5]))
    more = ", …" if len(grouped.labels) > 5 else ""
    raise TooFew(
        f"a change needs two groups with two items each, or two clusters where there are some; found items by group: {items}{more}. "
        f"Check what makes the groups: {option('by')} a column, {option('labels')} each file"
    )


def _result(label: str, analysis: Analysis, found: JudgedChanges, place: int) -> GroupResult:
    """The first has no change: it is what the others are held against."""
    own = GroupResult(label, analysis.items, analysis.effect, analysis.interval_result, None, None, None)
    if place == 0:
        return own
    change, low, high, adjusted = (float(column[place - 1]) for column in found[:4])
    bounds = IntervalResult(low, high, 1.0 - analysis.alpha, "max_t", "change of the mean difference")
    return GroupResult(label, own.items, own.effect, own.interval, change, bounds, adjusted)


def _notes(grouped: Grouped, judged: list[_GroupAlone], found: JudgedChanges) -> Iterator[Note]:
    pooled = {"groups": len(judged), "repeated": grouped.repeated, "dropped": grouped.dropped}
    yield Note("groups_pooled", pooled)
    if not grouped.ordered:
        yield Note("groups_as_met", {"first": grouped.labels[judged[0].group]})
    kept = {one.group for one in judged}
    left_out = [
        {"label": label, "items": grouped.items(group)}
        for group, label in enumerate(grouped.labels)
        if group not in kept
    ]
    if left_out:
        yield Note("groups_left_out", {"groups": left_out})
    small = [{"label": grouped.labels[one.group], "units": one.units} for one in judged if one.units < SMALL]
    if small:
        yield Note("small_groups", {"groups": small, "below": SMALL})
    yield Note("changes_judged", {"changes": len(judged) - 1, "resamples": found.resamples})
