"""Conjunction of two tests, significant only where both reject, and the hull of their intervals."""

from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import numpy as np

from tellapart.data.summaries import Aggregation, Summary, as_needed, common_summary
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.methods.significance.bootstrap import Bootstrap, BootstrapInterval
from tellapart.methods.significance.inversion import InversionInterval, InvertibleTest
from tellapart.methods.significance.paired_t import PairedT, StudentT
from tellapart.methods.significance.procedure import BOTH, TESTS, Outcome, Procedure

Method = TypeVar("Method", Procedure, Interval)


class _OfTwo(Generic[Method]):
    """Two methods as one: the summary that serves both, and what either needs or sees."""

    first: Method
    second: Method

    @property
    def two(self) -> tuple[Method, Method]:
        return self.first, self.second

    @property
    def needs(self) -> type[Summary]:
        found = common_summary(self.first.needs, self.second.needs)
        assert found is not None, "refused where it was made"
        return found

    @property
    def needs_clusters(self) -> bool:
        return any(one.needs_clusters for one in self.two)

    @property
    def resample_count(self) -> int:
        return max(one.resample_count for one in self.two)

    def sees_clusters(self, metric: Aggregation) -> bool:
        # The larger p-value is at least that of the one that sees them, and the hull at least as wide.
        return any(one.sees_clusters(metric) for one in self.two)


@TESTS.add(BOTH)
@dataclass(frozen=True)
class Both(_OfTwo[Procedure], Procedure):  # type: ignore[override]  # the two say what a class says elsewhere
    """Do two tests both reject?

    The p-value is the larger of the two, so it is valid wherever one of them is: an intersection–union test of Berger (1982); 1 where they
    point to different sides. Its interval is the hull of theirs, and leaves zero out exactly where it rejects. Student's t rejects too often where differences are skewed, the
    studentised bootstrap where tails are heavy and items are few. The wrong choice where one of the two is known to hold: the other can
    then only take claims away.
    """

    first: Procedure = field(default=PairedT(), metadata=ALWAYS)
    second: Procedure = field(default=Bootstrap(), metadata=ALWAYS)

    def __post_init__(self) -> None:
        super().__post_init__()
        for test in self.two:
            if isinstance(test, Both) or test.claim != "difference" or test.alternative != "two-sided":
                raise SpellingError(
                    f"both: {test} should be a plain two-sided test of a difference; both has its own side"
                )
        self.interval  # noqa: B018  (a test that inverts no interval is refused)
        if common_summary(self.first.needs, self.second.needs) is None:
            raise SpellingError(f"both: {self.first} and {self.second} need scores of different kinds")
        if self.first.estimand != self.second.estimand:
            raise SpellingError(
                f"both: {self.first} and {self.second} should be about the same number; they are about the {self.first.estimand} "
                f"and the {self.second.estimand}"
            )

    @property
    def label(self) -> str:
        return f"{self.first.label} and {self.second.label}, larger p"

    @property
    def interval(self) -> str:
        return f"{BOTH}(first={_inverting_interval(self.first)}, second={_inverting_interval(self.second)})"

    @property
    def advice(self) -> str:
        return self.first.advice

    @property
    def estimand(self) -> str:  # type: ignore[override]  # that of the tests it holds
        return self.first.estimand

    @property
    def counts_signs(self) -> bool:  # type: ignore[override]  # the limit of one is a limit of both
        return any(test.counts_signs for test in self.two)

    @property
    def resampling(self) -> bool:  # type: ignore[override]  # depends on the options
        return any(test.resampling for test in self.two)

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        return self.against(sample, 0.0, rng)

    def against(self, sample: Any, null: float, rng: Generator) -> Outcome:
        first, second = (
            _outcome_at(replace(test, alternative=self.alternative), as_needed(test.needs, sample), null, rng)
            for test in self.two
        )
        pvalue = np.maximum(first.pvalue, second.pvalue)
        if self.alternative == "two-sided":
            # Two that point to different sides agree on neither: on each one of them has a tail of a half or more.
            pvalue = np.where(first.direction * second.direction < 0.0, 1.0, pvalue)
        return Outcome(
            pvalue,
            first.statistic,
            first.direction,
            np.where(second.pvalue > first.pvalue, second.error, first.error),
            f"the larger of {first.method} and {second.method}",
        )


def _outcome_at(test: Procedure, sample: Any, null: float, rng: Generator) -> Outcome:
    """At zero nothing is moved, which some samples cannot be."""
    return test.apply(sample, rng) if null == 0.0 else test.against(sample, null, rng)


def _inverting_interval(test: Procedure) -> InversionInterval:
    """The interval that holds what this test does not reject."""
    if not isinstance(test, InvertibleTest):
        names = sorted(name for name in TESTS if issubclass(TESTS[name], InvertibleTest))
        raise SpellingError(f"both: {test} inverts no interval; take {', '.join(names)}")
    return test.own_interval


@INTERVALS.add("both")
@dataclass(frozen=True)
class BothIntervals(_OfTwo[Interval], Interval):  # type: ignore[override]  # as above
    """The hull of two intervals: the lower of two lower bounds to the higher of two upper ones.

    It holds the truth whenever one of the two does, and leaves zero out exactly where the test `both` of the same two rejects (an
    intersection–union test: Berger (1982)). The wrong choice where one of the two is known to hold: the hull is wider than needed.
    """

    first: Interval = field(default=StudentT(), metadata=ALWAYS)
    second: Interval = field(default=BootstrapInterval(), metadata=ALWAYS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.first.target != self.second.target or any(isinstance(one, BothIntervals) for one in self.two):
            raise SpellingError(
                f"both: {self.first} and {self.second} should be two plain intervals about the same number"
            )
        if common_summary(self.first.needs, self.second.needs) is None:
            raise SpellingError(f"both: {self.first} and {self.second} need scores of different kinds")

    @property
    def inverse(self) -> str | None:
        first, second = self.first.inverse, self.second.inverse
        return None if first is None or second is None else f"{BOTH}(first={first}, second={second})"

    @property
    def label(self) -> str:
        return f"the wider of {self.first.label} and {self.second.label}"

    @property
    def target(self) -> str:  # type: ignore[override]  # that of the two it holds
        return self.first.target

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        bounds = [one.interval(as_needed(one.needs, sample), level, rng) for one in self.two]
        (low, high), (other_low, other_high) = bounds
        return np.minimum(low, other_low), np.maximum(high, other_high)
