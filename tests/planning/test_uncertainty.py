"""What a pilot leaves open: over many pilots the interval on power and the assurance hold as often as they say."""

import math
from collections.abc import Callable
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from scipy import optimize, stats

from tellapart import plan
from tellapart.compute.work import Budget
from tellapart.data.pair import Pair
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import Generator, stream
from tellapart.methods.significance import TESTS
from tellapart.methods.significance.paired_t import PairedT
from tellapart.numerics.null_laws.noncentral_t import t_items, t_power
from tellapart.planning.formula import by_t
from tellapart.planning.power import power_of
from tellapart.planning.solve import Solution
from tellapart.planning.study import PowerResult, Study
from tellapart.planning.uncertainty import _own_variance, _power_at, _probit, assured, with_pilot_uncertainty
from tellapart.populations.pilot import Pilot

PILOTS, ITEMS, EFFECT, SD = 200, 455, 0.01, 0.0759
Draw = Callable[[Generator], FloatArray]


def pilot_of(differences: FloatArray, clusters: IntArray | None = None) -> Pilot:
    b = differences[:, np.newaxis, np.newaxis]
    return Pilot.from_pair(Pair(np.zeros_like(b), b, clusters), EFFECT)


def normal(items: int, shift: float = 0.0) -> Draw:
    return lambda rng: rng.normal(shift, SD, items)


def laplace(rng: Generator) -> FloatArray:
    return rng.laplace(0.0, SD / math.sqrt(2.0), 50)


def clustered(rng: Generator) -> FloatArray:
    """Twenty clusters of five with intraclass correlation 0.4; their mean has the spread of 50 independent items."""
    both = math.sqrt(0.4) * np.repeat(rng.normal(size=20), 5) + math.sqrt(0.6) * rng.normal(size=100)
    return np.asarray(SD / math.sqrt(2.6) * both)


def closed(pilot: Pilot, test: str = "paired_t") -> tuple[Study, PowerResult]:
    """The power that simulating from the pilot comes to, without the noise of simulating."""
    study = Study(pilot, TESTS.parse(test), ITEMS)
    df = ITEMS * pilot.units / pilot.items - 1.0
    return study, by_t(study, pilot.spread / math.sqrt(ITEMS), df)


@pytest.mark.parametrize(
    ("draw", "codes", "least"),
    [
        (normal(20), None, 0.91),
        (normal(50), None, 0.91),
        (normal(50, shift=0.03), None, 0.91),
        (laplace, None, 0.86),
        (clustered, np.repeat(np.arange(20), 5), 0.90),
    ],
    ids=["20 items", "50 items", "another effect", "heavy tails", "clusters"],
)
def test_intervals_on_power_hold_the_true_power(draw: Draw, codes: IntArray | None, least: float) -> None:
    """METHODS 2.5: nineteen times in twenty for normal differences, and not much less for heavy tails."""
    size = 1 if codes is None else 5
    true = float(t_power(EFFECT * math.sqrt(ITEMS) / SD, ITEMS / size - 1.0, 0.05, "two-sided"))
    held, widths = [], []
    for number in range(PILOTS):
        study, found = closed(pilot_of(draw(stream(5, number)), codes))
        told = with_pilot_uncertainty(Solution(study, found)).result
        held.append(told.low <= true <= told.high)
        widths.append(told.high - told.low)
    assert least <= np.mean(held) <= 0.995
    assert 0.1 < np.mean(widths) < 0.7


@pytest.mark.parametrize("items", [20, 50])
@pytest.mark.parametrize("assurance", [0.5, 0.8, 0.95])
def test_assurance_holds(items: int, assurance: float) -> None:
    """METHODS 2.4: so many items that the true power is at least the target with the probability asked for."""
    needed = float(t_items(EFFECT, SD, 0.8, 0.05, "two-sided")[0])
    pilots = [pilot_of(normal(items)(stream(6, number))) for number in range(PILOTS)]
    plugged = [float(t_items(EFFECT, pilot.spread, 0.8, 0.05, "two-sided")[0]) for pilot in pilots]
    enough = [n * p.variance_limit(assurance) >= needed for n, p in zip(plugged, pilots, strict=True)]
    error = math.sqrt(assurance * (1.0 - assurance) / PILOTS)
    assert np.mean(enough) >= assurance - 3.0 * error


def test_gaussian_pilots_reproduce_the_noncentral_t() -> None:
    """METHODS 2.5: averaged over pilots, simulating from them gives the power of the t test at their own spread."""
    simulated, expected = [], []
    for number in range(30):
        differences = normal(50)(stream(7, number))
        row = plan(pilot_of(differences), items=200, test="paired_t", replicates=400, seed=number, executor=1).rows[0]
        simulated.append(row.power)
        shift = EFFECT * math.sqrt(200) / differences.std(ddof=1)
        expected.append(float(t_power(shift, 199.0, 0.05, "two-sided")))
    error = 0.5 / math.sqrt(30 * 400)
    assert np.mean(simulated) == pytest.approx(np.mean(expected), abs=4.0 * error + 0.012)


@pytest.mark.parametrize("test", ["equivalence(margin=0.03)", "non_inferiority(margin=0.02)", "sign", "wilcoxon"])
def test_every_claim_carries_the_pilot(test: str) -> None:
    """Margins and other tests have the interval too."""
    pilot = pilot_of(normal(50)(stream(8)))
    row = plan(pilot, items=100, test=test, replicates=400).rows[0]
    alone = PowerResult(row.power, row.power_low, row.power_high, row.engine, row.replicates, None, None)
    assert alone.high - alone.low > 0.11


def test_solved_numbers_carry_the_pilot() -> None:
    """Items move with the variance and effects with the spread, so bounds of items are about twice as far apart."""
    pilot = pilot_of(normal(50)(stream(9)))
    items = plan(pilot, power=0.8, replicates=1_000, test="paired_t").rows[0]
    effect = plan(pilot.with_effect(None), items=455, power=0.8, replicates=1_000, test="paired_t").rows[0]
    assert items.solved_low is not None
    assert items.solved_high is not None
    assert effect.solved_low is not None
    assert effect.solved_high is not None
    assert items.solved_low < items.items < items.solved_high
    assert effect.solved_low < effect.effect < effect.solved_high
    wide, narrow = items.solved_high / items.solved_low, effect.solved_high / effect.solved_low
    assert 1.8 < wide < 4.0
    assert narrow == pytest.approx(math.sqrt(wide), rel=0.1, abs=0.0)


def test_others_pass_unchanged() -> None:
    """Only a pilot has a spread of its own that is uncertain."""
    study = Study("gaussian(sd=1, correlation=0.5, effect=0.1)", PairedT(), 100)
    solution = Solution(study, by_t(study, 0.1, 99.0))
    assert with_pilot_uncertainty(solution) is solution


def test_intervals_where_the_test_is_far_from_a_t_test() -> None:
    """Power well below that of a t test of the same spread leaves room above it as well as below."""
    pilot = pilot_of(0.3 * normal(50)(stream(12)))
    study = Study(pilot, PairedT(), ITEMS)
    weak = PowerResult(0.7, 0.69, 0.71, "monte_carlo", 10_000, None, None)
    told = with_pilot_uncertainty(Solution(study, weak)).result
    assert told.low < 0.6
    assert told.high > 0.8


@pytest.mark.parametrize(("items", "codes"), [(100, None), (100, np.repeat(np.arange(10), 5)), (2, None)])
def test_assured_items_are_those_of_a_larger_variance(items: int, codes: IntArray | None) -> None:
    """The number found times the upper limit on the variance, in whole clusters; its interval says from where to where."""
    pilot = pilot_of(normal(50)(stream(14)), codes)
    plain = Solution(*closed(pilot))
    plain = replace(plain, study=plain.study.resized(items=items), solved_for="items")
    for assurance in (0.01, 0.9):
        found = assured(plain, assurance, Budget(replicates=200))
        units = max(2, math.ceil(items / pilot.unit * pilot.variance_limit(assurance)))
        assert found.items == found.stable_from == units * pilot.unit
        assert (found.low, found.high) == (float(items), float(found.items))
        assert found.solved_for == "items"
        alone = power_of(found.study, Budget(replicates=200))
        assert found.result.low < alone.low < found.result.power < alone.high < found.result.high


@pytest.mark.parametrize("share", [1.0, 0.8, 1.15])
def test_the_interval_by_hand(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Falls and rises of a t test when its variance is 0.6 or 1.9 times as large, from the pilot's or from that of the power found.

    The larger of the two, added to what the simulation leaves as independent errors on the probit scale.
    """
    limits = {0.025: 0.6, 0.975: 1.9}
    monkeypatch.setattr(Pilot, "variance_limit", lambda pilot, level: limits[round(level, 3)])
    study, at_pilot = closed(pilot_of(normal(50)(stream(20))))
    ratio, df = EFFECT * math.sqrt(ITEMS) / study.population.spread, ITEMS - 1.0  # type: ignore[attr-defined]
    power = share * at_pilot.power
    assert 0.5 < power < 0.95

    def probit(variance: float) -> float:
        shift, critical = ratio / math.sqrt(variance), stats.t.isf(0.025, df)
        return float(stats.norm.ppf(stats.nct.sf(critical, df, shift) + stats.nct.cdf(-critical, df, shift)))

    at = float(stats.norm.ppf(power))
    own = math.exp(optimize.brentq(lambda log: probit(math.exp(log)) - at, -2.0, 2.0))
    fall = max(probit(one) - probit(1.9 * one) for one in (1.0, own))
    rise = max(probit(0.6 * one) - probit(one) for one in (1.0, own))
    below = math.hypot(at - float(stats.norm.ppf(power - 0.03)), fall)
    above = math.hypot(float(stats.norm.ppf(power + 0.02)) - at, rise)
    found = PowerResult(power, power - 0.03, power + 0.02, "monte_carlo", 400, None, None)
    told = with_pilot_uncertainty(Solution(study, found)).result
    assert (told.low, told.high) == pytest.approx(
        (float(stats.norm.cdf(at - below)), float(stats.norm.cdf(at + above))), rel=1e-6, abs=0.0
    )
    items = with_pilot_uncertainty(Solution(study, found, "items", low=400.0, high=500.0))
    effect = with_pilot_uncertainty(Solution(study, found, "effect"))
    assert (items.low, items.high) == pytest.approx((240.0, 950.0))
    assert (effect.low, effect.high) == pytest.approx((EFFECT * math.sqrt(0.6), EFFECT * math.sqrt(1.9)))
    assert items.result == effect.result == told


@pytest.mark.parametrize(
    ("low", "high", "ends"),
    [(0.16, 0.21, (0.08, 0.42)), (-0.21, -0.16, (-0.42, -0.08)), (-0.01, 0.04, (-0.02, 0.08))],
)
def test_the_interval_of_a_solved_effect_on_either_side(
    low: float, high: float, ends: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half to twice the spread: the end that is farther from 0 is the one that doubles, above 0 and below."""
    limits = {0.025: 0.25, 0.975: 4.0}
    monkeypatch.setattr(Pilot, "variance_limit", lambda pilot, level: limits[round(level, 3)])
    study, found = closed(pilot_of(normal(50)(stream(20))))
    told = with_pilot_uncertainty(Solution(study, found, "effect", low=low, high=high))
    assert (told.low, told.high) == pytest.approx(ends)


def test_mirrored_pilots_have_mirrored_intervals() -> None:
    """Negative effects had the limits of the variance at the wrong ends: intervals of 1.4 to 1 where these are of 2.1 to 1."""
    differences = normal(30)(stream(21))
    ratios = []
    for sign, alternative in ((1.0, "greater"), (-1.0, "less")):
        pilot, test = pilot_of(sign * differences).with_effect(None), f"wilcoxon(alternative={alternative})"
        row = plan(pilot, items=40, power=0.8, test=test, replicates=200).rows[0]
        assert row.solved_low is not None
        assert row.solved_high is not None
        assert row.solved_low < row.effect < row.solved_high
        ratios.append((row.solved_high / row.solved_low) ** sign)
    # Both are simulated, each with numbers of its own.
    assert ratios[0] == pytest.approx(ratios[1], rel=0.1, abs=0.0)


def test_assurance_is_for_pilots() -> None:
    """A population whose spread is given leaves nothing open."""
    study = Study("gaussian(sd=1, correlation=0.5, effect=0.1)", PairedT(), 100)
    with pytest.raises(Unsuitable, match="known from a pilot only"):
        assured(Solution(study, by_t(study, 0.1, 99.0)), 0.8, Budget())


def test_assurance_is_refused_where_one_item_leaves_the_spread_open() -> None:
    """One outlier among twelve items would ask for billions of items: the reason is said at once."""
    differences = np.random.default_rng(0).normal(0.2, 1.0, size=12)
    differences[0] += 15.0
    a = np.zeros((12, 1, 1))
    pilot = Pilot.from_pair(Pair(a, a + differences[:, np.newaxis, np.newaxis]), effect=0.3)
    solution = Solution(Study(pilot, "paired_t", 100), PowerResult(0.8, 0.8, 0.8, "formula", None, None, None))
    with pytest.raises(Unsuitable, match=r"12 items have tails so heavy that .* more than 100 times"):
        assured(solution, 0.8, Budget(replicates=10))
    assert assured(solution, 0.5, Budget(replicates=10)).items > 100


def test_assurance_goes_as_far_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred times the variance is still answered, and the next number above is not."""
    solution = Solution(*closed(pilot_of(normal(50)(stream(15)))))
    monkeypatch.setattr(Pilot, "variance_limit", lambda pilot, level: 100.0)
    assert assured(solution, 0.8, Budget(replicates=10)).items == 100 * ITEMS
    monkeypatch.setattr(Pilot, "variance_limit", lambda pilot, level: math.nextafter(100.0, math.inf))
    with pytest.raises(Unsuitable, match="more than 100 times"):
        assured(solution, 0.8, Budget(replicates=10))


def test_a_pilot_without_spread_leaves_nothing_open() -> None:
    """Every item differs by the same: no variance to be wrong about, and no t test to divide by it."""
    b = np.full((20, 1, 1), 0.25)
    study = Study(Pilot.from_pair(Pair(np.zeros_like(b), b), 0.25), "sign", 100)
    solution = Solution(study, PowerResult(1.0, 0.99, 1.0, "monte_carlo", 400, None, None), "items")
    assert with_pilot_uncertainty(solution) is solution


@pytest.mark.parametrize(("power", "low", "high"), [(1.0, 0.99, 1.0), (0.0, 0.0, 0.01)])
def test_powers_at_the_ends_have_an_interval_too(power: float, low: float, high: float) -> None:
    """All replicates rejected, or none did: as far as a power of one in a billion less, or more, may be wrong."""
    study = Study(pilot_of(normal(50)(stream(17))), PairedT(), ITEMS)
    found = PowerResult(power, low, high, "monte_carlo", 400, None, None)
    told = with_pilot_uncertainty(Solution(study, found)).result
    assert 0.0 <= told.low <= low
    assert high <= told.high <= 1.0
    assert told.high - told.low < 1.0


@pytest.mark.parametrize("power", [0.001, 1.0 - 1e-12])
def test_powers_that_no_t_test_has_are_taken_at_the_pilots_own_spread(power: float) -> None:
    """A power below the level, or one that a hundredth of the variance would not give."""
    study = Study(pilot_of(normal(50)(stream(16))), PairedT(), 20)
    assert _own_variance(study, power) == 1.0
    assert _own_variance(study, closed(study.population)[1].power) != 1.0  # type: ignore[arg-type]


@pytest.mark.parametrize(("codes", "df"), [(None, 3.0), (np.repeat(np.arange(25), 2), 1.0)])
def test_other_variances_have_the_power_of_a_t_test(codes: IntArray | None, df: float) -> None:
    """At four items, with as many degrees of freedom as items, or clusters of two, less one."""
    pilot = pilot_of(normal(50)(stream(18)), codes).with_effect(0.05)
    shift = 0.05 * 2.0 / (pilot.spread * math.sqrt(1.5))
    found = _power_at(Study(pilot, PairedT(), 4), 1.5)
    assert found == pytest.approx(float(t_power(shift, df, 0.05, "two-sided")), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("power", [0.0, 1e-12, 0.3, 1.0 - 1e-12, 1.0])
def test_how_far_a_power_is_from_another_is_a_number(power: float) -> None:
    """Also of none and of certainty, which are as far as a billionth from it."""
    within = min(max(power, 1e-9), 1.0 - 1e-9)
    assert _probit(power) == pytest.approx(NormalDist().inv_cdf(within), rel=1e-6, abs=0.0)


def test_a_spread_left_open_leaves_the_solved_number_open() -> None:
    """Seven items with an outlier: their variance may be any multiple of what it seems, and no far end is worth printing."""
    differences = np.array([0.01, -0.02, 0.03, -0.01, 0.02, 0.0, 0.9])
    for sign in (1.0, -1.0):
        pilot = pilot_of(sign * differences).with_effect(None)
        test = PairedT(alternative="greater" if sign > 0.0 else "less")
        row = plan(pilot, items=40, power=0.5, test=test, replicates=400).rows[0]
        assert (row.solved_low is None, row.solved_high is None) == (sign < 0.0, sign > 0.0)
        assert 0.0 <= row.power_low <= row.power <= row.power_high <= 1.0
