"""Searches for the best design of raters where the power of every design is known: what the search makes of powers is what is tested."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from tellapart.compute.work import Budget
from tellapart.planning.power import power_of
from tellapart.planning.rater_designs import RaterDesign, RaterDesigns
from tellapart.planning.rater_search import RaterSearch
from tellapart.populations.ratings import RatedSystems
from tellapart.verbs.plan.choices import choices
from tellapart.verbs.plan.question import Prices

Power = Callable[[RaterDesign], float]
Sds = tuple[float, float, float]


@dataclass(frozen=True)
class Known(RaterSearch):
    """Judges by a power that is given, and notes what it was asked to judge."""

    power: Power
    asked: list[RaterDesign] = field(default_factory=list)

    def judged(self, design: RaterDesign) -> RaterDesign:
        assert design.items > 0
        self.asked.append(design)
        return replace(design, power=self.power(design))


def searching(
    power: Power | None,
    raters: Iterable[int],
    prices: Prices,
    sds: Sds = (0.2, 0.3, 0.3),
    effect: float = 0.2,
) -> Known:
    """A search among so many raters; without a power, what designs are screened by is their power."""
    population = RatedSystems(
        raters=2, rater_effect_sd=sds[0], item_effect_sd=sds[1], residual_sd=sds[2], effect=effect
    )

    def screened(one: RaterDesign) -> float:
        if one.items < 2:
            return 0.0
        same = RaterDesigns(*(np.array([x]) for x in (one.raters, one.per_item, one.items)))
        return float(same.quick_power(population, 0.05, "two-sided")[0])

    return Known(population, lambda p, n: choices(p, n).test, 0.05, prices, tuple(raters), power or screened)


def every(search: Known, most_items: int, budget: float = np.inf) -> list[RaterDesign]:
    """All designs that can be judged and paid, with the power that they are screened by."""
    prices = search.prices
    rows = [
        (p, k, q, 2.0 * prices.rating * k * q + prices.item * q + prices.rater * p)
        for p in search.raters
        for k in range(1, p + 1)
        for q in range(2, most_items + 1)
        if (q % p == 0 if k == 1 else k * q - q - p + 1 >= 1)
    ]
    paid = [row for row in rows if row[3] <= budget + 1e-9]
    designs = RaterDesigns(*(np.array([row[i] for row in paid]) for i in range(3)))
    powers = designs.quick_power(search.population, search.alpha, "two-sided")
    return [RaterDesign(*row, power) for row, power in zip(paid, powers.tolist(), strict=True)]


def kind(designs: Iterable[RaterDesign], *kinds: str) -> list[RaterDesign]:
    return [one for one in designs if one.kind in kinds]


CHEAP_RATERS, DEAR_RATERS, DEAR_ITEMS = Prices(1.0, 0.0, 2.0), Prices(0.3, 0.0, 25.0), Prices(0.2, 6.0, 1.0)
LIKE_ITEMS, LIKE_RATERS, LIKE_REST = (0.05, 0.5, 0.2), (0.5, 0.05, 0.2), (0.05, 0.05, 0.6)
ONLY_REST = (0.001, 0.001, 0.6)
"""It then matters how many ratings there are, and hardly whose."""


@pytest.mark.parametrize("prices", [CHEAP_RATERS, DEAR_RATERS, DEAR_ITEMS])
@pytest.mark.parametrize("sds", [LIKE_ITEMS, LIKE_RATERS, LIKE_REST])
def test_the_strongest(prices: Prices, sds: Sds) -> None:
    """Of everybody on all items the strongest; of all designs too, where some raters per item have to be better by 0.005."""
    search = searching(None, range(2, 8), prices, sds)
    paid = every(search, 200, 120.0)
    best, crossed = search.strongest(120.0)
    assert best is not None
    assert crossed is not None
    strongest = {
        name: max((one.power for one in kind(paid, name)), default=0.0) for name in ("crossed", "alone", "shared")
    }
    sure = max(strongest["crossed"], strongest["alone"])
    assert crossed.kind == "crossed"
    assert crossed.power == pytest.approx(strongest["crossed"], abs=5e-7)
    wins = strongest["shared"] > sure + 0.005
    assert best.power == pytest.approx(strongest["shared"] if wins else sure, abs=5e-7)
    assert (best.kind == "shared") == wins


@pytest.mark.parametrize("prices", [CHEAP_RATERS, DEAR_RATERS, DEAR_ITEMS])
@pytest.mark.parametrize(("sds", "effect"), [(LIKE_ITEMS, 0.6), (LIKE_RATERS, 1.2), (LIKE_REST, 0.6)])
def test_the_cheapest(prices: Prices, sds: Sds, effect: float) -> None:
    """Of those that have the power; some raters per item have to have 0.005 more."""
    search = searching(None, range(2, 8), prices, sds, effect)
    designs = every(search, 150)
    best, crossed = search.cheapest(0.8)
    assert crossed is not None
    assert best is not None
    enough = {
        name: min((one.cost for one in kind(designs, name) if one.power >= wanted), default=np.inf)
        for name, wanted in (("crossed", 0.8), ("alone", 0.8), ("shared", 0.805))
    }
    assert crossed.kind == "crossed"
    assert crossed.cost == pytest.approx(enough["crossed"])
    assert best.cost == pytest.approx(min(enough.values()))
    assert min(best.power, crossed.power) >= 0.8


def test_nothing_can_be_paid() -> None:
    """Without money for two items there is no design, and none is judged."""
    search = searching(None, range(2, 5), CHEAP_RATERS)
    assert search.strongest(5.0) == (None, None)
    assert list(search.for_costs([5.0])) == []
    assert search.asked == []


def test_nothing_is_enough() -> None:
    """However many items: what has no power by the rule is no design."""
    assert searching(lambda one: 0.1, range(2, 5), CHEAP_RATERS).cheapest(0.8) == (None, None)


@pytest.mark.parametrize(
    ("of_some", "kind_of_best"), [(0.505, "crossed"), (0.5051, "shared"), (0.6, "shared"), (0.4, "crossed")]
)
def test_some_raters_per_item_have_to_be_better(of_some: float, kind_of_best: str) -> None:
    """By more than 0.005, of which their power is only about what it is."""
    search = searching(lambda one: {"crossed": 0.5, "alone": 0.2, "shared": of_some}[one.kind], [3], CHEAP_RATERS)
    best, crossed = search.strongest(100.0)
    assert best is not None
    assert crossed is not None
    assert (best.kind, crossed.kind) == (kind_of_best, "crossed")


@pytest.mark.parametrize(("less", "cheaper_wins"), [(5e-7, True), (4e-7, True), (6e-7, False)])
def test_equal_powers(less: float, cheaper_wins: bool) -> None:
    """Within half a millionth powers are the same, and the cheaper of two designs is the better one."""
    most = 0.5
    search = searching(lambda one: most if one.raters == 3 else most - less, [3, 4], Prices(1.0, 1.0, 1.0))
    three, four = RaterDesign(3, 3, 10, 73.0, 0.5), RaterDesign(4, 4, 8, 76.0, 0.5)
    designs = RaterDesigns(np.array([3, 4]), np.array([3, 4]), np.array([10, 7]))
    found = search._strongest(designs, None)
    assert found is not None
    # Four raters on seven items cost 67, three on ten cost 73.
    assert (found.raters == 4) == cheaper_wins
    assert found.cost == (67.0 if cheaper_wins else 73.0)
    assert search._strongest(designs, replace(four, power=0.9)) == replace(four, power=0.9)
    assert search._strongest(designs, replace(three, power=0.1)) == found


def test_how_many_are_judged() -> None:
    """Fifty of each kind that seem strongest, half as many that seem cheapest."""
    search = searching(None, range(2, 70), Prices(0.1, 0.0, 0.1))
    search.strongest(500.0)
    judged = {name: len(kind(search.asked, name)) for name in ("crossed", "alone", "shared")}
    assert judged == {"crossed": 50, "alone": 50, "shared": 50}
    never = searching(lambda one: 0.0, range(2, 70), Prices(0.1, 0.0, 0.1), effect=1.0)
    never.cheapest(0.8)
    for name in ("crossed", "alone", "shared"):
        assert len({(one.raters, one.per_item) for one in kind(never.asked, name)}) == 25


def test_designs_that_cost_the_same() -> None:
    """The one that was judged first stays: everybody on all items before one rater per item, and what seemed cheaper before others."""
    prices = Prices(1.0, 0.0, 0.0)
    search = searching(lambda one: float(one.per_item * one.items >= 168), (6, 7, 8), prices, ONLY_REST, 0.23)
    best, crossed = search.cheapest(0.8)
    assert best == crossed
    assert crossed is not None
    first = kind(search.asked, "crossed")[0]
    assert (crossed.raters, crossed.cost) == (first.raters, 336.0)
    assert {one.raters for one in kind(search.asked, "crossed")} == {6, 7, 8}


def test_designs_that_seem_too_dear_are_left_out() -> None:
    """What seems to cost a ninth more than the best, or more, is not judged; what seems less dear is, and may be the cheaper one."""
    search = searching(None, range(5, 30), Prices(0.3, 0.0, 2.0), ONLY_REST)
    _, crossed = search.cheapest(0.8)
    assert crossed is not None
    enough = [one for one in kind(every(search, 40), "crossed") if one.power >= 0.8]
    seeming = {p: min(one.cost for one in enough if one.raters == p) for p in {one.raters for one in enough}}
    looked_at = {one.raters for one in kind(search.asked, "crossed")}
    assert looked_at == {p for p, cost in seeming.items() if 0.9 * cost <= crossed.cost}
    assert 3 <= len(looked_at) < 20


@pytest.mark.parametrize("first", [3, 10, 31, 32, 100, 333])
@pytest.mark.parametrize("kind_of", ["crossed", "alone"])
def test_enough_items(first: int, kind_of: str) -> None:
    """The fewest that have the power, from a single one up, found from any first guess that is not too far off."""
    per_item, step = (4, 1) if kind_of == "crossed" else (1, 4)
    for wanted in {1, 2, first // 3 + 1, first - 1, first, first + 1, 2 * first}:
        search = searching(
            lambda one, wanted=wanted: 0.8 if one.items >= wanted * step else 0.7999,  # type: ignore[misc]
            [4],
            Prices(0.5, 2.0, 10.0),
        )
        found = search._sufficient(RaterDesign(4, per_item, first * step, 0.0, 0.0), 0.8)
        assert found is not None
        items = wanted * step
        assert found == RaterDesign(4, per_item, items, items * per_item + 2.0 * items + 40.0, 0.8)


@pytest.mark.parametrize(("wanted", "found"), [(36, True), (37, False)])
def test_how_far_up_enough_items_are_looked_for(wanted: int, found: bool) -> None:
    """Up to twice as many as seemed enough and sixteen more: what does not have the power there is no near miss."""
    search = searching(lambda one: float(one.items >= wanted), [4], CHEAP_RATERS)
    one = search._sufficient(RaterDesign(4, 4, 10, 0.0, 0.0), 0.8)
    assert (one is not None) == found
    assert max(asked.items for asked in search.asked) == 36


def test_no_design_is_judged_twice() -> None:
    """Of one search, which may come by the same number of items from both sides."""
    search = searching(lambda one: float(one.items >= 47), [4], CHEAP_RATERS)
    search._sufficient(RaterDesign(4, 4, 100, 0.0, 0.0), 0.8)
    assert len(search.asked) == len(set(search.asked))


def test_raters_with_unequal_loads_are_simulated_a_thousand_times() -> None:
    """Ten items among four raters have no formula."""
    search = searching(None, [4], CHEAP_RATERS, effect=0.5)
    found = RaterSearch.judged(search, RaterDesign(4, 1, 10, 1.0, 0.0))
    study = search.study(found)
    assert (study.items, study.population.unit, str(study.test)) == (10, 4, "rater_t")
    assert found.power == power_of(study, Budget("monte_carlo", 1_000)).power
    assert 0.1 < found.power < 0.9


def test_one_kind_for_each_cost() -> None:
    """Crossed, alone, shared, once for each cost: the strongest by screening, with the power of the rule."""
    search = searching(lambda one: 0.001 * one.items, [3, 4, 5], Prices(0.5, 1.0, 5.0))
    found = list(search.for_costs([100.0, 200.0]))
    assert [one.kind for one in found] == ["crossed", "alone", "shared"] * 2
    for one, cost in zip(found, [100.0] * 3 + [200.0] * 3, strict=True):
        screened = searching(None, [3, 4, 5], Prices(0.5, 1.0, 5.0))
        same = kind(every(screened, 200, cost), one.kind)
        assert screened.power(one) == pytest.approx(max(design.power for design in same), rel=1e-12, abs=0.0)
        assert one.power == 0.001 * one.items
