"""Which pairs a family tells apart at one level: the decisions of the step-down p-values, without the p-values.

Pairs are taken from the smallest observed statistic up, as in `joint_pvalues`: the running maximum over the pairs so far is the
step-down reference of the current one. That maximum only grows, and so does what a pair must exceed; looking at it in a few
places settles nearly all pairs, and only the stretch where claims begin is looked at pair by pair.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.decision import rejects
from tellapart.distributions.tails import counted
from tellapart.multiplicity.joint_pvalues import JointDraws, thresholds

STRETCHES = 64
"""Places where the running maximum is kept."""


def told_apart(blocks: Iterable[JointDraws], alpha: float) -> BoolArray:
    """Whether each pair's step-down p-value is at most `alpha`, `(pair,)`: the same decisions as `joint_pvalues(blocks).step_down`."""
    draws = list(blocks)
    threshold, order = thresholds(draws[0])
    found = np.zeros(len(order), dtype=np.bool_)
    found[order[_undecided(draws, order, threshold, alpha) :]] = True
    return found


def _undecided(draws: Sequence[JointDraws], order: IntArray, threshold: FloatArray, alpha: float) -> int:
    """How many pairs, from the smallest statistic up, are not told apart: all up to the last that fails by itself."""
    resamples = sum(block.resamples for block in draws)
    allowed = _allowed(resamples, alpha)
    if allowed < 0:
        return len(order)
    stretches = np.array_split(order, min(STRETCHES, len(order)))
    climb = itertools.accumulate(stretches, partial(_climbed, draws), initial=np.zeros(resamples))
    left = len(order)
    # From the top down: above the last pair that fails all are told apart, and none below it has to be looked at.
    for pairs, (before, after) in reversed(list(zip(stretches, itertools.pairwise(climb), strict=True))):
        if (threshold[pairs] <= _exceeded(after, allowed)).any():
            failing = _failing(draws, pairs, threshold, before, allowed)
            if failing.any():
                return int(left - np.argmax(failing[::-1]))
        left -= len(pairs)
    return 0


def _allowed(resamples: int, alpha: float) -> int:
    """How many resamples may reach a pair that is told apart; −1 where even none is too many."""
    return int(np.count_nonzero(rejects(counted(np.arange(float(resamples)), resamples), alpha))) - 1


def _exceeded(maximum: FloatArray, allowed: int) -> float:
    """What a threshold must exceed so that no more than the allowed resamples reach it."""
    place = len(maximum) - 1 - allowed
    return float(np.partition(maximum, place)[place])


def _climbed(draws: Sequence[JointDraws], maximum: FloatArray, pairs: IntArray) -> FloatArray:
    grown = maximum.copy()
    for part, block in zip(_parts(draws, grown), draws, strict=True):
        for row in block.rows(pairs):
            np.maximum(part, row, out=part)
    return grown


def _failing(
    draws: Sequence[JointDraws], pairs: IntArray, threshold: FloatArray, maximum: FloatArray, allowed: int
) -> BoolArray:
    """Which of these pairs are reached by too many resamples, each with the maximum up to itself."""
    grown, reached = maximum.copy(), np.zeros(len(pairs), dtype=np.int64)
    for part, block in zip(_parts(draws, grown), draws, strict=True):
        for place, row in enumerate(block.rows(pairs)):
            np.maximum(part, row, out=part)
            reached[place] += np.count_nonzero(part >= threshold[pairs[place]])
    return np.asarray(reached > allowed)


def _parts(draws: Sequence[JointDraws], maximum: FloatArray) -> Iterator[FloatArray]:
    """Each block's own stretch of the maximum, to be written into."""
    start = 0
    for block in draws:
        yield maximum[start : start + block.resamples]
        start += block.resamples
