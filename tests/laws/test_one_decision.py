"""Decision and interval are one: p is at most alpha exactly where the interval at 1 − alpha leaves zero out, and so at margins.

Of every test that some interval inverts, and of every test and interval that are chosen together. The place where the decision turns is
looked for at p itself: just above it the interval leaves the null out, just below it does not.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from tests.exhaustive import of_all
from tests.laws.setting import variants
from tests.laws.test_metrics import parts_of
from tests.laws.wrong_intervals import Stretched

from tellapart.choosing.pairs import ScoreProfile, choose
from tellapart.data.pair import Pair
from tellapart.data.paired_sample import PairedSample
from tellapart.data.summaries import Differences, as_needed
from tellapart.data.summaries.rater_samples import ByRaters
from tellapart.data.summaries.seeded import Seeded
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import Generator, stream
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.methods.intervals.interval import Bounds
from tellapart.methods.significance import TESTS, Procedure
from tellapart.methods.significance.judge_regression import Judged
from tellapart.metrics import METRICS

ALPHAS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5)
SEEDS = range(of_all(12, 40))
NEAR = 1e-6
"""Of p: so far below and above it the decision is asked for too."""


@dataclass(frozen=True)
class Decision:
    """A test and an interval that are to decide alike."""

    test: Procedure
    interval: Interval

    def pvalue(self, sample: Any, null: float, alternative: Any) -> float:
        return float(
            self.test.replace(alternative=alternative).against(sample, null, stream(2)).pvalue
            if null
            else self.test.replace(alternative=alternative).apply(sample, stream(2)).pvalue
        )

    def bounds(self, sample: Any, level: float) -> tuple[float, float]:
        low, high = self.interval.interval(as_needed(self.interval.needs, sample), level, stream(2))
        return float(low), float(high)

    def is_one(self, sample: Any) -> None:
        """At zero both sides are looked at; at a margin one, and the bound is that at 1 − 2·alpha."""
        for alpha, pvalue in self._asked(sample, 0.0, "two-sided", 1.0):
            low, high = self.bounds(sample, 1.0 - alpha)
            assert (pvalue <= alpha) == (low > 0.0 or high < 0.0), (alpha, pvalue, low, high)
        size = float(np.abs(sample.effect)) + 1e-9
        for null in (0.4 * size, -0.7 * size, 1.9 * size):
            for side in ("greater", "less"):
                for alpha, pvalue in self._asked(sample, null, side, 0.5):
                    low, high = self.bounds(sample, 1.0 - 2.0 * alpha)
                    excluded = low > null if side == "greater" else high < null
                    assert (pvalue <= alpha) == excluded, (null, side, alpha, pvalue, low, high)

    def _asked(self, sample: Any, null: float, side: str, most: float) -> Iterator[tuple[float, float]]:
        """Levels of error with the p-value of this question."""
        pvalue = self.pvalue(sample, null, side)
        if math.isnan(pvalue):
            return  # undefined where nothing varies: never chosen
        at_p = (pvalue * (1.0 - NEAR), pvalue * (1.0 + NEAR))
        reached = (*ALPHAS, *(alpha for alpha in at_p if alpha >= ALPHAS[0]))
        yield from ((alpha, pvalue) for alpha in reached if alpha < most)


def values(kind: str, rng: np.random.Generator, size: int) -> FloatArray:
    """Differences of every shape: smooth, long-tailed, of few levels, mostly none, far from one in size."""
    if kind == "exponential":
        return rng.exponential(size=size) - 0.8
    if kind == "levels":
        return rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], size, p=[0.1, 0.1, 0.3, 0.2, 0.3])
    if kind == "tenths":
        return rng.normal(0.1, 0.2, size).round(1)
    if kind == "nearly right or wrong":
        return np.append(rng.choice([-1.0, 0.0, 1.0], size - 1, p=[0.1, 0.7, 0.2]), 0.5)
    scale = {"normal": 1.0, "tiny": 1e-7, "large": 1e7}[kind]
    return scale * rng.normal(0.3, 1.0, size)


KINDS = ("normal", "exponential", "levels", "tenths", "nearly right or wrong", "tiny", "large")


def in_clusters(rng: np.random.Generator, groups: int) -> IntArray:
    """Evenly, or as unevenly as a lognormal law has it."""
    even = rng.random() < 0.5
    sizes = np.full(groups, 4) if even else np.maximum(1, rng.lognormal(1.0, 1.0, groups).round().astype(int))
    return np.repeat(np.arange(groups), sizes)


def sample(kind: str, clustered: bool, seed: int) -> PairedSample:
    """A dozen items and fewer, or some sixty; two to twenty clusters. `kind` is a metric, or what differences of a mean are like."""
    rng = np.random.default_rng(seed)
    few = rng.random() < 0.7
    items = int(rng.integers(2, 13)) if few else int(rng.integers(50, 70))
    codes = in_clusters(rng, int(rng.integers(2, 21))) if clustered else None
    if codes is not None:
        items = len(codes)
    if kind in METRICS:
        metric = METRICS.parse(kind)
        a, b = (parts_of(metric, max(items, 6), seed=2 * seed + system)[:items] for system in (0, 1))
        return PairedSample(Pair(a[:, np.newaxis], b[:, np.newaxis], codes), metric)
    differences = values(kind, rng, items)
    a = rng.random(items).round(1)
    pair = Pair(a[:, np.newaxis, np.newaxis], (a + differences)[:, np.newaxis, np.newaxis], codes)
    return PairedSample(pair, METRICS.parse("mean"))


def trained(found: PairedSample, seed: int) -> PairedSample:
    """The same items scored by two to four trainings of each system, whose scores are up to a fifth higher or lower."""
    rng = np.random.default_rng(seed)

    def trainings(scores: FloatArray) -> FloatArray:
        seeds = int(rng.integers(2, 5))
        factors = rng.uniform(0.9, 1.1, (1, seeds, 1)) * rng.uniform(0.9, 1.1, (len(scores), seeds, 1))
        return np.asarray(scores * factors)

    pair = replace(found.pair, a=trainings(found.pair.a), b=trainings(found.pair.b), seed_runs=1)
    return PairedSample(pair, found.metric)


def inverted() -> Iterator[Decision]:
    """Every interval that some test inverts, in every variant, with that test."""
    for interval in variants(INTERVALS):
        if interval.inverse is not None and interval.name != "tango":
            yield Decision(TESTS.parse(interval.inverse), interval)


INVERTED = [decision for decision in inverted() if not issubclass(decision.interval.needs, ByRaters | Judged)]
"""Those of ratings and votes are tried in `test_rater_methods.it_holds_what_its_test_does_not_reject`, that of a judge beside its test."""
METRICS_TRIED = ("f1", "mcc", "bleu")


def holds(decision: Decision, kind: str, clustered: bool, seeds: range = SEEDS) -> int:
    """In how many samples that it takes: percentiles refuse few items, and levels that resamples do not reach; subsets, many clusters."""
    tried = 0
    for seed in seeds:
        found = sample(kind, clustered, seed)
        found = trained(found, seed) if decision.test.needs is Seeded else found
        try:
            decision.is_one(found.summary(decision.test.needs))
            tried += 1
        except Unsuitable:
            continue
    return tried


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("kind", [*KINDS, *METRICS_TRIED])
@pytest.mark.parametrize("decision", INVERTED, ids=lambda decision: str(decision.interval))
def test_inverted(decision: Decision, kind: str, clustered: bool) -> None:
    """Every registered pair of a test and the interval that it inverts."""
    if decision.interval.needs_clusters and not clustered:
        pytest.skip("it has no answer without clusters")
    if decision.interval.name == "hodges_lehmann" and (kind not in {"normal", "exponential", "tiny"}):
        pytest.skip("its ranks are those of scores without ties or zeros, as it says")
    if decision.test.ordered and (
        clustered or kind in METRICS_TRIED or kind not in {"levels", "nearly right or wrong"}
    ):
        pytest.skip("it bets on scores between 0 and 1")
    assert holds(decision, kind, clustered, range(11, -1, -of_all(3, 2))) > 0


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("kind", [*KINDS, *METRICS_TRIED])
def test_chosen(kind: str, clustered: bool) -> None:
    """Whatever is chosen for the scores, by rules 2 to 4."""
    for seed in SEEDS:
        found = sample(kind, clustered, seed)
        profile = ScoreProfile.of(found)
        if profile.binary and not clustered:
            continue  # rule 1: mid-p at zero, Tango's score test at margins
        if profile.constant:
            continue  # every item differs by the same: flips decide, and the interval is that point
        choice = choose(profile)
        interval = Interval.parse(choice.interval)
        summaries = found.sample(choice.test), found.sample(interval)
        assert type(summaries[0]) is type(summaries[1])
        Decision(choice.test, interval).is_one(summaries[0])


class Short(Stretched):
    """Student's interval, 7 % short at either end."""

    factor = 0.93


@dataclass(frozen=True)
class Closed(Interval):
    """Hodges and Lehmann's, never beyond the outermost differences."""

    name = "closed"
    needs = Differences
    label = "closed"

    def interval(self, sample: Differences, level: float, rng: Generator) -> Bounds:
        low, high = INTERVALS.parse("hodges_lehmann").interval(sample, level, rng)
        return np.maximum(low, sample.values.min(axis=-1)), np.minimum(high, sample.values.max(axis=-1))


@pytest.mark.parametrize(
    ("test", "interval"),
    [
        ("paired_t", Short()),
        ("wilcoxon", Closed()),
        ("bootstrap(kind=studentised)", INTERVALS.parse("student_t")),
        ("bootstrap(resamples=1999)", INTERVALS.parse("bootstrap(resamples=2999)")),
    ],
    ids=str,
)
def test_two_decisions_are_caught(test: str, interval: Interval) -> None:
    """Negative controls: 7 % short, bounded where no rank is rare enough, of another law, and of other resamples."""
    with pytest.raises(AssertionError):
        holds(Decision(TESTS.parse(test), interval), "normal", clustered=False)
