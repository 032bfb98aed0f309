"""Designs of raters and items as arrays, each against the same written out for one design at a time."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from tellapart.foundation.arrays import BoolArray
from tellapart.numerics.null_laws.tails import Alternative
from tellapart.planning.rater_designs import RaterDesign, RaterDesigns, fewest_items, near_mean_squares
from tellapart.populations.ratings import RatedSystems
from tellapart.verbs.plan.question import Prices

Layout = list[tuple[int, ...]]
"""Of each item, who rates it."""


def designs(*rows: tuple[int, int, int]) -> RaterDesigns:
    return RaterDesigns(*(np.array(column) for column in zip(*rows, strict=True)))


def listed(found: RaterDesigns) -> list[tuple[int, ...]]:
    return list(zip(*(x.tolist() for x in (found.raters, found.per_item, found.items)), strict=True))


def rated(sds: tuple[float, float, float], effect: float = 0.1) -> RatedSystems:
    return RatedSystems(raters=3, rater_effect_sd=sds[0], item_effect_sd=sds[1], residual_sd=sds[2], effect=effect)


def test_every_number_of_raters_per_item() -> None:
    """From one to all of them, on the fewest items that anything can be told from."""
    assert listed(RaterDesigns.of((2, 4))) == [
        (2, 1, 2),
        (2, 2, 2),
        (4, 1, 2),
        (4, 2, 2),
        (4, 3, 2),
        (4, 4, 2),
    ]


@pytest.mark.parametrize(
    ("per_item", "kind", "crossed"), [(1, "alone", False), (2, "shared", False), (3, "crossed", True)]
)
def test_kinds(per_item: int, kind: str, crossed: bool) -> None:
    """One rater per item, some of them, or all."""
    one = RaterDesign(3, per_item, 6, 1.0, 0.5)
    assert (one.kind, one.crossed) == (kind, crossed)


@pytest.mark.parametrize(
    ("items", "up", "whole"),
    [
        (10.0, True, [12, 10, 10]),
        (10.0, False, [8, 10, 10]),
        (10.25, True, [12, 11, 11]),
        (10.75, False, [8, 10, 10]),
        (12.0, True, [12, 12, 12]),
        (12.0, False, [12, 12, 12]),
        (0.5, False, [0, 0, 0]),
        (-3.0, True, [0, 0, 0]),
        (3e9, True, [10**6] * 3),
        (3e9, False, [10**6] * 3),
    ],
)
def test_whole_numbers_of_items(items: float, up: bool, whole: list[int]) -> None:
    """Raters who rate alone share items out evenly: four of them take four more at a time. None below 0 or above a million."""
    found = designs((4, 1, 2), (4, 2, 2), (4, 4, 2)).with_items(np.full(3, items), up=up)
    assert found.items.tolist() == whole


def test_designs_that_can_be_judged() -> None:
    """Two items or more, something for every rater, and where raters share items a rating more than it takes to fit them."""
    every = [(p, k, q) for p in range(2, 8) for k in range(1, p + 1) for q in range(1, 12)]
    expected = [q >= 2 and k * q >= p and (k == 1 or k * q - 1 - (p - 1) - (q - 1) >= 1) for p, k, q in every]
    assert designs(*every).possible.tolist() == expected
    assert 20 < sum(expected) < len(every) - 20


def test_what_designs_cost() -> None:
    """Each rating of either system, each item and each rater, at prices that have nothing in common."""
    found = designs((7, 3, 11), (5, 1, 20)).cost(Prices(0.5, 3.0, 17.0))
    assert found.tolist() == [2 * 33 * 0.5 + 11 * 3.0 + 7 * 17.0, 2 * 20 * 0.5 + 20 * 3.0 + 5 * 17.0]


@pytest.mark.parametrize(
    "prices", [Prices(0.1, 0.0, 0.0), Prices(0.1, 0.7, 1.3), Prices(2.0, 0.0, 31.0), Prices(0.05, 4.0, 0.0)]
)
@pytest.mark.parametrize("budget", [4.2, 36.0, 91.7])
def test_items_that_a_budget_pays_for(prices: Prices, budget: float) -> None:
    """The most whose cost is no more than it, rounding apart: found one by one in whole thousandths of a coin."""
    asked = RaterDesigns.of((2, 3, 5, 9))
    rating, item, rater = (round(1000 * price) for price in (prices.rating, prices.item, prices.rater))
    for p, k, q in listed(asked.affordable(prices, budget)):
        step = p if k == 1 else 1
        left = round(1000 * budget) - rater * p
        assert q == max((n for n in range(0, 1_000, step) if n * (2 * rating * k + item) <= max(left, 0)), default=0)


PLANES: dict[str, Layout] = {
    "pairs of five": list(itertools.combinations(range(5), 2)),
    "threes of four": list(itertools.combinations(range(4), 3)),
    "Fano's seven": [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)],
    # Items of four, each pair of which shares one of six raters: fewer items than raters.
    "six raters of four": [(0, 1, 2), (0, 3, 4), (1, 3, 5), (2, 4, 5)],
    "everybody": [tuple(range(4))] * 6,
}


def _precision(layout: Layout, variances: tuple[float, float, float]) -> tuple[float, float]:
    """Variance of the mean, and Satterthwaite's degrees of freedom from the information of REML, with every matrix written out."""
    cells = [(rater, item) for item, raters in enumerate(layout) for rater in raters]
    raters, items = np.array(cells).T
    same = [raters[:, None] == raters, items[:, None] == items, np.eye(len(cells))]
    parts = [np.asarray(one, dtype=np.float64) for one in same]
    inverse = np.linalg.inv(sum(v * part for v, part in zip(variances, parts, strict=True)))
    ones = np.ones((len(cells), 1))
    left = inverse - inverse @ ones @ ones.T @ inverse / (ones.T @ inverse @ ones)
    information = np.array([[0.5 * np.trace(left @ a @ left @ b) for a in parts] for b in parts])
    gradient = np.array([1.0 / len(set(raters)), 1.0 / len(layout), 1.0 / len(cells)])
    variance = float(gradient @ variances)
    return variance, float(2.0 * variance**2 / (gradient @ np.linalg.solve(information, gradient)))


@pytest.mark.parametrize("layout", PLANES.values(), ids=PLANES)
@pytest.mark.parametrize("sds", [(0.2, 0.3, 0.5), (0.9, 0.1, 0.2), (0.1, 0.8, 0.15)])
def test_raters_who_meet_equally_often(layout: Layout, sds: tuple[float, float, float]) -> None:
    """Where all pairs of raters, or of items, meet equally often the closed form is the layout's own information."""
    raters, per_item = 1 + max(map(max, layout)), len(layout[0])
    error, df = designs((raters, per_item, len(layout))).precision(rated(sds))
    variance, expected = _precision(layout, (sds[0] ** 2, sds[1] ** 2, 2.0 * sds[2] ** 2))
    assert error[0] ** 2 == pytest.approx(variance, rel=1e-12, abs=0.0)
    assert df[0] == pytest.approx(max(expected, 1.0), rel=1e-8, abs=0.0)


def test_degrees_of_freedom_have_a_least_number() -> None:
    """One less than raters where each item has one; else never below 1."""
    _, df = designs((6, 1, 60), (2, 2, 3)).precision(rated((0.001, 0.001, 0.9)))
    assert df.tolist() == [5.0, 1.0]
    assert _precision([(0, 1)] * 3, (1e-6, 1e-6, 1.62))[1] == pytest.approx(0.5, rel=1e-4, abs=0.0)


@pytest.mark.parametrize("effect", [0.4, -0.4])
def test_powers_that_designs_are_searched_by(effect: float) -> None:
    """A noncentral t at the error and the degrees of freedom; quickly, a normal law behind the critical value of t."""
    population = rated((0.3, 0.4, 0.6), effect)
    asked = designs((6, 1, 30), (5, 2, 30), (4, 4, 25))
    error, df = asked.precision(population)
    found = asked.power(population, 0.01, "two-sided")
    quick = asked.quick_power(population, 0.01, "two-sided")
    for i in range(3):
        critical, shift = stats.t.isf(0.005, df[i]), effect / error[i]
        both = stats.nct.sf(critical, df[i], shift) + stats.nct.cdf(-critical, df[i], shift)
        assert found[i] == pytest.approx(both, rel=1e-6, abs=0.0)
        assert quick[i] == pytest.approx(stats.norm.cdf(abs(shift) - critical), rel=1e-9, abs=0.0)
    side: Alternative = "greater" if effect > 0.0 else "less"
    critical = stats.t.isf(0.01, df[1])
    assert asked.quick_power(population, 0.01, side)[1] == pytest.approx(
        stats.norm.cdf(0.4 / error[1] - critical), rel=1e-9, abs=0.0
    )


def test_the_order() -> None:
    """The largest key first and equal ones as they stand, each with its own numbers, cost and power."""
    found = designs((2, 1, 4), (3, 2, 5), (4, 4, 6), (5, 1, 10))
    ordered = list(
        found.in_order(np.array([1.0, 3.0, 3.0, 2.0]), Prices(1.0, 0.0, 0.0), np.array([0.1, 0.2, 0.3, 0.4]))
    )
    assert ordered == [
        RaterDesign(3, 2, 5, 20.0, 0.2),
        RaterDesign(4, 4, 6, 48.0, 0.3),
        RaterDesign(5, 1, 10, 20.0, 0.4),
        RaterDesign(2, 1, 4, 8.0, 0.1),
    ]


@pytest.mark.parametrize("wanted", [1, 2, 3, 17, 400, 65_536, 999_999])
def test_the_fewest_items(wanted: int) -> None:
    """On a ladder of 2¹⁶ equal steps from 1 to a million: the first step that is enough, in whole numbers of what is shared out."""
    asked = designs((3, 1, 2), (3, 2, 2), (3, 3, 2))

    def reached(found: RaterDesigns) -> BoolArray:
        return np.asarray((found.items >= wanted) & (found.per_item < 3))

    ladder = 10.0 ** (6.0 * np.arange(1, 2**16 + 1) / 2**16)
    found = fewest_items(asked, reached)
    for place, step in ((0, 3), (1, 1)):
        whole = np.ceil(np.minimum(ladder, 1e6) / step) * step
        assert found.items[place] == whole[np.argmax(whole >= wanted)]
    assert found.items[2] == 0


def test_a_rest_of_none() -> None:
    """Ratings that scatter by nothing are taken to scatter by a millionth of a millionth of what raters and items do."""
    population = RatedSystems(
        raters=8, per_item=3, rater_effect_sd=0.3, item_effect_sd=0.4, residual_sd=0.0, effect=0.1
    )
    assert near_mean_squares(population, 24).rest[0] == pytest.approx(0.25e-12, rel=1e-9, abs=0.0)
    error, _ = designs((8, 3, 24)).precision(population)
    assert math.isclose(error[0] ** 2, 0.09 / 8 + 0.16 / 24, rel_tol=1e-9)
