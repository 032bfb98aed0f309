"""Options of `score`, and the scores of one system on its items: mean, standard error, interval."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from tellapart.answers.parts import IntervalResult
from tellapart.choosing.pairs import CLUSTER_T
from tellapart.data.records import recode
from tellapart.data.scores import Scores
from tellapart.data.summaries import Coding, Differences, Proportion, coding, contributions, count, right
from tellapart.foundation.arrays import FloatArray, IntArray, mean_and_variance
from tellapart.foundation.errors import TooFew, Unsuitable, UsageError
from tellapart.foundation.formatting import amount
from tellapart.foundation.seeds import stream
from tellapart.foundation.spelling import setting
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.metrics import Metric
from tellapart.numerics.moments import cluster_error
from tellapart.verbs.judging_options import JudgingOptions


def _of_one_system() -> list[str]:
    """Intervals that can be had of one system's scores."""
    return [name for name in INTERVALS if INTERVALS.parse(name).needs in {Proportion, Differences}]


@dataclass(frozen=True)
class ScoreQuestion(JudgingOptions):
    """Which system, and by which interval."""

    system: str | None = setting(None, "Only this system (default: every one there is).", metavar="S", kw_only=False)
    interval: Interval | str | None = setting(None, lambda: f"An interval: {', '.join(_of_one_system())}.", metavar="I")

    @property
    def named_interval(self) -> Interval | None:
        return None if self.interval is None else Interval.parse(self.interval)


@dataclass(frozen=True, eq=False)
class OneSystem:
    """`values` are what each of its items contributes to the metric; their mean is the metric."""

    values: FloatArray
    clusters: IntArray | None
    code: Coding | None
    """The scores of wrong and right answers, if these are right or wrong."""
    runs: int
    question: ScoreQuestion

    @classmethod
    def of(cls, scores: Scores, name: str, metric: Metric, question: ScoreQuestion, fewest: int = 2) -> Self:
        """The system on its scored items, at least this many."""
        own, has = scores.unpaired(name, name).a, scores.scored(name)
        if len(own) < fewest:
            raise TooFew(
                f"{name!r} has a score on {amount(len(own), 'item')}; at least two are needed to see how scores vary. Check the "
                "column of items"
            )
        single = own.shape[-2:] == (1, 1) and metric.linear
        clusters = None if scores.clusters is None else recode(scores.clusters[has])
        return cls(contributions(own, metric), clusters, coding(own) if single else None, own.shape[-2], question)

    @property
    def items(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    @property
    def too_few(self) -> bool:
        """Whether they are too few for an interval: of means one item or cluster says nothing of the spread."""
        return self.interval.needs is not Proportion and (self.cluster_count or self.items) < 2

    @property
    def constant(self) -> bool:
        """Whether every score is the same number, so that an interval of means has no width."""
        return bool(np.ptp(self.values) == 0.0) and self.interval.needs is not Proportion

    @property
    def right(self) -> int | None:
        """How many answers are right, where each is right or wrong."""
        return None if self.code is None else int(right(self.values).sum())

    @property
    def cluster_count(self) -> int | None:
        return None if self.clusters is None else int(self.clusters.max()) + 1

    @cached_property
    def standard_error(self) -> float:
        if self.clusters is not None:
            return float(cluster_error(self.values, self.clusters, "cr2", None)[1])
        _, variance = mean_and_variance(self.values)
        return float(np.sqrt(variance / self.items))

    @cached_property
    def interval(self) -> Interval:
        """As named; else cluster t, Wilson for right or wrong, Student's t."""
        named = self.question.named_interval
        if named is None:
            plain = "student_t" if self.code is None else "wilson"
            return INTERVALS.parse(CLUSTER_T if self.clusters is not None else plain)
        if named.needs is Proportion and self.code is None:
            raise Unsuitable(
                f"{named} is for scores that are right or wrong (0 and 1, 0 and 100 or −1 and 1, one run per item); these are "
                "not. Leave the interval to be chosen, or name student_t"
            )
        if named.needs not in {Proportion, Differences}:
            raise UsageError(f"{named} is for the difference of two systems, and this is one; name student_t")
        return named

    def interval_result(self) -> IntervalResult:
        level, method = 1.0 - self.question.alpha, self.interval
        low, high = method.interval(self._sample(method), level, stream(self.question.seed))
        wrong, step = (0.0, 1.0)
        if method.needs is Proportion and self.code is not None:
            wrong, step = self.code.wrong, self.code.step
        bounds = (wrong + step * float(low), wrong + step * float(high))
        return IntervalResult(*bounds, level, str(method), "mean", method.label)

    def _sample(self, method: Interval) -> Differences | Proportion:
        if method.needs is not Proportion:
            return Differences(self.values, self.clusters)
        successes = count(right(self.values))
        return Proportion(successes, np.full_like(successes, self.items))
