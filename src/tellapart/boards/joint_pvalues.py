"""Raw and max-T adjusted p-values of all pairs of a family from the same resamples.

The distribution of the family's largest statistic under resampling bounds the probability of any false rejection.
Westfall & Young (1993); Romano & Wolf (2005).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

import numpy as np

from tellapart.foundation.arrays import STATISTIC_NOISE, BoolArray, FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.parallel_map import numbered_calls, parallel_map, sufficient_count
from tellapart.foundation.progress import with_progress
from tellapart.numerics.null_laws.tails import allowed, counted

Resampling = Literal["both", "flips", "bootstrap"]
"""Sign flips, bootstrap, or both: the larger p-value where differences are visibly skewed."""

STEPS = 64
"""Most steps of a step-down; with more pairs some share a step, which is slightly conservative."""

HELD, FEWEST_STEPS = 1 << 24, 8
"""Step maxima held at once, one per step and resample; and the fewest steps."""


class JointDraws(Protocol):
    """The statistics of a family: observed, `(pair,)`, and resampled, one row `(resample,)` per pair."""

    @property
    def observed(self) -> FloatArray: ...

    @property
    def scale(self) -> FloatArray:
        """The magnitude of the numbers behind each statistic, for the tolerance of ties."""

    @property
    def resamples(self) -> int:
        """Resamples, without the observed arrangement."""

    @property
    def exhaustive(self) -> bool:
        """Whether all arrangements are enumerated, so that p-values have no Monte Carlo error."""

    def rows(self, order: IntArray) -> Iterator[FloatArray]:
        """The resampled statistics of the pairs in this order; each row may be overwritten by the next."""


class Pvalues(Protocol):
    """P-values of a family of pairs, `(pair,)` each: raw, and max-T adjusted by step-down or single step."""

    @property
    def raw(self) -> FloatArray: ...

    @property
    def step_down(self) -> FloatArray: ...

    @property
    def single_step(self) -> FloatArray: ...


@dataclass(frozen=True, eq=False)
class JointPvalues:
    """P-values of a family of pairs from one set of resamples, `(pair,)` each.

    `single_step` is the share of resamples in which the largest statistic of the whole family reaches the pair's; `step_down`
    takes the largest among pairs with statistics no larger than the pair's own, as pairs rejected before need no longer be
    allowed for. Both control the family-wise error rate; step-down rejects at least as many. `maxima`, `(step, resample)`, are
    the sorted largest statistics of each step and the steps below it; `steps` is the step of each pair.
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
        """The smallest p-value possible with these resamples."""
        return float(counted(np.asarray(0.0), self.resamples))

    def critical(self, alpha: float) -> float:
        """The critical value of the first step; infinite where no pair can be significant."""
        return float(self._critical_maxima(alpha)[-1])

    def criticals(self, alpha: float) -> FloatArray:
        """The critical value of the step that decided each pair, `(pair,)`; that of the last step for pairs not rejected."""
        each = self._critical_maxima(alpha)[self.steps]
        left = ~rejects(self.step_down, alpha)
        each[left] = each[left].max(initial=0.0)
        return np.asarray(each)

    def _critical_maxima(self, alpha: float) -> FloatArray:
        beyond = allowed(self.resamples, alpha)
        return self.maxima[:, -1 - beyond] if beyond >= 0 else np.full(len(self.maxima), np.inf)


def joint_pvalues(blocks: Iterable[JointDraws]) -> JointPvalues:
    """Joint p-values from resampled statistics in one or more blocks."""
    held = list(blocks)
    steps = step_count(sum(draws.resamples for draws in held))
    return pvalues_from_counts(held[0], [count_exceedances(draws, steps) for draws in held])


class DrawBlocks(Protocol):
    """Resamples of a family in blocks that depend on the shape of the board alone."""

    doing: str

    @property
    def cuts(self) -> Sequence[range]: ...

    def block(self, number: int, places: range) -> JointDraws:
        """The resamples in this range; an empty range has only the observed statistics."""


def parallel_joint_pvalues(draws: DrawBlocks) -> JointPvalues:
    """Joint p-values with blocks computed in parallel."""
    head = draws.block(0, range(0))
    # Observed statistics are computed before blocks are sent, and travel with them.
    assert len(head.observed) == len(head.scale)
    calls, steps = numbered_calls(draws.cuts), step_count(draws.cuts[-1].stop)
    # Part of an enumeration is no random sample: only random resamples may stop early.
    enough = None if head.exhaustive else sufficient_count(calls)
    tallies = parallel_map(_tallied, (draws, steps), calls, enough)
    # A store returns plain tuples.
    return pvalues_from_counts(
        head, [ExceedanceCounts(*one) for one in with_progress(draws.doing, tallies, len(calls))]
    )


def _tallied(subject: tuple[DrawBlocks, int], start: int, stop: int, number: int) -> "ExceedanceCounts":
    draws, steps = subject
    return count_exceedances(draws.block(number, range(start, stop)), steps)


class ExceedanceCounts(NamedTuple):
    """Resamples that reach each pair's statistic, `(pair,)`, and the largest statistic of each step, `(step, resample)`."""

    alone: IntArray
    maxima: FloatArray


def step_count(resamples: int) -> int:
    """Steps of a step-down within the memory limit."""
    return int(np.clip(HELD // max(resamples, 1), FEWEST_STEPS, STEPS))


def pvalues_from_counts(head: JointDraws, tallies: Sequence[ExceedanceCounts]) -> JointPvalues:
    """P-values from the exceedance counts of all blocks; `head` has the observed statistics."""
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
    """Observed statistics minus the tie tolerance, and the pairs in ascending order of their statistics."""
    order = np.argsort(draws.observed, kind="stable").astype(np.int64)
    return np.asarray(draws.observed - STATISTIC_NOISE * draws.scale), order


def count_exceedances(draws: JointDraws, steps: int = STEPS) -> ExceedanceCounts:
    """Exceedances of one block; the running maximum in ascending order of observed statistics gives the step maxima."""
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
    """Monotone p-values: the running maximum along the order."""
    steps = np.empty_like(pvalues)
    steps[order] = np.maximum.accumulate(pvalues[order])
    return steps


# The larger p-value of sign flips and bootstrap.


class ResamplingPvalues(NamedTuple):
    """A family's p-values by one resampling scheme, and the pairs to which it applies, `(pair,)`."""

    resampled_by: Literal["flips", "bootstrap"]
    pvalues: JointPvalues
    decides: BoolArray


@dataclass(frozen=True, eq=False)
class LargestPvalues:
    """P-values of a family of pairs, `(pair,)` each: the largest over the resampling schemes that apply to the pair."""

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
        """The largest value over the schemes that apply to each pair, `(pair,)`."""
        return np.asarray(np.max([np.where(way.decides, of(way), 0.0) for way in self.ways], axis=0))

    @cached_property
    def first(self) -> JointPvalues:
        """The scheme that applies to every pair."""
        return self.ways[0].pvalues

    @cached_property
    def resamples(self) -> int:
        """The fewest resamples of any scheme."""
        return min(way.pvalues.resamples for way in self.ways)

    @property
    def exact(self) -> bool:
        """Whether all schemes are exhaustive, so that no p-value has Monte Carlo error."""
        return all(way.pvalues.exhaustive for way in self.ways)
