"""How far a coefficient may be off: the same for resampled units."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.progress import stepped
from tellapart.reliability.coefficient import Coefficient, UnitRatings
from tellapart.seeds import Generator

LEAST_DEFINED = 0.9
"""Share of resamples in which the coefficient must be defined for an interval to be given."""

AT_ONCE = 5_000_000
"""Weights of units that are looked at together: a second or less, after which the next are told of."""


@dataclass(frozen=True)
class BoundedCoefficient:
    """A coefficient with the bounds of its interval, NaN where too many resamples leave it undefined."""

    value: float
    low: float
    high: float


def estimate(
    coefficient: Coefficient, table: UnitRatings, weights: FloatArray, level: float
) -> BoundedCoefficient:
    """The coefficient of a table, and the quantiles of its values where units count so often, `(resample, unit)`. Efron (1979)."""
    value = float(coefficient.value(table, np.ones(len(table.ratings))))
    pieces = np.array_split(weights, -(-weights.size // AT_ONCE))
    drawn = stepped("drawing units again", pieces, len(pieces))
    found = np.concatenate([coefficient.value(table, piece) for piece in drawn])
    found = found[~np.isnan(found)]
    if len(found) < LEAST_DEFINED * len(weights):
        return BoundedCoefficient(value, np.nan, np.nan)
    low, high = np.quantile(found, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return BoundedCoefficient(value, float(low), float(high))


def resampled_weights(units: int, resamples: int, rng: Generator) -> FloatArray:
    """How often each unit is drawn, `(resample, unit)`, as many drawn as there are."""
    return rng.multinomial(units, np.full(units, 1.0 / units), size=resamples).astype(np.float64)
