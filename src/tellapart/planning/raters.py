"""Power of tests over raters and items, and the most that raters or items alone allow."""

import math

from tellapart.distributions.noncentral_t import t_power
from tellapart.planning.formula import by_t
from tellapart.planning.mean_squares import FitsComponents, by_mean_squares
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.quantities import MOST_TOGETHER
from tellapart.populations.rating_strata import EffectPrecision, with_endless_items, with_endless_raters
from tellapart.populations.ratings import RatedSystems
from tellapart.significance.rater_t import RaterT


def closed(study: Study, engine: str | None) -> PowerResult | None:
    """The power without simulation, by this engine or the first that can; None where it has to be simulated."""
    if engine == "monte_carlo" or not isinstance(study.population, RatedSystems):
        return None
    over_raters = None if engine == "exact" else _by_raters_alone(study)
    if over_raters is not None:
        return over_raters
    if engine == "formula":
        return _approximate(study)
    return by_mean_squares(study)


def _by_raters_alone(study: Study) -> PowerResult | None:
    """Noncentral t over raters' means, which are independent and spread alike where each rates as many items of its own."""
    population = _rated(study)
    even = population.one_rater_per_item and study.items % population.raters == 0
    if not (even and isinstance(_inner(study), RaterT)) or study.alpha >= 0.5:
        return None
    return _by_t(study, population.precision(study.items))


def _approximate(study: Study) -> PowerResult | None:
    """Noncentral t at the true variances, whatever the test makes of their estimates. Westfall, Kenny & Judd (2014)."""
    if not isinstance(_inner(study), FitsComponents) or study.alpha >= 0.5:
        return None
    return _by_t(study, _rated(study).precision(study.items))


def _by_t(study: Study, precise: EffectPrecision) -> PowerResult:
    return by_t(study, math.sqrt(precise.variance), precise.df)


def _inner(study: Study) -> object:
    return getattr(study.test, "test", study.test)


def _rated(study: Study) -> RatedSystems:
    assert isinstance(study.population, RatedSystems)
    return study.population


def items_ceiling(study: Study) -> float:
    """The power with endless items: what these raters allow."""
    return _limit(study, with_endless_items(_rated(study)))


def raters_ceiling(study: Study) -> float:
    """The power with endless raters: what these items allow."""
    return _limit(study, with_endless_raters(_rated(study), study.items))


def _limit(study: Study, precise: EffectPrecision) -> float:
    effect, error = study.population.known_effect, math.sqrt(precise.variance)
    if error == 0.0:
        meant = {"less": -effect, "greater": effect}.get(study.test.alternative, abs(effect))
        return float(meant > 0.0)
    return float(t_power(effect / error, precise.df, study.alpha, study.test.alternative))


def fewest_raters(study: Study, power: float) -> int | None:
    """The fewest raters with which endless items would reach this power; None where even thousands would not."""
    low, high = _rated(study).raters, MOST_TOGETHER // 2 * 2
    if items_ceiling(_with_raters(study, high)) < power:
        return None
    step = 1 if _rated(study).design == "crossed" else 2
    while high - low > step:
        middle = low + (high - low) // (2 * step) * step
        low, high = (low, middle) if items_ceiling(_with_raters(study, middle)) >= power else (middle, high)
    return high


def _with_raters(study: Study, raters: int) -> Study:
    return Study(study.population.replace(raters=raters), study.test, study.design, study.alpha)
