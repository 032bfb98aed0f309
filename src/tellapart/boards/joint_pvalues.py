"""P-values of every pair of a family from the same resamples: each pair's own, and p-values that hold for the whole family.

The largest statistic of the family in each resample is what chance alone can do somewhere; a pair that beats it is told
apart whatever the others are. Westfall & Young (1993); Romano & Wolf (2005).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np

from tellapart.foundation.arrays import STATISTIC_NOISE, BoolArray, FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.parallel_map import numbered_calls, parallel_map, sufficient_count
from tellapart.foundation.progress import with_progress
from tellapart.numerics.null_laws.tails import allowed, counted

Resampling = Literal["both", "flips", "bootstrap"]
"""Random signs, items drawn again, or both, with the larger p-value where differences are visibly skewed."""

STEPS = 64
"""Steps in which a family is stepped down at most: of more pairs some have a step together, which claims a little less."""

HELD, FEWEST_STEPS = 1 << 24, 8
"""Largest statistics held at once, one per step and resample, and the steps that are made however many resamples there are."""


class JointDraws(Protocol):
    """The statistics of a family: observed, `(pair,)`, and resampled, one row `(resample,)` per pair."""

    @property
    def observed(self) -> FloatArray: ...

    @property
    def scale(self) -> FloatArray:
        """The size of the numbers each statistic was computed from: ties are judged relative to it."""

    @property
    def resamples(self) -> int:
        """How many resamples, the observed arrangement not counted."""

    @property
    def exhaustive(self) -> bool:
        """Whether the resamples are all there are, so that p-values have no Monte Carlo error."""

    def rows(self, order: IntArray) -> Iterator[FloatArray]:
        """The resampled statistics of the pairs in this order; each row may be overwritten by the next."""


class Pvalues(Protocol):
    """P-values of a family of pairs, `(pair,)` each: of each pair alone, and of all together in steps or in one."""

    @property
    def raw(self) -> FloatArray: ...

    @property
    def step_down(self) -> FloatArray: ...

    @property
    def single_step(self) -> FloatArray: ...


@dataclass(frozen=True, eq=False)
class JointPvalues:
    """P-values of a family of pairs, `(pair,)` each, all from the same resamples, and what these were made of.

    `raw` looks at one pair alone. `single_step` is the share of resamples in which any pair of the family reaches the
    statistic that this pair had. `step_down` asks that only of the pairs of its step, whose statistics are no larger: once a pair is
    told apart its differences are no longer thought to be chance, so it need not stand in the way of the next one.
    Both keep the probability of any false claim at alpha; stepping down claims at least as much. `maxima`, `(step, resample)`, are the
    largest statistics of the pairs of each step and of those below it, in ascending order, and `steps` says which step is each pair's.
    """

    observed: FloatArray
    raw: FloatArray
    step_down: FloatArray
    single_step: FloatArray
    maxima: FloatArray
    steps: IntArray
    resamples: int
    exhaustive: bool

    @property
    def smallest(self) -> float:
        """The smallest p-value that these resamples can give."""
        return float(counted(np.asarray(0.0), self.resamples))

    def critical(self, alpha: float) -> float:
        """The statistic a pair must exceed to be told apart in the first step; infinite where nothing can be."""
        return float(self._exceeded(alpha)[-1])

    def criticals(self, alpha: float) -> FloatArray:
        """What each pair must exceed in the step that decided about it, `(pair,)`: where stepping ended for those that are left."""
        each = self._exceeded(alpha)[self.steps]
        left = ~rejects(self.step_down, alpha)
        each[left] = each[left].max(initial=0.0)
        return np.asarray(each)

    def _exceeded(self, alpha: float) -> FloatArray:
        beyond = allowed(self.resamples, alpha)
        return self.maxima[:, -1 - beyond] if beyond >= 0 else np.full(len(self.maxima), np.inf)


def joint_pvalues(blocks: Iterable[JointDraws]) -> JointPvalues:
    """The p-values in a family's draws, which may come in blocks of resamples."""
    held = list(blocks)
    steps = step_count(sum(draws.resamples for draws in held))
    return pvalues_from_counts(held[0], [count_exceedances(draws, steps) for draws in held])


class DrawBlocks(Protocol):
    """Draws of a family in blocks, each by itself: how they are cut depends on the board's shape alone."""

    doing: str

    @property
    def cuts(self) -> Sequence[range]: ...

    def block(self, number: int, places: range) -> JointDraws:
        """The resamples at these places, which are the block of this number; of none of them, what was observed."""


def parallel_joint_pvalues(draws: DrawBlocks) -> JointPvalues:
    """The same, each block by whoever is free."""
    head = draws.block(0, range(0))
    # What all blocks are held against is computed before they are sent, and goes with them.
    assert len(head.observed) == len(head.scale)
    calls, steps = numbered_calls(draws.cuts), step_count(draws.cuts[-1].stop)
    # All patterns in their order are no sample of them: only random ones may be fewer than were asked for.
    enough = None if head.exhaustive else sufficient_count(calls)
    tallies = parallel_map(_tallied, (draws, steps), calls, enough)
    # From a store they come as plain tuples.
    return pvalues_from_counts(
        head, [ExceedanceCounts(*one) for one in with_progress(draws.doing, tallies, len(calls))]
    )


def _tallied(subject: tuple[DrawBlocks, int], start: int, stop: int, number: int) -> "ExceedanceCounts":
    draws, steps = subject
    return count_exceedances(draws.block(number, range(start, stop)), steps)


class ExceedanceCounts(NamedTuple):
    """How many resamples reach what each pair had, `(pair,)`, and the largest statistic of each step in each of them, `(step, resample)`."""

    alone: IntArray
    maxima: FloatArray


def step_count(resamples: int) -> int:
    """The most steps for so many resamples."""
    return int(np.clip(HELD // max(resamples, 1), FEWEST_STEPS, STEPS))


def pvalues_from_counts(head: JointDraws, tallies: Sequence[ExceedanceCounts]) -> JointPvalues:
    """The p-values that the tallies of all blocks come to; `head` says what was observed."""
    threshold, order = thresholds(head)
    maxima = np.sort(np.concatenate([t.maxima for t in tallies], axis=1), axis=1)
    last, resamples = len(maxima) - 1, maxima.shape[1]
    steps, beaten = np.empty_like(order), np.empty(len(order))
    for step, pairs in enumerate(np.array_split(order, len(maxima))):
        steps[pairs] = step
        beaten[pairs] = resamples - np.searchsorted(maxima[step], threshold[pairs], side="left")
    by_any = resamples - np.searchsorted(maxima[last], threshold, side="left")
    alone = np.asarray(np.sum([t.alone for t in tallies], axis=0), dtype=np.float64)
    return JointPvalues(
        head.observed,
        counted(alone, resamples),
        _never_falling(counted(beaten, resamples), order[::-1]),
        counted(by_any.astype(np.float64), resamples),
        maxima,
        steps,
        resamples,
        head.exhaustive,
    )


def thresholds(draws: JointDraws) -> tuple[FloatArray, IntArray]:
    """What a resample must reach to count against each pair, and the pairs from the smallest observed statistic up."""
    order = np.argsort(draws.observed, kind="stable").astype(np.int64)
    return np.asarray(draws.observed - STATISTIC_NOISE * draws.scale), order


def count_exceedances(draws: JointDraws, steps: int = STEPS) -> ExceedanceCounts:
    """Pairs are taken from the smallest observed statistic up: the running maximum is what those of a step are held against."""
    threshold, order = thresholds(draws)
    alone, maxima = np.zeros(len(order), dtype=np.int64), np.zeros((min(steps, len(order)), draws.resamples))
    maximum, reached = np.zeros(draws.resamples), np.empty(draws.resamples, dtype=np.bool_)
    rows = draws.rows(order)
    for step, pairs in zip(maxima, np.array_split(order, len(maxima)), strict=True):
        for pair in pairs:
            row = next(rows)
            alone[pair] = np.count_nonzero(np.greater_equal(row, threshold[pair], out=reached))
            np.maximum(maximum, row, out=maximum)
        step[:] = maximum
    return ExceedanceCounts(alone, maxima)


def _never_falling(pvalues: FloatArray, order: IntArray) -> FloatArray:
    """No pair is claimed before one with a larger statistic: p-values never fall along the order."""
    steps = np.empty_like(pvalues)
    steps[order] = np.maximum.accumulate(pvalues[order])
    return steps


# The larger p-value of two ways to resample a family, for the pairs that both decide about.


class ResamplingPvalues(NamedTuple):
    """A family's p-values by one way to resample it, and which pairs this way decides about, `(pair,)`."""

    resampled_by: Literal["flips", "bootstrap"]
    pvalues: JointPvalues
    decides: BoolArray


@dataclass(frozen=True, eq=False)
class LargestPvalues:
    """P-values of a family of pairs, `(pair,)` each, each the largest of the ways that decide about the pair: a claim is false only where all of them err."""

    ways: tuple[ResamplingPvalues, ...]

    @property
    def raw(self) -> FloatArray:
        return self.largest(lambda way: way.pvalues.raw)

    @property
    def step_down(self) -> FloatArray:
        return self.largest(lambda way: way.pvalues.step_down)

    @property
    def single_step(self) -> FloatArray:
        return self.largest(lambda way: way.pvalues.single_step)

    def largest(self, of: Callable[[ResamplingPvalues], FloatArray]) -> FloatArray:
        """The largest of something of each way, `(pair,)`, for every pair of those that decide about it."""
        return np.asarray(np.max([np.where(way.decides, of(way), 0.0) for way in self.ways], axis=0))

    @property
    def first(self) -> JointPvalues:
        """The way that decides about every pair."""
        return self.ways[0].pvalues

    @property
    def resamples(self) -> int:
        """The fewest of any way."""
        return min(way.pvalues.resamples for way in self.ways)

    @property
    def exact(self) -> bool:
        """Whether the resamples of all ways are all there are, so that no p-value has Monte Carlo error."""
        return all(way.pvalues.exhaustive for way in self.ways)
