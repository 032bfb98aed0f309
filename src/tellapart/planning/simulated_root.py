"""Root finding on simulated power: where it reaches the target, with a Monte Carlo interval.

All places are simulated from the same random numbers, so that power rises smoothly; what they have in common is the
error of the answer.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray
from tellapart.numerics.null_laws.tails import density, two_sided_quantile
from tellapart.planning.axis import PowerAxis
from tellapart.planning.solved_axes import CountAxis
from tellapart.planning.study import PowerResult

# Simulated powers on the probit scale, where they lie on a line: several noisy answers become one with its
# interval.

QUANTILE = two_sided_quantile(0.95)
"""Standard errors to either side of an estimate that make its 95 % interval."""


@dataclass(frozen=True)
class ProbitLine:
    """probit(power) = intercept + slope · x, the covariance of the two, and how many replicates each point has."""

    intercept: float
    slope: float
    covariance: tuple[float, float, float]
    replicates: int

    def solve(self, target: float) -> tuple[float, float, float]:
        """Where the line reaches the target, and the 95 % interval of that place (delta method).

        Points share their random numbers, so what one replicate less would leave uncertain at the root does not average
        out over them; away from them the scatter of the slope counts for more.
        """
        wanted = float(special.ndtri(target))
        x = (wanted - self.intercept) / self.slope
        shared = 1.0 / float(information(np.asarray(target), self.replicates))
        half_width = QUANTILE * math.sqrt(max(shared, self._scatter(x))) / self.slope
        return x, max(x - half_width, 0.0), x + half_width

    def _scatter(self, x: float) -> float:
        var_intercept, var_slope, between = self.covariance
        return var_intercept + x * x * var_slope + 2.0 * x * between


def information(power: FloatArray, replicates: FloatArray | int) -> FloatArray:
    """One over the variance of a simulated power's probit, which is p(1 − p)/R over the squared normal density there."""
    return np.asarray(replicates * density(special.ndtri(power)) ** 2 / (power * (1.0 - power)))


def replicates_of(found: PowerResult) -> int:
    assert found.replicates is not None, "only simulated powers are put on a line"
    return found.replicates


def probit_line(x: FloatArray, results: Sequence[PowerResult]) -> ProbitLine | None:
    """Weighted least squares on the probits of simulated powers; None where too few lie inside (0, 1) or none rises."""
    power = np.array([r.power for r in results])
    replicates = np.array([replicates_of(r) for r in results], dtype=np.float64)
    inside = (power > 0.0) & (power < 1.0)
    power, replicates, x = power[inside], replicates[inside], np.asarray(x, dtype=np.float64)[inside]
    if len(np.unique(x)) < 2:
        return None
    weight, design = information(power, replicates), np.stack([np.ones_like(x), x], axis=1)
    try:
        covariance = np.linalg.inv(design.T @ (weight[:, np.newaxis] * design))
    except np.linalg.LinAlgError:  # places so near to each other, or so little known of any, that no line has a slope
        return None
    intercept, slope = (float(b) for b in covariance @ (design.T @ (weight * special.ndtri(power))))
    # Equal powers leave a slope of rounding noise, whose root would lie anywhere.
    if not slope * float(np.ptp(x)) > STATISTIC_NOISE:
        return None
    spread = float(covariance[0, 0]), float(covariance[1, 1]), float(covariance[0, 1])
    return ProbitLine(intercept, slope, spread, int(replicates.max()))


NARROW = 1.25
"""A root is looked for between two places no further apart than this factor.

Between them the probit of a t test's power is so straight that the line through both ends misses the root by less than
0.1 % (measured from 25 to 2,000 items at powers of 0.5 to 0.99), far below what ten thousand replicates can tell.
"""
AROUND = (0.92, 0.96, 1.0, 1.04, 1.08)
"""Multiples of a first root at which power is simulated again, to draw a line through it.

Near enough for a line to miss the root by less than 0.02 %, and as wide as the noise of a few hundred replicates.
"""
NEAR = 0.02
"""How far from the last place a root may lie, of which it is a part, for a line from that place alone.

Within it the slope may be wrong by a tenth, and the root moves by 0.2 %.
"""
NEAR_POWER = 0.1
"""Of the target: from there a line reaches the root in a step or two."""
ROUNDS = 3
"""How often the places are moved to where the line points; from a bracket so narrow, once is the rule."""
FEW = 24
"""Up to so many units each number is simulated: no more simulations than a line takes, and the steps in the power of
tests that count or rank are largest there."""
STEPS = 4
"""How many numbers above the first that reaches the target are looked at in any case, to see whether power stays there:
a tooth of the sign test is two or three items wide at ten items, and half as many again are looked at beside these."""


@dataclass(frozen=True)
class Root:
    """A place, its 95 % interval, the power simulated there, and from where on power was seen to stay at the target."""

    x: float
    low: float
    high: float
    result: PowerResult
    stays: float | None = None


def simulate_root(axis: PowerAxis) -> Root:
    """The place whose power is the target. Interrupted, it answers from what has been simulated where the runner allows that."""
    with axis.runner.cut_short(lambda: bool(axis.known)):
        return _from_the_start(axis) if _begins_near(axis) else _on_the_line(axis, *_root_bracket(axis))
    return _so_far(axis)


def simulated_units(axis: CountAxis) -> Root:
    """The fewest units (items, or whole clusters) that reach the target.

    Where power goes up in steps, as it does at few units, no line can be trusted and each number is simulated.
    """
    with axis.runner.cut_short(lambda: bool(axis.known)):
        if axis.units(axis.start) > FEW and _begins_near(axis):
            return _reaching(axis, _from_the_start(axis))
        low, high = _root_bracket(axis)
        if axis.units(high) <= FEW:
            return _counted_root(axis, axis.units(low))
        root = _on_the_line(axis, low, high)
        return _reaching(axis, root)
    return _so_far(axis)


def _on_the_line(axis: PowerAxis, low: float, high: float) -> Root:
    x = _line_crossing(axis, low, high)
    return _root_on_line(axis, _near_the_root(axis, x) if axis.slow else _line_around(axis, x))


def _begins_near(axis: PowerAxis) -> bool:
    """Whether a test that takes long has so nearly the power where the search begins that no bracket is needed."""
    return axis.slow and abs(axis.at(axis.start).power - axis.target) <= NEAR_POWER


def _from_the_start(axis: PowerAxis) -> Root:
    return _root_on_line(axis, _near_the_root(axis, axis.start))


def _root_on_line(axis: PowerAxis, line: ProbitLine) -> Root:
    x, low, high = line.solve(axis.target)
    x = min(max(x, axis.least), axis.most)
    return Root(x, low, high, axis.at(math.sqrt(axis.enough(x)) if isinstance(axis, CountAxis) else x))


def _near_the_root(axis: PowerAxis, x: float) -> ProbitLine:
    """A line from one place, moved until its root is there: what five places share is most of what is uncertain about them."""
    for _ in range(ROUNDS):
        line = _through_alpha(axis, x)
        root = min(max(line.solve(axis.target)[0], axis.least), axis.most)
        if abs(root - axis.snapped(x)) <= NEAR * root:
            break
        x = root
    return line


def _reaching(axis: CountAxis, root: Root) -> Root:
    """The whole number of units at the root, or the next whose power is not short of the target by more than chance."""
    units = axis.enough(root.x)
    while (found := axis.at(math.sqrt(units))).high < axis.target:
        units += 1
    return Root(math.sqrt(units), root.low, max(root.high, math.sqrt(units)), found)


def _counted_root(axis: CountAxis, short: int) -> Root:
    """The first number of units whose simulated power reaches the target, and the first after which none falls short."""
    # From half of what fell short: where power goes up in steps, an earlier one may have reached the target.
    start = max(2, short // 2)
    first = next(n for n in itertools.count(start) if axis.reaches_target(math.sqrt(n)))
    later = range(first, first + first // 2 + STEPS)
    stays = max((n + 1 for n in later if not axis.reaches_target(math.sqrt(n))), default=first)
    low = next(n for n in itertools.count(start) if _perhaps(axis, math.sqrt(n)))
    high = next(n for n in itertools.count(first) if _surely(axis, math.sqrt(n)))
    x, low_x, high_x, stays_x = (math.sqrt(n) for n in (first, low, high, stays))
    return Root(x, low_x, high_x, axis.at(x), stays_x)


def _perhaps(axis: PowerAxis, x: float) -> bool:
    """Whether power may be at the target, as far as chance goes."""
    return axis.quick_decision(x) is not False and axis.at(x).high >= axis.target


def _surely(axis: PowerAxis, x: float) -> bool:
    """Whether power is at the target beyond chance, or every replicate rejected: of few, not even that would be beyond it."""
    return axis.quick_decision(x) or (found := axis.at(x)).low >= axis.target or found.power >= 1.0


def _root_bracket(axis: PowerAxis) -> tuple[float, float]:
    """Two places at most `NARROW` apart, of which the second reaches the target and the first does not."""
    low = high = axis.start
    # Steps grow, so that a start which is far off is left in few of them; the bracket is then narrowed by halves.
    factor = NARROW
    while not axis.reaches_target(high):
        if high >= axis.most:
            raise axis.refused(high)
        low, high, factor = high, min(high * factor, axis.most), factor * NARROW
    while axis.reaches_target(low) and low > axis.least:
        low, high, factor = max(low / factor, axis.least), low, factor * NARROW
    while high > NARROW * low > 0.0:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if axis.reaches_target(middle) else (middle, high)
    return low, high


def _line_crossing(axis: PowerAxis, low: float, high: float) -> float:
    """Where the line through both ends meets the target."""
    ends = np.array([axis.snapped(low), axis.snapped(high)])
    line = probit_line(ends, [axis.about(low), axis.about(high)])
    return high if line is None else min(max(line.solve(axis.target)[0], low), high)


def _line_around(axis: PowerAxis, x: float) -> ProbitLine:
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


def _through_alpha(axis: PowerAxis, x: float) -> ProbitLine:
    """A line from one place alone: with nothing to find, a z test's probit is that of its level."""
    found = axis.at(x)
    replicates = replicates_of(found)
    # Half a replicate stands in for none and for all but none: the probits of 0 and 1 are endless.
    power = min(max(found.power, 0.5 / replicates), 1.0 - 0.5 / replicates)
    intercept = float(special.ndtri(axis.target)) - axis.quantiles
    # A power below its level would make a line that falls, with its root on the wrong side of 0.
    slope = max(float(special.ndtri(power)) - intercept, 0.1) / axis.snapped(x)
    scatter = 1.0 / float(information(np.asarray(power), replicates)) / axis.snapped(x) ** 2
    return ProbitLine(intercept, slope, (0.0, scatter, 0.0), replicates)


def _so_far(axis: PowerAxis) -> Root:
    """The root of the line through what is known, and the power that the line promises there."""
    places = np.array(sorted(axis.known))
    line = probit_line(places, [axis.known[place] for place in places])
    nearest = min(places, key=lambda place: abs(axis.known[place].power - axis.target))
    if line is None:
        line = _through_alpha(axis, nearest)
    # The place that was interrupted has the fewest replicates, and what is said is to hold for it too.
    line = replace(line, replicates=min(map(replicates_of, axis.known.values())))
    x, low, high = line.solve(axis.target)
    x = _between_known(axis, x)
    return Root(x, min(low, x), max(high, x), _promised(axis.known[nearest], line, axis.target))


def _between_known(axis: PowerAxis, x: float) -> float:
    """Not below the last place known to fall short, and not above the first beyond it that is known to reach the target."""
    short = [place for place, found in axis.known.items() if found.power < axis.target]
    least = max(short, default=axis.least)
    most = min((place for place in axis.known if place > least), default=axis.most)
    return min(max(x, least), most)


def _promised(nearest: PowerResult, line: ProbitLine, target: float) -> PowerResult:
    half_width = QUANTILE / math.sqrt(float(information(np.asarray(target), line.replicates)))
    wanted = float(special.ndtri(target))
    low, high = (float(special.ndtr(wanted + side * half_width)) for side in (-1.0, 1.0))
    return replace(nearest, power=target, low=low, high=high, replicates=line.replicates)
