"""How far a coefficient may be off: the same for resampled units."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.dividing import divided
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
    ends = np.cumsum([0, *map(len, np.array_split(weights, -(-weights.size // AT_ONCE)))]).tolist()
    calls = [(start, stop, number) for number, (start, stop) in enumerate(pairwise(ends))]
    # How often units are drawn travels to whoever counts them, in as few bytes as hold that.
    few = weights.astype(np.min_scalar_type(int(weights.max(initial=0.0))))
    drawn = stepped("drawing units again", divided(_valued, (coefficient, table, few), calls), len(calls))
    found = np.concatenate(list(drawn))
    found = found[~np.isnan(found)]
    if len(found) < LEAST_DEFINED * len(weights):
        return BoundedCoefficient(value, np.nan, np.nan)
    low, high = np.quantile(found, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return BoundedCoefficient(value, float(low), float(high))


def _valued(subject: tuple[Coefficient, UnitRatings, Any], start: int, stop: int, _: int) -> FloatArray:
    coefficient, table, weights = subject
    return coefficient.value(table, weights[start:stop].astype(np.float64))


def resampled_weights(units: int, resamples: int, rng: Generator) -> FloatArray:
    """How often each unit is drawn, `(resample, unit)`, as many drawn as there are."""
    return rng.multinomial(units, np.full(units, 1.0 / units), size=resamples).astype(np.float64)
