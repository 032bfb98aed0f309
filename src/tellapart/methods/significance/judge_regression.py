"""The t test of people's labels regressed on a judge's differences, its interval, and the summary they look at."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from tellapart.data.judged_pair import JudgedPair
from tellapart.data.summaries.counts import coding
from tellapart.data.summaries.differences import Aggregation, Differences, Summary
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import Generator
from tellapart.foundation.surfaces import option
from tellapart.methods.intervals.interval import INTERVALS
from tellapart.methods.significance.inversion import InversionInterval, TTest
from tellapart.methods.significance.procedure import TESTS, Outcome
from tellapart.numerics.judge_regression import (
    FEW_DIFFER,
    JudgeEstimate,
    clustered_regression,
    regression,
    stratified,
)

LABEL = "regression on the judge"


@dataclass(frozen=True, eq=False)
class Judged(Summary):
    """People's and the judge's differences B − A on the labelled items, `(*batch, label)`, and the judge's on all, `(*batch, item)`."""

    human: FloatArray
    judge: FloatArray
    place: IntArray
    clusters: IntArray | None = None
    strata: IntArray | None = None
    step: float | None = None
    """By how much right differs from wrong; None of other scores."""
    moved: float = 0.0

    made_of = JudgedPair

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        return isinstance(sample, JudgedPair | Judged) and metric.linear

    @classmethod
    def of(cls, sample: Any, metric: Aggregation) -> Self:
        """Of two systems' labels and judgements; what was simulated is one already."""
        if isinstance(sample, cls):
            return sample
        if not isinstance(sample, JudgedPair):
            raise Unsuitable(f"there is no judge beside people's scores; name both columns: {option('human', 'COL')}")
        human, judge = (Differences.of(pair, metric) for pair in (sample.human, sample.judge))
        code = coding(sample.human.a, sample.human.b)
        step = None if code is None else code.step
        return cls(human.values, judge.values, sample.labelled, sample.judge.clusters, sample.strata, step)

    @property
    def items(self) -> int:
        return int(self.human.shape[-1])

    @property
    def judge_on_labelled(self) -> FloatArray:
        return self.judge[..., self.place]

    @property
    def differ(self) -> FloatArray:
        """On how many labelled items people see a difference, `(*batch,)`."""
        return np.asarray((self.human != 0.0).sum(axis=-1))

    @cached_property
    def plus_two(self) -> BoolArray:
        """Where two labelled items are added: few differ, and neither clusters nor strata are told apart."""
        plain = self.clusters is None and self.strata is None
        return np.asarray((self.differ < FEW_DIFFER) & plain)

    @cached_property
    def estimate(self) -> JudgeEstimate:
        if self.strata is not None:
            found = stratified(self.human, self.strata, self.place)
        elif self.clusters is not None:
            found = clustered_regression(self.human, self.judge_on_labelled, self.judge, self.place, self.clusters)
        else:
            added = np.where(self.plus_two, self._size_of_added, 0.0)
            found = regression(self.human, self.judge_on_labelled, self.judge, added)
        return found._replace(effect=found.effect + self.moved)

    @property
    def _size_of_added(self) -> FloatArray:
        """The size of the two items: right against wrong, else the largest difference that people, or the judge, see."""
        if self.step is not None:
            return np.full(self.human.shape[:-1], self.step)
        seen, judged = (np.abs(x).max(axis=-1) for x in (self.human, self.judge))
        return np.asarray(np.where(seen > 0.0, seen, judged))

    @property
    def effect(self) -> FloatArray:
        return self.estimate.effect

    def shifted(self, by: float) -> Self:
        return replace(self, moved=self.moved + by)


@TESTS.add("judge_regression")
@dataclass(frozen=True)
class JudgeRegression(TTest):
    """Would people find a difference on all items, going by their labels on some and a judge's scores on all?

    The mean of the labels is moved by β(F̄ − f̄): by what the judge sees in all items beyond the labelled ones, times the slope of people's differences
    on the judge's. This is prediction-powered inference with the best weight. The variance is HC3 of the regression plus that of the judge's mean; t
    with n − 2 degrees of freedom. With fewer than ten differing labels two are added, one of each sign. Clusters are summed; strata are weighted
    by their shares, without regression. Assumes labelled items drawn at random, overall or within strata. The wrong choice where a few items in a
    hundred fail badly and labels miss them. Cochran (1977); Angelopoulos, Duchi & Zrnic (2023).
    """

    needs = Judged
    label = LABEL
    advice = "paired_t"
    method = "Student's t distribution"

    @property
    def approximate(self) -> bool:
        return True

    def sees_clusters(self, metric: object) -> bool:  # noqa: ARG002  (for every metric)
        return True

    def apply(self, sample: Judged, rng: Generator) -> Outcome:
        return replace(super().apply(sample, rng), method=f"{self.method}, with {_variance_in_words(sample)}")

    def estimate(self, sample: Judged) -> tuple[FloatArray, FloatArray, FloatArray]:
        found = sample.estimate
        return found.effect, found.error, found.df


def _variance_in_words(sample: Judged) -> str:
    if sample.strata is not None:
        return "the variance of a stratified mean"
    return (
        "the variance between clusters"
        if sample.clusters is not None
        else "the HC3 variance of a regression on the judge's differences"
    )


@INTERVALS.add("judge_regression")
@dataclass(frozen=True)
class JudgeRegressionInterval(InversionInterval, inverts=JudgeRegression):
    """The differences that the test of the same name does not reject: estimate ± t-quantile times its standard error.

    Assumes labelled items drawn at random, overall or within strata. The wrong choice where a few items in a hundred fail badly and labels miss
    them. Cochran (1977); Angelopoulos, Duchi & Zrnic (2023).
    """
