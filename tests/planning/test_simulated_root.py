"""What a search that was cut short answers, and the interval of a simulated root, against the same sums written out."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.planning.simulated_root import Root, _reaching, probit_line, simulate_root, simulated_units
from tellapart.planning.solve import solve
from tellapart.planning.solved_axes import EffectAxis, ItemsAxis
from tellapart.planning.study import PowerResult, Study

STUDY = Study("gaussian(sd=0.1, correlation=0.5, effect=0.03)", "paired_t", 2)
BUDGET = Budget("monte_carlo", 1_000)
Z = 1.959964


def known(power: float, replicates: int, half: float = 0.02) -> PowerResult:
    return PowerResult(power, power - half, power + half, "monte_carlo", replicates, 0.0, 1.1)


def interrupted(places: dict[float, PowerResult], target: float = 0.8) -> Root:
    """The answer of a search that knows these places and was stopped."""
    axis = ItemsAxis(STUDY, target, BUDGET, Runner(1, partial=True))
    axis.known = {math.sqrt(n): found for n, found in places.items()}
    axis.runner.interrupted = True
    return simulated_units(axis)


PLACES = {50.0: known(0.55, 1000), 80.0: known(0.74, 1000), 110.0: known(0.87, 400)}


def test_an_interrupted_search_answers_from_its_line() -> None:
    """The root of the line through what is known, with the interval of the fewest replicates that any place has."""
    found = interrupted(PLACES)
    line = probit_line(np.sqrt(list(PLACES)), list(PLACES.values()))
    assert line is not None
    x = (float(stats.norm.ppf(0.8)) - line.intercept) / line.slope
    error = math.sqrt(0.8 * 0.2 / 400) / float(stats.norm.pdf(stats.norm.ppf(0.8)))
    assert found.x == pytest.approx(x)
    assert math.sqrt(80) < x < math.sqrt(110)
    assert (found.low, found.high) == pytest.approx((x - Z * error / line.slope, x + Z * error / line.slope))
    assert found.stays is None


def test_the_power_it_promises() -> None:
    """The target, with what so few replicates leave open on the probit scale; signs and sizes as at the nearest place."""
    found = interrupted(PLACES).result
    wanted = float(stats.norm.ppf(0.8))
    error = math.sqrt(0.8 * 0.2 / 400) / float(stats.norm.pdf(wanted))
    assert (found.power, found.replicates) == (0.8, 400)
    assert (found.low, found.high) == pytest.approx(
        (float(stats.norm.cdf(wanted - Z * error)), float(stats.norm.cdf(wanted + Z * error)))
    )
    assert (found.type_s, found.type_m, found.engine) == (0.0, 1.1, "monte_carlo")


def test_it_contradicts_no_place_that_is_known() -> None:
    """Not below the last place that fell short, nor above the first beyond it: there the line is only a line."""
    bent = {50.0: known(0.30, 1000), 80.0: known(0.79, 1000), 82.0: known(0.999, 1000)}
    assert math.sqrt(80) <= interrupted(bent).x <= math.sqrt(82)
    late = {
        50.0: known(0.60, 1000),
        80.0: known(0.85, 1000),
        110.0: known(0.79, 1000),
        140.0: known(0.9, 1000),
    }
    assert math.sqrt(110) <= interrupted(late).x <= math.sqrt(140)


def test_one_place_makes_a_line_with_the_level() -> None:
    """With nothing to find, a z test rejects as often as its level: that is the other end of the line."""
    found = interrupted({60.0: known(0.5, 1000)})
    level, wanted = float(stats.norm.ppf(0.025)), float(stats.norm.ppf(0.8))
    assert found.x == pytest.approx((wanted - level) / (0.0 - level) * math.sqrt(60))
    # The only slope there is scatters as the only probit does, over the distance to it.
    probit_error = math.sqrt(0.25 / 1000) / float(stats.norm.pdf(0.0))
    half = Z * probit_error * found.x / math.sqrt(60) / (-level / math.sqrt(60))
    assert (found.low, found.high) == pytest.approx((found.x - half, found.x + half))


def test_places_at_the_ends_make_a_line_too() -> None:
    """No replicate rejected, or all did: half a replicate is taken off, and the interval holds the answer."""
    for power in (0.0, 1.0):
        found = interrupted({30.0: known(power, 100, half=0.0)})
        assert 0.0 <= found.low <= found.x <= found.high < math.inf


def test_an_interrupt_before_anything_is_known_goes_through() -> None:
    """There is nothing to answer from."""
    with pytest.raises(KeyboardInterrupt):
        interrupted({})


def test_the_runner_remembers() -> None:
    """Whoever shares the runner hears of the interrupt."""

    def press(done: int, total: int) -> None:
        if done == total:
            raise KeyboardInterrupt

    runner = Runner(1, press, partial=True)
    found = solve(EffectAxis(STUDY.resized(items=50), 0.8, BUDGET, runner))
    assert runner.interrupted
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.effect < found.high


@pytest.mark.parametrize("replicates", [500, 8_000])
def test_intervals_of_roots_are_as_wide_as_replicates_leave(replicates: int) -> None:
    """About z · the error of the probit over its slope, which is the number of standard errors at the root."""
    axis = EffectAxis(STUDY.resized(items=100), 0.8, Budget("monte_carlo", replicates), Runner(1))
    root = simulate_root(axis)
    wanted = float(stats.norm.ppf(0.8))
    error = math.sqrt(0.16 / replicates) / float(stats.norm.pdf(wanted))
    half = Z * error / (wanted + Z) * root.x
    assert root.x - root.low == pytest.approx(half, rel=0.25, abs=0.0)
    assert root.high - root.x == pytest.approx(half, rel=0.25, abs=0.0)
    assert root.result.power == pytest.approx(0.8, abs=4.0 * math.sqrt(0.16 / replicates))


def test_the_interval_of_counted_units() -> None:
    """At few units: from the first that may reach the target by chance to the first that surely does."""
    axis = ItemsAxis(
        Study("gaussian(effect=0.2, sd=0.12, correlation=0.5)", "sign", 2), 0.8, Budget("monte_carlo", 400)
    )
    root = simulated_units(axis)
    powers = {n: axis.at(math.sqrt(n)) for n in range(2, 25)}
    first = min(n for n, found in powers.items() if found.power >= 0.8)
    assert round(root.x**2) == first
    assert round(root.low**2) == min(n for n, found in powers.items() if found.high >= 0.8)
    assert round(root.high**2) == min(n for n, found in powers.items() if n >= first and found.low >= 0.8)
    later = range(first, first + first // 2 + 4)
    short = [n + 1 for n in later if axis.at(math.sqrt(n)).power < 0.8]
    assert round((root.stays or 0.0) ** 2) == max(short, default=first)
    assert root.result == axis.at(math.sqrt(first))


def test_counted_units_stay_after_the_last_that_falls_short() -> None:
    """Three dips after the first number that does, the last half as far again: power stays from the number after it."""
    axis = ItemsAxis(STUDY, 0.8, BUDGET, Runner(1))
    short = {2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 18}
    axis.known = {
        math.sqrt(n): known(0.5 if n in short else 0.9, 1000, half=0.05 if n != 9 else 0.4) for n in range(2, 101)
    }
    root = simulated_units(axis)
    places = (root.x, root.low, root.high, root.stays or 0.0)
    assert [round(x**2) for x in places] == [10, 9, 10, 19]


def test_two_units_may_be_enough() -> None:
    """The fewest that can be tested are looked at."""
    axis = ItemsAxis(STUDY, 0.8, BUDGET, Runner(1))
    axis.known = {math.sqrt(n): known(0.95, 1000) for n in range(2, 101)}
    assert round(simulated_units(axis).x ** 2) == 2


def test_a_power_whose_bound_is_the_target_is_not_short_of_it() -> None:
    """Short by more than chance means that the target lies above the whole interval, not at its end."""
    axis = ItemsAxis(STUDY, 0.8, BUDGET, Runner(1))
    at_it, below = PowerResult(0.78, 0.76, 0.8, "monte_carlo", 1000, 0.0, 1.1), known(0.7, 1000)
    axis.known = {math.sqrt(24): below, math.sqrt(25): at_it}
    for start in (24.0, 25.0):
        assert _reaching(axis, Root(math.sqrt(start), 4.0, 4.5, below)).x == math.sqrt(25)


def test_the_interval_of_units_is_that_of_the_root() -> None:
    """It reaches further only if the whole number that was found lies beyond it."""
    axis = ItemsAxis(STUDY, 0.8, BUDGET, Runner(1))
    axis.known = {math.sqrt(24): known(0.7, 1000), math.sqrt(25): known(0.8, 1000)}
    for high, said in ((7.0, 7.0), (4.9, 5.0)):
        root = _reaching(axis, Root(math.sqrt(24), 4.0, high, known(0.7, 1000)))
        assert (root.x, root.low, root.high) == (5.0, 4.0, said)


def test_signs_and_sizes_are_those_of_the_nearest_place() -> None:
    """Where an interrupted search promises its target, what goes with it comes from the power nearest to that."""
    places = {
        n: replace(known(power, 1000), type_m=size)
        for n, power, size in ((50.0, 0.55, 1.4), (80.0, 0.74, 1.2), (110.0, 0.95, 1.1))
    }
    assert interrupted(places).result.type_m == 1.2
    assert interrupted(places, target=0.9).result.type_m == 1.1
    assert interrupted(places, target=0.6).result.type_m == 1.4
