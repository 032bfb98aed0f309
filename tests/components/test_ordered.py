"""Votes with the order they were shown in, against a dense restricted likelihood of another make."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.mixed_models.fit_samples import degrees_of_order, fit_ordered
from tellapart.numerics.mixed_models.model_fit import MixedModelFit


def drawn(*, raters: int, items: int, missing: float, seed: int) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    order = np.where(rng.random((raters, items)) < 0.8, 1.0, -1.0)
    noise = rng.normal(size=(raters, items))
    leaning = 0.5 * rng.normal(size=(raters, 1)) + 0.5 * rng.normal(size=(1, items)) + noise + 0.5 * order
    absent = rng.random((raters, items)) < missing
    return np.where(absent, np.nan, np.sign(leaning)), np.where(absent, np.nan, order)


def dense(
    votes: FloatArray, order: FloatArray, start: tuple[float, ...] = (-2.0, -2.0, -1.0)
) -> tuple[float, float, FloatArray]:
    """Effect, error and variances from whole matrices, with a search from log variances that knows no derivatives."""
    rater, item = np.nonzero(~np.isnan(order))
    y, x = votes[rater, item], np.stack([np.ones(len(rater)), order[rater, item]], axis=1)
    same = [np.equal.outer(code, code).astype(float) for code in (rater, item)]

    def at(logs: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        whole = sum(
            (np.exp(log) * one for log, one in zip(logs, same, strict=False)),
            np.exp(logs[2]) * np.eye(len(y)),
        )
        inverse = np.linalg.inv(whole)
        covariance = np.linalg.inv(x.T @ inverse @ x)
        fixed = covariance @ x.T @ inverse @ y
        rest = y - x @ fixed
        height = np.linalg.slogdet(whole)[1] - np.linalg.slogdet(covariance)[1] + rest @ inverse @ rest
        return float(height), fixed, covariance

    minimize: Any = optimize.minimize  # whose stubs know no function of this form
    found = minimize(
        lambda logs: at(logs)[0],
        start,
        method="Nelder-Mead",
        options={"xatol": 1e-8, "fatol": 1e-11, "maxiter": 4000},
    )
    _, fixed, covariance = at(found.x)
    return float(fixed[0]), float(covariance[0, 0] ** 0.5), np.exp(found.x)


@pytest.mark.parametrize(("raters", "items", "missing"), [(8, 20, 0.0), (8, 20, 0.4), (20, 8, 0.4)])
def test_as_whole_matrices_say(raters: int, items: int, missing: float) -> None:
    votes, order = drawn(raters=raters, items=items, missing=missing, seed=raters)
    found = fit_ordered(votes, order)
    effect, error, variances = dense(votes, order)
    assert float(found.effect) == pytest.approx(effect, abs=1e-6)
    assert float(found.se) == pytest.approx(error, abs=1e-6)
    assert found.variances == pytest.approx(variances, abs=1e-5)
    few = degrees_of_order(order[~np.isnan(order)])
    assert (float(found.raters), float(found.items)) == (min(raters, few + 1.0), min(items, few + 1.0))


@pytest.mark.parametrize(("won", "lost"), [((3, 0), (3, 3)), ((0, 2), (0, 3)), ((3, 1), (2, 1))])
def test_votes_that_lie_in_no_factor_are_fitted(won: tuple[int, int], lost: tuple[int, int]) -> None:
    """One of two votes that showed A first was lost, and no other vote: nothing of that is left in one of the factors, and no bend to climb by."""
    votes, order = np.ones((2, 5, 4))
    order[won] = order[lost] = votes[lost] = -1.0
    found = fit_ordered(votes, order)
    effect, error, variances = dense(votes, order, (-5.0, -5.0, -2.2))
    assert (float(found.effect), float(found.se)) == pytest.approx((effect, error), abs=1e-5)
    assert found.variances == pytest.approx(variances, abs=1e-5)


def test_raters_of_one_vote_each_are_the_residual() -> None:
    """Whose rows are whose says nothing then, and a table of as few rows as fit is fitted."""
    votes, order = drawn(raters=6, items=15, missing=0.0, seed=3)
    alone, orders = np.full((2, 90, 15), np.nan)
    places = np.arange(90), np.tile(np.arange(15), 6)
    alone[places], orders[places] = votes.ravel(), order.ravel()
    found = fit_ordered(alone, orders)
    assert found.dropped.tolist() == [True, False, False]
    few = degrees_of_order(orders[~np.isnan(orders)])
    assert (float(found.raters), float(found.items)) == (few + 1.0, 15.0)
    assert 15.0 < few < 89.0
    effect, error, _ = dense(alone, orders)
    assert (float(found.effect), float(found.se)) == pytest.approx((effect, error), abs=1e-5)


def test_items_that_decide_all_are_fitted() -> None:
    """Nothing is left of the residual, and the climb has no end to reach."""
    votes = np.tile([1.0, 1.0, -1.0, 1.0, -1.0], (2, 1))
    order = np.tile([[1.0], [-1.0]], 5)
    found = fit_ordered(votes, order)
    assert float(found.effect) == pytest.approx(0.2)
    assert float(found.se) == pytest.approx(np.std(votes[0], ddof=1) / 5**0.5, rel=1e-3, abs=0.0)


def few_votes(draws: int) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Five raters who lean their own ways, on four items, between equal systems; two votes showed A first, and the first wins four of five."""
    rng = np.random.default_rng(12)
    for _ in range(draws):
        order = np.where(rng.permutation(20) < 2, -1.0, 1.0).reshape(5, 4)
        votes = np.sign(
            2.0 * rng.normal(size=(5, 1)) + 0.5 * rng.normal(size=4) + rng.normal(size=(5, 4)) + 1.93 * order
        )
        if np.ptp(votes):
            yield votes, order


def test_few_votes_in_one_order_are_weighed_little() -> None:
    """By Cochran's rule too; with as many degrees of freedom as raters and items leave several are called different (the control)."""
    found = [fit_ordered(*one) for one in few_votes(100)]
    as_levels = [replace(one, raters=np.asarray(5.0), items=np.asarray(4.0)) for one in found]
    assert sum(claimed(one) for one in found) <= 1
    assert sum(claimed(one) for one in as_levels) >= 4


def claimed(fitted: MixedModelFit) -> bool:
    lower, upper = fitted.tails("cochran")
    return bool(2.0 * min(lower, upper) <= 0.05)


@pytest.mark.parametrize("order", [np.repeat([1.0, -1.0], [30, 5]), np.repeat([1.0, 0.0, -1.0], [20, 30, 6])])
def test_degrees_of_freedom_as_whole_matrices_say(order: FloatArray) -> None:
    """Satterthwaite's, of the matrix whose form in the votes is the error with residuals made as large as errors."""
    x = np.stack([np.ones_like(order), order], axis=1)
    onto = x @ np.linalg.inv(x.T @ x)
    residuals = np.eye(len(order)) - onto @ x.T
    scaled = np.diag(onto[:, 0] / np.sqrt(residuals.diagonal()))
    form = scaled @ residuals @ scaled
    assert degrees_of_order(order) == pytest.approx(np.trace(form) ** 2 / (form**2).sum())
    assert degrees_of_order(np.array([1.0, 1.0, 1.0, -1.0])) == 1.0
