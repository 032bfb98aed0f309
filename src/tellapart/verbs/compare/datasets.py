"""Comparison of two systems on each dataset separately, and the summary across datasets."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tellapart.answers.comparison.parts import AcrossDatasets, BetterSystem, DatasetResult
from tellapart.answers.parts import HeterogeneityResult, Note
from tellapart.boards.corrections.holm import Holm
from tellapart.boards.meta_analysis import random_effects
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import EstablishedClaims, rejects
from tellapart.foundation.errors import Degenerate, TooFew
from tellapart.metrics import Metric
from tellapart.numerics.null_laws.proportions import wilson_bounds
from tellapart.numerics.null_laws.tails import two_sided_quantile
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.claims import claims_asked
from tellapart.verbs.compare.methods import analyse, enough_for_family
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.systems import pair_of
from tellapart.verbs.source_notes import EMPTY, AnswerPart

CORRECTION = Holm()
"""For the number of datasets."""


def compare_datasets(scores: Scores, names: tuple[str, str], metric: Metric, question: CompareQuestion) -> AnswerPart:
    """The comparison on each dataset, by the test that was named or that suits it, and on all of them together."""
    met = {name: part for name, part in scores.datasets.items() if any(part.scored(one).any() for one in names)}
    if len(met) < 2:
        return EMPTY
    alone = {name: _alone(part, names, metric, question, len(met)) for name, part in met.items()}
    judged = {name: found for name, found in alone.items() if found is not None}
    left_out = tuple(name for name in alone if name not in judged)
    suite = _PairSuite(judged, left_out, question)
    results = suite.results()
    return AnswerPart({"datasets": results, "across_datasets": suite.across(results)}, tuple(_notes(alone, left_out)))


def _notes(alone: dict[str, "JudgedPart | None"], left_out: tuple[str, ...]) -> list[Note]:
    pooled = Note("datasets_pooled", {"datasets": len(alone)})
    return [pooled, Note("datasets_left_out", {"datasets": list(left_out)})] if left_out else [pooled]


class JudgedPart(NamedTuple):
    """Two systems on a part of the items: the analysis, and the claims that it establishes."""

    analysis: Analysis
    claims: EstablishedClaims


def _alone(
    scores: Scores, names: tuple[str, str], metric: Metric, question: CompareQuestion, datasets: int
) -> JudgedPart | None:
    """One dataset, or None where it has too few items, or none that a test could go by."""
    try:
        pair = pair_of(scores, names, question.named_test, question.missing)
        analysis, _ = analyse(pair, metric, question)
        analysis = enough_for_family(analysis, datasets)
        return JudgedPart(analysis, claims_asked(analysis, question))
    except (TooFew, Degenerate):
        return None


@dataclass(frozen=True, eq=False)
class _PairSuite:
    judged: dict[str, JudgedPart]
    left_out: tuple[str, ...]
    question: CompareQuestion

    def results(self) -> tuple[DatasetResult, ...]:
        """Each with the interval at the level of its step, which leaves zero out where its difference is significant."""
        pvalues = np.array([difference_pvalue(one.claims) for one in self.judged.values()])
        adjusted = CORRECTION.adjust_list(pvalues)
        levels = CORRECTION.step_levels(pvalues, self.question.alpha)
        found = zip(self.judged.items(), pvalues.tolist(), adjusted.tolist(), levels.tolist(), strict=True)
        return tuple(
            DatasetResult(
                dataset=name,
                items=one.analysis.items,
                effect=one.analysis.effect,
                interval=one.analysis.at_level(level),
                pvalue=pvalue,
                adjusted_pvalue=least,
                test=str(one.analysis.test),
                label=one.analysis.test.label,
                verdict=better_system(one.claims, least, self.question.alpha),
            )
            for (name, one), pvalue, least, level in found
        )

    def across(self, results: tuple[DatasetResult, ...]) -> AcrossDatasets | None:
        """The summary over datasets, where there are at least two."""
        if len(results) < 2:
            return None
        effects = np.array([one.effect for one in results])
        gains = -effects if self.question.lower_is_better else effects
        wins, losses = int(np.sum(gains > 0.0)), int(np.sum(gains < 0.0))
        before = [
            better_system(one.claims, result.pvalue, self.question.alpha)
            for one, result in zip(self.judged.values(), results, strict=True)
        ]
        share = wilson_bounds(wins, len(results), two_sided_quantile(1.0 - self.question.alpha))
        return AcrossDatasets(
            correction=str(CORRECTION),
            correction_label=CORRECTION.label,
            datasets=len(results),
            wins=wins,
            losses=losses,
            ties=len(results) - wins - losses,
            wins_low=float(share.low),
            wins_high=float(share.high),
            uncorrected_wins=before.count("b better"),
            uncorrected_losses=before.count("a better"),
            significant_wins=sum(one.verdict == "b better" for one in results),
            significant_losses=sum(one.verdict == "a better" for one in results),
            heterogeneity=self._heterogeneity(effects),
            left_out=self.left_out,
        )

    def _heterogeneity(self, effects: FloatArray) -> HeterogeneityResult:
        errors = np.array([_error(one.analysis) for one in self.judged.values()])
        _, found = random_effects(effects, errors**2, 1.0 - self.question.alpha)
        q, pvalue, i_squared, tau_squared = (float(one) for one in found)
        return HeterogeneityResult(q, pvalue, i_squared, tau_squared**0.5)


def better_system(claims: EstablishedClaims, pvalue: float, alpha: float) -> BetterSystem:
    """Which system is better, if this p-value says that one is."""
    if not rejects(pvalue, alpha):
        return "undetermined"
    better, worse = claims.pvalue("better"), claims.pvalue("worse")
    return "b better" if worse is None or (better is not None and better < worse) else "a better"


def difference_pvalue(claims: EstablishedClaims) -> float:
    """The p-value of a difference, on the side that the test looks at: of a test of a margin that of the test inside."""
    sides = claims.pvalue("better"), claims.pvalue("worse")
    return min(pvalue for pvalue in sides if pvalue is not None)


def _error(analysis: Analysis) -> float:
    """The standard error; systems that never differ count as if they had on one item: no spread is not certainty."""
    if analysis.standard_error > 0.0:
        return analysis.standard_error
    widest = float(np.ptp(np.concatenate(analysis.values)))
    return (widest if widest > 0.0 else 1.0) / analysis.items
