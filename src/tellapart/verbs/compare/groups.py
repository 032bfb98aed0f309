"""Differences between two systems by group, and their changes since the first group, tested as one family."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import NamedTuple

import numpy as np

from tellapart.answers.comparison.parts import GroupResult
from tellapart.answers.parts import IntervalResult, Note
from tellapart.boards.contrast_laws import RESAMPLES, AdjustedContrasts, adjusted_contrasts
from tellapart.boards.group_contrasts import UnitTotals
from tellapart.data.pair import Missing, Pair
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import ItemMismatch, TooFew, Unsuitable, UsageError
from tellapart.foundation.seeds import stream
from tellapart.foundation.surfaces import option
from tellapart.methods.significance import Procedure
from tellapart.metrics import Metric
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.methods import analyse
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.systems import pair_of
from tellapart.verbs.source_notes import AnswerPart

# Scores in groups, such as weeks: each group alone, and all of them as one sample of items.


@dataclass(frozen=True, eq=False)
class GroupedPair:
    """Two systems in groups; every group holds both, and an item may be met once in each."""

    scores: Scores
    names: tuple[str, str]
    missing: Missing

    @cached_property
    def labels(self) -> tuple[str, ...]:
        assert self.scores.groups is not None
        return tuple(self.scores.groups.names)

    @property
    def ordered(self) -> bool:
        """Whether the groups follow each other, and stand not only as they were met."""
        assert self.scores.groups is not None
        return self.scores.groups.ordered

    @cached_property
    def codes(self) -> IntArray:
        assert self.scores.groups is not None
        return self.scores.groups.codes

    @cached_property
    def complete(self) -> BoolArray:
        """The rows on which both systems have a score."""
        a, b = self.names
        return np.asarray(self.scores.scored(a) & self.scores.scored(b))

    @cached_property
    def item(self) -> IntArray:
        """Which item each row is about, numbered in the order of their names."""
        place = {key: number for number, key in enumerate(sorted(set(self.scores.items)))}
        return np.array([place[key] for key in self.scores.items], dtype=np.int64)

    @property
    def repeated(self) -> int:
        """Items that are met in more than one group."""
        return int(np.sum(np.bincount(self.item[self.complete]) > 1))

    @property
    def dropped(self) -> int:
        """Rows of one system alone, of items that another group has of both."""
        a, b = self.names
        some = self.scores.scored(a) | self.scores.scored(b)
        return int(np.sum(some & ~self.complete & self._known[self.item]))

    @cached_property
    def _known(self) -> BoolArray:
        """The items that some group has of both systems."""
        known = np.zeros(int(self.item.max(initial=0)) + 1, dtype=np.bool_)
        known[self.item[self.complete]] = True
        return known

    def items(self, group: int) -> int:
        """Items that both systems have a score on in a group."""
        return int(np.sum(self.complete & (self.codes == group)))

    def units(self, group: int) -> IntArray:
        """The independent units of a group's rows on which both systems have a score: clusters where there are some, else items."""
        codes = self.item if self.scores.clusters is None else self.scores.clusters
        return np.asarray(codes[self.complete & (self.codes == group)])

    def pair(self, group: int, test: Procedure | None) -> Pair | None:
        """Both systems in one group; None where they share fewer than two items there."""
        if test is not None and not test.needs.paired:
            raise Unsuitable(
                f"{test} is for systems scored on different items; changes between groups need the same ones"
            )
        alone = self._alone(group)
        self._refuse_absent(alone, group)
        try:
            return pair_of(alone, self.names, test, self.missing)
        except TooFew:
            return None
        except ItemMismatch as error:
            raise ItemMismatch(f"group {self.labels[group]!r}: {error.message}") from None

    def _alone(self, group: int) -> Scores:
        rows, scores = np.flatnonzero(self.codes == group), self.scores
        keys = tuple(scores.items[row] for row in rows.tolist())
        clusters = None if scores.clusters is None else scores.clusters[rows]
        return replace(scores, items=keys, values=scores.values[:, rows], clusters=clusters, groups=None, arrival=None)

    def _refuse_absent(self, alone: Scores, group: int) -> None:
        for name in self.names:
            if self.missing == "error" and not alone.scored(name).any():
                raise ItemMismatch(
                    f"group {self.labels[group]!r} has no score of {name!r}; a group holds both systems. Pass "
                    f"{option('missing', 'drop')} to leave the group out, or check what makes the groups: "
                    f"{option('by')} groups by a column, {option('labels')} by file"
                )

    def pooled(self) -> Scores:
        """All groups as one sample: an item that several have is one item, and its scores in them are its runs.

        Where an item is complete in one group, what another group has of one system alone is left out.
        """
        scores, known = self.scores, self._known
        rows = np.flatnonzero(self.complete | ~known[self.item])
        item = self.item[rows]
        again = _occurrence(item)
        runs = scores.values.shape[2]
        values: FloatArray = np.full(
            (len(scores.systems), len(known), runs * (int(again.max(initial=0)) + 1), len(scores.parts)), np.nan
        )
        for run in range(runs):
            values[:, item, again * runs + run] = scores.values[:, rows, run]
        clusters = None
        if scores.clusters is not None:
            clusters = np.empty(len(known), dtype=np.int64)
            clusters[self.item] = scores.clusters
        items = tuple(sorted(set(scores.items)))
        return replace(scores, items=items, values=values, clusters=clusters, groups=None, arrival=None)


def _occurrence(item: IntArray) -> IntArray:
    """For each row how many rows of the same item came before it."""
    order = np.argsort(item, kind="stable")
    ordered = item[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    found = np.empty_like(item)
    found[order] = np.arange(len(item)) - np.repeat(starts, np.diff(np.append(starts, len(item))))
    return found


CHANGES = 3
"""The number of the stream of random numbers that changes are judged with; the comparison itself has those before."""

SMALL = 10
"""Items, or clusters, below which failures that one in ten has are missed one time in three: changes are then told by their absence."""


class _GroupAlone(NamedTuple):
    """One group: its place among all, and both systems in it."""

    group: int
    analysis: Analysis

    @property
    def units(self) -> int:
        return self.analysis.items if self.analysis.clusters is None else self.analysis.clusters


def compare_groups(grouped: GroupedPair, metric: Metric, question: CompareQuestion) -> AnswerPart:
    """The groups with two items or more (two clusters, where there are some), and how the first differs from the later ones."""
    if question.alpha * (1 + RESAMPLES) < 1.0:
        raise UsageError(
            f"alpha is {question.alpha:g}, and changes between groups are tested by {RESAMPLES} resamples, whose "
            f"p-values cannot fall below {1 / (1 + RESAMPLES):g}; raise {option('alpha')}"
        )
    alone = [_alone(grouped, group, metric, question) for group in range(len(grouped.labels))]
    judged = [one for one in alone if one is not None and one.units > 1]
    _refuse_few(grouped, judged)
    totals = UnitTotals.of(
        [one.analysis.differences.snapped for one in judged], [grouped.units(one.group) for one in judged]
    )
    found = adjusted_contrasts(totals, question.alpha, stream(question.seed, CHANGES), most=_most(judged))
    omnibus = float(found.adjusted.min())
    results = tuple(_result(grouped.labels[one.group], one.analysis, found, place) for place, one in enumerate(judged))
    fields = {
        "by": question.by,
        "groups": results,
        "omnibus_pvalue": omnibus,
        "drift": bool(rejects(omnibus, question.alpha)),
    }
    return AnswerPart(fields, tuple(_notes(grouped, judged, found)))


def _alone(grouped: GroupedPair, group: int, metric: Metric, question: CompareQuestion) -> _GroupAlone | None:
    pair = grouped.pair(group, question.named_test)
    return None if pair is None else _GroupAlone(group, analyse(pair, metric, question)[0])


def _most(judged: list[_GroupAlone]) -> float:
    """The largest change there can be: from all won by one system to all won by the other, where scores are right or wrong."""
    codings = [one.analysis.coding for one in judged]
    return max(inf if code is None else 2.0 * code.step for code in codings)


def _refuse_few(grouped: GroupedPair, judged: list[_GroupAlone]) -> None:
    if len(judged) > 1:
        return
    items = ", ".join(f"{label!r}: {grouped.items(group)}" for group, label in enumerate(grouped.labels[:5]))
    more = ", …" if len(grouped.labels) > 5 else ""
    raise TooFew(
        "a change needs two groups with two items each, or two clusters where there are some; found items by group: "
        f"{items}{more}. Check what makes the groups: {option('by')} groups by a column, {option('labels')} by file"
    )


def _result(label: str, analysis: Analysis, found: AdjustedContrasts, place: int) -> GroupResult:
    """The first has no change: it is what the others are held against."""
    own = GroupResult(label, analysis.items, analysis.effect, analysis.interval_result, None, None, None)
    if place == 0:
        return own
    change, low, high, adjusted = (float(column[place - 1]) for column in found[:4])
    bounds = IntervalResult(low, high, 1.0 - analysis.alpha, "max_t", "change of the mean difference")
    return GroupResult(label, own.items, own.effect, own.interval, change, bounds, adjusted)


def _notes(grouped: GroupedPair, judged: list[_GroupAlone], found: AdjustedContrasts) -> Iterator[Note]:
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
