"""The one solver: how many items, or what effect, gives a study the wanted power, whichever engine answers.

Power of discrete tests goes up in a saw-tooth, so plain bisection on items is wrong for them: the answer is the first
number that reaches the target and, beside it, the number from which it stays there.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.roots import increasing_root
from tellapart.errors import UsageError
from tellapart.planning.axis import EffectAxis, ItemsAxis
from tellapart.planning.budget import Budget
from tellapart.planning.power import power_curve
from tellapart.planning.study import PowerResult, Study
from tellapart.workers import Runner

SURE = 1e-15
"""Powers nearer to 0 or 1 than this are taken to be so far, where lines are drawn through their probits."""


@dataclass(frozen=True)
class Solution:
    """A number of items (with where it becomes stable) and the power there; `low` and `high` bound what was solved."""

    items: int
    stable_from: int | None
    result: PowerResult
    low: float | None = None
    high: float | None = None


def solve_items(study: Study, target: float, budget: Budget, runner: Runner | None = None) -> Solution:
    """The smallest number of items whose power reaches the target."""
    axis = ItemsAxis(study, target, budget, runner)
    if axis.simulated:
        return _simulated_items(axis)
    units = _search(axis, *_bracket(axis))
    return _first_and_stable(axis, units)


def _simulated_items(axis: ItemsAxis) -> Solution:
    from tellapart.planning.simulated_root import simulated_units  # noqa: PLC0415  (formulas do without it)

    root = simulated_units(axis)
    places = root.x, root.x if root.stays is None else root.stays, root.low, root.high
    items, stays, low, high = (axis.enough(x) * axis.unit for x in places)
    return Solution(items, stays, root.result, float(low), float(high))


def _bracket(axis: ItemsAxis) -> tuple[int, int]:
    """A number of units that falls short (or 1) and a larger one that does not."""
    low, high = 1, axis.units(axis.start)
    while not axis.reaches_target(math.sqrt(high)):
        low, high = high, 2 * high
        if high * axis.unit > 2.0 * axis.most**2:
            raise axis.refused(math.sqrt(low))
    while low == 1 and high > 3:
        if not axis.reaches_target(math.sqrt(high // 2)):
            return high // 2, high
        high //= 2
    return low, high


def _search(axis: ItemsAxis, low: int, high: int) -> int:
    """A number that reaches the target while the one below does not: by interpolation, with a probe on its other side."""
    while high - low > 1:
        aim, step = _aim(axis, low, high), max(1, (high - low) // 64)
        reached = axis.reaches_target(math.sqrt(aim))
        low, high = (low, aim) if reached else (aim, high)
        probe = max(aim - step, low + 1) if reached else min(aim + step, high - 1)
        if low < probe < high:
            low, high = (low, probe) if axis.reaches_target(math.sqrt(probe)) else (probe, high)
    return high


def _aim(axis: ItemsAxis, low: int, high: int) -> int:
    """Where a line through the probits at both ends meets the target's."""
    if low < 2:
        return (low + high) // 2
    ends = [min(max(axis.at(math.sqrt(n)).power, SURE), 1.0 - SURE) for n in (low, high)]
    (below, above), wanted = special.ndtri(ends), special.ndtri(axis.target)
    share = 0.5 if above <= below else (wanted - below) / (above - below)
    x = math.sqrt(low) + float(share) * (math.sqrt(high) - math.sqrt(low))
    return min(max(math.ceil(x * x), low + 1), high - 1)


def _first_and_stable(axis: ItemsAxis, units: int) -> Solution:
    """Look at every size around the one found: an earlier tooth may reach the target, a later one fall below it."""
    curve = power_curve(axis.study_at(math.sqrt(units)), axis.budget) if axis.unit == 1 else None
    first = stable = units
    if curve is not None:
        sizes, powers = curve
        enough = powers >= axis.target
        first = int(sizes[np.argmax(enough)])
        stable = _stable(first, sizes[~enough])
    return Solution(first * axis.unit, stable * axis.unit, axis.at(math.sqrt(first)))


def _stable(first: int, short: IntArray) -> int:
    """The smallest number such that none between it and twice it falls short."""
    after = short[short > first]
    for candidate in (first, *(after + 1).tolist()):
        following = after[after >= candidate]
        if not len(following) or following[0] > 2 * candidate:
            return int(candidate)
    return first


def solve_effect(
    study: Study, target: float, budget: Budget, runner: Runner | None = None
) -> tuple[float, Solution]:
    """The smallest effect, in the direction of the test, that this many items find with the target power."""
    if study.test.claim != "difference":
        raise UsageError(
            f"{study.test} asks about a margin, not about an effect to find; give the effect, and solve for items or power"
        )
    axis = EffectAxis(study, target, budget, runner)
    if axis.simulated:
        return _simulated_effect(axis)

    def gap(size: FloatArray) -> FloatArray:
        return np.asarray(axis.at(float(size)).power - target)

    root = float(increasing_root(gap, np.asarray(0.0), np.asarray(_upper(axis))))
    return axis.sign * root, Solution(study.items, None, axis.at(root))


def _simulated_effect(axis: EffectAxis) -> tuple[float, Solution]:
    from tellapart.planning.simulated_root import simulated_root  # noqa: PLC0415  (formulas do without it)

    root = simulated_root(axis)
    low, high = sorted((axis.sign * root.low, axis.sign * root.high))
    return axis.sign * root.x, Solution(axis.study.items, None, root.result, low, high)


def _upper(axis: EffectAxis) -> float:
    """A size of effect that reaches the target, within what the population can have."""
    size = axis.start
    while not axis.reaches_target(size):
        if size >= axis.most:
            raise axis.refused(size)
        size = min(2.0 * size, axis.most)
    return size
