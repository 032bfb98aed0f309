"""Numbers of items as places: which studies they stand for, where a search begins, and what is said where it ends."""

import math

import pytest
from scipy import stats

from tellapart.compute.work import Budget
from tellapart.planning.solved_axes import ItemsAxis, item_spread
from tellapart.planning.study import Study

GAUSSIAN = "gaussian(sd=0.1, correlation=0.5, effect=0.03)"
CLUSTERED = "clustered(population=gaussian(sd=0.1, correlation=0.5), size=10, icc=0.3, effect=0.02)"


def items(population: str = GAUSSIAN, test: str = "paired_t", target: float = 0.8) -> ItemsAxis:
    return ItemsAxis(Study(population, test, 2), target, Budget())


@pytest.mark.parametrize("n", [2, 3, 10, 99_999, 10**9])
def test_whole_numbers_stay_whole(n: int) -> None:
    """The root of a whole number stands for that number, and anything above it for the next."""
    axis = items()
    assert axis.units(math.sqrt(n)) == axis.enough(math.sqrt(n)) == axis.value_at(math.sqrt(n)) == n
    assert axis.study_at(math.sqrt(n)).items == n
    assert axis.enough(math.sqrt(n + 0.4)) == n + 1
    assert axis.snapped(math.sqrt(n + 0.4)) == math.sqrt(n)


def test_no_place_below_two() -> None:
    """One item has no spread."""
    axis = items()
    assert (axis.units(0.5), axis.enough(0.5), axis.value_at(1.0)) == (2, 2, 2)
    assert axis.least == math.sqrt(2.0)
    assert axis.most**2 == pytest.approx(1e9)


def test_clusters_are_units() -> None:
    """Places count clusters, values items."""
    axis = items(CLUSTERED, "cluster_t")
    assert (axis.unit, axis.value_at(3.0), axis.study_at(3.0).items) == (10, 90, 90)


@pytest.mark.parametrize(
    ("test", "sides"),
    [
        ("paired_t", 2.0),
        ("paired_t(alternative=greater)", 1.0),
        ("equivalence(margin=0.1)", 1.0),
        ("non_inferiority(margin=0.1)", 1.0),
    ],
)
def test_searches_begin_where_a_z_test_would_end(test: str, sides: float) -> None:
    """(z of the power + z of the level) · spread / distance, squared: two-sided tests of a difference halve the level."""
    axis = items(test=test)
    quantiles = float(stats.norm.ppf(0.8) - stats.norm.ppf(0.05 / sides))
    assert axis.quantiles == pytest.approx(quantiles)
    distance = {"equivalence(margin=0.1)": 0.07, "non_inferiority(margin=0.1)": 0.13}.get(test, 0.03)
    assert axis.start**2 == pytest.approx((quantiles * 0.1 / distance) ** 2, abs=0.51)


def test_searches_begin_within_reach() -> None:
    """At four items where one would do, and at a quarter of the most where more are needed: there is room left to go on."""
    assert items("gaussian(sd=0.1, correlation=0.5, effect=30)").start == 2.0
    far = items("gaussian(sd=0.1, correlation=0.5, effect=1e-9)")
    assert far.start == far.most / 2.0
    assert items("gaussian(sd=0.1, correlation=0.5, effect=0.12)").start ** 2 == pytest.approx(5.0)


def test_clusters_begin_at_as_many_items() -> None:
    """A search over clusters of ten begins at a tenth of the items, and so at their root over that of ten."""
    axis = items(CLUSTERED, "cluster_t")
    start = axis.quantiles * item_spread(axis.study.population) / 0.02
    assert axis.start**2 == pytest.approx(start**2 / 10, abs=0.51)


def test_a_refusal_says_how_far_it_went() -> None:
    """The farthest number tried and the power there."""
    axis = items()
    assert f"even 100 items reach only {axis.at(10.0).power:.3f} power" in axis.refused(10.0).message
