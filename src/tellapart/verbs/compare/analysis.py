"""The numbers behind a comparison of two systems: each computed once, from one pair."""

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from tellapart.answers.comparison import SystemResult
from tellapart.answers.parts import IntervalResult
from tellapart.choosing.pairs import CLUSTER_T
from tellapart.data.pair import Pair
from tellapart.data.paired_sample import PairedSample
from tellapart.data.summaries import Differences, Discordance, Proportion, count, right
from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import Degenerate
from tellapart.foundation.seeds import Generator, stream
from tellapart.foundation.surfaces import option
from tellapart.methods import significance
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.methods.significance import TESTS, Outcome, Procedure
from tellapart.methods.significance.margins import Margin
from tellapart.numerics import resampling
from tellapart.numerics.moments import cluster_error, welch
from tellapart.verbs import compare as package

if TYPE_CHECKING:
    from tellapart.methods.significance.bootstrap import Bootstrap
    from tellapart.numerics.resampling.draws import Replicates

FEW_UNITS = 64
"""This many items or clusters can always bring a p-value down to 1e-19: only fewer may be too few for some alpha."""


@dataclass(frozen=True, eq=False)
class Analysis(PairedSample):
    """Two systems' scores with the test, interval, level and margin they are judged by."""

    test: Procedure
    interval: Interval
    alpha: float
    margin: float | None
    seed: int

    @cached_property
    def paired(self) -> bool:
        return self.test.needs.paired

    @property
    def seeded(self) -> bool:
        """Whether the test is about other trainings too."""
        return difference_test(self.test).name == "seeds_t"

    @property
    def items_of_each(self) -> tuple[int, int]:
        return int(self.pair.a.shape[-3]), int(self.pair.b.shape[-3])

    @cached_property
    def items(self) -> int:
        return self.items_of_each[0] if self.paired else sum(self.items_of_each)

    @cached_property
    def clusters(self) -> int | None:
        return None if self.pair.clusters is None else int(self.pair.clusters.max()) + 1

    @property
    def values(self) -> tuple[FloatArray, FloatArray]:
        """The contribution of each item to the metric of A and of B."""
        return self.parts.contributions

    @cached_property
    def means(self) -> tuple[float, float]:
        a, b = self.parts.metrics
        return float(a), float(b)

    @cached_property
    def effect(self) -> float:
        """B − A; of paired plain scores the mean of the differences, which rounds less than a difference of means."""
        if self.metric.linear and self.paired:
            return float(self.differences.moments[0])
        return self.means[1] - self.means[0]

    @cached_property
    def outcome(self) -> Outcome:
        """The outcome of the test, or an error with the way out when it has no answer on these scores."""
        found = self.run(self.test)
        if np.isnan(found.pvalue):
            raise Degenerate(f"{self.test} has no answer here: {self._why_none()}")
        return found

    @cached_property
    def rejected(self) -> bool:
        return bool(rejects(self.outcome.pvalue, self.alpha))

    def _why_none(self) -> str:
        instead = f"Use {option('test', self.test.advice)}"
        if not self.paired:
            way_out = instead if self.binary else "Check the scores"
            return f"neither system's scores vary, so there is no spread to measure their difference by. {way_out}"
        constant = np.ptp(self.differences.values) == 0.0
        what = "every difference is the same number" if constant else "all clusters differ by the same"
        return f"{what}, so there is no spread to measure it by. {instead}"

    def run(self, test: Procedure) -> Outcome:
        """The outcome of a test on the scores."""
        rng = self.stream("test")
        return test.apply(self.sample(test), rng)

    @cached_property
    def interval_result(self) -> IntervalResult:
        """The interval of the effect at 1 − alpha."""
        return self.at_level(self.alpha)

    def at_level(self, alpha: float) -> IntervalResult:
        """The interval at 1 − alpha; of a one-sided test its one bound."""
        side = difference_test(self.test).alternative
        if side == "two-sided":
            return self.two_sided_interval if alpha == self.alpha else self.bounds(1.0 - alpha)
        one = replace(self.bounds(1.0 - 2.0 * alpha), level=1.0 - alpha)
        return replace(one, high=np.inf) if side == "greater" else replace(one, low=-np.inf)

    @cached_property
    def two_sided_interval(self) -> IntervalResult:
        return self.bounds(1.0 - self.alpha)

    @cached_property
    def margin_interval(self) -> IntervalResult:
        """The interval of the effect at 1 − 2·alpha: inside the margin where two one-sided tests at alpha reject."""
        return self.bounds(1.0 - 2.0 * self.alpha)

    def bounds(self, level: float) -> IntervalResult:
        method, rng = self.interval, self.stream("test")
        low, high = method.interval(self.sample(method), level, rng)
        return IntervalResult(float(low), float(high), level, str(method), method.target, method.label)

    def resampled_error(self, test: "Bootstrap") -> float:
        """The standard error that resamples are measured against."""
        return self._of_resamples(test, lambda found: (found.error,))[0]

    def least_found(self, test: "Bootstrap", critical: tuple[float, float], power: float) -> tuple[float, float]:
        """The effects above and below zero that are detected with this power at critical values in standard errors."""
        above, below = self._of_resamples(test, lambda found: resampling.least_found(found, critical, power))
        return above, below

    def _of_resamples(self, test: "Bootstrap", answer: Callable[["Replicates"], tuple[FloatArray, ...]]) -> list[float]:
        sample, rng = self.sample(test), self.stream("test")
        resamples = resampling.enough_resamples(test.kind, sample, test.resamples, rng)
        return [float(one) for one in resampling.map_replicates(sample, resamples, rng, answer)]

    def systems(self, names: tuple[str, str]) -> tuple[SystemResult, SystemResult]:
        """Each system's metric with its own interval: Wilson for right-or-wrong scores, else Student, cluster t, or t over its seeds too."""
        if self.seeded:
            return package.seeded_systems(self, names)
        level, rng, means = 1.0 - self.alpha, self.stream("system"), self.means
        interval = INTERVALS.parse(self._own_interval)
        method, samples, (wrong, step) = str(interval), self._own_samples, self._own_unit
        bounds = [interval.interval(sample, level, rng) for sample in samples]
        lows, highs = (
            (wrong + step * np.concatenate([np.atleast_1d(x) for x in ends])).tolist()
            for ends in zip(*bounds, strict=True)
        )
        a, b = (
            SystemResult(name, mean, IntervalResult(low, high, level, method, "mean", interval.label))
            for name, mean, low, high in zip(names, means, lows, highs, strict=True)
        )
        return a, b

    @property
    def _own_samples(self) -> list[Differences | Proportion]:
        """Both systems at once where they have as many items, else each."""
        return [self._own_sample(x) for x in ([np.stack(self.values)] if self.paired else self.values)]

    @property
    def _own_unit(self) -> tuple[float, float]:
        """The score of all answers wrong, and the gain to all right: bounds of shares are stretched to these."""
        code = self.coding if self.pair.clusters is None else None
        return (0.0, 1.0) if code is None else (code.wrong, code.step)

    @property
    def _own_interval(self) -> str:
        if self.pair.clusters is not None:
            return CLUSTER_T
        return "wilson" if self.binary else "student_t"

    def _own_sample(self, values: FloatArray) -> Differences | Proportion:
        if self.binary and self.pair.clusters is None:
            successes = count(right(values))
            return Proportion(successes, np.full_like(successes, values.shape[-1]))
        return Differences(values, self.pair.clusters)

    @property
    def margin_stand_in(self) -> Procedure:
        """The test that judges a margin where the chosen one cannot be moved there."""
        return TESTS.parse("paired_t" if self.clusters is None else CLUSTER_T)

    @property
    def signs(self) -> Procedure | None:
        """The test that judges a margin where nothing varies: by which side of it each item lies on, or cluster; None without pairs."""
        if not self.paired:
            return None
        together = self.clusters is not None and self.test.sees_clusters(self.metric)
        return TESTS.parse("cluster_sign_flip" if together else "sign")

    @property
    def within(self) -> bool:
        """Whether the interval at 1 − 2·alpha lies inside the margin."""
        return all(self.beyond_margin)

    @property
    def beyond_margin(self) -> tuple[bool, bool]:
        """Whether that interval lies above minus the margin, and below the margin."""
        if self.margin is None:
            return False, False
        return -self.margin < self.margin_interval.low, self.margin_interval.high < self.margin

    @cached_property
    def correlation(self) -> float | None:
        a, b = self.values
        if not self.paired or np.ptp(a) == 0.0 or np.ptp(b) == 0.0:
            return None
        return float(np.clip(_standardised(a) @ _standardised(b), -1.0, 1.0))

    @property
    def sd_difference(self) -> float | None:
        return float(np.sqrt(self.differences.moments[1])) if self.paired else None

    @cached_property
    def standard_error(self) -> float:
        """Of the effect: what it would vary by on other items, or clusters, like these."""
        if not self.paired:
            return float(welch(*self.values)[1])
        if self.seeded:
            return package.seeded_error(self)
        if self.pair.clusters is None:
            return float(np.sqrt(self.differences.moments[1])) / float(np.sqrt(self.items))
        sample = self.differences
        return float(cluster_error(sample.values, self.pair.clusters, "cr2", sample.scale)[1])

    @cached_property
    def discordance(self) -> float | None:
        """The share of items on which right-or-wrong systems differ."""
        return float(self.summary(Discordance).share) if self.binary and self.paired else None

    @cached_property
    def differing(self) -> BoolArray:
        """Which items the systems differ on."""
        return np.asarray(self.differences.snapped != 0.0)

    def least_pvalue(self, differing: BoolArray) -> float | None:
        """The p-value had one system won all these items alike: the least that tests which count signs can give.

        None for tests without such a limit, and where there are too many items for it to matter.
        """
        of_signs = (one for one in getattr(self.test, "two", ()) if one.counts_signs)
        test = next(of_signs, self.test)
        units = self.clusters if test.needs_clusters else np.count_nonzero(differing)
        if not (test.counts_signs and self.metric.linear) or (units or 0) > FEW_UNITS:
            return None
        won = differing.astype(np.float64)[:, np.newaxis, np.newaxis]
        lost = np.zeros_like(won)
        pair = (
            Pair(won, lost, self.pair.clusters)
            if self.test.alternative == "less"
            else Pair(lost, won, self.pair.clusters)
        )
        return float(test.apply(test.needs.of(pair, self.metric), self.stream("test")).pvalue)

    def stream(self, purpose: Literal["test", "system"]) -> Generator:
        """Test and interval draw from one stream, so that they are one decision where one inverts the other."""
        return copy.deepcopy(self._streams[purpose])

    @cached_property
    def _streams(self) -> dict[str, Generator]:
        return {purpose: stream(self.seed, number) for number, purpose in enumerate(("test", "system"))}


def _standardised(values: FloatArray) -> FloatArray:
    """Deviations from the mean, of length 1; first brought to size 1, so that none vanishes when squared."""
    deviations = values - values.mean()
    deviations /= np.abs(deviations).max()
    return np.asarray(deviations / np.linalg.norm(deviations))


def deciding_bootstrap(test: Procedure) -> "Bootstrap | None":
    """The bootstrap that decides, alone or with another test."""
    if not test.resampling:
        return None
    tests = test.two if isinstance(test, significance.Both) else (test,)
    return next((one for one in tests if isinstance(one, significance.Bootstrap)), None)


def difference_test(test: Procedure) -> Procedure:
    """The test of a difference: the one inside where a margin is asked about."""
    return test.test if isinstance(test, Margin) else test
