"""Base of agreement coefficients: 1 for full agreement of ratings `(unit, rater)`, 0 for agreement by chance."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.parallel_map import parallel_map
from tellapart.foundation.progress import with_progress
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import Registry, Spelled

COEFFICIENTS: "Registry[Coefficient]" = Registry("coefficient of agreement")

MOST_LEVELS = 10
"""Distinct ratings up to which each is a level of its own: more of them are a scale."""


@dataclass(frozen=True, eq=False)
class UnitRatings:
    """Ratings `(unit, rater)`, NaN where a rater did not rate; every unit and every rater has some."""

    ratings: FloatArray

    @cached_property
    def levels(self) -> FloatArray:
        """The distinct ratings, in order."""
        return np.unique(self.ratings[~np.isnan(self.ratings)])

    @cached_property
    def per_unit(self) -> FloatArray:
        """How many ratings each unit has."""
        return np.asarray((~np.isnan(self.ratings)).sum(axis=1).astype(np.float64))

    @property
    def typical(self) -> float:
        """The harmonic mean of ratings per unit, without what rounding adds to a whole number."""
        return round(len(self.per_unit) / float((1.0 / self.per_unit).sum()), 12)

    @cached_property
    def counts(self) -> FloatArray:
        """How often each unit has each level: `(unit, level)`."""
        return np.stack([(self.ratings == level).sum(axis=1) for level in self.levels], axis=1).astype(np.float64)

    @property
    def few_levels(self) -> bool:
        return len(self.levels) <= MOST_LEVELS

    @property
    def whole(self) -> bool:
        """Whether all ratings are whole numbers."""
        return bool((self.levels == np.rint(self.levels)).all())


@dataclass(frozen=True)
class Coefficient(Spelled):
    """Base of every coefficient of agreement."""

    registry = COEFFICIENTS

    @property
    @abstractmethod
    def label(self) -> str:
        """Its name in words, as a report prints it."""

    @abstractmethod
    def fits(self, table: UnitRatings) -> bool:
        """Whether it is defined for ratings of this kind."""

    @abstractmethod
    def value(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        """The coefficient where each unit counts `weights` times, `(*batch, unit)`; NaN where it is undefined."""


def beyond_chance(found: FloatArray, by_chance: FloatArray) -> FloatArray:
    """1 − found / by chance of two disagreements; undefined where chance allows none."""
    undefined = np.full(np.shape(found), np.nan)
    return np.asarray(1.0 - np.divide(found, by_chance, out=undefined, where=by_chance > 0.0))


# How far a coefficient may be off: the same for resampled units.

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


def estimate(coefficient: Coefficient, table: UnitRatings, weights: FloatArray, level: float) -> BoundedCoefficient:
    """The coefficient of a table, and the quantiles of its values where units count so often, `(resample, unit)`. Efron (1979)."""
    value = float(coefficient.value(table, np.ones(len(table.ratings))))
    ends = np.cumsum([0, *map(len, np.array_split(weights, -(-weights.size // AT_ONCE)))]).tolist()
    calls = [(start, stop, number) for number, (start, stop) in enumerate(pairwise(ends))]
    # Draw counts travel to workers, in as few bytes as hold them.
    few = weights.astype(np.min_scalar_type(int(weights.max(initial=0.0))))
    drawn = with_progress("drawing units again", parallel_map(_valued, (coefficient, table, few), calls), len(calls))
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
