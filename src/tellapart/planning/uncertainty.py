"""What a pilot leaves open goes into the answer: an interval on power, and items that hold with assurance."""

import math
from dataclasses import replace

import numpy as np

from tellapart.distributions.noncentral_t import t_power
from tellapart.errors import Unsuitable
from tellapart.planning.power import Settings, power_of
from tellapart.planning.solve import Solution
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.pilot import Pilot
from tellapart.populations.pilot_limits import variance_inflation
from tellapart.seeds import stream

RESAMPLED_PILOTS = 400
LEVEL = 0.95


def with_pilot_uncertainty(study: Study, found: PowerResult) -> PowerResult:
    """The interval on power widened by the pilot's own: the power of pilots that this one might have been.

    The spread of the power is that of the noncentral t at the spreads of resampled pilots, moved to the power found.
    """
    pilot = study.population
    if not isinstance(pilot, Pilot) or study.test.claim != "difference" or not pilot.sd_estimate > 0.0:
        return found
    spreads = pilot.resampled_sds(RESAMPLED_PILOTS, stream(0, 1))
    spreads = np.maximum(spreads[np.isfinite(spreads)], 1e-12 * pilot.sd_estimate)
    if len(spreads) < RESAMPLED_PILOTS // 2:
        return replace(found, low=0.0, high=1.0)
    root, effect, side = math.sqrt(study.items), pilot.known_effect, study.test.alternative
    powers = t_power(effect * root / spreads, study.items - 1, study.alpha, side)
    centre = float(t_power(effect * root / pilot.sd_estimate, study.items - 1, study.alpha, side))
    tails = np.quantile(powers, [(1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0])
    low, high = (float(x) - centre for x in tails)
    return replace(
        found,
        low=max(0.0, min(found.low, found.power + low)),
        high=min(1.0, max(found.high, found.power + high)),
    )


def assured_items(study: Study, assurance: float, settings: Settings) -> Solution:
    """So many items that the power holds with this probability, although the spread is only estimated.

    The number that the pilot's spread asks for, times the upper limit of level `assurance` on the variance over its
    estimate. Exact for normal differences. Browne (1995).
    """
    pilot = study.population
    if not isinstance(pilot, Pilot):
        raise Unsuitable("assurance is about a spread known from a pilot only: plan pilot FILE …")
    items = math.ceil(study.items * variance_inflation(pilot.units, assurance))
    return Solution(
        items, items, power_of(replace(study, items=items), settings), float(study.items), float(items)
    )
