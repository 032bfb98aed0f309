"""Single ratings: lme4's fits, and every number from its definition on full matrices."""

from itertools import product

import numpy as np
import pytest
from tests.components.reference_rows import named, rows

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.mixed_models.fit_samples import fit_differences
from tellapart.numerics.mixed_models.model_fit import RATING_TERMS, Method, MixedModelFit
from tellapart.numerics.mixed_models.single_ratings import LongRatings, fit_ratings

MODELS = {
    "uncorrelated_cells": RATING_TERMS,
    "uncorrelated": ("rater_effect", "item_effect", "rater", "item", "residual"),
    "intercepts_only": ("rater", "item", "residual"),
}
VARIANCES = {
    "rater_effect": "variance_rater_slope",
    "item_effect": "variance_item_slope",
    "rater": "variance_rater_intercept",
    "item": "variance_item_intercept",
    "rater_item": "variance_rater_item",
    "residual": "variance_residual",
}
LIKERT = {
    "rater_effect": "var_worker_x",
    "item_effect": "var_item_x",
    "rater": "var_worker_Intercept",
    "item": "var_item_Intercept",
    "residual": "var_Residual_resid",
}
TOO_COARSE = {("sim_balanced_10x40", "uncorrelated_cells", "variance_rater_item")}
"""By the mean squares of this balanced set the variance is 9.76146976e-06; lme4 stopped at 9.76304e-06."""


def numbered(chosen: list[dict[str, str]], column: str) -> list[int]:
    labels = sorted({row[column] for row in chosen})
    return [labels.index(row[column]) for row in chosen]


def ratings_of(chosen: list[dict[str, str]], system: str, rater: str, value: str) -> LongRatings:
    return LongRatings(
        np.array(numbered(chosen, system)),
        np.array(numbered(chosen, rater)),
        np.array(numbered(chosen, "item")),
        np.array([float(row[value]) for row in chosen]),
    )


def reported(fitted: MixedModelFit) -> dict[str, float]:
    found = {
        **named(fitted),
        **{VARIANCES[term]: fitted.variances[place] for place, term in enumerate(fitted.terms)},
    }
    return {name: float(value) for name, value in found.items()}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("case", sorted({row["dataset"] for row in rows("ratings_fit_data")}))
def test_as_lme4(case: str, model: str) -> None:
    """Effect, errors, degrees of freedom, variances and likelihood; terms at the boundary included."""
    ratings = ratings_of(
        [row for row in rows("ratings_fit_data") if row["dataset"] == case], "system", "rater", "rating"
    )
    found = reported(fit_ratings(ratings, terms=MODELS[model]))
    expected = [row for row in rows("ratings_fit") if (row["case"], row["model"]) == (case, model)]
    compared = 0
    for row in expected:
        if row["quantity"] in found and (case, model, row["quantity"]) not in TOO_COARSE:
            bound = float(row["tolerance"])
            assert found[row["quantity"]] == pytest.approx(float(row["value"]), abs=bound, rel=0), row["quantity"]
            compared += 1
    assert compared >= 9


@pytest.mark.parametrize("method", ["reml", "ml"])
@pytest.mark.parametrize("model", ["uncorrelated", "intercepts_only"])
@pytest.mark.parametrize("case", sorted({row["dataset"] for row in rows("likert_fit_data")}))
def test_likert_sets_as_lme4(case: str, model: str, method: Method) -> None:
    """By REML and by maximum likelihood, whose degrees of freedom differ."""
    chosen = sorted((row for row in rows("likert_fit_data") if row["dataset"] == case), key=lambda row: float(row["x"]))
    ratings = ratings_of(chosen, "x", "worker", "y")
    ratings = LongRatings(
        np.array([int(float(row["x"]) > 0) for row in chosen]), ratings.rater, ratings.item, ratings.value
    )
    fitted = fit_ratings(ratings, method, MODELS[model])
    found = {
        "beta_x": fitted.effect,
        "se_x": fitted.se,
        "loglik": fitted.loglik,
        "df_satterthwaite_x": fitted.df_satterthwaite,
        "df_kenward_roger_x": fitted.df_kenward_roger,
        "se_kenward_roger_x": fitted.se_adjusted,
        **{name: fitted.variances[RATING_TERMS.index(term)] for term, name in LIKERT.items()},
    }
    table = {
        row["quantity"]: float(row["value"])
        for row in rows("likert_fit")
        if (row["dataset"], row["model"], row["method"]) == (case, model, method.upper())
    }
    shared = sorted(found.keys() & table.keys())
    assert len(shared) >= 7
    for name in shared:
        assert float(found[name]) == pytest.approx(table[name], rel=2e-6, abs=1e-8), name


class FullMatrices:
    """The model written out: one matrix per term, everything by definition."""

    def __init__(self, ratings: LongRatings) -> None:
        x = ratings.system - 0.5
        cells = ratings.rater * 1000 + ratings.item
        self.y, self.columns = ratings.value, np.stack([np.ones_like(x), x], axis=1)
        same = {
            name: np.equal.outer(codes, codes)
            for name, codes in (("r", ratings.rater), ("i", ratings.item), ("c", cells))
        }
        slope = np.multiply.outer(x, x)
        self.patterns = [
            same["r"] * slope,
            same["i"] * slope,
            same["r"] * 1.0,
            same["i"] * 1.0,
            same["c"] * 1.0,
            np.eye(len(x)),
        ]

    def projection(self, variances: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        inverse = np.linalg.inv(sum(v * p for v, p in zip(variances, self.patterns, strict=True)))
        covariance = np.linalg.inv(self.columns.T @ inverse @ self.columns)
        return inverse - inverse @ self.columns @ covariance @ self.columns.T @ inverse, inverse, covariance

    def loglik(self, variances: FloatArray) -> float:
        p, inverse, covariance = self.projection(variances)
        logs = -np.linalg.slogdet(inverse)[1] - np.linalg.slogdet(covariance)[1]
        return -0.5 * float((len(self.y) - 2) * np.log(2 * np.pi) + logs + self.y @ p @ self.y)


def unpaired(seed: int, share: float, rounding: float = 0.0) -> LongRatings:
    """Seven raters, twelve items, two systems, each rating there with this chance."""
    rng = np.random.default_rng(seed)
    system, rater, item = np.indices((2, 7, 12)).reshape(3, -1)
    x = system - 0.5
    value = 0.5 * rng.normal(size=7)[rater] + 0.6 * rng.normal(size=12)[item] + 0.7 * rng.normal(size=len(x))
    value += x * (0.3 + 0.5 * rng.normal(size=7)[rater] + 0.8 * rng.normal(size=12)[item])
    value += 0.4 * rng.normal(size=(7, 12))[rater, item]
    value = np.round(value / rounding) * rounding if rounding else value
    kept = rng.random(len(x)) < share
    return LongRatings(system[kept], rater[kept], item[kept], value[kept])


@pytest.mark.parametrize(("seed", "share", "rounding"), [(1, 0.8, 0.0), (2, 0.5, 0.0), (3, 0.35, 0.0), (4, 0.5, 1.0)])
def test_by_definition_on_unpaired_ratings(seed: int, share: float, rounding: float) -> None:
    """Likelihood, error, both degrees of freedom and the adjusted error from their formulas; nothing near is more likely."""
    ratings = unpaired(seed, share, rounding)
    fitted, full = fit_ratings(ratings), FullMatrices(ratings)
    kept = ~fitted.dropped
    p, inverse, covariance = full.projection(fitted.variances)
    assert float(fitted.loglik) == pytest.approx(full.loglik(fitted.variances), abs=1e-9)
    assert float(fitted.effect) == pytest.approx(float((covariance @ full.columns.T @ inverse @ full.y)[1]), abs=1e-10)
    assert float(fitted.se) == pytest.approx(float(np.sqrt(covariance[1, 1])), rel=1e-10, abs=0.0)
    weights = inverse @ full.columns @ covariance[:, 1]
    slopes = np.array([weights @ v @ weights for v in full.patterns])
    pairs = np.array([[np.trace(p @ a @ p @ b) for a in full.patterns] for b in full.patterns])
    seen = np.array([[full.y @ p @ a @ p @ b @ p @ full.y for a in full.patterns] for b in full.patterns])
    bends = np.array([[weights @ a @ p @ b @ weights for a in full.patterns] for b in full.patterns])
    chosen = np.ix_(kept, kept)
    uncertainty = np.linalg.inv(pairs[chosen] / 2)
    adjusted = covariance[1, 1] + 2 * (uncertainty * bends[chosen]).sum()
    assert float(fitted.se_adjusted) == pytest.approx(float(np.sqrt(adjusted)), rel=1e-8, abs=0.0)
    spread = slopes[kept] @ uncertainty @ slopes[kept]
    assert float(fitted.df_kenward_roger) == pytest.approx(2 * covariance[1, 1] ** 2 / spread, rel=1e-8, abs=0.0)
    inside = kept & (fitted.variances > 0)
    observed = np.linalg.inv((seen - pairs / 2)[np.ix_(inside, inside)])
    spread = slopes[inside] @ observed @ slopes[inside]
    assert float(fitted.df_satterthwaite) == pytest.approx(2 * covariance[1, 1] ** 2 / spread, rel=1e-6, abs=0.0)
    assert fitted.shares == pytest.approx(fitted.variances * slopes / covariance[1, 1], rel=1e-8, abs=1e-12)
    for term, change in product(range(6), (1e-3, -1e-3)):
        moved = fitted.variances + change * (np.arange(6) == term)
        if kept[term] and moved[term] >= 0:
            assert full.loglik(moved) < full.loglik(fitted.variances)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_of_several_starts(seed: int) -> None:
    """Random unpaired ratings: no start leads higher than the fit did."""
    optimize = pytest.importorskip("scipy.optimize")
    ratings = unpaired(100 + seed, 0.3 + 0.02 * seed, rounding=float(seed % 2))
    fitted, full = fit_ratings(ratings), FullMatrices(ratings)
    free = np.flatnonzero(~fitted.dropped)

    def depth(roots: FloatArray) -> float:
        variances = np.zeros(6)
        variances[free] = roots**2
        return -full.loglik(variances)

    starts = [np.full(len(free), start) for start in (0.1, 0.5, 1.5)]
    best = max(-optimize.minimize(depth, start, method="L-BFGS-B").fun for start in starts)
    assert float(fitted.loglik) >= best - 1e-8


def test_pairs_are_as_their_differences() -> None:
    """Paired ratings give what their differences give: effect, errors, degrees of freedom and slopes."""
    ratings = unpaired(7, 1.0)
    grid = np.zeros((2, 7, 12))
    grid[ratings.system, ratings.rater, ratings.item] = ratings.value
    single, paired = fit_ratings(ratings), fit_differences(grid[1] - grid[0])
    for name in (
        "effect",
        "se",
        "se_adjusted",
        "df_satterthwaite",
        "df_kenward_roger",
        "rater_share",
        "item_share",
    ):
        assert float(getattr(single, name)) == pytest.approx(float(getattr(paired, name)), rel=1e-6, abs=0.0), name
    for name in ("rater_effect_sd", "item_effect_sd", "residual_sd"):
        assert float(single.sds[name]) == pytest.approx(float(paired.sds[name]), rel=1e-6, abs=0.0), name


def test_rows_in_any_order_and_systems_swapped() -> None:
    """The order of rows changes nothing; the other system as A turns the effect round."""
    ratings = unpaired(8, 0.6)
    order = np.random.default_rng(0).permutation(len(ratings.value))
    shuffled = LongRatings(ratings.system[order], ratings.rater[order], ratings.item[order], ratings.value[order])
    swapped = LongRatings(1 - ratings.system, ratings.rater, ratings.item, ratings.value)
    fitted, again, turned = (fit_ratings(data) for data in (ratings, shuffled, swapped))
    assert (float(again.effect), float(again.se_adjusted)) == (
        float(fitted.effect),
        float(fitted.se_adjusted),
    )
    assert float(turned.effect) == pytest.approx(-float(fitted.effect), rel=1e-9, abs=0.0)
    assert float(turned.df_kenward_roger) == pytest.approx(float(fitted.df_kenward_roger), rel=1e-7, abs=0.0)


def test_more_raters_than_items() -> None:
    """Raters and items in each other's place have each other's variances."""
    ratings = unpaired(9, 0.7)
    fitted, other = (
        fit_ratings(ratings),
        fit_ratings(LongRatings(ratings.system, ratings.item, ratings.rater, ratings.value)),
    )
    assert other.variances[[1, 0, 3, 2, 4, 5]] == pytest.approx(fitted.variances, rel=1e-6, abs=1e-12)
    assert (float(other.raters), float(other.items)) == (12.0, 7.0)
    assert float(other.rater_share) == pytest.approx(float(fitted.item_share), rel=1e-7, abs=0.0)


def dropped(ratings: LongRatings) -> list[str]:
    fitted = fit_ratings(ratings)
    return [term for term, gone in zip(fitted.terms, fitted.dropped, strict=True) if gone]


def test_what_cannot_be_told_apart() -> None:
    """One rating per system and item; each rater one system; each item one system; each cell one rating."""
    rng = np.random.default_rng(5)
    system, rater, item = np.indices((2, 4, 30)).reshape(3, -1)
    value = rng.normal(size=len(system))

    def chosen(where: FloatArray) -> LongRatings:
        picked = np.asarray(where, dtype=bool)
        return LongRatings(system[picked], rater[picked], item[picked], value[picked])

    one_rater = rng.integers(4, size=(2, 30))
    assert dropped(chosen(one_rater[system, item] == rater)) == ["item_effect", "rater_item"]
    assert dropped(chosen(rater % 2 == system)) == ["rater_effect", "rater_item"]
    assert dropped(chosen(item % 2 == system)) == ["item_effect", "rater_item"]
    assert dropped(chosen((item + rater) % 2 == system)) == ["rater_item"]
    assert dropped(chosen(np.ones(len(system)))) == []


def test_constant_ratings() -> None:
    """Nothing spreads: an error of 0, and no share but the rest's."""
    system, rater, item = np.indices((2, 3, 4)).reshape(3, -1)
    fitted = fit_ratings(LongRatings(system, rater, item, np.asarray(0.1 + 0.2 * system, dtype=np.float64)))
    assert float(fitted.effect) == pytest.approx(0.2)
    assert (float(fitted.se), float(fitted.rest_share)) == (0.0, 1.0)
