"""The best design for a budget and the cheapest of a power, against another program's enumeration and our own."""

import itertools
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tellapart.compute.work import Budget
from tellapart.methods.significance.mixed_model import MixedModel
from tellapart.methods.significance.procedure import Procedure
from tellapart.methods.significance.rater_t import RaterT
from tellapart.planning import rater_search
from tellapart.planning.power import power_of
from tellapart.planning.rater_designs import RaterDesign, RaterDesigns
from tellapart.planning.rater_search import RaterSearch
from tellapart.populations.ratings import RatedSystems
from tellapart.verbs.plan.choices import choices
from tellapart.verbs.plan.question import Prices

Row = dict[str, str]
Reference = Callable[[str], list[Row]]
SETTINGS = {"low": (0.08, 0.26, 0.16), "high": (0.22, 0.28, 0.26), "pplm": (0.01, 0.19, 0.14)}


def searching(setting: str, effect: float, prices: Prices, raters: range) -> RaterSearch:
    of_raters, of_items, one = SETTINGS[setting]
    population = RatedSystems(
        raters=2, rater_effect_sd=of_raters, item_effect_sd=of_items, residual_sd=one, effect=effect
    )
    return RaterSearch(population, lambda p, n: choices(p, n).test, 0.05, prices, tuple(raters))


def test_budgets(reference: Reference) -> None:
    """Of full crossings the very power; over all designs at least that of one rater per item."""
    cases: dict[str, dict[str, float]] = {}
    for row in reference("ratings_budget.csv"):
        cases.setdefault(row["case"], {})[row["quantity"]] = float(row["value"])
    for case, expected in cases.items():
        said = dict(part.split("=") for part in case.split(","))
        prices = Prices(*(float(said[name]) for name in ("per_rating", "per_item", "per_rater")))
        search = searching(said["setting"], float(said["effect"]), prices, range(2, int(said["most_raters"]) + 1))
        best, crossed = search.strongest(float(said["budget"]))
        assert best is not None
        assert crossed is not None
        assert best.cost <= float(said["budget"]) + 1e-9
        if said["design"] == "crossed":
            assert crossed.power == pytest.approx(expected["power"], abs=2e-4)
            assert crossed.cost <= float(said["budget"]) + 1e-9
        else:
            assert best.power >= expected["power"] - 1e-6


def _every(search: RaterSearch, most_items: int) -> list[RaterDesign]:
    found = []
    for p in search.raters:
        for k, q in itertools.product(range(1, p + 1), range(2, most_items + 1)):
            if (k == 1 and q % p == 0) or (k > 1 and k * q - q - p + 1 >= 1):
                cost = 2 * k * q * search.prices.rating + q * search.prices.item + p * search.prices.rater
                found.append(search.judged(RaterDesign(p, k, q, cost, 0.0)))
    return found


@pytest.mark.parametrize(
    ("setting", "prices"),
    [("low", Prices(1.0, 0.0, 0.0)), ("high", Prices(0.2, 3.0, 4.0)), ("pplm", Prices(0.5, 0.0, 12.0))],
)
def test_nothing_is_better(setting: str, prices: Prices) -> None:
    """Over every design of up to five raters and 24 items."""
    search = searching(setting, 0.12, prices, range(2, 6))
    every = _every(search, 24)
    for budget in (60.0, 90.0):
        paid = [one for one in every if one.cost <= budget]
        best, crossed = search.strongest(budget)
        assert best is not None
        assert best.power >= max(one.power for one in paid) - 0.005 - 1e-4
        assert crossed is not None
        assert crossed.power >= max(one.power for one in paid if one.crossed) - 1e-4


def test_a_small_alpha() -> None:
    """What designs are screened by errs most where alpha is small, and the best is found all the same: over all of up to twelve raters."""
    search = replace(searching("high", 0.24, Prices(1.0, 1.0, 9.0), range(2, 13)), alpha=0.001)
    affordable = RaterDesigns.of(search.raters).affordable(search.prices, 950.0)
    affordable = affordable.where(affordable.possible)
    none = np.zeros(len(affordable.raters))
    paid = [search.judged(one) for one in affordable.in_order(none, search.prices, none)]
    best, crossed = search.strongest(950.0)
    assert best is not None
    assert crossed is not None
    assert best.power == max(one.power for one in paid) > crossed.power + 0.05
    assert crossed.power == max(one.power for one in paid if one.crossed)


def test_other_budgets() -> None:
    """Of each kind the strongest for the money, judged as the best one is; no more money than was given, and more buys more."""
    search = searching("high", 0.15, Prices(0.5, 1.0, 10.0), range(2, 15))
    costs = (200.0, 400.0, 800.0)
    found = list(search.for_costs(costs))
    assert len(found) == 9
    for kind in ("crossed", "alone", "shared"):
        designs = [one for one in found if one.kind == kind]
        assert all(one.cost <= cost for one, cost in zip(designs, costs, strict=True))
        assert designs == sorted(designs, key=lambda one: one.power)
        assert [search.judged(one).power for one in designs] == [one.power for one in designs]
    best, crossed = search.strongest(800.0)
    assert best is not None
    assert crossed is not None
    strongest = {one.kind: one.power for one in found[-3:]}
    assert strongest[best.kind] == pytest.approx(best.power, abs=0.01)
    assert strongest["crossed"] == pytest.approx(crossed.power, abs=0.01)


def test_cheapest() -> None:
    """Over every design of up to six raters and thirty items that has the power."""
    search = searching("low", 0.3, Prices(0.2, 3.0, 4.0), range(4, 7))
    enough = [one for one in _every(search, 30) if one.power >= 0.8]
    best, crossed = search.cheapest(0.8)
    assert best is not None
    assert crossed is not None
    surely = [one.cost for one in enough if one.crossed or one.per_item == 1 or one.power >= 0.805]
    assert best.cost == pytest.approx(min(surely))
    assert crossed.cost == pytest.approx(min(one.cost for one in enough if one.crossed))
    assert min(best.power, crossed.power) >= 0.8


@pytest.mark.parametrize(("test", "kinds"), [(RaterT(), {"alone"}), (MixedModel(), {"crossed", "shared"})])
def test_designs_that_a_test_is_for(test: Procedure, kinds: set[str]) -> None:
    """T over raters needs one rater per item, a mixed model raters who share items: no other design is tried."""
    search = replace(searching("low", 0.3, Prices(1.0, 0.0, 0.0), range(2, 6)), test_for=lambda *_: test)
    found = list(search.for_costs([200.0]))
    assert {one.kind for one in found} == kinds


def test_each_kind_of_design_has_its_own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four of each are judged: designs of one rater per item, which seem cheapest, take no place from those of some, which are."""
    search = searching("pplm", 0.43, Prices(1.0, 4.0, 7.0), range(2, 11))
    thorough, _ = search.cheapest(0.8)
    monkeypatch.setattr(rater_search, "MOST_JUDGED", 8)
    hasty, _ = search.cheapest(0.8)
    assert hasty is not None
    assert hasty == thorough
    assert hasty.kind == "shared"
    assert hasty.cost == pytest.approx(75.0)


def test_a_search_takes_no_minutes() -> None:
    """Up to 120 raters, any number of them per item."""
    search = searching("high", 0.2, Prices(0.1, 0.0, 10.0), range(2, 121))
    before = time.process_time()
    search.strongest(400.0)
    assert time.process_time() - before < 10.0


def test_some_raters_per_item_are_simulated_together() -> None:
    """Their design is the same in all evaluations: a few hundred of them take a fraction of a second, and not milliseconds each by the dozen."""
    search = searching("high", 0.1, Prices(0.05, 1.0, 5.0), range(2, 121))
    study = search.study(RaterDesign(74, 4, 450, 0.0, 0.0))
    before = time.process_time()
    power_of(study, Budget(replicates=300))
    assert time.process_time() - before < 10.0


def test_what_stands_for_some_raters_per_item() -> None:
    """The mean squares of equal meetings come near the power of the test itself."""
    from tellapart import power  # noqa: PLC0415  (one test simulates)

    search = searching("low", 0.1, Prices(1.0, 0.0, 0.0), range(2, 12))
    for design in (
        RaterDesign(8, 2, 40, 0.0, 0.0),
        RaterDesign(10, 3, 30, 0.0, 0.0),
        RaterDesign(4, 2, 40, 0.0, 0.0),
    ):
        simulated = power(search.study(design), replicates=2000).power
        assert search.judged(design).power == pytest.approx(simulated, abs=0.05)


def test_two_items_can_be_judged_and_one_cannot() -> None:
    """Everybody rates both of two items; of one item nothing tells what varies."""
    search = searching("low", 2.0, Prices(1.0, 1.0, 1.0), range(2, 5))
    assert search.judged(RaterDesign(4, 4, 2, 1.0, 0.5)).power > 0.2
    assert search.judged(RaterDesign(4, 4, 1, 1.0, 0.5)).power == 0.0
    assert search.judged(RaterDesign(4, 1, 3, 1.0, 0.5)).power == 0.0


def test_any_stride_finds_the_same_number_of_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """How far the search for a sufficient number steps at once changes how soon it is found."""
    search = searching("high", 0.5, Prices(1.0, 1.0, 1.0), range(2, 9))
    found = set()
    for strides in (2, 7, 15, 16, 17, 64):
        monkeypatch.setattr(rater_search, "STRIDES", strides)
        found.add(search._sufficient(RaterDesign(8, 8, 30, 1.0, 0.5), 0.8))
    assert len(found) == 1
    assert None not in found
