"""Size, coverage and power of a test and an interval, measured on simulated evaluations."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tellapart.arrays import STATISTIC_NOISE, BoolArray, FloatArray
from tellapart.calibration.scenario import Scenario
from tellapart.decision import rejects
from tellapart.distributions.leaning import leaning
from tellapart.distributions.rare_failures import rare_failures
from tellapart.intervals import INTERVALS, Interval
from tellapart.metrics.mean import Mean
from tellapart.results.calibration import Calibrated, Promise, Rate
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import TESTS, Procedure
from tellapart.summaries import Differences, Proportion
from tellapart.verbs.choose import Choice, choose
from tellapart.verbs.sampled import Sampled
from tellapart.verbs.shape import Shape

ALPHA, LEVEL, BAND = 0.05, 0.95, 0.999
"""What is promised of tests and of intervals, and the level of the band that a measured rate is judged by."""
NEAR = 0.01
"""What is promised and missed by no more than this is called near."""
BLOCK = 1 << 21
"""Differences held at once."""
LOOK = 240
"""Items drawn to see what kind of scores these are, so that a rare value is not missed."""
EXACT_BAND = INTERVALS.parse("clopper_pearson")

Occurrences = tuple[int, ...]
"""Of some simulated evaluations: what is counted of them."""


class StreamBlock(NamedTuple):
    """Which of the evaluations of a line: those of a numbered stream, and how many."""

    number: int
    size: int
    seed: int


def measured(scenario: Scenario, replicates: int, seed: int) -> Calibrated:
    """The default test and interval for such scores, or the named ones, on so many evaluations with and without effect."""
    sizes = enumerate(cut(replicates, at_once(scenario)))
    found = [tallied(scenario, StreamBlock(number, size, seed)) for number, size in sizes]
    return as_measured(scenario, tuple(map(sum, zip(*found, strict=True))), replicates, seed)


def as_measured(scenario: Scenario, counts: Occurrences, replicates: int, seed: int) -> Calibrated:
    """The row that the counts of so many evaluations come to."""
    test, interval = methods(scenario, seed)
    size, coverage, power = (rate(count, replicates) for count in counts)
    return judged(
        Calibrated(
            scenario.group, scenario.kind, scenario.items, str(test), str(interval), scenario.effect,
            size, coverage, power, "holds", scenario.known,
        )
    )  # fmt: skip


def methods(scenario: Scenario, seed: int) -> tuple[Procedure, Interval]:
    """The named test and interval, or what would be chosen."""
    if scenario.test is not None and scenario.interval is not None:
        return TESTS.parse(scenario.test), INTERVALS.parse(scenario.interval)
    choice = chosen(scenario, seed)
    return choice.test, choice.interval


def chosen(scenario: Scenario, seed: int) -> Choice:
    """What `compare` would choose on so many items of this kind."""
    return choose(_shape(scenario, seed))


def _shape(scenario: Scenario, seed: int) -> Shape:
    """What these scores are like, but for what samples of them differ in."""
    look = scenario.items if scenario.sizes else LOOK
    drawn = replace(scenario, items=look).pairs(1, 0.0, stream(seed, scenario.number, 0, 0))
    pair = Pair(drawn.a[0], drawn.b[0], drawn.clusters)
    return replace(Shape.of(Sampled(pair, Mean())), items=scenario.items, leans=False, failures=0)


def judged(row: Calibrated) -> Calibrated:
    """The row with its verdict; the known reason is told where something is missed, or nothing can be found."""
    verdict = promise(row.size, row.coverage)
    told = verdict != "holds" or (row.power is not None and row.power.share <= ALPHA)
    return replace(row, verdict=verdict, why=row.why if told else "")


def promise(size: Rate | None, coverage: Rate) -> Promise:
    """Whether the bands leave room for a size, if there is a test, of at most alpha and a coverage of at least the level."""
    miss = LEVEL - coverage.high if size is None else max(size.low - ALPHA, LEVEL - coverage.high)
    return "holds" if miss <= STATISTIC_NOISE else "near" if miss <= NEAR else "fails"


def rate(count: int, replicates: int) -> Rate:
    """A share with its 99.9 % binomial band."""
    sample = Proportion(np.asarray(count), np.asarray(replicates))
    low, high = EXACT_BAND.interval(sample, BAND, stream(0))
    return Rate(count / replicates, float(low), float(high), replicates)


def certain(share: float) -> Rate:
    """A share that was enumerated."""
    return Rate(share, share, share, None)


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
    """How often the null is rejected where it is true, the interval holds the effect, and the null is rejected at it."""
    test, interval = methods(scenario, block.seed)
    effect, place = scenario.effect, (block.seed, scenario.number, block.number)
    without, with_effect = (
        scenario.pairs(block.size, e, stream(*place, purpose))
        for purpose, e in ((1, scenario.null), (2, effect))
    )
    by_sample = scenario.test is None and not scenario.sizes
    judge = Judge(test, interval, _shape(scenario, block.seed) if by_sample else None)
    pvalues = [judge.pvalues(pair, place) for pair in (without, with_effect)]
    held = holds(judge.bounds(with_effect, place), effect)
    found = (rejects(pvalues[0], ALPHA), held, rejects(pvalues[1], ALPHA))
    return tuple(int(one.sum()) for one in found)


@dataclass(frozen=True)
class Judge:
    """A test and an interval, and the shape by which others take their place on samples that lean or show rare failures, one by one."""

    test: Procedure
    interval: Interval
    shape: Shape | None

    def pvalues(self, pair: Pair, place: tuple[int, int, int]) -> FloatArray:
        found = self.test.apply(self.test.needs.of(pair, Mean()), stream(*place, 3)).pvalue
        for which, other in self._otherwise(pair):
            test = other.test
            found[which] = test.apply(test.needs.of(_some(pair, which), Mean()), stream(*place, 3)).pvalue
        return found

    def bounds(self, pair: Pair, place: tuple[int, int, int]) -> tuple[FloatArray, FloatArray]:
        low, high = self.interval.interval(self.interval.needs.of(pair, Mean()), LEVEL, stream(*place, 4))
        for which, other in self._otherwise(pair):
            interval = other.interval
            sample = interval.needs.of(_some(pair, which), Mean())
            low[which], high[which] = interval.interval(sample, LEVEL, stream(*place, 4))
        return low, high

    def _otherwise(self, pair: Pair) -> Iterator[tuple[BoolArray, Choice]]:
        """Samples for which `compare` chooses another test, and that choice."""
        if self.shape is None:
            return
        differences = Differences.of(pair, Mean())
        leans, fails = leaning(differences.values).acted_on, rare_failures(differences.snapped) > 0
        for lean, fail in ((True, False), (False, True), (True, True)):
            which = (leans == lean) & (fails == fail)
            choice = choose(replace(self.shape, leans=lean, failures=int(fail)))
            if choice.test != self.test and which.any():
                yield which, choice


def _some(pair: Pair, which: BoolArray) -> Pair:
    return Pair(pair.a[which], pair.b[which], pair.clusters)


def holds(bounds: tuple[FloatArray, FloatArray], effect: float) -> BoolArray:
    """Whether an interval holds the effect, or misses it by rounding."""
    slack = STATISTIC_NOISE * max(abs(effect), 1.0)
    return np.asarray((bounds[0] - slack <= effect) & (effect <= bounds[1] + slack))
