"""A search with a test that resamples each evaluation simulates no more than its answer needs, and says the same."""

import math

import pytest

from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.planning.power import power_of
from tellapart.planning.simulated_root import _begins_near
from tellapart.planning.solve import solve
from tellapart.planning.solved_axes import EffectAxis, ItemsAxis
from tellapart.planning.study import Study

TEST = "both(first=paired_t, second=bootstrap(kind=studentised, resamples=999))"
BUDGET = Budget("monte_carlo", 500)


def items_axis(effect: float) -> ItemsAxis:
    return ItemsAxis(Study(f"gaussian(effect={effect}, sd=0.2, correlation=0.5)", TEST, 2), 0.8, BUDGET, Runner(1))


def test_far_from_the_target_a_glance_is_enough() -> None:
    """A tenth of the replicates shows 5 items short and 200 items ample; at 34 all are needed."""
    axis = items_axis(0.1)
    found = [axis.quick_decision(math.sqrt(n)) for n in (5, 34, 200)]
    assert found == [False, None, True]
    assert not axis.known
    assert {one.replicates for one in axis.quick_power.values()} == {50}


def test_nothing_is_glanced_at_by_tests_that_are_quick_or_replicates_that_are_few() -> None:
    quick = ItemsAxis(Study("gaussian(effect=0.1, sd=0.2, correlation=0.5)", "sign", 2), 0.8, BUDGET, Runner(1))
    few = ItemsAxis(items_axis(0.1).study, 0.8, Budget("monte_carlo", 100), Runner(1))
    assert quick.quick_decision(3.0) is None
    assert few.quick_decision(3.0) is None
    assert not quick.quick_power
    assert not few.quick_power


@pytest.mark.parametrize(("replicates", "quick_power"), [(249, set()), (250, {25}), (279, {27})])
def test_a_glance_takes_twenty_five_replicates_or_more(replicates: int, quick_power: set[int]) -> None:
    """A tenth of those that were asked for, cut to a whole number; fewer say next to nothing."""
    axis = ItemsAxis(items_axis(0.1).study, 0.8, Budget("monte_carlo", replicates), Runner(1))
    axis.quick_decision(math.sqrt(5))
    assert {one.replicates for one in axis.quick_power.values()} == quick_power


@pytest.mark.parametrize("effect", [0.05, 0.1])
def test_items_from_few_simulations(effect: float) -> None:
    """At most four places in full, and the power simulated at the answer is the target up to chance."""
    axis = items_axis(effect)
    found = solve(axis)
    assert len(axis.known) <= 4
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.items <= found.high + 1.0
    assert found.result == power_of(found.study, BUDGET, Runner(1))
    other = power_of(found.study, Budget("monte_carlo", 500, seed=5), Runner(1))
    assert abs(other.power - 0.8) < 0.08


def test_an_effect_from_few_simulations() -> None:
    axis = EffectAxis(Study("gaussian(effect=0.1, sd=0.2, correlation=0.5)", TEST, 40), 0.8, BUDGET, Runner(1))
    found = solve(axis)
    assert len(axis.known) <= 4
    assert found.result.power == pytest.approx(0.8, abs=0.03)


def test_an_effect_far_from_the_guess_is_bracketed() -> None:
    """Where a z test's guess is no good, as with six items, the search goes on until the target is met."""
    axis = EffectAxis(Study("gaussian(effect=0.1, sd=0.2, correlation=0.5)", TEST, 7), 0.95, BUDGET, Runner(1))
    found = solve(axis)
    assert found.result.power == pytest.approx(0.95, abs=0.04)


@pytest.mark.parametrize(("test", "target", "near"), [(TEST, 0.8, True), (TEST, 0.999, False), ("sign", 0.8, False)])
def test_who_needs_no_bracket(test: str, target: float, near: bool) -> None:
    """A test that takes long, and whose power where the search begins is within a tenth of the target."""
    study = Study("gaussian(effect=0.1, sd=0.2, correlation=0.5)", test, 2)
    axis = ItemsAxis(study, target, Budget("monte_carlo", 100), Runner(1))
    axis.start = math.sqrt(34)
    assert _begins_near(axis) == near
