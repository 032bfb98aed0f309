"""Report on a judge beside people's labels: agreement, bias, worth, and whether labelled items are like the others."""

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.answers.comparison.parts import BoundedValue, JudgedResult, JudgedStratum, LabelsAlone
from tellapart.answers.parts import IntervalResult
from tellapart.data.judged_pair import JudgedScores
from tellapart.data.summaries import Differences, Proportion, average_runs
from tellapart.data.summaries.counts import Coding, coding
from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.reliability import UnitRatings
from tellapart.methods.reliability.cohen_kappa import CohenKappa
from tellapart.methods.significance import TESTS
from tellapart.numerics.judge_regression import stratum_moments
from tellapart.numerics.moments import cluster_error, t_ratio
from tellapart.numerics.null_laws.tails import sided, t_tails, two_sided_quantile
from tellapart.verbs.compare.labels_analysis import JudgedAnalysis

SCALES = (1.0, 5.0, 10.0, 100.0)
"""Upper ends of scales of scores."""
WIDER = 2.0
"""Times the range of the other's scores on labelled items, up to which people and judge are taken to use one scale."""
MOST_PLACES = 200
"""Different places of labelled items on a chart of the judge's and people's differences."""


def judge_report(scores: JudgedScores, analysis: JudgedAnalysis) -> JudgedResult:
    """All that is said of the judge and the labels."""
    report = JudgeReport(analysis)
    judged, common = analysis.judged, report.same_scale
    sensitivity, specificity = report.shares_right
    labels_alone = report.labels_alone
    return JudgedResult(
        human=scores.human.measure,
        judge=scores.judge.measure,
        labels=judged.items,
        judged=int(judged.judge.shape[-1]),
        differ=int(judged.differ),
        slope=float(judged.estimate.slope),
        correlation=report.correlations,
        labels_alone=labels_alone,
        judge_alone=float(judged.judge.mean()) if common else None,
        worth=report.worth,
        bias=report.bias if common else None,
        sensitivity=sensitivity,
        specificity=specificity,
        kappa=report.kappa,
        strata=report.strata,
        plus_two=bool(judged.plus_two),
        randomness=report.randomness,
        places=report.places,
    )


@dataclass(frozen=True, eq=False)
class JudgeReport:
    """The parts of the report, each computed from the labelled items unless it says otherwise."""

    analysis: JudgedAnalysis

    @property
    def level(self) -> float:
        return 1.0 - self.analysis.alpha

    @cached_property
    def scores(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """People's scores of A and of B, and the judge's, on the labelled items."""
        pair = self.analysis.judged_pair
        a, b, judge_a, judge_b = (
            average_runs(each)[..., 0] for each in (pair.human.a, pair.human.b, pair.judge.a, pair.judge.b)
        )
        return a, b, judge_a[pair.labelled], judge_b[pair.labelled]

    @cached_property
    def differences(self) -> tuple[FloatArray, FloatArray]:
        """People's and the judge's differences B − A."""
        return self.analysis.judged.human, self.analysis.judged.judge_on_labelled

    @cached_property
    def same_scale(self) -> bool:
        a, b, judge_a, judge_b = self.scores
        return _on_one_scale(np.concatenate([a, b]), np.concatenate([judge_a, judge_b]))

    @property
    def correlations(self) -> dict[str, BoundedValue | None]:
        a, b, judge_a, judge_b = self.scores
        items = len(a)
        return {
            "scores": self._with_fisher_bounds(np.concatenate([a, b]), np.concatenate([judge_a, judge_b]), items),
            "differences": self._with_fisher_bounds(*self.differences, items),
        }

    def _with_fisher_bounds(self, human: FloatArray, judge: FloatArray, items: int) -> BoundedValue | None:
        """Pearson's r with Fisher's z interval; both scores of an item count as one."""
        if np.ptp(human) == 0.0 or np.ptp(judge) == 0.0:
            return None
        r = float(np.clip(np.corrcoef(human, judge)[0, 1], -1.0, 1.0))
        if abs(r) == 1.0:
            return BoundedValue(r, r, r)
        reach = two_sided_quantile(self.level) / math.sqrt(items - 3.0)
        return BoundedValue(r, math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach))

    @property
    def bias(self) -> dict[str, BoundedValue]:
        """The judge less people: of each system, and of the difference."""
        a, b, judge_a, judge_b = self.scores
        human, judge = self.differences
        return {
            "a": self._mean_with_bounds(judge_a - a),
            "b": self._mean_with_bounds(judge_b - b),
            "difference": self._mean_with_bounds(judge - human),
        }

    def _mean_with_bounds(self, values: FloatArray) -> BoundedValue:
        bounds = INTERVALS.parse("student_t").interval(Differences(values), self.level, stream(0))
        return BoundedValue(float(values.mean()), *(float(bound) for bound in bounds))

    @property
    def labels_alone(self) -> LabelsAlone | None:
        """As if nobody had judged; None of strata, whose labels are no plain sample."""
        if self.analysis.judged.strata is not None:
            return None
        method = "student_t" if self.analysis.clusters is None else "cluster_t(variance=cr2)"
        interval = INTERVALS.parse(method)
        test = TESTS.parse(str(interval.inverse))
        sample = Differences(self.differences[0], self.analysis.pair.clusters)
        low, high = interval.interval(sample, self.level, stream(0))
        bounds = IntervalResult(float(low), float(high), self.level, method, interval.target, interval.label)
        return LabelsAlone(float(sample.effect), bounds, float(test.apply(sample, stream(0)).pvalue))

    @property
    def worth(self) -> float:
        """How many labels drawn at random would have the same variance without the judge."""
        judged, variance = self.analysis.judged, self.analysis.standard_error**2
        labels = judged.items
        if variance == 0.0:
            return float(labels)
        if judged.strata is not None:
            shares, _, means, variances = stratum_moments(judged.human, judged.strata, judged.place)
            of_labels = float(shares @ (variances + (means - judged.effect) ** 2))
            return of_labels / variance
        if judged.clusters is not None:
            error = float(cluster_error(judged.human, judged.clusters[judged.place], "cr2")[1])
            return labels * error**2 / variance
        return float(judged.human.var(ddof=1)) / variance

    @cached_property
    def _codings(self) -> tuple[Coding | None, Coding | None]:
        a, b, judge_a, judge_b = self.scores
        return coding(a, b), coding(judge_a, judge_b)

    @property
    def shares_right(self) -> tuple[dict[str, BoundedValue | None] | None, dict[str, BoundedValue | None] | None]:
        """Of answers that people call right, and wrong, the share on which the judge agrees, by system."""
        human, judge = self._codings
        if human is None or judge is None:
            return None, None
        a, b, judge_a, judge_b = self.scores
        both = {"a": (a, judge_a), "b": (b, judge_b)}
        sensitivity = {
            name: self._agreed_share(said == human.right, seen == judge.right) for name, (said, seen) in both.items()
        }
        specificity = {
            name: self._agreed_share(said == human.wrong, seen == judge.wrong) for name, (said, seen) in both.items()
        }
        return sensitivity, specificity

    def _agreed_share(self, among: BoolArray, agreed: BoolArray) -> BoundedValue | None:
        trials = np.asarray(among.sum())
        if not trials:
            return None
        sample = Proportion(np.asarray((among & agreed).sum()), trials)
        low, high = INTERVALS.parse("wilson").interval(sample, self.level, stream(0))
        return BoundedValue(float(sample.effect), float(low), float(high))

    @property
    def kappa(self) -> float | None:
        a, b, judge_a, judge_b = self.scores
        table = UnitRatings(np.stack([np.concatenate([a, b]), np.concatenate([judge_a, judge_b])], axis=1))
        if not self.same_scale or not CohenKappa().fits(table):
            return None
        found = float(CohenKappa().value(table, np.ones(len(table.ratings))))
        return found if math.isfinite(found) else None

    @property
    def strata(self) -> tuple[JudgedStratum, ...] | None:
        judged = self.analysis.judged
        if judged.strata is None:
            return None
        _, counts, means, _ = stratum_moments(judged.human, judged.strata, judged.place)
        sizes = np.bincount(judged.strata)
        return tuple(
            JudgedStratum(*row)
            for row in zip(
                self.analysis.judged_pair.strata_names,
                sizes.tolist(),
                counts.astype(int).tolist(),
                means.tolist(),
                strict=True,
            )
        )

    @cached_property
    def randomness(self) -> dict[str, float] | None:
        """The judge's mean difference on labelled and on other items, within strata, and Welch's p for their being alike."""
        judged = self.analysis.judged
        labelled = np.zeros(judged.judge.shape[-1], dtype=np.bool_)
        labelled[judged.place] = True
        strata = np.zeros(len(labelled), dtype=np.int64) if judged.strata is None else judged.strata
        parts = [
            (judged.judge[(strata == s) & labelled], judged.judge[(strata == s) & ~labelled]) for s in np.unique(strata)
        ]
        parts = [pair for pair in parts if min(map(len, pair)) > 1]
        if not parts:
            return None
        shares = np.array([float(len(one) + len(other)) for one, other in parts])
        shares /= shares.sum()
        means = np.array([[each.mean() for each in pair] for pair in parts])
        squares = np.array([[each.var(ddof=1) / len(each) for each in pair] for pair in parts]) * shares[:, None] ** 2
        counts = np.array([[len(each) - 1.0 for each in pair] for pair in parts])
        inside, outside = (shares @ means).tolist()
        total = float(squares.sum())
        df = total**2 / float((squares**2 / counts).sum()) if total > 0.0 else 1.0
        ratio = t_ratio(np.asarray(inside - outside), np.asarray(math.sqrt(total)))
        pvalue = float(sided(*t_tails(ratio, df), "two-sided"))
        return {"labelled": inside, "unlabelled": outside, "pvalue": pvalue if math.isfinite(pvalue) else 1.0}

    @property
    def places(self) -> tuple[tuple[float, float, int], ...]:
        """Where labelled items lie by the judge's and people's differences; the commonest, if there are very many."""
        human, judge = self.differences
        counted = Counter(zip(judge.tolist(), human.tolist(), strict=True))
        return tuple((x, y, n) for (x, y), n in sorted(counted.most_common(MOST_PLACES)))


def _on_one_scale(human: FloatArray, judge: FloatArray) -> bool:
    """Whether scores of the same answers have about the same range, or at least one upper end of scales and one sign."""
    ranges = sorted(float(np.ptp(x)) for x in (human, judge))
    if ranges[1] <= WIDER * ranges[0]:
        return True
    ends = {next((end for end in SCALES if np.abs(x).max() <= end), math.inf) for x in (human, judge)}
    return len(ends) == 1 and len({bool(x.min() < 0.0) for x in (human, judge)}) == 1
