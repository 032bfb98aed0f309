"""Size, coverage and power of a test and an interval, measured on simulated evaluations."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tellapart.arrays import STATISTIC_NOISE, FloatArray, IntArray
from tellapart.calibration.scenario import Scenario
from tellapart.decision import rejects
from tellapart.intervals import INTERVALS, Interval
from tellapart.metrics.mean import Mean
from tellapart.results.calibration import Calibrated, Promise, Rate
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import TESTS, Procedure
from tellapart.summaries import Proportion
from tellapart.verbs.choose import Choice, Shape, choose
from tellapart.verbs.sampled import Sampled

ALPHA, LEVEL, BAND = 0.05, 0.95, 0.999
NEAR = 0.01
"""What is promised and missed by no more than this is called near."""
BLOCK = 1 << 21
"""Differences held at once."""
LOOK = 240
"""Items drawn to see what kind of scores these are, so that a rare value is not missed."""
EXACT_BAND = INTERVALS.parse("clopper_pearson")


def measured(scenario: Scenario, replicates: int, seed: int) -> Calibrated:
    """The default test and interval for such scores, or the named ones, on so many evaluations with and without effect."""
    choice = chosen(scenario, seed)
    test = choice.test if scenario.test is None else TESTS.parse(scenario.test)
    interval = choice.interval if scenario.interval is None else INTERVALS.parse(scenario.interval)
    counts = np.zeros(3, dtype=np.int64)
    for block, many in _blocks(scenario.items, replicates):
        counts += _tally(scenario, test, interval, (seed, scenario.number, block), many)
    size, coverage, power = (rate(int(count), replicates) for count in counts)
    return judged(
        Calibrated(
            scenario.group, scenario.kind, scenario.items, str(test), str(interval), scenario.effect,
            size, coverage, power, "holds", scenario.known,
        )
    )  # fmt: skip


def chosen(scenario: Scenario, seed: int) -> Choice:
    """What `compare` would choose on so many items of this kind."""
    look = scenario.items if scenario.sizes else LOOK
    values = scenario.draw((1, look), 0.0, stream(seed, scenario.number, 0, 0))
    return choose(replace(Shape.of(Sampled(_pair(values[0], scenario), Mean())), items=scenario.items))


def judged(row: Calibrated) -> Calibrated:
    """The row with its verdict; the known reason is told where something is missed, or nothing can be found."""
    verdict = promise(row.size, row.coverage)
    told = verdict != "holds" or row.power.share <= ALPHA
    return replace(row, verdict=verdict, why=row.why if told else "")


def promise(size: Rate, coverage: Rate) -> Promise:
    """Whether the bands leave room for a size of at most alpha and a coverage of at least the level."""
    miss = max(size.low - ALPHA, LEVEL - coverage.high)
    return "holds" if miss <= STATISTIC_NOISE else "near" if miss <= NEAR else "fails"


def rate(count: int, replicates: int) -> Rate:
    """A share with its 99.9 % binomial band."""
    sample = Proportion(np.asarray(count), np.asarray(replicates))
    low, high = EXACT_BAND.interval(sample, BAND, stream(0))
    return Rate(count / replicates, float(low), float(high), replicates)


def _blocks(items: int, replicates: int) -> Iterator[tuple[int, int]]:
    size = max(1, BLOCK // items)
    for block, first in enumerate(range(0, replicates, size)):
        yield block, min(size, replicates - first)


def _tally(
    scenario: Scenario, test: Procedure, interval: Interval, place: tuple[int, int, int], size: int
) -> IntArray:
    """How often the null is rejected without effect, the interval holds the effect, and the null is rejected with it."""
    effect = scenario.effect
    without, with_effect = (
        _pair(scenario.draw((size, scenario.items), e, stream(*place, purpose)), scenario)
        for purpose, e in ((1, 0.0), (2, effect))
    )
    pvalues = [
        test.apply(test.needs.of(pair, Mean()), stream(*place, 3)).pvalue for pair in (without, with_effect)
    ]
    sample = interval.needs.of(with_effect, Mean())
    low, high = interval.interval(sample, LEVEL, stream(*place, 4))
    slack = STATISTIC_NOISE * max(effect, 1.0)
    held = (low - slack <= effect) & (effect <= high + slack)
    return np.array([rejects(pvalues[0], ALPHA).sum(), held.sum(), rejects(pvalues[1], ALPHA).sum()])


def _pair(differences: FloatArray, scenario: Scenario) -> Pair:
    b = differences[..., np.newaxis, np.newaxis]
    return Pair(np.zeros_like(b), b, scenario.clusters)
