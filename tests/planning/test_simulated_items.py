"""Simulated numbers of items: the smallest that do, at few items too, where power goes up in steps."""

from collections.abc import Callable

import numpy as np
import pytest

from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.data.pair import Pair
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.planning.power import power_of
from tellapart.planning.solve import Solution, solve
from tellapart.planning.solved_axes import EffectAxis, ItemsAxis
from tellapart.planning.study import Study
from tellapart.populations import POPULATIONS
from tellapart.populations.pilot import Pilot

SIMULATED = Budget("monte_carlo", 4_000)


def study(population: str, test: str, items: int = 2) -> Study:
    return Study(POPULATIONS.parse(population), TESTS.parse(test), items)


def power_at(asked: Study, items: int) -> float:
    return power_of(Study(asked.population, asked.test, items, asked.alpha), SIMULATED).power


@pytest.mark.parametrize("test", ["permutation", "wilcoxon"])
def test_tests_that_cannot_reject_at_five_items_need_six(test: str) -> None:
    """However large the effect: below six items no p-value of these tests is 0.05 or less."""
    found = solve(ItemsAxis(study("gaussian(effect=1, sd=0.12, correlation=0.8)", test), 0.8, SIMULATED))
    assert (found.items, found.stable_from, found.result.power) == (6, 6, 1.0)


def test_two_items_can_be_enough() -> None:
    """The smallest number there is, when it does: rounding adds no third."""
    found = solve(ItemsAxis(study("beta(effect=0.3, sd=0.02, mean=0.5, correlation=0.9)", "paired_t"), 0.8, SIMULATED))
    assert (found.items, found.low, found.high) == (2, 2.0, 2.0)


@pytest.mark.parametrize(
    ("population", "test"),
    [
        ("proportions(effect=0.5, accuracy=0.2)", "two_proportion_z"),
        ("proportions(effect=0.9, accuracy=0.05)", "two_proportion_z"),
        ("gaussian(effect=0.15, sd=0.12, correlation=0.5)", "sign"),
        ("gaussian(effect=0.2, sd=0.12, correlation=0.5)", "permutation"),
    ],
)
def test_few_items_are_counted_one_by_one(population: str, test: str) -> None:
    """The first simulated power at the target, and the number after which none up to half as many again falls short."""
    asked = study(population, test)
    found = solve(ItemsAxis(asked, 0.8, SIMULATED))
    powers = {n: power_at(asked, n) for n in range(2, found.items + found.items // 2 + 1)}
    assert found.items == min(n for n, power in powers.items() if power >= 0.8)
    short = [n + 1 for n, power in powers.items() if power < 0.8 and n >= found.items]
    assert found.stable_from == max(short, default=found.items)


@pytest.mark.parametrize(
    "population",
    [
        "gaussian(effect=0.03, sd=0.1, correlation=0.5)",
        "clustered(effect=0.04, population=beta(sd=0.1, mean=0.5, correlation=0.5), size=5, icc=0.3)",
        "clustered(effect=0.3, population=beta(sd=0.1, mean=0.5, correlation=0.5), size=10, icc=0.3)",
    ],
)
def test_the_power_is_that_of_the_items_named(population: str) -> None:
    """Not that of one unit fewer, to which the root may have been nearer."""
    test = "cluster_t" if "clustered" in population else "paired_t"
    asked = study(population, test)
    found = solve(ItemsAxis(asked, 0.8, SIMULATED))
    assert found.result.power == power_at(asked, found.items)
    assert found.result.high >= 0.8


def _clustered_pilot() -> Pilot:
    rng = stream(31)
    b = np.repeat(rng.normal(0.02, 0.03, 10), 6) + rng.normal(0.0, 0.04, 60)
    codes = np.repeat(np.arange(10), 6)
    return Pilot.from_pair(Pair(np.zeros((60, 1, 1)), b[:, None, None], codes), 0.02)


def test_pilots_with_even_clusters_are_planned_in_whole_ones() -> None:
    """Six items a cluster in the pilot: the plan is a multiple of six, and has the power it is for."""
    asked = Study(_clustered_pilot(), TESTS.parse("cluster_t"), 12)
    found = solve(ItemsAxis(asked, 0.8, SIMULATED))
    assert found.items % 6 == 0
    assert found.result.high >= 0.8


def test_an_effect_that_no_size_makes_visible() -> None:
    """Four items under a permutation test: the refusal speaks of the test, not of a number too large."""
    with pytest.raises(UsageError, match=r"4 items find even an effect of any size by permutation with only 0\.000"):
        solve(EffectAxis(study("gaussian(sd=0.1, correlation=0.5)", "permutation", 4), 0.8, SIMULATED))


def test_effects_are_looked_for_where_they_can_be() -> None:
    """A system that is always right can only lose: a two-sided test looks there."""
    found = solve(EffectAxis(study("proportions(accuracy=1)", "two_proportion_z", 100), 0.8, SIMULATED))
    assert found.effect == pytest.approx(-0.054, abs=0.003)
    assert found.high is not None
    assert found.high < 0.0


def _pressing_between(calls: int) -> Callable[[int, int], None]:
    """A progress callback that presses Ctrl-C when the n-th simulation has just been completed."""
    completed: list[int] = []

    def press(done: int, total: int) -> None:
        if done == total:
            completed.append(done)
        if len(completed) == calls and done == total:
            raise KeyboardInterrupt

    return press


@pytest.mark.parametrize("calls", [1, 3])
def test_interrupts_between_two_steps_stop_the_search(calls: int) -> None:
    """Ctrl-C after a whole simulation, not within one: no further place is simulated, and the answer is rough."""
    asked = study("gaussian(sd=0.1, correlation=0.5, effect=0.03)", "paired_t")
    press = _pressing_between(calls)
    runner = Runner(1, press, partial=True)
    found: Solution = solve(ItemsAxis(asked, 0.8, Budget("monte_carlo", 2_000), runner))
    assert runner.interrupted
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.items <= found.high
    assert found.items == pytest.approx(90, rel=0.2, abs=0.0)


@pytest.mark.parametrize(("replicates", "target"), [(1, 0.8), (10, 0.8), (200, 0.99)])
def test_replicates_too_few_to_be_sure_end_too(replicates: int, target: float) -> None:
    """Where even a rejection by every replicate is not beyond chance, the search ends at the first number of items that has it."""
    few = Budget("monte_carlo", replicates)
    found = solve(ItemsAxis(study("gaussian(effect=0.2, sd=0.12, correlation=0.5)", "permutation"), target, few))
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.items <= found.high < 60
