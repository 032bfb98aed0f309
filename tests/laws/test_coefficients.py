"""Laws that every coefficient of agreement obeys, whatever its level, and wrong ones that each law catches."""

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.laws.law import Law, Laws, fails
from tests.laws.setting import variants

from tellapart.foundation.arrays import FloatArray
from tellapart.methods.reliability import COEFFICIENTS, Coefficient, UnitRatings

LAWS = Laws()
EVERY = variants(COEFFICIENTS)


def table(seed: int = 0, raters: int = 2) -> UnitRatings:
    """Two raters of twenty-five units, which every coefficient fits; 1 to 4, right seven times in ten."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 5, size=(25, 1))
    right = rng.random((25, raters)) < 0.7
    return UnitRatings(np.where(right, truth, rng.integers(1, 5, size=(25, raters))).astype(np.float64))


def value(coefficient: Any, ratings: FloatArray) -> float:
    return float(coefficient.value(UnitRatings(ratings), np.ones(len(ratings))))


@dataclass(frozen=True)
class Wrong(Coefficient):
    """The share of equal ratings beyond chance of one half, spoiled by whoever inherits it."""

    name = "wrong"
    label = "wrong"

    def fits(self, table: UnitRatings) -> bool:
        return bool(table.ratings.shape[1] == 2)

    def value(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        equal = (table.ratings[:, 0] == table.ratings[:, 1]).astype(np.float64)
        return np.asarray(2.0 * (weights @ equal) / weights.sum(axis=-1) - 1.0)


class Distance(Wrong):
    """Not 1 where all agree."""

    def value(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        return np.asarray(1.0 - super().value(table, weights))


class FirstRater(Wrong):
    """Looks at the first rater's ratings."""

    def value(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        return np.asarray(super().value(table, weights) + 0.01 * table.ratings[:, 0].mean())


class FirstUnit(Wrong):
    """Looks at the first unit."""

    def value(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        return np.asarray(super().value(table, weights) + 0.01 * table.ratings[0, 0])


class IgnoresWeights(Wrong):
    def value(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        return super().value(table, np.ones_like(weights))


class Credulous(Wrong):
    """Finds agreement in noise."""

    def value(self, table: UnitRatings, weights: FloatArray) -> FloatArray:
        return 0.5 + super().value(table, weights) / 2.0 + 0.4


@LAWS.law(Distance())
def full_agreement_is_1(coefficient: Any) -> None:
    truth = table().ratings[:, [0]]
    assert value(coefficient, np.repeat(truth, 2, axis=1)) == pytest.approx(1.0, abs=1e-6)


@LAWS.law(Credulous())
def noise_agrees_to_0(coefficient: Any) -> None:
    ratings = np.random.default_rng(3).integers(1, 5, size=(4000, 2)).astype(np.float64)
    assert abs(value(coefficient, ratings)) < 0.1


@LAWS.law(FirstRater())
def the_order_of_raters_changes_nothing(coefficient: Any) -> None:
    ratings = table().ratings
    assert value(coefficient, ratings[:, ::-1]) == pytest.approx(value(coefficient, ratings), abs=1e-9)


@LAWS.law(FirstUnit())
def the_order_of_units_changes_nothing(coefficient: Any) -> None:
    ratings = table().ratings
    shuffled = ratings[np.argsort(ratings[:, 0])]
    assert shuffled[0, 0] != ratings[0, 0]
    assert value(coefficient, shuffled) == pytest.approx(value(coefficient, ratings), abs=1e-9)


@LAWS.law(IgnoresWeights())
def a_weight_is_how_often_a_unit_is_there(coefficient: Any) -> None:
    found = table()
    weights = np.random.default_rng(4).integers(0, 4, size=(3, 25)).astype(np.float64)
    together = coefficient.value(found, weights)
    for row, often in zip(together, weights, strict=True):
        repeated = np.repeat(found.ratings, often.astype(int), axis=0)
        assert float(row) == pytest.approx(value(coefficient, repeated), abs=1e-6)


@LAWS.law(Credulous())
def at_most_1(coefficient: Any) -> None:
    for seed in range(5):
        assert value(coefficient, table(seed).ratings) <= 1.0 + 1e-12
    truth = table().ratings[:, [0]]
    assert value(coefficient, np.repeat(truth, 2, axis=1)) <= 1.0 + 1e-6


@pytest.mark.parametrize(("law", "coefficient"), LAWS.tried_in(EVERY), ids=str)
def test_laws(law: Law, coefficient: Any) -> None:
    law.check(coefficient)


@pytest.mark.parametrize(
    ("law", "wrong"), LAWS.controls, ids=lambda x: str(x) if isinstance(x, Law) else type(x).__name__
)
def test_every_law_can_be_broken(law: Law, wrong: Any) -> None:
    assert fails(law, [wrong])


SAME_ON: dict[str, Any] = {
    "krippendorff(level=nominal)": lambda x: np.array([0.0, 7.0, -1.0, 100.0, 3.0])[x.astype(int)],
    "krippendorff(level=ordinal)": np.exp,
    "krippendorff(level=interval)": lambda x: 3.0 - 2.0 * x,
    "cohen_kappa(weights=none)": lambda x: np.array([0.0, 7.0, -1.0, 100.0, 3.0])[x.astype(int)],
    "cohen_kappa(weights=linear)": lambda x: 3.0 - 2.0 * x,
    "cohen_kappa(weights=quadratic)": lambda x: 3.0 - 2.0 * x,
    "fleiss_kappa": lambda x: np.array([0.0, 7.0, -1.0, 100.0, 3.0])[x.astype(int)],
    "icc(k=1)": lambda x: 3.0 - 2.0 * x,
}
"""Other names for the same ratings, as far as a level minds names."""


@pytest.mark.parametrize("coefficient", EVERY, ids=str)
def test_other_names_of_ratings_change_nothing(coefficient: Any) -> None:
    """Labels may be called anything, orders stretched, scales shifted and turned; this covers every registered coefficient."""
    ratings = table(5).ratings
    renamed = np.asarray(SAME_ON[str(coefficient)](ratings))
    assert value(coefficient, renamed) == pytest.approx(value(coefficient, ratings), abs=1e-8)


@pytest.mark.parametrize("coefficient", EVERY, ids=str)
def test_spelling_and_pickling(coefficient: Any) -> None:
    """What it is called makes it again, and it travels to other processes."""
    assert COEFFICIENTS.parse(str(coefficient)) == coefficient
    assert pickle.loads(pickle.dumps(coefficient)) == coefficient  # noqa: S301  (its own)
    assert coefficient.label
