"""`plan` plans for what `compare` will choose: the chosen test where nearly all evaluations get it, else the choice itself."""

import numpy as np
import pytest

from tellapart import PowerResult, Scores, Study, compare, plan
from tellapart.arrays import FloatArray
from tellapart.planning.solve import Solution
from tellapart.populations import Population
from tellapart.populations.pilot import Pilot
from tellapart.results.note import codes
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.verbs.plan.as_chosen import solved_as_chosen
from tellapart.verbs.plan.ask import Ask
from tellapart.verbs.plan.choices import AGREED, choices
from tellapart.verbs.plan.chosen import CHOSEN
from tellapart.workers import Runner

CAUTIOUS = "cautious(test=permutation, interval=leaning_t)"
CAUTIOUS_T = "cautious(test=paired_t, interval=bootstrap(kind=studentised))"
GAUSSIAN = "gaussian(sd=0.12, correlation=0.8)"
CLUSTERED = "clustered(population=gaussian(sd=0.1, correlation=0.5), size=8, icc=0.3)"


def leaning_pilot(effect: float) -> Pilot:
    """Gains that are small and losses that are rare: at a hundred items some samples show it and some do not."""
    rng = np.random.default_rng(5)
    differences = np.exp(rng.normal(size=200)) - 1.65
    a = rng.normal(size=200)
    return Pilot.from_pair(Pair(a[:, None, None], (a + differences)[:, None, None]), effect=effect)


def claimed(population: Population, items: int, times: int) -> tuple[float, dict[str, int]]:
    """How often `compare` itself claims a difference on draws from the population, and by which tests."""
    claims, tests = 0, dict[str, int]()
    for number in range(times):
        drawn = population.draw(items, 1, stream(9, number))
        clusters = None if drawn.clusters is None else [str(code) for code in drawn.clusters]
        scores = Scores.from_arrays({"a": drawn.a[0, :, :, 0], "b": drawn.b[0, :, :, 0]}, clusters=clusters)
        found = compare(scores, "a", "b", seed=number)
        claims += found.pvalue <= 0.05
        tests[found.test] = tests.get(found.test, 0) + 1
    return claims / times, tests


@pytest.mark.parametrize("effect", [0.5, 0.35])
def test_effects_that_few_items_show(effect: float) -> None:
    """A search that comes to fewer items than can be drawn again goes on with what is chosen there, and one item less has less power."""
    row = plan("gaussian(sd=0.258, correlation=0.5)", effect=effect, power=0.8, replicates=200).rows[0]
    assert 5 < row.items < 12
    assert row.power >= 0.8
    fewer = plan(
        "gaussian(sd=0.258, correlation=0.5)", effect=effect, items=row.items - 1, replicates=200
    ).rows[0]
    assert fewer.power < 0.8


def test_what_compare_can_never_claim_has_no_power() -> None:
    """Five items, and five clusters: the smallest p-value that signs can have is 1/16."""
    row = plan(GAUSSIAN, effect=0.12, items=5, replicates=100).rows[0]
    assert (row.test, row.power) == (CAUTIOUS, 0.0)
    clusters = plan(CLUSTERED, effect=0.2, items=40, replicates=100).rows[0]
    assert (clusters.test, clusters.power) == (
        "cautious(test=cluster_sign_flip, interval=cluster_t(variance=cr1))",
        0.0,
    )


@pytest.mark.parametrize(
    ("population", "items", "test", "engine"),
    [
        (f"{GAUSSIAN[:-1]}, effect=0.02)", 50, "paired_t", "formula"),
        ("paired_binary(accuracy=0.7, discordance=0.2, effect=0.05)", 20, "mcnemar(variant=mid_p)", "exact"),
        (f"{CLUSTERED[:-1]}, effect=0.02)", 400, "cluster_t(variance=cr1)", "formula"),
    ],
)
def test_one_test_keeps_its_engine(population: str, items: int, test: str, engine: str) -> None:
    """Where all evaluations get the same test nothing is simulated that need not be."""
    row = plan(population, items=items).rows[0]
    assert (row.test, row.engine, row.choices) == (test, engine, None)
    assert row == plan(population, items=items, test=test).rows[0]


def test_a_choice_that_depends_on_the_scores() -> None:
    """The power is that of `compare` itself, whichever test it runs; the shares are in the answer and in its words."""
    pilot = leaning_pilot(0.4)
    answer = plan(pilot, items=100, replicates=400)
    row = answer.rows[0]
    assert (row.test, row.engine) == ("chosen", "monte_carlo")
    assert row.choices is not None
    assert set(row.choices) == {"paired_t", CAUTIOUS_T}
    assert sum(row.choices.values()) == pytest.approx(1.0)
    assert max(row.choices.values()) < AGREED
    assert answer.to_dict()["rows"][0]["choices"] == row.choices
    (note,) = (note for note in answer.notes if note.code == "depends_on_scores")
    assert note.values["choices"] == row.choices
    real, tests = claimed(pilot, 100, 150)
    assert real == pytest.approx(row.power, abs=0.12)
    assert tests["paired_t"] / 150 == pytest.approx(row.choices["paired_t"], abs=0.12)
    alone = [plan(pilot, items=100, test=test, replicates=400).rows[0].power for test in row.choices]
    assert min(alone) - 0.02 <= row.power <= max(alone) + 0.02


def test_what_is_planned_happens() -> None:
    """Eight items: `compare` claims as often as the plan says, and less often than a paired t would."""
    population = Population.parse(f"{GAUSSIAN[:-1]}, effect=0.085)")
    row = plan(population, items=8, replicates=1_000).rows[0]
    real, tests = claimed(population, 8, 250)
    assert tests == {CAUTIOUS: 250}
    assert real == pytest.approx(row.power, abs=0.09)
    assert row.power < plan(population, items=8, test="paired_t").rows[0].power - 0.04


@pytest.mark.parametrize(
    ("population", "effect"),
    [(GAUSSIAN, 0.01), (GAUSSIAN, 0.06), ("beta(mean=0.6, sd=0.15, correlation=0.8)", 0.03)],
)
def test_solved_items_are_for_the_test_that_is_chosen_there(population: str, effect: float) -> None:
    """Whichever side of fifty items the answer is on, the test of the row is the one chosen at that number."""
    row = plan(population, effect=effect, power=0.8, replicates=150).rows[0]
    assert str(choices(Population.parse(row.population), row.items).test) == row.test
    assert row.power == pytest.approx(0.8, abs=0.08)


def certain(power: float) -> PowerResult:
    return PowerResult(power, power, power, "exact", None, None, None)


def test_between_two_tests_the_first_number_that_will_do() -> None:
    """Forty-nine items fall short by the cautious test and fifty are more than enough by Student's t: fifty it is."""
    needed, asked = {CAUTIOUS: 55, "paired_t": 46}, list[int]()

    def solve(ask: Ask) -> Solution:
        return Solution(ask.study(needed[str(ask.test)]), certain(0.8))

    def find(study: Study) -> PowerResult:
        asked.append(study.items)
        return certain(0.79 if str(study.test) == CAUTIOUS else 0.82)

    ask = Ask(Population.parse(f"{GAUSSIAN[:-1]}, effect=0.0305)"), CHOSEN, None, 0.8, 0.05)
    found = solved_as_chosen(ask, solve, find, Runner())
    assert (found.items, found.stable_from, str(found.study.test)) == (50, 50, "paired_t")
    assert {49, 50} < set(asked)


def test_a_solved_effect_is_for_the_test_that_is_chosen_there() -> None:
    """At twelve items there is no other choice."""
    row = plan(GAUSSIAN, items=12, power=0.8, replicates=200).rows[0]
    assert row.test == CAUTIOUS
    assert row.effect > plan(GAUSSIAN, items=12, power=0.8, test="paired_t").rows[0].effect


def test_rank_and_systems_apart_have_tests_of_their_own() -> None:
    """`compare` chooses neither for a board nor for systems on different items."""
    assert plan(GAUSSIAN, effect=0.05, items=20, systems=5).rows[0].test == "paired_t"
    assert plan("proportions", accuracy=0.7, effect=0.2, items=20).rows[0].test == "two_proportion_z"


def test_the_choice_can_be_named() -> None:
    """What a row or a signature says can be typed back."""
    assert plan(GAUSSIAN, effect=0.01, power=0.8, test="chosen") == plan(GAUSSIAN, effect=0.01, power=0.8)
    assert str(CHOSEN) == "chosen"


def test_replicates_are_fewer_where_each_is_resampled() -> None:
    """A thousand unless told otherwise, ten thousand of what is quick."""
    drawn_again = "cautious(test=paired_t, interval=bootstrap(kind=studentised))"
    assert plan(GAUSSIAN, effect=0.1, items=6, test=drawn_again).rows[0].replicates == 1_000
    assert plan(GAUSSIAN, effect=0.1, items=6).rows[0].replicates == 10_000
    assert plan("beta(mean=0.6, sd=0.15, correlation=0.8)", effect=0.1, items=60).rows[0].replicates == 10_000
    assert plan(GAUSSIAN, effect=0.1, items=6, replicates=70).rows[0].replicates == 70


def test_an_interrupt_leaves_what_was_solved() -> None:
    """The first test's answer stands, under its own name."""
    solved: list[str] = []

    def solve(ask: Ask) -> Solution:
        solved.append(str(ask.test))
        if len(solved) > 1:
            raise KeyboardInterrupt
        return Solution(ask.study(80), certain(0.8))

    ask = Ask(Population.parse(f"{GAUSSIAN[:-1]}, effect=0.06)"), CHOSEN, None, 0.8, 0.05)
    found = solved_as_chosen(ask, solve, lambda _: certain(0.8), Runner(partial=True))
    assert solved == [CAUTIOUS, "paired_t"]
    assert str(found.study.test) == CAUTIOUS


def test_no_note_of_a_choice_where_there_is_none() -> None:
    assert "depends_on_scores" not in codes(plan(GAUSSIAN, effect=0.02, items=60).notes)


def pilot_of(differences: FloatArray) -> Pilot:
    """Items with these differences, between scores that are all unlike."""
    a = np.random.default_rng(4).normal(0.5, 0.1, len(differences)).round(4)
    return Pilot.from_pair(Pair(a[:, None, None], (a + differences)[:, None, None]), effect=0.02)


def test_items_of_a_pilot_that_come_again_are_no_steps() -> None:
    """A few items with four decimals, drawn again and again, are planned as new ones will be judged; ratings stay on their steps."""
    rng = np.random.default_rng(2)
    fine, rated = pilot_of(rng.normal(0.02, 0.05, 30).round(4)), pilot_of(rng.integers(-2, 3, 30) / 10)
    for items in (60, 100):
        fresh = rng.normal(0.5, 0.1, (2, items)).round(4)
        judged = compare(Scores.from_arrays({"a": fresh[0], "b": fresh[1]}), "a", "b").test
        assert str(choices(fine, items).test) == judged == "paired_t"
        assert all("permutation" in test for test in choices(rated, items).spelled)
    # Of few items signs are flipped, whatever their sizes are.
    assert "permutation" in str(choices(fine, 40).test)
