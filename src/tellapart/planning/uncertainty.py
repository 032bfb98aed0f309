"""Uncertainty from a pilot: intervals on power and on the solved number, and items with assurance."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.surfaces import option
from tellapart.numerics.roots import increasing_root
from tellapart.planning.formula import by_t
from tellapart.planning.power import power_of
from tellapart.planning.solve import Solution
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.population import FEWEST, as_pilot

if TYPE_CHECKING:
    from tellapart.populations.pilot import Pilot

LEVEL = 0.95
"""Of the intervals that are printed."""
ENDS = (1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0
"""The levels of its two ends."""
FARTHEST = 100.0
"""How much the variance may differ from the pilot's for a t test to have the power found: no test in use needs a hundred times the items."""
LARGEST_LIMIT = 1e12
"""Multiples of a variance at which every test has no more than its level; infinite ones would have no power at all."""
NEAREST = 1e-9
"""Probits of powers nearer to 0 or 1 than this are cut: six standard errors, beyond which all distances are large."""


def with_pilot_uncertainty(solution: Solution) -> Solution:
    """The answer with its intervals widened by what the pilot leaves open about the spread; others pass unchanged."""
    pilot = as_pilot(solution.study.population)
    if pilot is None or not pilot.spread > 0.0:
        return solution
    widened = _with_wider_power(solution, pilot)
    if solution.solved_for == "power":
        return widened
    # Items grow with the variance, and the effect that is found with its root.
    exponent, value = (0.5, solution.effect) if solution.solved_for == "effect" else (1.0, float(solution.items))
    own = [value if end is None else end for end in (solution.low, solution.high)]
    low, high = _widest(own, [limit**exponent for limit in _variance_limits(pilot)], FARTHEST**exponent)
    return replace(widened, low=low, high=high)


def _widest(ends: list[float], factors: list[float], farthest: float) -> tuple[float | None, float | None]:
    """From the lowest to the highest that these ends are when multiplied, whatever their signs; None where a factor is too large to say."""
    low, high = ends
    least, most = factors
    down, up = most if low < 0.0 else least, most if high > 0.0 else least
    return (low * down if down <= farthest else None), (high * up if up <= farthest else None)


def _with_wider_power(solution: Solution, pilot: "Pilot") -> Solution:
    return replace(solution, result=_widened_power(solution.study, solution.result, _variance_limits(pilot)))


def _variance_limits(pilot: "Pilot") -> list[float]:
    """Between which multiples of the pilot's own the variance lies."""
    return [min(pilot.variance_limit(level), LARGEST_LIMIT) for level in ENDS]


def _widened_power(study: Study, found: PowerResult, limits: list[float]) -> PowerResult:
    """The interval on power from that on the variance, through t tests of the pilot's spread and of the power found.

    Of the two the wider: where the planned test is far from a t test, one of them is too sure. Distances are probits, in
    which those of the simulation and of the pilot add up as independent errors do.
    """
    at, (low, high) = _probit(found.power), (_probit(found.low), _probit(found.high))
    moves = [_falls_and_rises(study, own, limits) for own in (1.0, _own_variance(study, found.power))]
    below = math.hypot(at - low, max(fall for fall, _ in moves))
    above = math.hypot(at - high, max(rise for _, rise in moves))
    return replace(
        found,
        low=min(found.low, float(special.ndtr(at - below))),
        high=max(found.high, float(special.ndtr(at + above))),
    )


def _falls_and_rises(study: Study, own: float, limits: list[float]) -> tuple[float, float]:
    """How far the power of a t test falls and rises when its variance is anywhere between the limits."""
    centre, *ends = (_probit(_power_at(study, own * limit)) for limit in (1.0, *limits))
    return centre - min(ends), max(ends) - centre


def _own_variance(study: Study, power: float) -> float:
    """How many times the pilot's variance a t test would have this power at; 1 where none has it."""

    def short(log: FloatArray) -> FloatArray:
        return np.asarray(power - _power_at(study, math.exp(float(log))))

    # In the logarithm a hundredth and a hundredfold are equally far, and the root is near the middle.
    end = math.log(FARTHEST)
    if not (short(np.asarray(-end)) < 0.0 < short(np.asarray(end))):
        return 1.0
    return math.exp(float(increasing_root(short, np.asarray(-end), np.asarray(end))))


def _power_at(study: Study, inflation: float) -> float:
    pilot = as_pilot(study.population)
    assert pilot is not None
    # As many clusters per item as the pilot had: degrees of freedom are theirs.
    clusters = max(study.items * pilot.units / pilot.items, 2.0)
    return by_t(study, pilot.spread * math.sqrt(inflation / study.items), clusters - 1.0).power


def _probit(power: float) -> float:
    return float(special.ndtri(min(max(power, NEAREST), 1.0 - NEAREST)))


def _bounded_limit(pilot: "Pilot", assurance: float) -> float:
    """The limit on the variance, refused where a few extreme items leave it open to any number."""
    limit = pilot.variance_limit(assurance)
    if limit <= FARTHEST:
        return limit
    units = "items" if pilot.units == pilot.items else "clusters"
    raise Unsuitable(
        f"the differences of this pilot's {pilot.units} {units} have tails so heavy that with an assurance of "
        f"{assurance:g} their variance may be more than {FARTHEST:g} times what it seems, so no useful number of items "
        f"can be given. Look at the largest difference, give a larger pilot, or ask for less {option('assurance')}"
    )


def assured(solution: Solution, assurance: float, budget: Budget, runner: Runner | None = None) -> Solution:
    """The number of items whose power holds with this probability, given that the spread is only estimated.

    The number that the pilot's spread asks for, times the upper limit of level `assurance` on the variance over its
    estimate. Exact for normal differences. Browne (1995).
    """
    pilot = as_pilot(solution.study.population)
    if pilot is None:
        raise Unsuitable("assurance is about a spread known from a pilot only: plan pilot FILE …")
    units = math.ceil(solution.items / pilot.unit * _bounded_limit(pilot, assurance))
    study = solution.study.resized(items=max(units, FEWEST) * pilot.unit)
    found = Solution(
        study,
        power_of(study, budget, runner),
        "items",
        stable_from=study.items,
        low=float(solution.items),
        high=float(study.items),
    )
    return _with_wider_power(found, pilot) if pilot.spread > 0.0 else found
