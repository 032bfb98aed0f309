"""The solver: items and effects against the oracle, saw-teeth, simulated roots with their interval."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.foundation.errors import UsageError
from tellapart.methods.significance import TESTS
from tellapart.planning import solve as solver
from tellapart.planning.power import power_of
from tellapart.planning.solve import _search_units, _stable_from, _units_bracket, solve
from tellapart.planning.solved_axes import EffectAxis, ItemsAxis
from tellapart.planning.study import PowerResult, Study
from tellapart.populations import POPULATIONS

ANY = Budget()


def study(population: str, test: str, items: int = 2, alpha: float = 0.05) -> Study:
    return Study(POPULATIONS.parse(population), TESTS.parse(test), items, alpha)


@pytest.mark.parametrize(("variant", "items"), [("exact", 2043), ("mid_p", 1949), ("asymptotic", 1945)])
def test_first_items_of_mcnemar(variant: str, items: int) -> None:
    """Accuracy 0.9, effect 0.02, discordance 0.1: the first number that reaches 80 %, found through the saw-tooth."""
    asked = study("paired_binary(accuracy=0.9, effect=0.02, discordance=0.1)", f"mcnemar(variant={variant})")
    assert solve(ItemsAxis(asked, 0.8, ANY)).items == items


BRUTE = [
    *(
        (f"paired_binary(effect={e}, discordance={d})", f"mcnemar(variant={v})")
        for v in ("exact", "mid_p", "asymptotic", "unconditional")
        for d, e in ((0.5, 0.3), (1.0, 0.4))
    ),
    ("paired_binary(effect=0.3, discordance=1.0)", "sign"),
    ("paired_binary(effect=-0.3, discordance=0.97)", "sign(alternative=less)"),
    ("paired_binary(effect=0.04, discordance=0.05)", "mcnemar(variant=exact)"),
    ("paired_binary(effect=0, discordance=1.0)", "equivalence(test=mcnemar, margin=0.3)"),
    ("paired_binary(effect=0, discordance=0.05)", "equivalence(test=mcnemar, margin=0.1)"),
    ("paired_binary(effect=0, discordance=1.0)", "non_inferiority(test=mcnemar, margin=0.3)"),
    (
        "paired_binary(effect=0, discordance=0.2)",
        "non_inferiority(test=mcnemar, margin=0.2, alternative=less)",
    ),
]


@pytest.mark.parametrize(("population", "test"), BRUTE)
def test_first_and_stable_items_by_looking_at_every_size(population: str, test: str) -> None:
    """No smaller size reaches the target, from `stable_from` to twice it all do, and from no number below."""
    found = solve(ItemsAxis(study(population, test), 0.8, ANY))
    assert found.stable_from is not None
    sizes = range(2, 2 * found.stable_from + 1)
    enough = {n: power_of(study(population, test, n), ANY).power >= 0.8 for n in sizes}
    assert found.items == min(n for n in sizes if enough[n])
    stays = (n for n in range(found.items, found.stable_from + 1) if all(enough[k] for k in range(n, 2 * n + 1)))
    assert found.stable_from == next(stays)


def test_many_items_where_all_differ() -> None:
    """Teeth are a thousandth of 8 million items wide there: the first and the stable number are that far apart."""
    asked = study("paired_binary(effect=0.001, discordance=1.0)", "mcnemar")
    found = solve(ItemsAxis(asked, 0.8, ANY))
    assert found.stable_from is not None
    assert 500 < found.stable_from - found.items < 5_000
    powers = [power_of(asked.resized(items=n), ANY).power for n in (found.items - 1, found.items)]
    assert powers[0] < 0.8 <= powers[1]


@pytest.mark.parametrize(
    ("population", "test", "power", "alpha"),
    [
        ("gaussian(sd=1, correlation=0.5, effect=100)", "paired_t", 0.8, 0.05),
        ("gaussian(sd=1, correlation=0.5, effect=2.9e-4)", "paired_t", 0.8, 0.05),
        ("gaussian(sd=1, correlation=0.5, effect=0.5)", "paired_t", 0.999, 1e-6),
        ("gaussian(sd=1, correlation=0.5, effect=-0.1)", "paired_t(alternative=less)", 0.8, 0.05),
        ("paired_binary(discordance=0.1, effect=0.1)", "mcnemar(variant=exact)", 0.999, 1e-6),
        ("paired_binary(discordance=0.3, effect=-0.1)", "mcnemar(alternative=less)", 0.9, 0.01),
        (
            "clustered(population=gaussian(sd=1, correlation=0.5), size=7, icc=0.4, effect=0.1)",
            "cluster_t",
            0.8,
            0.05,
        ),
        (
            "runs(item_sd=1, run_sd=1, runs=3, effect=0.1)",
            "paired_t",
            0.9,
            0.05,
        ),
    ],
)
def test_items_are_the_smallest(population: str, test: str, power: float, alpha: float) -> None:
    """From two items to a hundred million: one unit fewer misses the target."""
    asked = study(population, test, alpha=alpha)
    found = solve(ItemsAxis(asked, power, ANY)).items
    unit = asked.population.unit
    assert power_of(asked.resized(items=found), ANY).power >= power
    assert found <= 2 * unit or power_of(asked.resized(items=found - unit), ANY).power < power


@pytest.mark.parametrize(
    ("population", "test", "most"),
    [
        ("gaussian(sd=1, correlation=0.5, effect={})", "paired_t", 10**9),
        (
            "clustered(population=gaussian(sd=1, correlation=0.5), size=7, icc=0, effect={})",
            "cluster_t",
            999_999_994,
        ),
    ],
)
def test_a_thousand_million_items_are_the_most(population: str, test: str, most: int) -> None:
    """What takes a hundredth less is found; what takes a hundredth more is refused, though it lies before the next doubling."""
    shift = float(stats.norm.ppf(0.8) + stats.norm.ppf(0.975))
    for needed in (0.99e9, 0.9999e9):
        found = solve(ItemsAxis(study(population.format(shift / needed**0.5), test), 0.8, ANY)).items
        assert found == pytest.approx(needed, rel=1e-5, abs=0.0)
    with pytest.raises(UsageError, match=f"even {most:,} items reach only 0.79"):
        solve(ItemsAxis(study(population.format(shift / 1.01e9**0.5), test), 0.8, ANY))


@pytest.mark.parametrize("items", [2, 10**8])
@pytest.mark.parametrize("test", ["paired_t", "paired_t(alternative=less)"])
def test_effects_from_two_items_to_a_hundred_million(items: int, test: str) -> None:
    """The effect found, put back, has the power to 1e-9, and lies where the test looks."""
    asked = study("gaussian(sd=1, correlation=0.5)", test, items, 1e-4)
    found = solve(EffectAxis(asked, 0.99, ANY))
    assert (found.effect < 0.0) == ("less" in test)
    assert power_of(asked.with_effect(found.effect), ANY).power == pytest.approx(0.99, rel=1e-9, abs=0.0)


def test_effects_within_a_clip() -> None:
    """An open effect on clipped scores is looked for below the largest they can have."""
    clipped = "gaussian(sd=0.12, correlation=0.5, mean=0.9, clip=0:1)"
    quick = Budget(replicates=1_000)
    solution = solve(EffectAxis(study(clipped, "paired_t", 100), 0.8, quick))
    assert solution.low is not None
    assert solution.high is not None
    assert solution.low < solution.effect < solution.high < 0.1136
    with pytest.raises(UsageError, match=r"largest effect these scores can have \(0.1136\)"):
        solve(EffectAxis(study(clipped, "paired_t", 3), 0.95, quick))


def test_effect_of_mcnemar_has_the_power() -> None:
    """The exact engine's effect, put back, gives the target."""
    asked = study("paired_binary(accuracy=0.7, discordance=0.1)", "mcnemar", 1000)
    solution = solve(EffectAxis(asked, 0.8, ANY))
    assert solution.result.engine == "exact"
    again = power_of(
        study(f"paired_binary(accuracy=0.7, discordance=0.1, effect={solution.effect!r})", "mcnemar", 1000),
        ANY,
    )
    assert again.power == pytest.approx(0.8, rel=1e-9, abs=0.0)


@pytest.mark.parametrize("items", [60, 70, 80])
def test_effects_near_the_largest_there_is(items: int) -> None:
    """A search that would double beyond it looks there, and finds what lies between."""
    axis = EffectAxis(study("paired_binary(discordance=0.2)", "mcnemar(variant=exact)", items), 0.8, ANY)
    assert axis.at(axis.start).power < 0.8
    assert axis.start < axis.most < 2.0 * axis.start
    found = solve(axis)
    assert axis.start < found.effect < 0.2
    assert found.result.power == pytest.approx(0.8, rel=1e-9, abs=0.0)


SIMULATED = [
    ("gaussian(sd=0.1, correlation=0.5, effect=0.04)", "paired_t", None),
    ("gaussian(sd=0.1, correlation=0.5, effect=-0.1)", "paired_t(alternative=less)", None),
    ("paired_binary(discordance=0.2, effect=0.08)", "mcnemar", None),
    ("gaussian(sd=0.1, correlation=0.5)", "paired_t", 40),
    ("gaussian(sd=0.1, correlation=0.5)", "paired_t(alternative=less)", 20),
    ("paired_binary(discordance=0.2)", "mcnemar", 200),
]


@pytest.mark.parametrize(("population", "test", "items"), SIMULATED)
def test_intervals_of_simulated_roots_are_honest(population: str, test: str, items: int | None) -> None:
    """Simulated though a closed form exists: over 40 seeds the 95 % interval holds its answer at least 35 times."""
    asked, held, wide = study(population, test, items or 2), 0, []
    for seed in range(40):
        simulated = Budget("monte_carlo", 400, seed)
        if items is None:
            truth: float = solve(ItemsAxis(asked, 0.8, ANY)).items
            solution = solve(ItemsAxis(asked, 0.8, simulated))
        else:
            truth = solve(EffectAxis(asked, 0.8, ANY)).effect
            solution = solve(EffectAxis(asked, 0.8, simulated))
        assert solution.low is not None
        assert solution.high is not None
        held += solution.low <= truth <= solution.high
        wide.append((solution.high - solution.low) / abs(truth))
    assert held >= 35
    assert 0.02 < np.mean(wide) < 0.4


def _interrupting(after: int) -> Callable[[int, int], None]:
    """A progress callback that presses Ctrl-C on its n-th call."""
    calls: list[int] = []

    def press(done: int, total: int) -> None:
        calls.append(done)
        if len(calls) == after:
            raise KeyboardInterrupt

    return press


@pytest.mark.parametrize("after", [2, 20, 60])
def test_interrupted_searches_answer_from_what_they_have(after: int) -> None:
    """Ctrl-C in the middle of solving: an answer near the true one, from fewer replicates, whose interval holds it."""
    asked = study("gaussian(sd=0.1, correlation=0.5, effect=0.03)", "paired_t")
    budget = Budget("monte_carlo", 20_000)
    found = solve(ItemsAxis(asked, 0.8, budget, Runner(1, _interrupting(after), partial=True)))
    assert found.result.replicates is not None
    assert found.result.replicates < 20_000
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 90 <= found.high
    assert found.result.low < 0.8 < found.result.high
    whole = solve(ItemsAxis(asked, 0.8, budget, Runner(1)))
    assert found.high - found.low > (whole.high or 0.0) - (whole.low or 0.0)


def test_interrupted_effects() -> None:
    """The same where the effect is solved for."""
    asked = study("gaussian(sd=0.1, correlation=0.5)", "paired_t", 50)
    found = solve(EffectAxis(asked, 0.8, Budget("monte_carlo", 20_000), Runner(1, _interrupting(5), partial=True)))
    truth = solve(EffectAxis(asked, 0.8, ANY)).effect
    assert found.low is not None
    assert found.high is not None
    assert found.low <= truth <= found.high
    assert found.effect == pytest.approx(truth, rel=0.1, abs=0.0)


def test_clusters_are_planned_whole() -> None:
    """Items that come ten at a time are needed ten at a time."""
    asked = study("clustered(population=gaussian(sd=0.1, correlation=0.5), size=10, icc=0.3, effect=0.02)", "cluster_t")
    found = solve(ItemsAxis(asked, 0.8, ANY))
    assert found.items % 10 == 0
    assert found.result.engine == "formula"
    alone = solve(ItemsAxis(study("gaussian(sd=0.1, correlation=0.5, effect=0.02)", "paired_t"), 0.8, ANY)).items
    assert found.items == pytest.approx(alone * (1 + 9 * 0.3), rel=0.05, abs=0.0)


@pytest.mark.parametrize(
    ("population", "test", "items", "said"),
    [
        (
            "paired_binary(accuracy=0.7, discordance=0.1)",
            "mcnemar",
            10,
            "largest effect these scores can have",
        ),
        ("paired_binary(accuracy=1, discordance=0.1)", "mcnemar", 100, "between -0.1 and -0.1"),
        ("paired_binary(accuracy=0.7, correlation=1)", "mcnemar", 100, "between 0 and 0"),
        ("gaussian(sd=0.1, correlation=1)", "paired_t", 100, "so any effect is found"),
        ("gaussian(sd=0.1, correlation=0)", "equivalence(margin=0.1)", 50, "asks about a margin"),
        ("gaussian(sd=0.1, correlation=0, effect=0.1)", "equivalence(margin=0.1)", None, "lies outside"),
        ("gaussian(sd=0.1, correlation=0, effect=-0.2)", "non_inferiority(margin=0.1)", None, "lies outside"),
        ("gaussian(sd=1, correlation=0.5, effect=1e-6)", "paired_t", None, "even 1,000,000,000 items"),
        (
            "beta(mean=0.5, sd=0.2, correlation=0.5, effect=1e-5)",
            "paired_t",
            None,
            "even 1,000,000,000 items",
        ),
        ("beta(mean=0.5, sd=0.2, correlation=0.5, effect=1e-5)", "wilcoxon", None, "too many to simulate"),
        (
            "paired_binary(discordance=0.1, effect=0.004)",
            "mcnemar(variant=unconditional)",
            None,
            "most: 10000",
        ),
    ],
)
def test_what_cannot_be_reached_is_said(population: str, test: str, items: int | None, said: str) -> None:
    """At once, with the way out, and never by trying for hours."""
    asked = study(population, test, items or 2)
    with pytest.raises(UsageError, match=said):
        solve(ItemsAxis(asked, 0.8, ANY)) if items is None else solve(EffectAxis(asked, 0.8, ANY))


@settings(max_examples=40, deadline=None)
@given(
    sd=st.floats(0.05, 2.0),
    correlation=st.floats(-0.5, 0.95),
    size=st.floats(0.2, 1.5),
    items=st.integers(3, 400),
    alpha=st.sampled_from([0.01, 0.05, 0.1]),
)
def test_more_items_effect_or_correlation_never_cost_power(
    sd: float, correlation: float, size: float, items: int, alpha: float
) -> None:
    """Monotone on the formula engine, to its rounding."""

    def power(correlation: float, effect: float, items: int) -> float:
        return power_of(
            study(f"gaussian(sd={sd}, correlation={correlation}, effect={effect})", "paired_t", items, alpha),
            ANY,
        ).power

    effect = size * sd
    base = power(correlation, effect, items)
    assert power(correlation, effect, items + 1) >= base - 1e-12
    assert power(correlation, 1.1 * effect, items) >= base - 1e-12
    assert power(min(correlation + 0.04, 0.99), effect, items) >= base - 1e-12


@settings(max_examples=25, deadline=None)
@given(discordance=st.floats(0.05, 0.9), share=st.floats(0.1, 0.9), items=st.integers(20, 400))
def test_power_of_mcnemar_rises_with_the_effect(discordance: float, share: float, items: int) -> None:
    """Exact power is monotone in the effect at fixed discordance (in items it is saw-toothed)."""
    powers = [
        power_of(
            study(f"paired_binary(discordance={discordance}, effect={f * discordance})", "mcnemar", items),
            ANY,
        ).power
        for f in (share, share + 0.05, min(share + 0.1, 1.0))
    ]
    assert np.all(np.diff(powers) >= -1e-12)


@pytest.mark.parametrize(
    ("population", "test", "target", "most"),
    [
        ("gaussian(sd=0.1, correlation=0.5, effect=0.03)", "paired_t", 0.8, 4),
        ("gaussian(sd=0.1, correlation=0.5, effect=0.0003)", "paired_t", 0.95, 4),
        ("paired_binary(accuracy=0.9, effect=0.02, discordance=0.1)", "mcnemar(variant=exact)", 0.8, 6),
        ("paired_binary(discordance=0.02, effect=0.002)", "mcnemar", 0.99, 5),
        ("gaussian(sd=0.1, correlation=0.5, effect=0.03)", "paired_t", 1.0 - 2.0**-52, 10),
    ],
)
@pytest.mark.filterwarnings("error")
def test_searches_take_few_steps(population: str, test: str, target: float, most: int) -> None:
    """Power is asked for at a handful of places, also where it is 1 at both ends up to rounding."""
    axis = ItemsAxis(study(population, test), target, ANY)
    found = solve(axis)
    assert len(axis.known) <= most
    assert found.result.power >= target


@pytest.mark.filterwarnings("error")
def test_powers_that_are_1_up_to_rounding_are_halved_between() -> None:
    """Their probits are equal, so no line goes through them: nothing is divided by nothing."""
    axis = ItemsAxis(study("gaussian(sd=0.1, correlation=0.5, effect=0.03)", "paired_t"), 1.0 - 2.0**-53, ANY)
    powers = {n: 1.0 if n >= 150 else 1.0 - 2.0**-52 for n in range(100, 201)}
    axis.known = {n**0.5: PowerResult(p, p, p, "formula", None, None, None) for n, p in powers.items()}
    assert _search_units(axis, 100, 200) == 150


class Stepping(ItemsAxis):
    """Reaches its target from a known number of items on, and begins its search at another."""

    def __init__(self, first: int, begin: int) -> None:
        super().__init__(study("gaussian(sd=0.1, correlation=0.5, effect=0.03)", "paired_t"), 0.8, ANY)
        self.first, self.begin = first, begin

    @property
    def start(self) -> float:
        return float(self.begin**0.5)

    def reaches_target(self, x: float) -> bool:
        return self.units(x) >= self.first


@pytest.mark.parametrize("begin", [2, 3, 4, 5, 7, 16, 100, 101])
def test_brackets_hold_the_answer_and_little_else(begin: int) -> None:
    """The lower end falls short, or is 1; the upper reaches the target, and is the double, or one more."""
    for first in range(2, 400):
        low, high = _units_bracket(Stepping(first, begin))
        assert low == 1 or low < first
        assert first <= high <= 2 * low + 1


@pytest.mark.parametrize("target", [0.5, 0.8, 0.95])
def test_any_probe_finds_the_same_number(target: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the aim, in the middle, at random or nowhere: what is looked at besides changes how soon the search ends."""
    asked = study("gaussian(effect=0.05, sd=0.3, correlation=0.5)", "paired_t")
    usual = _search_units(ItemsAxis(asked, target, ANY), 2, 4_000)
    rng = np.random.default_rng(0)
    probes: list[Callable[[int, int], int]] = [
        lambda low, high: low,
        lambda low, high: (low + high) // 2,
        lambda low, high: int(rng.integers(low, high + 1)),
        lambda low, high: low + 2,
        lambda low, high: high - 2,
    ]
    for probe in probes:
        monkeypatch.setattr(solver, "_next_probe", lambda low, high, *_, probe=probe, **__: probe(low, high))
        assert _search_units(ItemsAxis(asked, target, ANY), 2, 4_000) == usual


@pytest.mark.parametrize(
    ("short", "stable"),
    [
        ([], 10),
        ([5, 9], 10),
        ([21], 10),
        ([20], 21),
        ([12, 27], 13),
        ([12, 26], 27),
        ([11, 12, 25, 60], 26),
    ],
)
def test_stable_numbers_have_none_short_up_to_twice_them(short: list[int], stable: int) -> None:
    """Ten reach the target: what falls short beyond twice a number is another tooth, and what comes before ten is not asked about."""
    assert _stable_from(10, np.array(short, dtype=np.int64)) == stable


def test_a_tooth_that_just_reaches_the_target_is_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Power at the target is enough on a curve too."""
    sizes = np.arange(50, 201)
    powers = np.where(sizes >= 90, 0.9, 0.7)
    powers[sizes == 80] = 0.8
    monkeypatch.setattr(solver, "power_curve", lambda *_: (sizes, powers))
    found = solve(ItemsAxis(study("paired_binary(effect=0.3, discordance=0.5)", "mcnemar"), 0.8, ANY))
    assert (found.items, found.stable_from) == (80, 90)
