"""What a significant result is worth: how often its sign is wrong, and how much it exaggerates.

Always from a supposed effect, never from the observed one.
"""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.noncentral_t import t_error_rates
from tellapart.distributions.rejections import Rejections
from tellapart.distributions.tails import Alternative
from tellapart.errors import UsageError
from tellapart.planning.study import PowerResult, Study


@dataclass(frozen=True)
class ErrorRates:
    """Power, the share of significant results with the wrong sign, and their mean exaggeration; None without effect."""

    power: float
    type_s: float | None
    type_m: float | None

    @classmethod
    def of(cls, effect: float, rates: tuple[FloatArray, FloatArray, FloatArray]) -> Self:
        power, type_s, type_m = (float(rate) for rate in rates)
        return cls(power, type_s, type_m) if effect else cls(power, None, None)


def error_rates(
    effect: float,
    standard_error: float,
    *,
    df: float = math.inf,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> ErrorRates:
    """What to expect of a t test with this standard error if the true effect is as supposed.

    Exact for normal differences; at infinite degrees of freedom the z test. Gelman & Carlin (2014).

    >>> round(error_rates(1.0, 1.0).type_m, 4)
    2.4909
    """
    _check(effect, standard_error, df, alpha)
    return ErrorRates.of(effect, t_error_rates(effect / standard_error, df, alpha, alternative))


def certain(engine: str, power: float) -> PowerResult:
    """The answer of an engine without simulation that has nothing to say of signs and exaggeration."""
    return PowerResult(power, power, power, engine, None, None, None)


def from_rejections(study: Study, engine: str, found: Rejections) -> PowerResult:
    """The answer of an engine that knows both directions of rejection, sizes in raw units of the effect."""
    effect = study.population.known_effect
    power = float(found.power)
    if study.test.claim != "difference" or effect == 0.0 or power == 0.0:
        return certain(engine, power)
    true = np.asarray(effect)
    return PowerResult(
        power, power, power, engine, None, float(found.type_s(true)), float(found.type_m(true))
    )


def _check(effect: float, standard_error: float, df: float, alpha: float) -> None:
    wanted = {
        "effect": (math.isfinite(effect), effect, "a finite number"),
        "standard_error": (0.0 < standard_error < math.inf, standard_error, "above 0"),
        "df": (df > 0.0, df, "above 0"),
        "alpha": (0.0 < alpha < 0.5, alpha, "between 0 and 0.5"),
    }
    for name, (good, value, words) in wanted.items():
        if not good:
            raise UsageError(f"{name}={value:g} should be {words}")
