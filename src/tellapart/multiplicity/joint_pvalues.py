"""P-values of every pair of a family from the same resamples: each pair's own, and p-values that hold for the whole family.

The largest statistic of the family in each resample is what chance alone can do somewhere; a pair that beats it is told
apart whatever the others are. Westfall & Young (1993); Romano & Wolf (2005).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Protocol

import numpy as np

from tellapart.arrays import STATISTIC_NOISE, FloatArray, IntArray
from tellapart.distributions.tails import allowed, counted
from tellapart.dividing import divided, enough_of, numbered
from tellapart.progress import stepped

Resampling = Literal["flips", "bootstrap", "cautious"]
"""Random signs, items drawn again, or both with the larger p-value of each pair."""


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


@dataclass(frozen=True, eq=False)
class JointPvalues:
    """P-values of a family of pairs, `(pair,)` each, all from the same resamples, and the largest statistic in each of those.

    `raw` looks at one pair alone. `single_step` is the share of resamples in which any pair of the family reaches the
    statistic that this pair had. `step_down` asks that only of the pairs whose own statistic is no larger: once a pair is
    told apart its differences are no longer thought to be chance, so it need not stand in the way of the next one.
    Both keep the probability of any false claim at alpha; stepping down claims at least as much.
    """

    observed: FloatArray
    raw: FloatArray
    step_down: FloatArray
    single_step: FloatArray
    maxima: FloatArray
    resamples: int
    exhaustive: bool
    allowance: float = 1.0
    """What p-values of the family were multiplied by, for errors that resamples do not show."""

    @property
    def smallest(self) -> float:
        """The smallest p-value of the family that these resamples can give."""
        return min(1.0, self.allowance * float(counted(np.asarray(0.0), self.resamples)))

    def critical(self, alpha: float) -> float:
        """The statistic a pair must exceed to be told apart in the first step; infinite where nothing can be."""
        beyond = allowed(self.resamples, alpha / self.allowance)
        return float(self.maxima[-1 - beyond]) if beyond >= 0 else float("inf")

    def allowing(self, allowance: float) -> "JointPvalues":
        """The p-values of the family so many times as large; those of single pairs are their own."""
        return replace(
            self,
            step_down=np.minimum(allowance * self.step_down, 1.0),
            single_step=np.minimum(allowance * self.single_step, 1.0),
            allowance=allowance,
        )

    def larger(self, other: "JointPvalues") -> "JointPvalues":
        """The larger p-values of two ways to resample the same family: a claim of both is false only where both err."""
        fewer = min(self.resamples, other.resamples)
        return JointPvalues(
            self.observed,
            np.maximum(self.raw, other.raw),
            np.maximum(self.step_down, other.step_down),
            np.maximum(self.single_step, other.single_step),
            np.maximum(_thinned(self.maxima, fewer), _thinned(other.maxima, fewer)),
            fewer,
            exhaustive=False,
        )


def _thinned(maxima: FloatArray, count: int) -> FloatArray:
    """So many of the sorted maxima, at evenly spread shares of them and never a smaller one."""
    # A place that is whole but for its last digit is not to become the next one.
    places = np.ceil(np.arange(1, count + 1) * (len(maxima) + 1.0) / (count + 1.0) - 1e-9).astype(np.int64)
    return np.asarray(maxima[np.minimum(places, len(maxima)) - 1])


def joint_pvalues(blocks: Iterable[JointDraws]) -> JointPvalues:
    """The p-values in a family's draws, which may come in blocks of resamples."""
    head: list[JointDraws] = []
    tallies = []
    for draws in blocks:
        head = head or [draws]
        tallies.append(tally(draws))
    return pvalues_of(head[0], tallies)


class CutDraws(Protocol):
    """Draws of a family in blocks, each by itself: how they are cut depends on the board's shape alone."""

    doing: str

    @property
    def cuts(self) -> Sequence[range]: ...

    def block(self, number: int, places: range) -> JointDraws:
        """The resamples at these places, which are the block of this number; of none of them, what was observed."""


def divided_pvalues(draws: CutDraws) -> JointPvalues:
    """The same, each block by whoever is free."""
    head = draws.block(0, range(0))
    # What all blocks are held against is computed before they are sent, and goes with them.
    assert len(head.observed) == len(head.scale)
    calls = numbered(draws.cuts)
    # All patterns in their order are no sample of them: only random ones may be fewer than were asked for.
    enough = None if head.exhaustive else enough_of(calls)
    tallies = divided(_tallied, draws, calls, enough)
    # From a store they come as plain tuples.
    return pvalues_of(head, [Reached(*one) for one in stepped(draws.doing, tallies, len(calls))])


def _tallied(draws: CutDraws, start: int, stop: int, number: int) -> "Reached":
    return tally(draws.block(number, range(start, stop)))


class Reached(NamedTuple):
    """How many resamples reach each pair's threshold: by the pair itself, and by any pair not above it; and the largest of each."""

    alone: IntArray
    joint: IntArray
    maxima: FloatArray


def pvalues_of(head: JointDraws, tallies: Sequence[Reached]) -> JointPvalues:
    """The p-values that the tallies of all blocks come to; `head` says what was observed.

    Pairs are taken from the smallest observed statistic up: in that order the running maximum over the pairs so far is the
    step-down reference of the current one.
    """
    threshold, order = thresholds(head)
    maxima = np.sort(np.concatenate([t.maxima for t in tallies]))
    resamples = len(maxima)
    beaten = resamples - np.searchsorted(maxima, threshold, side="left")
    alone = np.asarray(np.sum([t.alone for t in tallies], axis=0), dtype=np.float64)
    joint = np.asarray(np.sum([t.joint for t in tallies], axis=0), dtype=np.float64)
    return JointPvalues(
        head.observed,
        counted(alone, resamples),
        _never_falling(counted(joint, resamples), order[::-1]),
        counted(beaten.astype(np.float64), resamples),
        maxima,
        resamples,
        head.exhaustive,
    )


def thresholds(draws: JointDraws) -> tuple[FloatArray, IntArray]:
    """What a resample must reach to count against each pair, and the pairs from the smallest observed statistic up."""
    order = np.argsort(draws.observed, kind="stable").astype(np.int64)
    return np.asarray(draws.observed - STATISTIC_NOISE * draws.scale), order


def tally(draws: JointDraws) -> Reached:
    threshold, order = thresholds(draws)
    alone, joint = np.zeros(len(order), dtype=np.int64), np.zeros(len(order), dtype=np.int64)
    maximum, reached = np.zeros(draws.resamples), np.empty(draws.resamples, dtype=np.bool_)
    for pair, row in zip(order, draws.rows(order), strict=True):
        alone[pair] = np.count_nonzero(np.greater_equal(row, threshold[pair], out=reached))
        np.maximum(maximum, row, out=maximum)
        joint[pair] = np.count_nonzero(np.greater_equal(maximum, threshold[pair], out=reached))
    return Reached(alone, joint, maximum)


def _never_falling(pvalues: FloatArray, order: IntArray) -> FloatArray:
    """No pair is claimed before one with a larger statistic: p-values never fall along the order."""
    steps = np.empty_like(pvalues)
    steps[order] = np.maximum.accumulate(pvalues[order])
    return steps
