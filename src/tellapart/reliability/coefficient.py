"""What a coefficient of agreement is: one number from ratings `(unit, rater)`, 1 where all agree and 0 where chance alone does."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.spelling import Registry, Spelled

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
        return np.stack([(self.ratings == level).sum(axis=1) for level in self.levels], axis=1).astype(
            np.float64
        )

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
