"""Roots of simulated power and their intervals, on curves of power that are known.

The axes here are real ones whose simulation has no noise left: what the search makes of powers is what is tested.
"""

import math
from collections.abc import Callable

import pytest
from scipy import stats

from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.foundation.errors import UsageError
from tellapart.methods.significance import TESTS
from tellapart.planning.simulated_root import (
    Root,
    _begins_near,
    _line_around,
    _near_the_root,
    simulate_root,
    simulated_units,
)
from tellapart.planning.solve import solve
from tellapart.planning.solved_axes import EffectAxis, ItemsAxis
from tellapart.planning.study import PowerResult, Study
from tellapart.populations import POPULATIONS

REPLICATES = 2_500
STUDY = Study(POPULATIONS.parse("gaussian(effect=0.03, sd=0.1, correlation=0.5)"), TESTS.parse("paired_t"), 50)
QUANTILE = float(stats.norm.ppf(0.975))


def measured(power: float, replicates: int = REPLICATES) -> PowerResult:
    """A power with its 95 % band, as a simulation would report it."""
    reach = QUANTILE * math.sqrt(power * (1.0 - power) / replicates)
    return PowerResult(power, max(power - reach, 0.0), min(power + reach, 1.0), "monte_carlo", replicates, None, None)


class KnownItems(ItemsAxis):
    """Power by number of items, after so many of which the keyboard interrupts."""

    def __init__(self, power: Callable[[int], float], *, target: float = 0.8, most: int = 10**6) -> None:
        super().__init__(STUDY, target, Budget("monte_carlo", REPLICATES), Runner(1, partial=True))
        self.power, self.places = power, most

    def at(self, x: float) -> PowerResult:
        x = self.snapped(x)
        if x not in self.known:
            if len(self.known) == self.places:
                raise KeyboardInterrupt
            self.known[x] = measured(self.power(self.units(x)))
        return self.known[x]


class KnownEffects(EffectAxis):
    """Power by size of the effect."""

    def __init__(self, power: Callable[[float], float], most: int = 10**6) -> None:
        super().__init__(STUDY, 0.8, Budget("monte_carlo", REPLICATES), Runner(1, partial=True))
        self.power, self.places = power, most

    def at(self, x: float) -> PowerResult:
        if x not in self.known:
            if len(self.known) == self.places:
                raise KeyboardInterrupt
            self.known[x] = measured(self.power(x))
        return self.known[x]


def z_power(items: float, slope: float = 0.3) -> float:
    """A straight line on the probit scale in the root of the number of items."""
    return float(stats.norm.cdf(-1.96 + slope * math.sqrt(items)))


def reach_at(target: float, slope: float, replicates: int = REPLICATES) -> float:
    """How far a root may be off when its line is known but for the chance of one power."""
    error = math.sqrt(target * (1.0 - target) / replicates) / stats.norm.pdf(stats.norm.ppf(target))
    return QUANTILE * float(error) / slope


@pytest.mark.parametrize("target", [0.5, 0.8, 0.95])
def test_items_and_their_interval(target: float) -> None:
    """The first whole number on the line, and the interval that the replicates leave its root."""
    found = simulated_units(KnownItems(z_power, target=target))
    root = (stats.norm.ppf(target) + 1.96) / 0.3
    assert round(found.x**2) == math.ceil(root**2)
    assert found.low == pytest.approx(root - reach_at(target, 0.3), rel=1e-3, abs=0.0)
    assert found.high == pytest.approx(root + reach_at(target, 0.3), rel=1e-3, abs=0.0)
    assert found.result.power == z_power(round(found.x**2)) >= target
    assert found.stays is None


def test_the_effect_and_its_interval() -> None:
    """The place on the line itself, between the bounds that the replicates leave."""
    found = simulate_root(KnownEffects(lambda effect: float(stats.norm.cdf(-1.96 + 70.0 * effect))))
    root = (stats.norm.ppf(0.8) + 1.96) / 70.0
    assert (found.x, found.low, found.high) == pytest.approx(
        (root, root - reach_at(0.8, 70.0), root + reach_at(0.8, 70.0)), rel=1e-6, abs=0.0
    )
    assert found.result.power == pytest.approx(0.8, abs=1e-9)


def test_power_in_steps_is_counted() -> None:
    """At few units power goes up in steps: the first number that reaches the target, and the one from which it stays."""
    powers = {2: 0.0, 3: 0.1, 4: 0.2, 5: 0.5, 6: 0.81, 7: 0.79, 8: 0.83, 9: 0.9}
    found = simulated_units(KnownItems(lambda n: powers.get(n, 0.95)))
    assert [round(x**2) for x in (found.x, found.stays or 0.0)] == [6, 8]
    # 0.79 and 0.81 are within chance of 0.8, 0.5 is not; 0.83 is beyond it.
    assert [round(x**2) for x in (found.low, found.high)] == [6, 8]
    assert found.result.power == 0.81


@pytest.mark.parametrize(("first", "counted"), [(23, True), (24, True), (25, False), (26, False)])
def test_up_to_24_units_are_counted(first: int, counted: bool) -> None:
    """A bracket that ends at 24 or below has each of its numbers simulated; one that ends above is a matter of a line."""
    axis = KnownItems(lambda n: 0.9 if n >= first else 0.7)
    axis.start = math.sqrt(first)
    found = simulated_units(axis)
    assert (found.stays is not None) == counted
    assert round(found.x**2) == first or not counted


def test_small_steps_widen_the_interval() -> None:
    """Where several numbers are within chance of the target, the interval holds them all."""
    powers = {4: 0.2, 5: 0.77, 6: 0.79, 7: 0.81, 8: 0.811, 9: 0.9}
    found = simulated_units(KnownItems(lambda n: powers.get(n, 0.1 if n < 4 else 0.95)))
    assert [round(x**2) for x in (found.low, found.x, found.high)] == [6, 7, 9]


def test_a_sure_power_ends_the_interval() -> None:
    """Every replicate rejects: no number above can do more, whatever the band says."""
    found = simulated_units(KnownItems(lambda n: 1.0 if n >= 3 else 0.0))
    assert [round(x**2) for x in (found.low, found.x, found.high)] == [3, 3, 3]


def test_the_next_number_where_chance_alone_does_not_explain_a_miss() -> None:
    """A number on the line whose own power is short beyond chance is passed over, and the interval reaches to the answer."""
    holes = {88: 0.6, 89: 0.6, 90: 0.6}
    root = (stats.norm.ppf(0.8) + 1.96) / 0.3
    assert math.ceil(root**2) == 88
    found = simulated_units(KnownItems(lambda n: holes.get(n, z_power(n))))
    assert round(found.x**2) == 91
    assert found.result.power == z_power(91)
    assert found.low < root < found.x <= found.high


@pytest.mark.parametrize("power", [lambda n: 0.05, lambda n: 0.79], ids=["flat", "just short"])
def test_what_no_number_reaches_is_refused(power: Callable[[int], float]) -> None:
    """The search ends at the largest number there is, and says so."""
    with pytest.raises(UsageError, match=r"even 1,000,000,000 items reach only 0\.(050|790)"):
        simulated_units(KnownItems(power))


def test_searches_simulate_few_places() -> None:
    """Every place costs seconds: where a z test would begin, one step up, five places around the root, and the answer."""
    axis = KnownItems(z_power)
    simulated_units(axis)
    root = (stats.norm.ppf(0.8) + 1.96) / 0.3
    around = {round((share * root) ** 2) for share in (0.92, 0.96, 1.0, 1.04, 1.08)}
    assert {axis.units(place) for place in axis.known} == {87, round(87 * 1.25**2), *around, 88}


def test_places_move_to_where_the_line_points() -> None:
    """From beside the root the places are moved once, to the root of the line and not to an end of its interval."""
    root = (stats.norm.ppf(0.8) + 1.96) / 0.3
    for begin in (0.8 * root, 1.3 * root):
        axis = KnownItems(z_power)
        line = _line_around(axis, begin)
        moved = {round((share * x) ** 2) for x in (begin, root) for share in (0.92, 0.96, 1.0, 1.04, 1.08)} | {
            round(begin**2)
        }
        assert {axis.units(place) for place in axis.known} == moved
        assert line.solve(0.8)[0] == pytest.approx(root, rel=1e-9, abs=0.0)


def test_a_root_among_the_places_is_not_looked_for_again() -> None:
    """The interval of the root may reach beyond the places: five of them are enough all the same."""
    root = (stats.norm.ppf(0.8) + 1.96) / 0.3
    axis = KnownItems(z_power)
    _line_around(axis, root / 1.07)
    assert len(axis.known) == 5


@pytest.mark.parametrize(("slope", "places"), [(0.03, 15), (3.0, 8), (0.25, 6)])
def test_bad_guesses_cost_little_more(slope: float, places: int) -> None:
    """Steps grow: even a hundred times the items of the first guess are soon reached."""
    axis = KnownItems(lambda n: z_power(n, slope))
    simulated_units(axis)
    assert len(axis.known) == places


def test_a_jump_from_never_to_always() -> None:
    """No line goes through powers of 0 and 1: the first number that always rejects is the answer."""
    found = simulated_units(KnownItems(lambda n: float(n >= 300)))
    assert round(found.x**2) >= 300
    assert found.result.power == 1.0


def interrupted(places: int) -> tuple[Root, KnownItems]:
    axis = KnownItems(z_power, most=places)
    return simulated_units(axis), axis


def test_one_place_makes_a_line_with_the_level() -> None:
    """After one place the line goes on from where a z test of no effect rejects as often as its level says."""
    found, axis = interrupted(1)
    (place,) = axis.known
    slope = (stats.norm.ppf(z_power(place**2)) + 1.959963985) / place
    root = (stats.norm.ppf(0.8) + 1.959963985) / slope
    assert found.x == pytest.approx(root, rel=1e-6, abs=0.0)
    assert found.low < found.x < found.high


def test_an_interrupted_search_for_an_effect() -> None:
    """The same where the effect is solved for."""
    axis = KnownEffects(lambda effect: float(stats.norm.cdf(-1.96 + 70.0 * effect)), most=3)
    found = simulate_root(axis)
    root = (stats.norm.ppf(0.8) + 1.96) / 70.0
    assert axis.runner.interrupted
    assert (found.low, found.high) == pytest.approx(
        (root - reach_at(0.8, 70.0), root + reach_at(0.8, 70.0)), rel=1e-3, abs=0.0
    )


@pytest.mark.parametrize("power", [0.0, 1.0])
def test_one_place_that_never_or_always_rejects(power: float) -> None:
    """Its probit is taken half a replicate inside, and no line rises by less than a tenth over a place."""
    axis = KnownItems(lambda _: power, most=1)
    found = simulated_units(axis)
    (place,) = axis.known
    inside = float(stats.norm.ppf(min(max(power, 0.5 / REPLICATES), 1.0 - 0.5 / REPLICATES)))
    rise = max(inside + QUANTILE, 0.1)
    root = (stats.norm.ppf(0.8) + QUANTILE) / rise * place
    scatter = inside_variance(power) * (root / place) ** 2
    shared = 0.8 * 0.2 / REPLICATES / stats.norm.pdf(stats.norm.ppf(0.8)) ** 2
    reach = QUANTILE * math.sqrt(max(scatter, shared)) / (rise / place)
    assert (found.low, found.high) == pytest.approx(
        (min(max(root - reach, 0.0), found.x), max(root + reach, found.x)), rel=1e-6, abs=0.0
    )
    assert found.x == pytest.approx(max(root, place) if power < 0.8 else min(root, place), rel=1e-6, abs=0.0)


def inside_variance(power: float) -> float:
    """Of the probit of a power, half a replicate inside 0 and 1."""
    p = min(max(power, 0.5 / REPLICATES), 1.0 - 0.5 / REPLICATES)
    return float(p * (1.0 - p) / REPLICATES / stats.norm.pdf(stats.norm.ppf(p)) ** 2)


class ExactItems(KnownItems):
    """The same curve where every power is known without simulating."""

    def at(self, x: float) -> PowerResult:
        x = self.snapped(x)
        if x not in self.known:
            power = self.power(self.units(x))
            self.known[x] = PowerResult(power, power, power, "exact", None, None, None)
        return self.known[x]


@pytest.mark.parametrize(("slope", "places"), [(0.3, 3), (0.03, 11), (3.0, 6), (0.25, 4)])
def test_exact_searches_interpolate(slope: float, places: int) -> None:
    """Probits are nearly a line, so that a few places are enough; halving a bracket would take a dozen more."""
    axis = ExactItems(lambda n: z_power(n, slope))
    found = solve(axis)
    root = (stats.norm.ppf(0.8) + 1.96) / slope
    assert found.items == max(2, math.ceil(root**2))
    assert len(axis.known) == places


class SlowItems(KnownItems):
    """The same curve of a test that takes long, of which a glance leaves everything in doubt."""

    @property
    def slow(self) -> bool:
        return True

    def quick_decision(self, x: float) -> bool | None:
        return None


ROOT = (float(stats.norm.ppf(0.8)) + 2.6) / 70.0


def steep(effect: float) -> float:
    """A line on the probit scale that begins below the level: lines from the level to a place on it miss its root, by less and less."""
    return float(stats.norm.cdf(-2.6 + 70.0 * effect))


def through_level(place: float) -> tuple[float, float, float]:
    """Where the line from the level, at no effect, through the power at a place meets 0.8, and its interval."""
    wanted, at = float(stats.norm.ppf(0.8)), float(stats.norm.ppf(steep(place)))
    root = (wanted + QUANTILE) / (at + QUANTILE) * place
    scatter = math.sqrt(inside_variance(steep(place))) * root / place
    shared = math.sqrt(0.16 / REPLICATES) / float(stats.norm.pdf(wanted))
    reach = QUANTILE * max(scatter, shared) * place / (at + QUANTILE)
    return root, root - reach, root + reach


@pytest.mark.parametrize(("begin", "places"), [(1.0, 1), (0.99, 1), (0.95, 2), (1.04, 2), (0.8, 3), (0.6, 3), (1.5, 3)])
def test_one_place_is_moved_until_its_root_is_there(begin: float, places: int) -> None:
    """By no more than a fiftieth, after three places at most: each is where the line through the one before meets the target."""
    axis, place = KnownEffects(steep), begin * ROOT
    line = _near_the_root(axis, place)
    expected = [place]
    while (
        abs(through_level(expected[-1])[0] - expected[-1]) > 0.02 * through_level(expected[-1])[0] and len(expected) < 3
    ):
        expected.append(through_level(expected[-1])[0])
    assert list(axis.known) == pytest.approx(expected, rel=1e-6, abs=0.0)
    assert len(expected) == places
    assert line.solve(0.8) == pytest.approx(through_level(expected[-1]), rel=1e-6, abs=0.0)


@pytest.mark.parametrize(
    ("target", "power", "near"),
    [
        (0.8, 0.72, True),
        (0.8, 0.88, True),
        (0.8, 0.69, False),
        (0.8, 0.91, False),
        (0.1, 0.2, True),
        (0.8, 0.1, False),
    ],
)
def test_what_is_near_enough_for_no_bracket(target: float, power: float, near: bool) -> None:
    """A tenth of power to either side, of a test that takes long; of others a bracket is cheap."""
    assert _begins_near(SlowItems(lambda _: power, target=target)) == near
    assert not _begins_near(KnownItems(lambda _: power, target=target))


def test_a_slow_search_that_begins_near_has_no_bracket() -> None:
    """More than 24 units, near the target: the place where it begins, where its line points, and the answer."""
    axis = SlowItems(z_power)
    found = simulated_units(axis)
    assert round(found.x**2) == 88
    assert {axis.units(place) for place in axis.known} <= {axis.units(axis.start), 87, 88}


@pytest.mark.parametrize(("begin", "counted"), [(24, True), (25, False)])
def test_a_slow_search_among_few_units_counts_them(begin: int, counted: bool) -> None:
    """Up to 24 units where it begins, a bracket is looked for however near the power is."""
    axis = SlowItems(lambda n: 0.82 if n >= begin else 0.7)
    axis.start = math.sqrt(begin)
    assert (simulated_units(axis).stays is not None) == counted
