"""Solver for the number of items or the effect that gives a study the wanted power, with any engine.

Power of discrete tests goes up in a saw-tooth, so plain bisection on items is wrong for them: the answer is the first
number that reaches the target and, beside it, the number from which it stays there.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart import planning
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.numerics.roots import increasing_root
from tellapart.planning.axis import PowerAxis
from tellapart.planning.power import power_curve
from tellapart.planning.solved_axes import CountAxis
from tellapart.planning.study import PowerResult, SolvedFor, Study

SURE = 1e-15
"""Powers nearer to 0 or 1 than this are taken to be so far, where lines are drawn through their probits."""


@dataclass(frozen=True)
class Solution:
    """A study as it was solved, its power, and bounds of the number that was solved for.

    Where that is a number of the design, `stable_from` is the one from which power stays at the target.
    """

    study: Study
    result: PowerResult
    solved_for: SolvedFor = "power"
    stable_from: int | None = None
    low: float | None = None
    high: float | None = None
    seen: tuple[tuple[Study, PowerResult], ...] = ()
    """The studies that were simulated on the way, from the smallest up."""

    @property
    def items(self) -> int:
        return self.study.items

    @property
    def effect(self) -> float:
        return self.study.population.known_effect


def solve(axis: PowerAxis) -> Solution:
    """The first place on the axis whose power reaches the target; the engine that answers first answers all along."""
    axis.fix_engine()
    if axis.simulated:
        return _simulated_solution(axis)
    if isinstance(axis, CountAxis):
        return _first_and_stable(axis, _search_units(axis, *_units_bracket(axis)))
    return _continuous(axis)


def _simulated_solution(axis: PowerAxis) -> Solution:
    root = planning.simulated_units(axis) if isinstance(axis, CountAxis) else planning.simulate_root(axis)
    low, high = sorted(float(axis.value_at(x)) for x in (root.low, root.high))
    stays = None
    if isinstance(axis, CountAxis):
        stays = axis.value_at(root.x if root.stays is None else root.stays)
    study = axis.study_with(axis.value_at(root.x))
    seen = tuple((axis.study_at(x), found) for x, found in sorted((axis.quick_power | axis.known).items()))
    return Solution(study, root.result, axis.solves_for, stays, low, high, seen)


def _units_bracket(axis: CountAxis) -> tuple[int, int]:
    """A number of units that falls short (or 1) and a larger one that does not."""
    low, high, most = 1, axis.units(axis.start), axis.units(axis.most)
    while not axis.reaches_target(math.sqrt(high)):
        if high >= most:
            raise axis.refused(math.sqrt(high))
        low, high = high, min(2 * high, most)
    # The start may reach it already: it is halved until a number falls short, and the search lies between that and twice that.
    while low == 1 and high > 3:
        if not axis.reaches_target(math.sqrt(high // 2)):
            return high // 2, high
        high //= 2
    return low, high


def _search_units(axis: CountAxis, low: int, high: int) -> int:
    """A number that reaches the target while the one below does not: by interpolation, with a probe on its other side."""
    while high - low > 1:
        aim, width = _aim(axis, low, high), high - low
        reached = axis.reaches_target(math.sqrt(aim))
        low, high = (low, aim) if reached else (aim, high)
        probe = _next_probe(low, high, width, reached=reached)
        if low < probe < high:
            low, high = (low, probe) if axis.reaches_target(math.sqrt(probe)) else (probe, high)
    return high


def _next_probe(low: int, high: int, width: int, *, reached: bool) -> int:
    """Just beyond the end that was found last, where the other end is looked for: a line aims nearly at the answer."""
    step = max(1, width // 64)
    return max(high - step, low + 1) if reached else min(low + step, high - 1)


def _aim(axis: CountAxis, low: int, high: int) -> int:
    """Where a line through the probits at both ends meets the target's."""
    ends = [min(max(axis.at(math.sqrt(n)).power, SURE), 1.0 - SURE) for n in (low, high)]
    (below, above), wanted = special.ndtri(ends), special.ndtri(axis.target)
    # On a saw-tooth the larger number may have less power: no line points anywhere then, and the middle is as good.
    share = 0.5 if above <= below else (wanted - below) / (above - below)
    x = math.sqrt(low) + float(share) * (math.sqrt(high) - math.sqrt(low))
    return min(max(math.ceil(x * x), low + 1), high - 1)


def _first_and_stable(axis: CountAxis, units: int) -> Solution:
    """Look at every size around the one found: an earlier tooth may reach the target, a later one fall below it."""
    curve = power_curve(axis.study_at(math.sqrt(units)), axis.budget) if axis.unit == 1 else None
    first = stable = units
    if curve is not None:
        sizes, powers = curve
        enough = powers >= axis.target
        first = int(sizes[np.argmax(enough)])
        stable = _stable_from(first, sizes[~enough])
    found = axis.at(math.sqrt(first))
    return Solution(axis.study_with(first * axis.unit), found, axis.solves_for, stable * axis.unit)


def _stable_from(first: int, short: IntArray) -> int:
    """The smallest number such that none between it and twice it falls short."""
    after = short[short > first]
    for candidate in (first, *(after + 1).tolist()):
        following = after[after >= candidate]
        if not len(following) or following[0] > 2 * candidate:
            return int(candidate)
    return first


def _continuous(axis: PowerAxis) -> Solution:
    def gap(x: FloatArray) -> FloatArray:
        return np.asarray(axis.at(float(x)).power - axis.target)

    root = float(increasing_root(gap, np.asarray(axis.least), np.asarray(_reaching_place(axis))))
    return Solution(axis.study_at(root), axis.at(root), axis.solves_for)


def _reaching_place(axis: PowerAxis) -> float:
    """A place that reaches the target, among those there are."""
    x = axis.start
    while not axis.reaches_target(x):
        if x >= axis.most:
            raise axis.refused(x)
        x = min(2.0 * x, axis.most)
    return x
