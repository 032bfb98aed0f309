"""The bounds that a pilot leaves: written out from the limits on its variance."""

import math

import numpy as np
import pytest
from scipy import stats

from tellapart.data.pair import Pair
from tellapart.methods.significance.paired_t import PairedT
from tellapart.planning.solve import Solution
from tellapart.planning.study import PowerResult, SolvedFor, Study
from tellapart.planning.uncertainty import with_pilot_uncertainty
from tellapart.populations.pilot import Pilot

EXACT = PowerResult(0.8, 0.8, 0.8, "formula", None, None, None)
DIFFERENCES = np.random.default_rng(3).normal(0.02, 0.1, 30)


def solution(solved_for: SolvedFor, low: float | None = None, high: float | None = None) -> Solution:
    b = DIFFERENCES[:, np.newaxis, np.newaxis]
    pilot = Pilot.from_pair(Pair(np.zeros_like(b), b, None), 0.02)
    return Solution(Study(pilot, PairedT(), 100), EXACT, solved_for, low=low, high=high)


def limits(found: Solution) -> tuple[float, float]:
    pilot = found.study.population
    assert isinstance(pilot, Pilot)
    return pilot.variance_limit(0.025), pilot.variance_limit(0.975)


def test_items_go_with_the_variance() -> None:
    """Twice the variance asks for twice the items: the 95 % limits on the one are those on the other."""
    found = solution("items")
    told = with_pilot_uncertainty(found)
    assert (told.low, told.high) == pytest.approx(tuple(100 * limit for limit in limits(found)))


def test_effects_go_with_its_root() -> None:
    """An effect in standard errors: the square roots of the limits."""
    found = solution("effect")
    told = with_pilot_uncertainty(found)
    assert (told.low, told.high) == pytest.approx(tuple(0.02 * math.sqrt(limit) for limit in limits(found)))


def test_bounds_of_a_simulation_are_widened_outwards() -> None:
    """The lower by the lower limit, the upper by the upper one."""
    found = solution("items", 90.0, 120.0)
    low, high = limits(found)
    told = with_pilot_uncertainty(found)
    assert (told.low, told.high) == pytest.approx((90.0 * low, 120.0 * high))


def test_power_is_that_of_t_tests_at_the_limits() -> None:
    """Items that are no clusters leave one degree of freedom less than there are: power at both ends of the variance."""
    found = solution("power")
    pilot = found.study.population
    assert isinstance(pilot, Pilot)

    def power(inflation: float) -> float:
        shift, df = 0.02 * 10.0 / (pilot.spread * math.sqrt(inflation)), 99
        far = stats.t.ppf(0.975, df)
        return float(stats.nct.sf(far, df, shift) + stats.nct.cdf(-far, df, shift))

    centre, *ends = (stats.norm.ppf(power(limit)) for limit in (1.0, *limits(found)))
    at = stats.norm.ppf(0.8)
    told = with_pilot_uncertainty(found).result
    # The wider of two: the pilot's own spread, and that at which a t test would have the power found.
    assert told.low <= stats.norm.cdf(at - (centre - min(ends))) + 1e-9
    assert told.high >= stats.norm.cdf(at + (max(ends) - centre)) - 1e-9
    own = np.asarray(stats.norm.ppf([power(limit * _own(power)) for limit in limits(found)]))
    widest = max(centre - min(ends), at - own.min()), max(max(ends) - centre, own.max() - at)
    assert told.low == pytest.approx(stats.norm.cdf(at - widest[0]), abs=1e-6)
    assert told.high == pytest.approx(stats.norm.cdf(at + widest[1]), abs=1e-6)


def _own(power: object) -> float:
    """The variance, over the pilot's, at which a t test has 80 % power: by bisection."""
    assert callable(power)
    low, high = math.log(0.01), math.log(100.0)
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if power(math.exp(middle)) > 0.8 else (low, middle)
    return math.exp(low)
