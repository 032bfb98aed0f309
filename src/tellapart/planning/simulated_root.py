"""Where simulated power reaches its target, with the interval that the number of replicates leaves.

All places are simulated from the same random numbers, so that power rises smoothly; what they have in common is the
error of the answer.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from tellapart.planning.axis import Axis, Interrupted
from tellapart.planning.probit import REACH, Line, information, probit_line
from tellapart.planning.study import PowerResult

NARROW = 1.25
"""A root is looked for between two places no further apart than this factor."""
AROUND = (0.92, 0.96, 1.0, 1.04, 1.08)
"""Multiples of a first root at which power is simulated again, to draw a line through it."""
ROUNDS = 3


@dataclass(frozen=True)
class Root:
    """A place, its 95 % interval, and the power simulated there."""

    x: float
    low: float
    high: float
    result: PowerResult


def simulated_root(axis: Axis) -> Root:
    """The place whose power is the target. Interrupted from the keyboard, it answers from what has been simulated."""
    try:
        low, high = _bracket(axis)
        line = _line_around(axis, _between(axis, low, high))
        x, low, high = line.solve(axis.target)
        x = min(max(x, axis.least), axis.most)
        return Root(x, low, high, axis.at(x))
    except Interrupted:
        return _so_far(axis)


def _bracket(axis: Axis) -> tuple[float, float]:
    """Two places at most `NARROW` apart, of which the second reaches the target and the first does not."""
    low = high = axis.start
    factor = NARROW
    while not axis.reach(high):
        if high >= axis.most:
            raise axis.refused(high)
        low, high, factor = high, min(high * factor, axis.most), factor * NARROW
    while axis.reach(low) and low > axis.least:
        low, high, factor = max(low / factor, axis.least), low, factor * NARROW
    while high > NARROW * low > 0.0:
        middle = math.sqrt(low * high)
        if axis.snapped(middle) in {axis.snapped(low), axis.snapped(high)}:
            break
        low, high = (low, middle) if axis.reach(middle) else (middle, high)
    return low, high


def _between(axis: Axis, low: float, high: float) -> float:
    """Where the line through both ends meets the target."""
    ends = np.array([axis.snapped(low), axis.snapped(high)])
    line = probit_line(ends, [axis.at(low), axis.at(high)])
    return high if line is None else min(max(line.solve(axis.target)[0], low), high)


def _line_around(axis: Axis, x: float) -> Line:
    """The line through powers around x, moved until its root is among them."""
    line = _through_alpha(axis, x)
    for _ in range(ROUNDS):
        places = np.array(sorted({axis.snapped(min(max(x * f, axis.least), axis.most)) for f in AROUND}))
        found = probit_line(places, [axis.at(place) for place in places])
        if found is None:
            break
        line = found
        x = line.solve(axis.target)[0]
        if places[0] <= x <= places[-1]:
            break
    return line


def _through_alpha(axis: Axis, x: float) -> Line:
    """A line from one place alone: with nothing to find, a z test's probit is that of its level."""
    found = axis.at(x)
    replicates = found.replicates or 1
    power = min(max(found.power, 0.5 / replicates), 1.0 - 0.5 / replicates)
    intercept = float(special.ndtri(axis.target)) - axis.quantiles
    slope = max(float(special.ndtri(power)) - intercept, 0.1) / axis.snapped(x)
    scatter = 1.0 / float(information(np.asarray(power), replicates)) / axis.snapped(x) ** 2
    return Line(intercept, slope, (0.0, scatter, 0.0), replicates)


def _so_far(axis: Axis) -> Root:
    """The root of the line through what is known, and the power that the line promises there."""
    places = np.array(sorted(axis.known))
    line = probit_line(places, [axis.known[place] for place in places])
    nearest = min(places, key=lambda place: abs(axis.known[place].power - axis.target))
    if line is None:
        line = _through_alpha(axis, nearest)
    line = replace(line, replicates=min(found.replicates or 1 for found in axis.known.values()))
    x, low, high = line.solve(axis.target)
    x = min(max(x, axis.least), axis.most)
    return Root(x, low, high, _promised(axis.known[nearest], line, axis.target))


def _promised(nearest: PowerResult, line: Line, target: float) -> PowerResult:
    reach = REACH / math.sqrt(float(information(np.asarray(target), line.replicates)))
    wanted = float(special.ndtri(target))
    low, high = (float(special.ndtr(wanted + side * reach)) for side in (-1.0, 1.0))
    return replace(nearest, power=target, low=low, high=high, replicates=line.replicates)
