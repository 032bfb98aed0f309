"""The numbers behind a comparison of two systems: each computed once, from one pair."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.decision import rejects
from tellapart.effects import EFFECTS
from tellapart.errors import Degenerate, UsageError
from tellapart.intervals import INTERVALS, Interval
from tellapart.metrics import Metric
from tellapart.results.comparison import EquivalenceResult, IntervalResult, Repeats, SystemResult, TestResult
from tellapart.scores import Pair
from tellapart.seeds import Generator, stream
from tellapart.significance import TESTS, Equivalence, Outcome, PairedT, Procedure
from tellapart.spelling import options
from tellapart.summaries import (
    Differences,
    Discordance,
    Independent,
    Parts,
    Proportion,
    average_runs,
    contributions,
    is_binary,
)
from tellapart.verbs.foresight import Planned


@dataclass(frozen=True, eq=False)
class Analysis:
    """Two systems' scores with the test, interval and level they are judged by."""

    pair: Pair
    metric: Metric
    test: Procedure
    interval: Interval
    alpha: float
    seed: int

    @property
    def paired(self) -> bool:
        return not issubclass(self.test.needs, Independent)

    @property
    def items(self) -> int:
        n_a, n_b = self.pair.a.shape[-3], self.pair.b.shape[-3]
        return int(n_a if self.paired else n_a + n_b)

    @property
    def clusters(self) -> int | None:
        return None if self.pair.clusters is None else int(self.pair.clusters.max()) + 1

    @property
    def binary(self) -> bool:
        return self.metric.linear and is_binary(self.pair)

    @cached_property
    def values(self) -> tuple[FloatArray, FloatArray]:
        """What each item contributes to the metric of A and of B."""
        return contributions(self.pair.a, self.metric), contributions(self.pair.b, self.metric)

    @cached_property
    def differences(self) -> Differences:
        return Differences.between(*self.values, self.pair.clusters)

    @cached_property
    def means(self) -> tuple[float, float]:
        parts = (average_runs(x).mean(axis=-2) for x in (self.pair.a, self.pair.b))
        a, b = (float(self.metric.value(p)) for p in parts)
        return a, b

    @property
    def effect(self) -> float:
        """B − A; of paired plain scores the mean of the differences, which rounds less than a difference of means."""
        if self.metric.linear and self.paired:
            return float(self.differences.effect)
        return self.means[1] - self.means[0]

    @cached_property
    def outcome(self) -> Outcome:
        """What the test found, or an error with the way out when it has no answer on these scores."""
        found = self._run(self.test)
        if np.isnan(found.pvalue):
            raise Degenerate(
                f"{self.test} has no answer here: every difference is the same non-zero number, so there is no spread to "
                f"measure it by. Use --test {self.test.advice}"
            )
        return found

    def _run(self, test: Procedure) -> Outcome:
        return test.apply(test.needs.of(self.pair, self.metric), self._stream("test"))

    @cached_property
    def interval_result(self) -> IntervalResult:
        """The interval of the effect at 1 − alpha."""
        return self._bounds(1.0 - self.alpha)

    def _bounds(self, level: float) -> IntervalResult:
        if issubclass(self.interval.needs, Proportion):
            raise UsageError(
                f"{self.interval} is for one system's share of right answers, not for a difference; leave --interval out"
            )
        sample = self.interval.needs.of(self.pair, self.metric)
        low, high = self.interval.interval(sample, level, self._stream("interval"))
        return IntervalResult(float(low), float(high), level, str(self.interval))

    def system(self, name: str, which: int) -> SystemResult:
        """One system's metric with its own interval: Wilson for right-or-wrong scores, else Student or cluster t."""
        values = self.values[which]
        clusters = self.pair.clusters
        method = (
            "wilson" if self.binary and clusters is None else "student_t" if clusters is None else "cluster_t"
        )
        sample = _proportion(values) if method == "wilson" else Differences(values, clusters)
        interval = INTERVALS.parse(method)
        low, high = interval.interval(sample, 1.0 - self.alpha, self._stream("system"))
        return SystemResult(
            name, self.means[which], IntervalResult(float(low), float(high), 1.0 - self.alpha, str(interval))
        )

    def equivalence(self, margin: float) -> EquivalenceResult:
        """Two one-sided tests at the margin, by the chosen test (a paired t where it cannot be moved to a margin)."""
        plain = self.test.replace(alternative="two-sided")
        movable = self.test.claim == "difference" and (
            self.metric.linear or not issubclass(self.test.needs, Parts)
        )
        found = self._run(Equivalence(test=plain if movable else PairedT(), margin=margin))
        return EquivalenceResult(margin, float(found.pvalue))

    def within(self, margin: float | None) -> bool:
        """Whether the interval at 1 − 2·alpha lies inside the margin."""
        if margin is None:
            return False
        bounds = self._bounds(1.0 - 2.0 * self.alpha)
        return -margin < bounds.low and bounds.high < margin

    @cached_property
    def correlation(self) -> float | None:
        a, b = self.values
        if not self.paired or np.ptp(a) == 0.0 or np.ptp(b) == 0.0:
            return None
        return float(np.clip(np.corrcoef(a, b)[0, 1], -1.0, 1.0))

    @property
    def sd_difference(self) -> float | None:
        return float(self.differences.values.std(ddof=1)) if self.paired else None

    @property
    def discordance(self) -> float | None:
        return float(Discordance.of(self.pair, self.metric).share) if self.binary and self.paired else None

    @property
    def planned(self) -> Planned:
        """What planning needs of these scores, in the shape that suits the test that was run."""
        if not self.paired:
            return Independent.of(self.pair, self.metric)
        return (
            Discordance.of(self.pair, self.metric)
            if issubclass(self.test.needs, Discordance)
            else self.differences
        )

    def effect_sizes(self) -> dict[str, float | None]:
        """Every standardised effect size that suits the scores; None where it is undefined."""
        if not self.paired:
            return {}
        sizes = {}
        for name in EFFECTS:
            size = EFFECTS.parse(name)
            if self.binary or not issubclass(size.needs, Discordance):
                value = float(size.value(size.needs.of(self.pair, self.metric)))
                sizes[name] = value if np.isfinite(value) else None
        return sizes

    def every_test(self) -> tuple[TestResult, ...]:
        """All tests that suit these scores, at their default options."""
        return tuple(
            TestResult(str(test), float(found.pvalue), float(found.statistic))
            for test in map(TESTS.parse, filter(self._suits, TESTS))
            for found in [self._run(test)]
        )

    def _suits(self, name: str) -> bool:
        kind = TESTS[name]
        needs_options = any(o.required for o in options(kind))
        if needs_options or (name.startswith("cluster_") and self.clusters is None):
            return False
        needs = kind.needs
        return self.paired != issubclass(needs, Independent) and (
            self.binary or not issubclass(needs, Discordance)
        )

    def repeats(self) -> Repeats | None:
        runs = self.pair.a.shape[-2], self.pair.b.shape[-2]
        if max(runs) == 1:
            return None
        return Repeats(*runs, *(_within_item_variance(x) for x in (self.pair.a, self.pair.b)))

    @property
    def agrees(self) -> bool:
        """Whether test and interval tell the same story about zero."""
        excludes = self.interval_result.low > 0.0 or self.interval_result.high < 0.0
        return self.test.alternative != "two-sided" or excludes == bool(
            rejects(self.outcome.pvalue, self.alpha)
        )

    def _stream(self, purpose: str) -> Generator:
        return stream(self.seed, ("test", "interval", "system").index(purpose))


def _proportion(values: FloatArray) -> Proportion:
    return Proportion(np.asarray(values.sum(axis=-1), dtype=np.int64), np.asarray(values.shape[-1]))


def _within_item_variance(scores: FloatArray) -> float | None:
    """The mean over items of the variance between runs, of the items run at least twice."""
    runs = scores[..., 0]
    repeated = (~np.isnan(runs)).sum(axis=-1) >= 2
    return float(np.nanvar(runs[repeated], axis=-1, ddof=1).mean()) if repeated.any() else None
