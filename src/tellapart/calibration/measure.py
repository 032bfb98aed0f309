"""Size, coverage and power of a test and an interval, measured on simulated evaluations."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tellapart.arrays import STATISTIC_NOISE, BoolArray, FloatArray
from tellapart.calibration.judge import LEVEL, Judge
from tellapart.calibration.scenario import Scenario
from tellapart.decision import rejects
from tellapart.intervals import INTERVALS, Interval
from tellapart.metrics.mean import Mean
from tellapart.results.calibration import Calibrated, Promise, Rate
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import TESTS, Procedure
from tellapart.summaries import Proportion
from tellapart.verbs.choose import Choice, choose
from tellapart.verbs.sampled import Sampled
from tellapart.verbs.shape import Shape

ALPHA, BAND = 0.05, 0.999
"""What is promised of tests, and the level of the band that a measured rate is judged by."""
NEARLY_ALL = 0.995
"""A test that is chosen for so many evaluations is what the row is about: the others move no digit that is shown."""
NEAR = 0.01
"""What is promised and missed by no more than this is called near."""
BLOCK = 1 << 21
"""Differences held at once."""
LOOK = 240
"""Items drawn to see what kind of scores these are, so that a rare value is not missed."""
KNOWN_DIGITS = 12
"""Of a share that is a sum of many chances; those behind them are rounding's."""
EXACT_BAND = INTERVALS.parse("clopper_pearson")

RATES = 3
"""What is counted first of every evaluation: false rejections, coverage, rejections."""

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
    size, coverage, power = (rate(count, replicates) for count in counts[:RATES])
    chosen = _judge(scenario, seed).chosen(counts[RATES:], replicates)
    test, interval = max(chosen, key=lambda methods: chosen[methods])
    return judged(
        Calibrated(
            scenario.group, scenario.kind, scenario.items, test, interval, scenario.effect,
            size, coverage, power, "holds", scenario.known, _shares(chosen, replicates),
        )
    )  # fmt: skip


def _shares(chosen: dict[tuple[str, str], int], replicates: int) -> dict[str, float] | None:
    """Of the tests that were chosen, the most usual first; none where one of them was for nearly all evaluations."""
    often = sorted(((count, test) for (test, _), count in chosen.items() if count), reverse=True)
    shares = {test: count / replicates for count, test in often}
    return shares if max(shares.values()) < NEARLY_ALL else None


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
    """How often the null is rejected where it is true, the interval holds the effect, the null is rejected at it, and others than the usual test are chosen."""
    judge = _judge(scenario, block.seed)
    effect, place = scenario.effect, (block.seed, scenario.number, block.number)
    without, with_effect = (
        scenario.pairs(block.size, e, stream(*place, purpose))
        for purpose, e in ((1, scenario.null), (2, effect))
    )
    pvalues = [judge.pvalues(pair, place) for pair in (without, with_effect)]
    held = holds(judge.bounds(with_effect, place), effect)
    found = (rejects(pvalues[0], ALPHA), held, rejects(pvalues[1], ALPHA))
    return (*(int(one.sum()) for one in found), *judge.chosen_instead(without))


def _judge(scenario: Scenario, seed: int) -> Judge:
    by_sample = scenario.test is None
    return Judge(*methods(scenario, seed), _shape(scenario, seed) if by_sample else None)


def holds(bounds: tuple[FloatArray, FloatArray], effect: float) -> BoolArray:
    """Whether an interval holds the effect, or misses it by rounding."""
    slack = STATISTIC_NOISE * max(abs(effect), 1.0)
    return np.asarray((bounds[0] - slack <= effect) & (effect <= bounds[1] + slack))
