"""Two systems by several measures: one table, and one decision by rules on each."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import (
    BetterSystem,
    MeasureCorrelation,
    MeasureDecision,
    MeasureResult,
    MeasureRule,
    SliceResult,
)
from tellapart.answers.parts import IntervalResult, Note
from tellapart.answers.reading_texts import READING
from tellapart.boards.corrections.holm import Holm
from tellapart.data.scales import score_range
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import GateVerdict, rejects
from tellapart.foundation.errors import Degenerate, Unsuitable, UsageError
from tellapart.foundation.surfaces import option
from tellapart.numerics.ratios import PairedMeans
from tellapart.verbs.compare.datasets import better_system, difference_pvalue
from tellapart.verbs.compare.methods import analyse
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.systems import pair_of
from tellapart.verbs.deviations import comparison_beside_plan
from tellapart.verbs.looks import has_looks
from tellapart.verbs.measure_rules import MeasureMargin
from tellapart.verbs.slice_columns import slice_masks

Compare = Callable[[Any, CompareQuestion], Comparison]

CORRECTION = Holm()
"""For the number of measures, or of those of which one must be better."""


def refuse_unfit(question: CompareQuestion) -> None:
    """Refuse what is asked of one measure only."""
    given = {
        "margin": question.margin is not None,
        "lower_is_better": question.lower_is_better,
        "higher_is_better": question.higher_is_better,
        "by": question.by is not None,
        "labels": bool(question.file_labels),
        "plan": question.followed is not None and (not question.followed.plan.rules or has_looks(question)),
        "anytime": bool(question.anytime),
    }
    unlike = next((name for name, is_given in given.items() if is_given), None)
    if unlike is not None:
        first = (*question.measure_names, "M")[0]
        instead = {
            "margin": option("not_worse", f"{first}:{question.margin}"),
            "lower_is_better": option("direction", f"{first}=lower"),
            "higher_is_better": option("direction", f"{first}=higher"),
        }.get(unlike)
        way = "ask about each measure alone" if instead is None else f"leave {option(unlike)} out for {instead}"
        raise UsageError(f"{option(unlike)} works for one measure, and several are named; {way}")
    if len(question.measure_names) < 2 and not question.rules:
        raise UsageError(f"{option('measures')} names one measure; name several, or pick one with {option('measure')}")
    if question.any_better and not any(rule.rule == "better" for rule in question.rules):
        raise UsageError(f"{option('any_better')} needs measures: name them with {option('better', 'M')}")
    question.toward("", question.measure_names)


def compare_measures(given: Mapping[str, Any], question: CompareQuestion, comparison: Compare) -> Comparison:
    """Every measure by what suits it; the answer's own fields are about the first measure."""
    refuse_unfit(question)
    judged = [_JudgedMeasure.of(name, given[name], question, comparison) for name in question.measure_names]
    first = judged[0].answer
    decision = _measure_decision(judged, question) if question.rules else None
    results = _in_family(judged, question, comparison) if decision is None else tuple(one.result() for one in judged)
    slices = tuple(one for measure in judged for one in measure.slices())
    family = first.slice_family and replace(first.slice_family, slices=sum(one.judged for one in slices))
    answer = replace(
        first,
        measures=results,
        slices=slices or None,
        slice_family=family,
        measure_correlations=tuple(_measure_correlations(judged)),
        decision=decision,
        notes=tuple(_measure_notes(judged, decision)),
        signature=" | ".join((first.signature, f"measures={','.join(question.measure_names)}", *question.rule_texts)),
    )
    if question.followed is None:
        return answer
    planned = next((one for one in judged if one.name == question.followed.plan.measure), judged[0])
    beside = comparison_beside_plan(planned.answer, planned.scores, question)
    return replace(answer, plan=beside.plan, notes=(*answer.notes, *beside.notes[len(planned.answer.notes) :]))


@dataclass(frozen=True, eq=False)
class _JudgedMeasure:
    """One measure: its scores, and the comparison by it alone."""

    name: str
    scores: Scores
    question: CompareQuestion
    answer: Comparison
    margin: MeasureMargin | None

    @classmethod
    def of(cls, name: str, scores: Any, question: CompareQuestion, comparison: Compare) -> "_JudgedMeasure":
        if not isinstance(scores, Scores):
            raise Unsuitable(
                "several measures need scores, and these are ratings or votes; ask about each measure alone"
            )
        margin, families = question.margins.get(name), len(question.measure_names)
        alone = replace(
            question.about(name), plan=None, slice_families=1 if question.slice_correction == "none" else families
        )
        if margin is not None and margin.kind == "hundredths" and score_range(scores) > 1.0:
            raise UsageError(
                f"the margin of {name} is {margin.text}, hundredths of scores between 0 and 1, and these reach beyond; give it in units, or as "
                f"{margin.text[:-1]}r% of the baseline's mean"
            )
        return cls(name, scores, alone, comparison(scores, alone), margin)

    @property
    def names(self) -> tuple[str, str]:
        return self.answer.a.name, self.answer.b.name

    def result(self, adjusted: float | None = None, interval: IntervalResult | None = None) -> MeasureResult:
        answer, ratio, bounds = self.answer, self.ratio, interval or self.answer.interval
        return MeasureResult(
            measure=self.name,
            lower_is_better=answer.lower_is_better,
            items=answer.items,
            mean_a=answer.a.mean,
            mean_b=answer.b.mean,
            effect=answer.effect,
            standard_error=answer.standard_error,
            interval=bounds,
            pvalue=difference_pvalue(answer.shown),
            adjusted_pvalue=adjusted,
            verdict=self.better_at(difference_pvalue(answer.shown) if adjusted is None else adjusted),
            test=answer.test,
            label=answer.tested.label,
            signature=answer.signature,
            margin=answer.margin,
            ratio=None if ratio is None else ratio[0],
            ratio_interval=None if ratio is None else ratio[1],
            in_errors=self._in_errors(bounds),
        )

    def _in_errors(self, bounds: IntervalResult) -> tuple[float, float, float] | None:
        error = self.answer.standard_error
        if not error:
            return None
        unit = -error if self.answer.lower_is_better else error
        low, high = sorted((bounds.low / unit, bounds.high / unit))
        return low, self.answer.effect / unit, high

    def better_at(self, pvalue: float) -> BetterSystem:
        return better_system(self.answer.shown, pvalue, self.question.alpha)

    @cached_property
    def means(self) -> PairedMeans:
        """Of both systems on the same items, for a margin that is a share of A's mean."""
        if self.scores.seed_runs is not None and self.question.seeds_as != "fixed":
            raise Unsuitable(
                f"a margin of {self.name} as a share of the baseline's mean cannot be tested for other trainings; give it in units"
            )
        pair = pair_of(self.scores, self.names, None, self.question.missing)
        analysis = analyse(
            pair, self.question.aggregation(self.scores), replace(self.question, test=None, interval=None)
        )[0]
        if not (analysis.paired and analysis.metric.linear):
            raise Unsuitable(
                f"a margin of {self.name} as a share of the baseline's mean needs plain scores of both systems on the same items; give it in units"
            )
        return PairedMeans.of(*analysis.values, pair.clusters)

    @cached_property
    def ratio(self) -> tuple[float, IntervalResult] | None:
        """The ratio of means with the bounds that decide, at 1 − 2·alpha."""
        if self.margin is None or self.margin.kind != "ratio":
            return None
        level = 1.0 - 2.0 * self.question.alpha
        found = self.means.ratio(level)
        if not np.isfinite([found.low, found.high]).all():
            raise Degenerate(
                f"{self.name} of {self.names[0]!r} has a mean of {float(self.means.a):.3g}, which may be 0 at this "
                "level: a share of it says nothing. Give the margin in units"
            )
        bounds = IntervalResult(
            float(found.low), float(found.high), level, "fieller", "ratio of means", "Fieller's ratio of means"
        )
        return float(found.estimate), bounds

    def rule_pvalue(self, rule: MeasureRule) -> float:
        """That the rule holds; 1 where the named test looks at the other side."""
        if rule.rule == "not-worse" and self.ratio is not None:
            return self.ratio_pvalue()
        found = self.answer.shown.pvalue(rule.rule)
        return 1.0 if found is None else found

    def ratio_pvalue(self) -> float:
        """That B's mean is not worse by the share of A's."""
        assert self.margin is not None
        lower = self.answer.lower_is_better
        return float(self.means.beyond(1.0 + self.margin.size * (1.0 if lower else -1.0), above=not lower))

    def slices(self) -> Iterator[SliceResult]:
        """The slices by this measure, each with the p-value of its own margin."""
        masks = {
            column: slice_masks(self.scores, column, self.question.slice_separator)
            for column in self.question.slice_columns
        }
        for one in self.answer.slices or ():
            kept = one.not_worse_pvalue
            if one.judged and self.ratio is not None:
                kept = replace(self, scores=self.scores.only(masks[one.column][one.slice])).ratio_pvalue()
            yield replace(one, measure=self.name, not_worse_pvalue=kept)

    @property
    def worse(self) -> bool:
        return self.answer.shown.holds("worse")

    @cached_property
    def differences(self) -> tuple[tuple[tuple[str, str], ...], FloatArray]:
        """B − A of every item that both systems have a plain score on, with the items."""
        a, b = (np.nanmean(self.scores.values[self.scores.system(name)], axis=1)[:, 0] for name in self.names)
        both = np.asarray(self.scores.scored(self.names[0]) & self.scores.scored(self.names[1]))
        items = tuple(key for key, known in zip(self.scores.items, both.tolist(), strict=True) if known)
        return items, np.asarray((b - a)[both])


# One decision.


def _measure_decision(judged: list[_JudgedMeasure], question: CompareQuestion) -> MeasureDecision:
    """All rules at alpha; where any better one is enough, Holm over those."""
    by_name = {one.name: one for one in judged}
    tested = [replace(rule, pvalue=by_name[rule.measure].rule_pvalue(rule)) for rule in question.rules]
    alpha = question.alpha
    better = [rule for rule in tested if rule.rule == "better"]
    if question.any_better:
        adjusted = CORRECTION.adjust_list(np.array([rule.pvalue for rule in better], dtype=np.float64)).tolist()
        better = [replace(rule, adjusted_pvalue=least) for rule, least in zip(better, adjusted, strict=True)]
    kept = [rule for rule in tested if rule.rule == "not-worse"]
    rules = [_judged_rule(rule, alpha, worse=by_name[rule.measure].worse) for rule in (*better, *kept)]
    return MeasureDecision(
        tuple(rules), question.any_better, alpha, *_decision_verdict(rules, any_better=question.any_better)
    )


def _judged_rule(rule: MeasureRule, alpha: float, *, worse: bool) -> MeasureRule:
    pvalue = rule.pvalue if rule.adjusted_pvalue is None else rule.adjusted_pvalue
    shown = bool(rejects(1.0 if pvalue is None else pvalue, alpha))
    return replace(rule, shown=shown, verdict="pass" if shown else "fail" if worse else "undetermined")


def _decision_verdict(rules: list[MeasureRule], *, any_better: bool) -> tuple[bool, GateVerdict]:
    """Whether the decision is shown, and its verdict: one rule that fails is enough to fail, but for better ones of which any will do."""
    wins, kept = ([rule.verdict for rule in rules if rule.rule == kind] for kind in ("better", "not-worse"))
    if any_better:
        wins = ["pass"] if "pass" in wins else ["fail"] if set(wins) == {"fail"} else ["undetermined"]
    found = {*wins, *kept}
    shown = found == {"pass"}
    return shown, "pass" if shown else "fail" if "fail" in found else "undetermined"


# Without rules: one family.


def _in_family(
    judged: list[_JudgedMeasure], question: CompareQuestion, comparison: Compare
) -> tuple[MeasureResult, ...]:
    """Each with Holm's p-value and the interval at the level of its step, which leaves zero out where it rejects."""
    pvalues = np.array([difference_pvalue(one.answer.shown) for one in judged])
    adjusted, levels = CORRECTION.adjust_list(pvalues), CORRECTION.step_levels(pvalues, question.alpha)
    results = []
    for one, least, level in zip(judged, adjusted.tolist(), levels.tolist(), strict=True):
        at_level = (
            one.answer
            if level == question.alpha
            else comparison(one.scores, replace(one.question, alpha=level, slices=()))
        )
        results.append(one.result(least, at_level.interval))
    return tuple(results)


def _measure_correlations(judged: list[_JudgedMeasure]) -> Iterator[MeasureCorrelation]:
    """Of item differences of plain scores, pair by pair."""
    plain = [one for one in judged if one.scores.values.shape[-1] == 1]
    for one, other in combinations(plain, 2):
        (items, x), (others, y) = one.differences, other.differences
        if items != others:
            place = {key: number for number, key in enumerate(others)}
            shared = [(i, place[key]) for i, key in enumerate(items) if key in place]
            x, y = (np.array([values[at[side]] for at in shared]) for side, values in enumerate((x, y)))
        varies = len(x) > 2 and np.ptp(x) > 0.0 and np.ptp(y) > 0.0
        yield MeasureCorrelation(one.name, other.name, len(x), float(np.corrcoef(x, y)[0, 1]) if varies else None)


def _measure_notes(judged: list[_JudgedMeasure], decision: MeasureDecision | None) -> Iterator[Note]:
    """How the measures were judged, and what was said on reading any of them."""
    yield Note("measures_judged" if decision is None else "decision_judged")
    if judged[0].question.slices:
        yield Note("measures_sliced")
    if any(one.ratio is not None for one in judged):
        yield Note("ratio_of_means", {"measures": [one.name for one in judged if one.ratio is not None]})
    said: list[Note] = []
    for one in judged:
        notes = [_of_several(note) for note in one.answer.notes if note.code in set(READING)]
        said += [note for note in notes if note not in said]
    yield from said


def _of_several(note: Note) -> Note:
    """With the flag that says otherwise of one of several measures."""
    return replace(note, values={**note.values, "several": True}) if note.code == "direction_by_name" else note
