"""Power of a mixed model on a balanced design of raters and items: its very rule, averaged over all mean squares there can be."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray
from tellapart.components.fitted import Fitted, Method
from tellapart.components.mean_square_law import FINE, MeanSquares, average, pieces
from tellapart.components.reference_law import Degrees, critical_value, error_of
from tellapart.distributions.normal import between, density
from tellapart.distributions.rejections import Rejections
from tellapart.distributions.roots import increasing_root
from tellapart.distributions.tails import Alternative, sides
from tellapart.planning.error_rates import certain, from_rejections
from tellapart.planning.study import PowerResult, Study
from tellapart.significance.margins import Equivalence, NonInferiority
from tellapart.significance.procedure import Procedure

ENGINE = "exact"

Distance = Callable[[Fitted], FloatArray]
"""How far an effect must be from 0 to be found."""


@runtime_checkable
class FitsComponents(Protocol):
    """A test of the effect of a mixed model, by a law with so many degrees of freedom."""

    df: Degrees
    fit: Method


@runtime_checkable
class KnowsMeanSquares(Protocol):
    """A population whose evaluations are told by three mean squares and their mean."""

    def mean_squares(self, items: int) -> MeanSquares | None:
        """What is expected of them; None where they do not tell all."""


def by_mean_squares(study: Study) -> PowerResult | None:
    """The power of a mixed model by quadrature, truncation and degrees of freedom included; None for other studies."""
    test = getattr(study.test, "test", study.test)
    if not isinstance(test, FitsComponents) or not isinstance(study.population, KnowsMeanSquares):
        return None
    squares = study.population.mean_squares(study.items) if test.fit == "reml" and study.alpha < 0.5 else None
    return None if squares is None else from_mean_squares(study, squares)


def from_mean_squares(study: Study, squares: MeanSquares, nodes: int = FINE) -> PowerResult:
    """The same where mean squares are known."""
    effect, test = study.population.known_effect, study.test
    inner = getattr(test, "test", test)
    assert isinstance(inner, FitsComponents), "only these have a rule for mean squares"
    degrees = inner.df
    if isinstance(test, Equivalence):
        critical = _critical_distance(degrees, study.alpha, "greater")
        return certain(ENGINE, _within(squares, effect, test.known_margin, critical))
    if isinstance(test, NonInferiority):
        critical = _critical_distance(degrees, study.alpha, "greater")
        return certain(ENGINE, _non_inferior(squares, effect, test, critical, nodes))
    found = rejections(squares, effect, _critical_distance(degrees, study.alpha, test.alternative), nodes)
    return from_rejections(study, ENGINE, _looked_at(found, test.alternative))


def _critical_distance(degrees: Degrees, alpha: float, alternative: Alternative) -> Distance:
    level = 1.0 - 2.0 * alpha / sides(alternative)
    return lambda fitted: critical_value(fitted, level, degrees) * error_of(fitted, degrees)


def rejections(squares: MeanSquares, effect: float, critical: Distance, nodes: int = FINE) -> Rejections:
    """Both directions of rejection, with the estimates in the unit of the effect."""
    error = float(np.sqrt(squares.variance))

    def decided(fitted: Fitted) -> tuple[FloatArray, ...]:
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


def _non_inferior(
    squares: MeanSquares, effect: float, test: NonInferiority, critical: Distance, nodes: int
) -> float:
    """B is shown to be above −margin, or below margin where lower is better."""
    if test.alternative == "less":
        return float(rejections(squares, effect - test.known_margin, critical, nodes).lower)
    return float(rejections(squares, effect + test.known_margin, critical, nodes).upper)


def _within(squares: MeanSquares, effect: float, margin: float, critical: Distance) -> float:
    """How often both one-sided tests reject."""
    error = float(np.sqrt(squares.variance))

    def decided(fitted: Fitted) -> tuple[FloatArray, ...]:
        far = critical(fitted)
        low, high = (far - margin - effect) / error, (margin - far - effect) / error
        return (np.where(high > low, between(low, np.maximum(low, high)), 0.0),)

    return min(average(squares, decided)[0], 1.0)
