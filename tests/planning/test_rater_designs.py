"""Designs with some raters per item: how precise they are in closed form, and how near the power that they are searched by is."""

import numpy as np
import pytest

from tellapart.choosing.pairs import suited_to_raters
from tellapart.compute.work import Budget
from tellapart.methods.significance import TESTS
from tellapart.planning.power import power_of
from tellapart.planning.rater_designs import RaterDesigns, near_mean_squares
from tellapart.planning.raters import from_mean_squares
from tellapart.planning.study import Study
from tellapart.populations.ratings import RatedSystems

Sds = tuple[float, float, float]


def rated(raters: int, per_item: int | None, sds: Sds, effect: float = 0.1) -> RatedSystems:
    return RatedSystems(
        raters=raters,
        per_item=per_item,
        rater_effect_sd=sds[0],
        item_effect_sd=sds[1],
        residual_sd=sds[2],
        effect=effect,
    )


@pytest.mark.parametrize("sds", [(0.2, 0.3, 0.5), (0.0, 0.3, 0.1), (0.2, 0.0, 0.1), (0.2, 0.3, 0.0)])
@pytest.mark.parametrize(
    ("raters", "per_item", "items"),
    [(10, 3, 100), (12, 2, 30), (40, 2, 60), (30, 5, 12), (9, 9, 20), (5, 4, 20)],
)
def test_the_closed_form_is_near_the_layout_itself(raters: int, per_item: int, items: int, sds: Sds) -> None:
    """The error is the very one; degrees of freedom, which depend on who meets whom, to some hundredths."""
    population = rated(raters, per_item, sds)
    designs = RaterDesigns(*(np.array([x]) for x in (raters, per_item, items)))
    error, df = designs.precision(population)
    precise = population.precision(items)
    assert error[0] ** 2 == pytest.approx(precise.variance, rel=1e-9, abs=0.0)
    assert df[0] == pytest.approx(precise.df, rel=0.05, abs=0.0)


def test_ratings_that_do_not_scatter_have_degrees_of_freedom() -> None:
    """Without a residual every rater and item is known exactly, and how few there are of them still counts."""
    crossed = rated(10, None, (0.2, 0.3, 0.0)).precision(30)
    for per_item in (3, 9):
        some = rated(10, per_item, (0.2, 0.3, 0.0)).precision(30)
        assert some.df == pytest.approx(crossed.df, rel=1e-6, abs=0.0)
        assert some.variance == pytest.approx(crossed.variance, rel=1e-9, abs=0.0)


@pytest.mark.parametrize(
    ("raters", "per_item", "items", "sds", "effect", "off"),
    [
        (12, 2, 30, (0.4, 0.1, 0.6), 0.3, 0.02),
        (40, 2, 60, (0.2, 0.3, 0.5), 0.15, 0.02),
        (4, 2, 40, (0.22, 0.28, 0.26), 0.25, 0.02),
        (5, 3, 20, (0.01, 0.19, 0.14), 0.12, 0.02),
        (10, 3, 100, (0.22, 0.28, 0.26), 0.2, 0.02),
    ],
)
def test_what_is_searched_by_is_near_what_is_simulated(
    raters: int, per_item: int, items: int, sds: Sds, effect: float, off: float
) -> None:
    """The rule on three mean squares of equal precision against the rule on whole evaluations; by efficiency alone .18 was lost."""
    population = rated(raters, per_item, sds, effect)
    study = Study(population, TESTS.parse(suited_to_raters(raters, items)), items, 0.05)
    near = from_mean_squares(study, near_mean_squares(population, items)).power
    found = power_of(study, Budget("monte_carlo", 1_500, 3))
    assert near == pytest.approx(found.power, abs=off + 2.0 * (found.high - found.low) / 4.0)


@pytest.mark.parametrize(
    ("raters", "per_item", "items", "sds", "efficiency"),
    [
        (12, 2, 30, (0.4, 0.1, 0.6), 1.150777),
        (5, 3, 20, (0.01, 0.19, 0.14), 0.930547),
        # So few ratings that none are left for the rest, and raters who vary so little that the ladder ends.
        (4, 2, 3, (1e-6, 0.1, 0.6), 2.532960),
        (34, 31, 56, (0.00010320304251349669, 1.9365173080312914, 0.0001472068015159479), 64.0),
    ],
)
def test_the_efficiency_that_raters_who_share_some_items_have(
    raters: int, per_item: int, items: int, sds: Sds, efficiency: float
) -> None:
    """The first on a fixed ladder with the degrees of freedom of the design; all three mean squares follow from it."""
    near = near_mean_squares(rated(raters, per_item, sds, 0.3), items)
    ratings = per_item * items
    of_raters, of_items, rest = sds[0] ** 2, sds[1] ** 2, 2.0 * sds[2] ** 2
    assert near.raters == pytest.approx(
        (rest + ratings / raters * efficiency * of_raters, raters - 1.0, 1.0 / (efficiency * ratings)),
        rel=1e-6,
        abs=0.0,
    )
    assert near.items == pytest.approx((rest + per_item * of_items, items - 1.0, 1.0 / ratings))
    assert near.rest == pytest.approx(
        (rest, max(ratings - items - raters + 1.0, 1.0), 1.0 / (efficiency * ratings)), rel=1e-6, abs=0.0
    )
