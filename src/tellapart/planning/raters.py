"""Power of tests over raters and items, and its limit with endless raters or endless items."""

import math
from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.quantities import MOST_TOGETHER
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.margins import Equivalence, Margin, NonInferiority
from tellapart.methods.significance.procedure import Procedure
from tellapart.methods.significance.rater_t import RaterT
from tellapart.methods.significance.seeds_t import SeedsT
from tellapart.numerics.mixed_models.mean_square_law import FINE, MeanSquares, average, pieces
from tellapart.numerics.mixed_models.model_fit import Degrees, Method, MixedModelFit
from tellapart.numerics.null_laws.noncentral_t import t_power
from tellapart.numerics.null_laws.tails import Alternative, Rejections, between, density, sides
from tellapart.numerics.roots import increasing_root
from tellapart.numerics.seed_power import SeedPower
from tellapart.planning.formula import by_t
from tellapart.planning.study import PowerResult, Study
from tellapart.planning.tally import certain, from_rejections
from tellapart.populations.rating_designs import EffectPrecision, with_endless_items, with_endless_raters
from tellapart.populations.ratings import RatedSystems
from tellapart.populations.seeds import Seeds

# Power of a mixed model on a balanced design of raters and items: its very rule, averaged over all mean
# squares there can be.

ENGINE = "exact"

Distance = Callable[[MixedModelFit], FloatArray]
"""How far an effect must be from 0 to be found."""


@runtime_checkable
class FitsComponents(Protocol):
    """A mixed-model test of the effect whose law has these degrees of freedom."""

    df: Degrees
    fit: Method


@runtime_checkable
class KnowsMeanSquares(Protocol):
    """A population whose evaluations are told by three mean squares and their mean."""

    def mean_squares(self, items: int) -> MeanSquares | None:
        """Expected mean squares; None where they do not determine the law."""


def by_mean_squares(study: Study) -> PowerResult | None:
    """The power of a mixed model by quadrature, truncation and degrees of freedom included; None for other studies."""
    test = getattr(study.test, "test", study.test)
    if not isinstance(test, FitsComponents) or not isinstance(study.population, KnowsMeanSquares):
        return None
    squares = study.population.mean_squares(study.items) if test.fit == "reml" and study.alpha < 0.5 else None
    return None if squares is None else from_mean_squares(study, squares)


def from_mean_squares(study: Study, squares: MeanSquares, nodes: int = FINE) -> PowerResult:
    """The test from known mean squares."""
    effect, test = study.population.known_effect, study.test
    inner = getattr(test, "test", test)
    assert isinstance(inner, FitsComponents), "only these have a rule for mean squares"
    degrees = inner.df
    if isinstance(test, Equivalence):
        critical = _critical_distance(degrees, study.alpha, "greater")
        return certain(ENGINE, _equivalence_share(squares, effect, test.known_margin, critical))
    if isinstance(test, NonInferiority):
        critical = _critical_distance(degrees, study.alpha, "greater")
        return certain(ENGINE, _non_inferior(squares, effect, test, critical, nodes))
    found = rejections(squares, effect, _critical_distance(degrees, study.alpha, test.alternative), nodes)
    return from_rejections(study, ENGINE, _looked_at(found, test.alternative))


def _critical_distance(degrees: Degrees, alpha: float, alternative: Alternative) -> Distance:
    level = 1.0 - 2.0 * alpha / sides(alternative)
    return lambda fitted: fitted.critical_value(level, degrees) * fitted.standard_error(degrees)


def rejections(squares: MeanSquares, effect: float, critical: Distance, nodes: int = FINE) -> Rejections:
    """Both directions of rejection, with the estimates in the unit of the effect."""
    error = float(np.sqrt(squares.variance))

    def decided(fitted: MixedModelFit) -> tuple[FloatArray, ...]:
        far = critical(fitted)
        down, up = (-effect - far) / error, (effect - far) / error
        return special.ndtr(down), special.ndtr(up), density(down), density(up)

    lower, upper, slope_down, slope_up = (np.asarray(x) for x in average(squares, decided, nodes))
    return Rejections(lower, upper, error * slope_down - effect * lower, error * slope_up + effect * upper)


def detected(squares: MeanSquares, test: Procedure, alpha: float, power: float) -> float:
    """The smallest size of an effect that is found with this power."""
    assert isinstance(test, FitsComponents), "only these have a rule for mean squares"
    critical, error = _critical_distance(test.df, alpha, test.alternative), float(np.sqrt(squares.variance))
    nodes = [(weight.ravel(), critical(fit).ravel() / error) for fit, weight in pieces(squares)]
    weight, far = (np.concatenate(column) for column in zip(*nodes, strict=True))
    both = test.alternative == "two-sided"

    def short(shift: FloatArray) -> FloatArray:
        found = special.ndtr(shift - far) + (special.ndtr(-shift - far) if both else 0.0)
        return np.asarray((weight * found).sum() / weight.sum() - power)

    return error * float(increasing_root(short, np.asarray(0.0), np.asarray(3.0)))


def _looked_at(found: Rejections, alternative: Alternative) -> Rejections:
    nothing = np.zeros_like(found.lower)
    if alternative == "less":
        return Rejections(found.lower, nothing, found.lower_size, nothing)
    if alternative == "greater":
        return Rejections(nothing, found.upper, nothing, found.upper_size)
    return found


def _non_inferior(squares: MeanSquares, effect: float, test: NonInferiority, critical: Distance, nodes: int) -> float:
    """B is shown to be above −margin, or below margin where lower is better."""
    if test.alternative == "less":
        return float(rejections(squares, effect - test.known_margin, critical, nodes).lower)
    return float(rejections(squares, effect + test.known_margin, critical, nodes).upper)


def _equivalence_share(squares: MeanSquares, effect: float, margin: float, critical: Distance) -> float:
    """How often both one-sided tests reject."""
    error = float(np.sqrt(squares.variance))

    def decided(fitted: MixedModelFit) -> tuple[FloatArray, ...]:
        far = critical(fitted)
        low, high = (far - margin - effect) / error, (margin - far - effect) / error
        return (np.where(high > low, between(low, np.maximum(low, high)), 0.0),)

    return min(average(squares, decided)[0], 1.0)


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
    population = _population_of_ratings(study)
    even = population.one_rater_per_item and study.items % population.raters == 0
    if not (even and isinstance(_tested_difference(study), RaterT)) or study.alpha >= 0.5:
        return None
    return _t_power_of(study, population.precision(study.items))


def _approximate(study: Study) -> PowerResult | None:
    """Noncentral t at the true variances, whatever the test makes of their estimates. Westfall, Kenny & Judd (2014)."""
    if not isinstance(_tested_difference(study), FitsComponents) or study.alpha >= 0.5:
        return None
    return _t_power_of(study, _population_of_ratings(study).precision(study.items))


def _t_power_of(study: Study, precise: EffectPrecision) -> PowerResult:
    return by_t(study, math.sqrt(precise.variance), precise.df)


def _tested_difference(study: Study) -> object:
    return getattr(study.test, "test", study.test)


def _population_of_ratings(study: Study) -> RatedSystems:
    assert isinstance(study.population, RatedSystems)
    return study.population


def items_ceiling(study: Study) -> float:
    """The power with endless items: what these raters allow."""
    return _endless_power(study, with_endless_items(_population_of_ratings(study)))


def raters_ceiling(study: Study) -> float:
    """The power with endless raters: what these items allow."""
    return _endless_power(study, with_endless_raters(_population_of_ratings(study), study.items))


def _endless_power(study: Study, precise: EffectPrecision) -> float:
    effect, error = study.population.known_effect, math.sqrt(precise.variance)
    if error == 0.0:
        meant = {"less": -effect, "greater": effect}.get(study.test.alternative, abs(effect))
        return float(meant > 0.0)
    return float(t_power(effect / error, precise.df, study.alpha, study.test.alternative))


def fewest_raters(study: Study, power: float) -> int | None:
    """The fewest raters with which endless items would reach this power; None where even thousands would not."""
    low, high = _population_of_ratings(study).raters, MOST_TOGETHER // 2 * 2
    if items_ceiling(_study_with_raters(study, high)) < power:
        return None
    step = 1 if _population_of_ratings(study).design == "crossed" else 2
    while high - low > step:
        middle = low + (high - low) // (2 * step) * step
        low, high = (low, middle) if items_ceiling(_study_with_raters(study, middle)) >= power else (middle, high)
    return high


def _study_with_raters(study: Study, raters: int) -> Study:
    return Study(study.population.replace(raters=raters), study.test, study.design, study.alpha)


# Power of the t test over seeds and items.

DRAWS = 50_000
"""Drawn mean squares: power is known to about 0.002."""


def by_seeds(study: Study) -> PowerResult:
    """The power from drawn mean squares, which normal scores have."""
    population, inner = study.population, study.test.test if isinstance(study.test, Margin) else study.test
    assert isinstance(population, Seeds)
    assert isinstance(inner, SeedsT)
    effect, test = population.known_effect, study.test
    side = "greater" if isinstance(test, NonInferiority) and test.alternative == "two-sided" else test.alternative
    drawn = SeedPower(population.spreads, study.items, study.alpha, inner.df, side, DRAWS, stream(0))
    if isinstance(test, Equivalence):
        return certain("formula", drawn.within(test.known_margin, effect))
    if isinstance(test, NonInferiority):
        away = -test.known_margin if side == "less" else test.known_margin
        return certain("formula", sum(drawn.at(effect + away)))
    below, above = drawn.at(effect)
    power = below + above
    wrong = below if effect > 0.0 else above
    return PowerResult(power, power, power, "formula", None, wrong / power if effect and power else None, None)
