"""Two systems on each slice of the items: where B wins and where it loses, judged as one family, ordered by shrunken effects."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tellapart.answers.comparison.parts import SliceResult
from tellapart.answers.parts import IntervalResult, Note, SliceColumn, SliceFamily
from tellapart.boards.contrast_laws import AdjustedContrasts, adjusted_contrasts
from tellapart.boards.meta_analysis import ShrunkenEffects, shrunken_effects
from tellapart.boards.rest_contrasts import SliceTotals
from tellapart.data.scores import Scores
from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.errors import Degenerate, TooFew, Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.metrics import Metric
from tellapart.verbs.compare.analysis import Analysis, difference_test
from tellapart.verbs.compare.claims import claims_asked
from tellapart.verbs.compare.datasets import JudgedPart, better_system, difference_pvalue
from tellapart.verbs.compare.groups import CHANGES
from tellapart.verbs.compare.methods import analyse, enough_for_family
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.systems import pair_of
from tellapart.verbs.slice_columns import (
    column_notes,
    correction_of,
    natural_order,
    slice_column,
    slice_levels,
    slice_masks,
    too_few_in_slices,
)
from tellapart.verbs.source_notes import AnswerPart

PRIOR_UNITS = 5.0
"""Units of the spread of all items that are added to each slice's own, so that no small slice seems certain."""
FEWEST_SHRUNK = 3
"""Slices from which on their scatter is estimated."""


@dataclass(frozen=True, eq=False)
class Slice:
    """The items of one slice, and both systems on them; no analysis where fewer than two items are shared."""

    column: str
    name: str
    items: int
    analysis: Analysis | None

    @property
    def units(self) -> int:
        """Clusters where there are some, else items."""
        found = self.analysis
        return self.items if found is None or found.clusters is None else found.clusters

    @cached_property
    def effect(self) -> float:
        assert self.analysis is not None
        return self.analysis.effect


def compare_slices(
    scores: Scores, names: tuple[str, str], metric: Metric, question: CompareQuestion, whole: Analysis
) -> AnswerPart:
    """Every slice of every column that was asked for, one family, by the test that was named or that suits the slice."""
    membership = {column: slice_masks(scores, column, question.slice_separator) for column in question.slice_columns}
    either = [scores.scored(name) for name in names]
    scored = np.asarray(np.all(either, axis=0) if whole.paired else np.any(either, axis=0))
    every = [
        Slice(column, name, int((mask & scored).sum()), _analysis(scores.only(mask), names, metric, question))
        for column, masks in membership.items()
        for name, mask in masks.items()
    ]
    judged = _judged(every, question)
    found = _SliceFamilyResults(every, judged, question, whole)
    columns = tuple(
        _ColumnSlices(column, masks, scored, found, whole, question) for column, masks in membership.items()
    )
    results = tuple(one for column in columns for one in column.results())
    correction = correction_of(question)
    described = tuple(column.described([one for one in results if one.column == column.column]) for column in columns)
    family = SliceFamily(str(correction), correction.label, len(judged), question.slice_least, described)
    return AnswerPart({"slices": results, "slice_family": family}, tuple(_notes(results, family, whole)))


# Both systems on the items of a slice.


def _analysis(scores: Scores, names: tuple[str, str], metric: Metric, question: CompareQuestion) -> Analysis | None:
    """Both systems on some items; None where they share fewer than two."""
    try:
        pair = pair_of(scores, names, question.named_test, question.missing)
        return analyse(pair, metric, question)[0]
    except TooFew:
        return None


# One family of all slices that are large enough.


def _judged(every: Sequence[Slice], question: CompareQuestion) -> dict[Slice, JudgedPart]:
    """The slices with enough units, each with the claims about it."""
    large = [one for one in every if one.analysis is not None and one.units >= question.slice_least]
    judged = {}
    for one in large:
        assert one.analysis is not None
        analysis = enough_for_family(one.analysis, len(large))
        try:
            judged[one] = JudgedPart(analysis, claims_asked(analysis, question))
        except (Degenerate, Unsuitable):
            continue
    if not judged:
        raise too_few_in_slices([(one.name, one.units) for one in every], question.slice_least)
    return judged


@dataclass(frozen=True, eq=False)
class _SliceFamilyResults:
    every: Sequence[Slice]
    judged: dict[Slice, JudgedPart]
    question: CompareQuestion
    whole: Analysis

    def results(
        self, column: str, shrunk: ShrunkenEffects | None, rest: dict[str, dict[str, object]]
    ) -> Iterator[SliceResult]:
        """From where B loses most: by shrunken effect, and where all are shrunk to their mean by raw effect."""
        known = self.known(column)
        effects, sds = (None, None) if shrunk is None else (shrunk.effects.tolist(), shrunk.sds.tolist())
        order_by = [one.effect for one in known] if effects is None else effects
        order = sorted(range(len(known)), key=lambda i: (order_by[i], known[i].effect, natural_order(known[i].name)))
        for place, i in enumerate(order, 1):
            pulled = {} if effects is None or sds is None else {"shrunk": effects[i], "shrunk_sd": sds[i]}
            found = self._own.get(known[i], {})
            yield self._result(known[i], place, {**found, **rest.get(known[i].name, {}), **pulled}, judged=bool(found))

    def known(self, column: str) -> list[Slice]:
        return [one for one in self.every if one.column == column and one.analysis is not None]

    @cached_property
    def _own(self) -> dict[Slice, dict[str, object]]:
        """P-value, adjusted p-value, interval and verdict of every judged slice."""
        alpha = self.question.alpha
        pvalues = np.array([difference_pvalue(one.claims) for one in self.judged.values()])
        adjusted = np.minimum(correction_of(self.question).adjust_list(pvalues) * self.question.slice_families, 1.0)
        levels = slice_levels(self.question, pvalues, alpha).tolist()
        bounds = _intervals_at([part.analysis for part in self.judged.values()], levels)
        found = zip(self.judged.items(), pvalues.tolist(), adjusted.tolist(), bounds, strict=True)
        return {
            one: {
                "interval": interval,
                "pvalue": pvalue,
                "adjusted_pvalue": least,
                "test": str(part.analysis.test),
                "label": part.analysis.test.label,
                "verdict": better_system(part.claims, least, alpha),
                "not_worse_pvalue": part.claims.pvalue("not_worse"),
            }
            for (one, part), pvalue, least, interval in found
        }

    def _result(self, one: Slice, place: int, found: dict[str, object], *, judged: bool) -> SliceResult:
        assert one.analysis is not None
        return SliceResult(
            column=one.column,
            slice=one.name,
            items=one.items,
            clusters=one.analysis.clusters,
            effect=one.effect,
            judged=judged,
            place=place,
            **found,  # type: ignore[arg-type]
        )


@dataclass(frozen=True, eq=False)
class _ColumnSlices:
    """The slices of one column: those judged, shrunken effects, and contrasts with all other items."""

    column: str
    masks: dict[str, BoolArray]
    scored: BoolArray
    family: _SliceFamilyResults
    whole: Analysis
    question: CompareQuestion

    def results(self) -> Iterator[SliceResult]:
        return self.family.results(self.column, self.shrunk, self._against_rest())

    @cached_property
    def shrunk(self) -> ShrunkenEffects | None:
        """Effects shrunk towards their mean; None where there are too few slices."""
        known = self.family.known(self.column)
        if len(known) < FEWEST_SHRUNK:
            return None
        return shrunken_effects(np.array([one.effect for one in known]), slice_variances(known, self.whole))

    @cached_property
    def _contrasted(self) -> list[str]:
        """Judged slices with enough other items."""
        judged = [one.name for one in self.family.judged if one.column == self.column]
        every = self.scored & self._held
        outside = {name: (every & ~self.masks[name])[self.scored] for name in judged}
        return [
            name
            for name in judged
            if np.count_nonzero(np.bincount(self._units, outside[name])) >= self.question.slice_least
        ]

    @cached_property
    def _units(self) -> IntArray:
        """The cluster of each scored item, or itself."""
        clusters = self.whole.pair.clusters
        return np.arange(int(self.scored.sum())) if clusters is None else clusters

    @cached_property
    def _held(self) -> BoolArray:
        return np.asarray(np.any(list(self.masks.values()), axis=0))

    @cached_property
    def contrasts(self) -> AdjustedContrasts | None:
        """Each slice against all other items of the column; of means of paired items alone, which add up over items."""
        whole = self.whole
        if not (whole.paired and whole.metric.linear) or whole.seeded or not self._contrasted:
            return None
        held = self._held[self.scored]
        member = np.column_stack([self.masks[name][self.scored] for name in self._contrasted])
        totals = SliceTotals.of_slices(whole.differences.snapped[held], self._units[held], member[held])
        most = np.inf if whole.coding is None else 2.0 * whole.coding.step
        return adjusted_contrasts(totals, self.question.alpha, stream(self.question.seed, CHANGES), most=most)

    def _against_rest(self) -> dict[str, dict[str, object]]:
        found, level = self.contrasts, 1.0 - self.question.alpha
        if found is None:
            return {}
        rows = zip(self._contrasted, *(column.tolist() for column in found[:4]), strict=True)
        return {
            name: {
                "against_rest": estimate,
                "against_rest_interval": IntervalResult(low, high, level, "max_t", "change of the mean difference"),
                "against_rest_adjusted_pvalue": adjusted,
            }
            for name, estimate, low, high, adjusted in rows
        }

    def described(self, results: Sequence[SliceResult]) -> SliceColumn:
        shrunk, contrasts = self.shrunk, self.contrasts
        return slice_column(
            self.column,
            self.masks,
            self.scored,
            [one.slice for one in results if one.judged],
            omnibus_pvalue=None if contrasts is None else float(contrasts.adjusted.min()),
            tau=None if shrunk is None else shrunk.tau_squared**0.5,
            mean=None if shrunk is None else shrunk.mean,
        )


def _intervals_at(parts: Sequence[Analysis], levels: Sequence[float]) -> list[IntervalResult]:
    """Each at its level; those of counts in batches, because bounds by bisection cost as much for one slice as for many."""
    batches: defaultdict[Any, list[int]] = defaultdict(list)
    for place, (one, level) in enumerate(zip(parts, levels, strict=True)):
        counts = one.interval.needs is Discordance and difference_test(one.test).alternative == "two-sided"
        batches[(str(one.interval), level, one.coding) if counts else place].append(place)
    found = {}
    for places in batches.values():
        first, alpha = parts[places[0]], levels[places[0]]
        if len(places) == 1:
            found[places[0]] = first.at_level(alpha)
            continue
        every = [one.summary(Discordance) for one in (parts[place] for place in places)]
        table = [np.array([getattr(one, name) for one in every]) for name in ("both", "wins", "losses", "neither")]
        lows, highs = first.interval.interval(
            Discordance(*table, step=every[0].step), 1.0 - alpha, first.stream("test")
        )
        said = 1.0 - alpha, str(first.interval), first.interval.target, first.interval.label
        for place, low, high in zip(places, lows.tolist(), highs.tolist(), strict=True):
            found[place] = IntervalResult(low, high, *said)
    return [found[place] for place in range(len(parts))]


def slice_variances(known: Sequence[Slice], whole: Analysis) -> FloatArray:
    """Of each slice's effect: between its units, with five units' worth of the spread of all items added."""
    usual = _units(whole) * whole.standard_error**2
    units = np.array([one.units for one in known], dtype=np.float64)
    errors = np.array([0.0 if one.analysis is None else one.analysis.standard_error for one in known])
    own = units * errors**2
    return np.asarray(((units - 1.0) * own + PRIOR_UNITS * usual) / (units - 1.0 + PRIOR_UNITS) / units)


def _units(analysis: Analysis) -> int:
    return analysis.items if analysis.clusters is None else analysis.clusters


def _notes(results: Sequence[SliceResult], family: SliceFamily, whole: Analysis) -> Iterator[Note]:
    for column in family.columns:
        found = [one for one in results if one.column == column.column]
        yield Note("slices_judged", {"column": column.column})
        yield from column_notes(column, {one.slice: one.items for one in found}, family.least)
        if column.omnibus_pvalue is not None:
            yield Note("slices_vary", {"column": column.column})
        if all(one.effect * whole.effect < 0.0 for one in found if one.judged) and any(one.judged for one in found):
            yield Note("slices_opposed", {"column": column.column})
