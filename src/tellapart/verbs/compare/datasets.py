"""Two systems on each dataset alone, judged as if it had been asked about alone, and what the datasets say together."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.decision import Shown, rejects
from tellapart.distributions.normal import two_sided_quantile
from tellapart.distributions.proportion import wilson_bounds
from tellapart.errors import Degenerate, TooFew
from tellapart.metrics import Metric
from tellapart.multiplicity.corrections.bonferroni import Bonferroni
from tellapart.multiplicity.meta_analysis import random_effects
from tellapart.results.comparison_parts import AcrossDatasets, BetterSystem, DatasetResult
from tellapart.results.heterogeneity import HeterogeneityResult
from tellapart.results.note import Note
from tellapart.scores import Scores
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.methods import analyse
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.shown import shown
from tellapart.verbs.compare.systems import pair_of

CORRECTION = Bonferroni()
"""For the number of datasets; `_holds` does the same to each claim."""


class ByDataset(NamedTuple):
    """Every dataset alone, all of them together where there are two, and what is to be noted."""

    results: tuple[DatasetResult, ...]
    across: AcrossDatasets | None
    notes: tuple[Note, ...]


def by_dataset(
    scores: Scores, names: tuple[str, str], metric: Metric, question: CompareQuestion
) -> ByDataset | None:
    """The comparison on each dataset, by the test that was named or that suits it; None where there is only one."""
    met = {
        name: part for name, part in scores.datasets.items() if any(part.scored(one).any() for one in names)
    }
    if len(met) < 2:
        return None
    alone = {name: _alone(part, names, metric, question) for name, part in met.items()}
    judged = {name: found for name, found in alone.items() if found is not None}
    left_out = tuple(name for name in alone if name not in judged)
    suite = _PairSuite(judged, left_out, question)
    results = suite.results()
    return ByDataset(results, suite.across(results), tuple(_notes(alone, left_out)))


def _notes(alone: dict[str, "_DatasetAlone | None"], left_out: tuple[str, ...]) -> list[Note]:
    pooled = Note("datasets_pooled", {"datasets": len(alone)})
    return [pooled, Note("datasets_left_out", {"datasets": list(left_out)})] if left_out else [pooled]


class _DatasetAlone(NamedTuple):
    analysis: Analysis
    claims: Shown


def _alone(
    scores: Scores, names: tuple[str, str], metric: Metric, question: CompareQuestion
) -> _DatasetAlone | None:
    """One dataset, or None where it has too few items, or none that a test could go by."""
    try:
        pair = pair_of(scores, names, question.named_test, question.missing)
        analysis, _ = analyse(pair, metric, question)
        named = question.named_test is not None
        return _DatasetAlone(analysis, shown(analysis, named=named, lower_is_better=question.lower_is_better))
    except (TooFew, Degenerate):
        return None


@dataclass(frozen=True, eq=False)
class _PairSuite:
    judged: dict[str, _DatasetAlone]
    left_out: tuple[str, ...]
    question: CompareQuestion

    def results(self) -> tuple[DatasetResult, ...]:
        pvalues = [float(one.analysis.outcome.pvalue) for one in self.judged.values()]
        adjusted = CORRECTION.adjust_list(np.array(pvalues)).tolist()
        return tuple(
            DatasetResult(
                dataset=name,
                items=one.analysis.items,
                effect=one.analysis.effect,
                interval=one.analysis.interval_result,
                pvalue=pvalues[place],
                adjusted_pvalue=adjusted[place],
                test=str(one.analysis.test),
                verdict=self._verdict(one.claims),
            )
            for place, (name, one) in enumerate(self.judged.items())
        )

    def _verdict(self, claims: Shown) -> BetterSystem:
        """Which system is better where all datasets share alpha between them."""
        if self._holds(claims, "better"):
            return "b better"
        return "a better" if self._holds(claims, "worse") else "undetermined"

    def _holds(self, claims: Shown, name: str) -> bool:
        pvalue = claims.pvalue(name)
        return pvalue is not None and bool(rejects(pvalue * len(self.judged), self.question.alpha))

    def across(self, results: tuple[DatasetResult, ...]) -> AcrossDatasets | None:
        """What they say together, where there are at least two."""
        if len(results) < 2:
            return None
        effects = np.array([one.effect for one in results])
        gains = -effects if self.question.lower_is_better else effects
        wins, losses = int(np.sum(gains > 0.0)), int(np.sum(gains < 0.0))
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


def _error(analysis: Analysis) -> float:
    """The standard error; systems that never differ count as if they had on one item: no spread is not certainty."""
    if analysis.standard_error > 0.0:
        return analysis.standard_error
    widest = float(np.ptp(np.concatenate(analysis.values)))
    return (widest if widest > 0.0 else 1.0) / analysis.items
