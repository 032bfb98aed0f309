"""Size, coverage and power of a test and an interval, measured on simulated evaluations."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from tellapart.answers.calibration import Calibrated, Promise, Rate
from tellapart.choosing.pairs import ScoreProfile, choose
from tellapart.data.paired_sample import PairedSample
from tellapart.data.summaries import Aggregation, Proportion
from tellapart.foundation.arrays import STATISTIC_NOISE, BoolArray, FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.methods.significance import TESTS, Procedure
from tellapart.studies.calibration.scenario import Scenario

# What `compare` chooses for each sample of a batch, or one test and interval for all of them.

LEVEL = 0.95
"""The nominal level of intervals."""

Place = tuple[int, int, int]
"""The numbers of a block's random streams."""


class Methods(NamedTuple):
    """A test and an interval."""

    test: Procedure
    interval: Interval

    @classmethod
    def named(cls, test: str, interval: str) -> "Methods":
        return cls(TESTS.parse(test), INTERVALS.parse(interval))

    @classmethod
    def chosen_for(cls, profile: ScoreProfile) -> "Methods":
        choice = choose(profile)
        return cls(choice.test, Interval.parse(choice.interval))

    @property
    def spelled(self) -> tuple[str, str]:
        return str(self.test), str(self.interval)


@dataclass(frozen=True, eq=False)
class JudgedBatch:
    """Some samples, and which of them each of the possible methods judges."""

    sample: PairedSample
    groups: tuple[tuple[Methods, list[int]], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many samples each of the methods judges; of the only ones nothing is counted."""
        return () if len(self.groups) == 1 else tuple(len(which) for _, which in self.groups)

    def pvalues(self, place: Place) -> FloatArray:
        def pvalue(methods: Methods, part: PairedSample) -> tuple[FloatArray, ...]:
            return (methods.test.apply(part.sample(methods.test), stream(*place, 3)).pvalue,)

        (found,) = self._by_group(pvalue)
        return found

    def bounds(self, place: Place) -> tuple[FloatArray, FloatArray]:
        def bounds(methods: Methods, part: PairedSample) -> tuple[FloatArray, ...]:
            return methods.interval.interval(part.sample(methods.interval), LEVEL, stream(*place, 3))

        low, high = self._by_group(bounds)
        return low, high

    def _by_group(self, judge: Callable[[Methods, PairedSample], tuple[FloatArray, ...]]) -> list[FloatArray]:
        """Results of each group's methods on its samples, in the order of the batch."""
        if len(self.groups) == 1:
            return list(judge(self.groups[0][0], self.sample))
        groups = [(methods, which) for methods, which in self.groups if which]
        order = np.argsort(np.concatenate([which for _, which in groups]))
        found = [judge(methods, self.sample.entries(which)) for methods, which in groups]
        return [np.concatenate(parts)[order] for parts in zip(*found, strict=True)]


@dataclass(frozen=True)
class Judge:
    """Gives each sample to the methods that `compare` chooses for it, or all to the only ones there are."""

    metric: Aggregation
    possible: tuple[Methods, ...]

    @classmethod
    def choosing(cls, look: PairedSample) -> "Judge":
        """Among what may be chosen for samples like this one, which differ in how skewed they are, and in whether they vary."""
        (profile,) = ScoreProfile.each(look)
        alike = (
            replace(profile, skewness=skewness, constant=constant)
            for constant in (False, True)
            for skewness in (0.0, np.inf)
        )
        return cls(look.metric, tuple(dict.fromkeys(map(Methods.chosen_for, alike))))

    def batch(self, scores: Any) -> JudgedBatch:
        sample = PairedSample(scores, self.metric)
        if len(self.possible) == 1:
            return JudgedBatch(sample, ((self.possible[0], []),))
        of: dict[Procedure, list[int]] = {methods.test: [] for methods in self.possible}
        for number, profile in enumerate(ScoreProfile.each(sample)):
            of[choose(profile).test].append(number)
        return JudgedBatch(sample, tuple((methods, of[methods.test]) for methods in self.possible))


ALPHA, BAND = 0.05, 0.999
"""The nominal level of tests, and the confidence of the band around a measured rate."""
NEARLY_ALL = 0.995
"""A test chosen for at least this share of evaluations names the row: the others move no printed digit."""
ROOM, FEW, ROOM_OF_FEW = 0.02, 20, 0.05
"""Tolerance of the band above alpha, or below the level of a coverage; the second below this number of units."""
BLOCK = 1 << 21
"""Differences held at once."""
KNOWN_DIGITS = 12
"""Of a share that is a sum of many chances; those behind them are rounding's."""
EXACT_BAND = INTERVALS.parse("clopper_pearson")

RATES = 4
"""Counted first for every evaluation: false rejections, coverage, rejections, and those of a gain away from the longer
tail."""

RULES = {"right or wrong": 1, "numbers": 2, "metrics": 3, "clusters": 4, "raters": 5}
"""Which rule the rows of a group are about."""

Occurrences = tuple[int, ...]
"""Of some simulated evaluations: what is counted of them."""


class StreamBlock(NamedTuple):
    """Which of the evaluations of a line: those of a numbered stream, and how many."""

    number: int
    size: int
    seed: int


def measured(scenario: Scenario, replicates: int, seed: int) -> Calibrated:
    """The row of the default or the named test and interval, over this many evaluations with and without effect."""
    sizes = enumerate(cut(replicates, at_once(scenario)))
    found = [tallied(scenario, StreamBlock(number, size, seed)) for number, size in sizes]
    return as_measured(scenario, tuple(map(sum, zip(*found, strict=True))), replicates, seed)


def as_measured(scenario: Scenario, counts: Occurrences, replicates: int, seed: int) -> Calibrated:
    """The report row of these counts."""
    size, coverage, power, against = (rate(count, replicates) for count in counts[:RATES])
    possible = judge_of(scenario, seed).possible
    chosen = dict(zip(possible, counts[RATES:] or (replicates,), strict=True))
    test, interval = max(chosen, key=lambda methods: chosen[methods]).spelled
    row = Calibrated(
        scenario.group, RULES.get(scenario.group), scenario.kind, scenario.items, test, interval, scenario.effect,
        size, coverage, power, against if scenario.tail else None, "holds", scenario.known, _choice_shares(chosen, replicates),
    )  # fmt: skip
    return judged(row, scenario.units)


def _choice_shares(chosen: dict[Methods, int], replicates: int) -> dict[str, float] | None:
    """Of the tests that were chosen, the most usual first; none where one of them was for nearly all evaluations."""
    often = sorted(((count, str(methods.test)) for methods, count in chosen.items() if count), reverse=True)
    shares = {test: count / replicates for count, test in often}
    return shares if max(shares.values()) < NEARLY_ALL else None


def judge_of(scenario: Scenario, seed: int) -> Judge:
    """By the named test and interval, or by what is chosen for each sample."""
    if scenario.test is not None and scenario.interval is not None:
        return Judge(scenario.metric, (Methods.named(scenario.test, scenario.interval),))
    look = scenario.pairs(1, 0.0, stream(seed, scenario.number, 0, 0))
    return Judge.choosing(PairedSample(look, scenario.metric))


def judged(row: Calibrated, units: int) -> Calibrated:
    """The row with its verdict; the known reason is told where something is missed, or nothing can be found."""
    verdict = promise(row.size, row.coverage, units)
    told = verdict != "holds" or (row.power is not None and row.power.share <= ALPHA)
    return replace(row, verdict=verdict, why=row.why if told else "")


def promise(size: Rate | None, coverage: Rate, units: int) -> Promise:
    """Whether size, if there is a test, and what the interval misses are shown to stay within their bound, or beyond it."""
    bound = ALPHA + (ROOM_OF_FEW if units < FEW else ROOM) + STATISTIC_NOISE
    least = max(1.0 - coverage.high, 0.0 if size is None else size.low)
    most = max(1.0 - coverage.low, 0.0 if size is None else size.high)
    return "holds" if most <= bound else "fails" if least > bound else "not shown"


def rate(count: int, replicates: int) -> Rate:
    """A share with its 99.9 % binomial band."""
    sample = Proportion(np.asarray(count), np.asarray(replicates))
    low, high = EXACT_BAND.interval(sample, BAND, stream(0))
    return Rate(count / replicates, float(low), float(high), replicates)


def certain(share: float) -> Rate:
    """A share that was enumerated, to the digits that are the same on every processor: records of them are compared."""
    known = float(f"{share:.{KNOWN_DIGITS}g}")
    return Rate(known, known, known, None)


def cut(replicates: int, size: int) -> list[int]:
    """How many of them are in each block: as many as in every other, but for the last.

    >>> cut(10, 4)
    [4, 4, 2]
    """
    return [min(size, replicates - first) for first in range(0, replicates, size)]


def at_once(scenario: Scenario) -> int:
    """Evaluations in one block."""
    return max(1, BLOCK // scenario.held)


def tallied(scenario: Scenario, block: StreamBlock) -> Occurrences:
    """How often the null is rejected where it is true, the interval holds the effect, and the null is rejected on either side; and what is chosen."""
    judge, place = judge_of(scenario, block.seed), (block.seed, scenario.number, block.number)
    truths = scenario.null, *scenario.sides
    without, effect, *against = (
        judge.batch(scenario.pairs(block.size, truth, stream(*place, purpose)))
        for purpose, truth in enumerate(truths, start=1)
    )
    bounds = effect.bounds(place)
    found = (
        _is_rejected(without, place),
        holds(bounds, truths[1]),
        excludes(bounds) if scenario.test is None else _is_rejected(effect, place),
        *(_is_rejected(side, place) for side in against),
    )
    counts = [int(one.sum()) for one in found]
    return (*counts, *[0] * (RATES - len(counts)), *without.counts)


def _is_rejected(batch: JudgedBatch, place: Place) -> BoolArray:
    return rejects(batch.pvalues(place), ALPHA)


def excludes(bounds: tuple[FloatArray, FloatArray]) -> BoolArray:
    """Whether an interval leaves zero out, which is where a default that decides by its interval rejects."""
    return np.asarray((bounds[0] > 0.0) | (bounds[1] < 0.0))


def holds(bounds: tuple[FloatArray, FloatArray], effect: float) -> BoolArray:
    """Whether an interval holds the effect, or misses it by rounding."""
    slack = STATISTIC_NOISE * max(abs(effect), 1.0)
    return np.asarray((bounds[0] - slack <= effect) & (effect <= bounds[1] + slack))
