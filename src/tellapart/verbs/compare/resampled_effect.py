"""What is detectable and how many items are needed, from the resamples of a bootstrap that decides."""

import math

from tellapart.results.comparison import Detectable
from tellapart.results.interval import IntervalResult
from tellapart.significance import Procedure
from tellapart.significance.margins import Equivalence, NonInferiority
from tellapart.verbs.compare.analysis import Analysis, deciding_bootstrap
from tellapart.verbs.compare.sides import Found, on_sides


def detectable_by_resamples(analysis: Analysis, test: Procedure, power: float) -> tuple[Found, ...]:
    """The smallest effect that is found, on each side that is tested."""
    found = (
        Detectable(effect, power, None, "bootstrap") if math.isfinite(effect) else None
        for effect in _sought(_least(analysis, test, _bounds(analysis, test), power), test)
    )
    return on_sides(*found)


def items_for_effect(analysis: Analysis, test: Procedure, size: float, power: float) -> float | None:
    """Items that find an effect of this size on whichever side takes more; None where these resamples do not tell."""
    least = max(_sought(_least(analysis, test, _bounds(analysis, test), power), test))
    return _grown(analysis, least, size)


def items_for_margin(analysis: Analysis, test: Equivalence | NonInferiority, power: float) -> float | None:
    """Items that exclude the margin, on both sides for equivalence, if systems are equal."""
    # Both sides at once are shown at least as often as each is short of it together.
    each = (1.0 + power) / 2.0 if isinstance(test, Equivalence) else power
    above, below = _least(analysis, test.test, analysis.margin_interval, each)
    if isinstance(test, Equivalence):
        return _grown(analysis, max(above, below), test.known_margin)
    return _grown(analysis, below if test.alternative == "less" else above, test.known_margin)


def _bounds(analysis: Analysis, test: Procedure) -> IntervalResult:
    return analysis.two_sided_interval if test.alternative == "two-sided" else analysis.margin_interval


def _least(analysis: Analysis, test: Procedure, bounds: IntervalResult, power: float) -> tuple[float, float]:
    """The effects above and below zero that the interval would leave zero out for; endless where it is unbounded, or nothing varies."""
    bootstrap = deciding_bootstrap(test)
    assert bootstrap is not None
    error = analysis.resampled_error(bootstrap)
    if not error > 0.0:
        return math.inf, math.inf
    if math.isinf(bounds.low) or math.isinf(bounds.high):
        return math.inf, math.inf
    critical = (analysis.effect - bounds.low) / error, (bounds.high - analysis.effect) / error
    return analysis.least_found(bootstrap, critical, power)


def _sought(effects: tuple[float, float], test: Procedure) -> tuple[float, ...]:
    above, below = effects
    return {"greater": (above,), "less": (below,)}.get(test.alternative, (above, below))


def _grown(analysis: Analysis, least: float, size: float) -> float | None:
    """What is found falls with the root of the number of items, or faster, for skewness falls too."""
    return analysis.items * (least / size) ** 2 if math.isfinite(least) else None
