"""Very many items: the central limit theorem beside simulations, where it answers, and how much no plan simulates."""

import itertools
import math

import numpy as np
import pytest

from tellapart import plan
from tellapart.compute.work import Budget
from tellapart.data.pair import Pair
from tellapart.planning import approximations as central_limit
from tellapart.planning.approximations import by_central_limit
from tellapart.planning.formula import by_t
from tellapart.planning.power import power_of
from tellapart.planning.solved_axes import item_spread
from tellapart.planning.study import ENOUGH, NUMBERS, Study, has_many_items, usual_replicates
from tellapart.populations import POPULATIONS, Population
from tellapart.populations.pilot import Pilot
from tellapart.verbs.plan.choices import choices

STUDENTISED = "bootstrap(kind=studentised)"
BOTH = f"both(first=paired_t, second={STUDENTISED})"
BETA = "beta(sd=0.12, correlation=0.8, mean=0.65)"
RETRIEVAL = "retrieval(sd=0.2, correlation=0.9, mean=0.1, zero_share=0.7)"
CLUSTERED = "clustered(population=beta(sd=0.12, correlation=0.8, mean=0.9), size=10, icc=0.3)"
F1 = "confusion(metric=f1, prevalence=0.05, recall=0.6, specificity=0.97, correlation=0.5)"
PLAIN = [example for name in POPULATIONS for example in POPULATIONS[name].examples if not POPULATIONS[name].by_raters]


def lean(items: int = 200, runs: int = 1) -> Pilot:
    """Lognormal differences, lopsided to the right; runs of an item differ by normal noise."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=items), np.exp(1.2 * rng.normal(size=items)) - 2.05
    first, second = (x[:, None, None] + (runs > 1) * rng.normal(size=(items, runs, 1)) for x in (a, a + b))
    return Pilot.from_pair(Pair(first, second))


def at_power(population: Population, test: str, items: int, side: float = 1.0) -> Study:
    """A study with a power of about 0.8."""
    spread = item_spread(population.with_effect(1e-6))
    return Study(population.with_effect(side * 2.8 * spread / math.sqrt(items)), test, items)


CASES = {
    "beta": (BETA, "paired_t", 1_000, 5_000),
    "zeros": (RETRIEVAL, "paired_t", 1_500, 4_000),
    "clusters": (CLUSTERED, "cluster_t(variance=cr2)", 3_000, 5_000),
    "runs": (None, "paired_t", 3_000, 10_000),
    "f1": (F1, "paired_t", 5_000, 1_500),
    "lopsided": (None, "paired_t", 3_000, 10_000),
    "lopsided, both": (None, BOTH, 1_500, 1_000),
    "lopsided, bootstrap": (None, STUDENTISED, 1_500, 1_000),
    "not worse": (None, "non_inferiority(margin=0.3)", 1_500, 5_000),
    "equivalent": (None, "equivalence(margin=0.3)", 1_500, 5_000),
}


@pytest.mark.parametrize("side", [1.0, -1.0], ids=["up", "down"])
@pytest.mark.parametrize("case", CASES)
def test_the_formula_beside_simulations(case: str, side: float) -> None:
    """At fewer items than it answers for by itself, in both directions."""
    spelled, test, items, replicates = CASES[case]
    population = lean(runs=3 if case == "runs" else 1) if spelled is None else Population.parse(spelled)
    study = at_power(population, test, items, side)
    if "margin" in test:
        study = study.with_effect(side * 0.1)
    found = by_central_limit(study)
    assert found is not None
    seen = power_of(study, Budget("monte_carlo", replicates))
    chance = 4.0 * math.sqrt(0.25 / replicates)
    assert abs(found.power - seen.power) < 0.004 + chance
    assert found.low - chance < seen.power < found.high + chance


@pytest.mark.parametrize("side", [1.0, -1.0], ids=["with the lean", "against it"])
def test_skewness_counts(side: float) -> None:
    """Negative control: without its term the noncentral t alone is off, on either side."""
    population, items, replicates = lean(), 1_000, 60_000
    study = at_power(population, "paired_t", items, side)
    spread = population.with_effect(study.population.known_effect).spread
    plain, found = by_t(study, spread / math.sqrt(items), items - 1.0), by_central_limit(study)
    assert found is not None
    seen = power_of(study, Budget("monte_carlo", replicates))
    bound = 0.005 + 4.0 * math.sqrt(0.16 / replicates)
    assert abs(found.power - seen.power) < bound < abs(plain.power - seen.power)


def test_the_second_opinion_costs_against_the_lean_alone() -> None:
    """The bootstrap moves its critical values by the skewness of the mean: one side is harder, the other easier."""
    for side in (1.0, -1.0):
        t, boot, both = (at_power(lean(), test, 5_000, side) for test in ("paired_t", STUDENTISED, BOTH))
        powers = [found.power for found in map(by_central_limit, (t, boot, both)) if found is not None]
        assert powers[2] == pytest.approx(min(powers[:2]), abs=1e-4)
        assert (powers[1] > powers[0]) == (side > 0.0)


@pytest.mark.parametrize("spelled", PLAIN)
@pytest.mark.parametrize("items", [3_000, 20_000, 1_000_000])
def test_no_plain_plan_simulates_too_much_or_too_little(spelled: str, items: int) -> None:
    """The work of a plan by default: at most so many random numbers, and at least so many replicates, or a formula."""
    population = Population.parse(spelled)
    if not population.complete:
        return
    items -= items % population.unit
    test = choices(population, items).test if population.paired else population.test
    study = Study(population, test, items)
    if has_many_items(study):
        found = power_of(study, Budget())  # takes a second at most
        assert found.replicates is None
        assert found.high - found.low < 0.05
    else:
        replicates = usual_replicates(study)
        assert replicates >= ENOUGH
        width = population.width(study.test.needs, study.design)
        assert replicates * width <= NUMBERS


def test_tests_of_ranks_and_flips_are_still_simulated() -> None:
    population = Population.parse(BETA).with_effect(0.001)
    for test in ("wilcoxon", "sign", "permutation"):
        assert by_central_limit(Study(population, test, 100_000)) is None
    clusters = Population.parse(CLUSTERED).with_effect(0.001)
    assert by_central_limit(Study(clusters, "paired_t", 100_000)) is None


def test_power_rises_with_items_and_with_the_effect() -> None:
    population = Population.parse(RETRIEVAL)
    effects = [
        power_of(Study(population.with_effect(e), "paired_t", 50_000), Budget()) for e in np.linspace(1e-4, 0.003, 8)
    ]
    assert all(one.power < other.power for one, other in itertools.pairwise(effects))
    items = [
        power_of(Study(population.with_effect(0.001), "paired_t", n), Budget()) for n in range(30_000, 300_000, 30_000)
    ]
    assert all(one.power < other.power for one, other in itertools.pairwise(items))


@pytest.mark.parametrize(
    "asked",
    [{"effect": 0.001, "power": 0.8}, {"items": 40_000, "power": 0.8}, {"effect": 0.001, "items": 40_000}],
)
def test_one_engine_answers_all_of_a_plan(asked: dict[str, float]) -> None:
    """Also its curve, whose smaller numbers of items would be simulated by themselves; and it says how far it can be off."""
    answer = plan("beta", sd=0.12, correlation=0.8, mean=0.65, **asked)
    (row,) = answer.rows
    assert (row.engine, row.replicates) == ("formula", None)
    assert row.power_low < row.power < row.power_high < row.power_low + 0.01
    assert "formula_nearly_exact" in [note.code for note in answer.notes]
    assert answer.curve is not None
    assert {point.replicates for point in answer.curve} == {None}
    assert {point.over for point in answer.curve} == {"items", "effect"}


def test_the_spread_is_drawn_once_per_population() -> None:
    """However many numbers of items a search looks at."""
    central_limit._population_moments.cache_clear()
    plan("beta", sd=0.12, correlation=0.8, mean=0.65, effect=0.001, power=0.8, test="paired_t")
    searched = central_limit._population_moments.cache_info()
    assert searched.hits > 5
    # Its own effect, half of it, and those of the curve.
    assert searched.misses < 10
