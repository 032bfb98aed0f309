"""`plan` plans for what `compare` will choose: the chosen test where nearly all evaluations get it, else the choice itself."""

from typing import Any

import numpy as np
import pytest

from tellapart import PowerResult, Scores, Study, compare, plan, power
from tellapart.answers.parts import codes
from tellapart.answers.texts import add_text
from tellapart.compute import Runner
from tellapart.data.pair import Pair
from tellapart.foundation.seeds import stream
from tellapart.planning.solve import Solution
from tellapart.planning.study import usual_replicates
from tellapart.populations import Population
from tellapart.populations.pilot import Pilot
from tellapart.verbs.plan.case import PlanCase
from tellapart.verbs.plan.choices import AGREED, CHOSEN, choices
from tellapart.verbs.plan.question import PlanQuestion
from tellapart.verbs.plan.solver import solve_for_chosen_test

BOTH = "both(first=paired_t, second=bootstrap(kind=studentised))"
SIGNS = "both(first=cluster_t(variance=cr2), second=cluster_sign_flip)"
GAUSSIAN = "gaussian(sd=0.12, correlation=0.8)"
CONFUSION = "confusion(effect=0.25, metric=f1, prevalence=0.05, recall=0.6, specificity=0.97, correlation=0.5)"
CLUSTERED = "clustered(population=gaussian(sd=0.1, correlation=0.5), size=8, icc=0.3)"


def skewed_pilot(effect: float) -> Pilot:
    """Losses that are small and gains that are rare: at forty items some samples show it and some do not."""
    rng = np.random.default_rng(5)
    differences = np.exp(0.4 * rng.normal(size=200)) - 1.08
    a = rng.normal(size=200)
    return Pilot.from_pair(Pair(a[:, None, None], (a + differences)[:, None, None]), effect=effect)


def claimed(population: Population, items: int, times: int) -> tuple[float, dict[str, int]]:
    """How often `compare` itself claims a difference on draws from the population, and by which tests."""
    claims, tests = 0, dict[str, int]()
    for number in range(times):
        drawn = population.draw(items, 1, stream(9, number))
        clusters = None if drawn.clusters is None else [str(code) for code in drawn.clusters]
        metric = population.metric
        a, b = (x[0, :, :, 0] if metric.linear else x[0] for x in (drawn.a, drawn.b))
        parts = ("score",) if metric.linear else metric.parts()
        scores = Scores.from_arrays({"a": a, "b": b}, clusters=clusters, parts=parts)
        named: dict[str, Any] = {} if metric.linear else {"metric": str(metric)}
        found = compare(scores, "a", "b", seed=number, **named)
        claims += found.pvalue <= 0.05
        tests[found.test] = tests.get(found.test, 0) + 1
    return claims / times, tests


@pytest.mark.parametrize("effect", [0.5, 0.35])
def test_effects_that_few_items_show(effect: float) -> None:
    """A search that comes to fewer items than can be drawn again goes on with what is chosen there, and one item less has less power."""
    row = plan("gaussian(sd=0.258, correlation=0.5)", effect=effect, power=0.8, replicates=200).rows[0]
    assert 5 < row.items < 12
    assert row.power >= 0.8
    fewer = plan("gaussian(sd=0.258, correlation=0.5)", effect=effect, items=row.items - 1, replicates=200).rows[0]
    assert fewer.power < 0.8


def test_what_compare_can_never_claim_has_no_power() -> None:
    """Five clusters: the smallest p-value that their signs can have is 1/16, and what that costs is said."""
    answer = plan(CLUSTERED, effect=0.2, items=40, replicates=100)
    assert (answer.rows[0].test, answer.rows[0].power) == (SIGNS, 0.0)
    (note,) = (note for note in answer.notes if note.code == "agreement_costs")
    assert note.values["cost"] == note.values["power"] > 0.9


@pytest.mark.parametrize(
    ("population", "items", "test", "engine"),
    [
        (f"{GAUSSIAN[:-1]}, effect=0.02)", 50, "paired_t", "formula"),
        ("paired_binary(accuracy=0.7, discordance=0.2, effect=0.05)", 20, "mcnemar(variant=mid_p)", "exact"),
        (f"{CLUSTERED[:-1]}, effect=0.02)", 400, "cluster_t(variance=cr2)", "formula"),
    ],
)
def test_one_test_keeps_its_engine(population: str, items: int, test: str, engine: str) -> None:
    """Where all evaluations get the same test nothing is simulated that need not be."""
    row = plan(population, items=items).rows[0]
    assert (row.test, row.engine, row.choices) == (test, engine, None)
    assert row == plan(population, items=items, test=test).rows[0]


def test_a_choice_that_depends_on_the_scores() -> None:
    """The power is that of `compare` itself, whichever test it runs; the shares are in the answer and in its words."""
    pilot = skewed_pilot(0.15)
    answer = plan(pilot, items=40, replicates=400)
    row = answer.rows[0]
    assert (row.test, row.engine) == ("chosen", "monte_carlo")
    assert row.choices is not None
    assert set(row.choices) == {"paired_t", BOTH}
    assert sum(row.choices.values()) == pytest.approx(1.0)
    assert max(row.choices.values()) < AGREED
    assert answer.to_dict()["rows"][0]["choices"] == row.choices
    (note,) = (note for note in answer.notes if note.code == "depends_on_scores")
    assert note.values["choices"] == row.choices
    real, tests = claimed(pilot, 40, 150)
    assert real == pytest.approx(row.power, abs=0.12)
    assert tests["paired_t"] / 150 == pytest.approx(row.choices["paired_t"], abs=0.12)
    alone = [plan(pilot, items=40, test=test, replicates=400).rows[0].power for test in row.choices]
    assert min(alone) - 0.02 <= row.power <= max(alone) + 0.02


@pytest.mark.parametrize(
    ("population", "items"),
    [
        (f"{GAUSSIAN[:-1]}, effect=0.085)", 8),
        ("beta(effect=0.15, sd=0.3, correlation=0.5, mean=0.2)", 15),
        (CONFUSION, 285),
    ],
)
def test_what_is_planned_happens(population: str, items: int) -> None:
    """`compare` claims as often as the plan says, by each test as often, and less often than Student's t alone would."""
    answer = plan(population, items=items, replicates=1_000)
    row = answer.rows[0]
    real, tests = claimed(Population.parse(population), items, 250)
    assert row.choices is not None
    assert set(tests) == set(row.choices) == {"paired_t", BOTH}
    assert tests[BOTH] / 250 == pytest.approx(row.choices[BOTH], abs=0.11)
    assert real == pytest.approx(row.power, abs=0.09)
    (note,) = (note for note in answer.notes if note.code == "agreement_costs")
    alone = plan(population, items=items, test="paired_t", engine="monte_carlo", replicates=1_000).rows[0]
    assert (note.values["test"], note.values["power"]) == ("paired_t", alone.power)
    assert 0.0 < note.values["cost"] == alone.power - row.power
    told = add_text(answer).notes[answer.notes.index(note)].text
    assert f"{alone.power:.3f}" in told
    assert "--test paired_t" in told or "test='paired_t'" in told


@pytest.mark.parametrize("items", [25, 40])
def test_one_test_for_all_stands_for_the_few_others(items: int) -> None:
    """Where a few of normal samples look skewed the formula answers, and is right to a point."""
    population = Population.parse(f"{GAUSSIAN[:-1]}, effect=0.04)")
    formula = plan(population, items=items).rows[0]
    assert (formula.engine, len(choices(population, items).shares)) == ("formula", 2)
    simulated = power(Study(population, CHOSEN, items), replicates=4_000)
    assert formula.power == pytest.approx(simulated.power, abs=0.015)


@pytest.mark.parametrize(
    ("population", "effect"),
    [(GAUSSIAN, 0.01), (GAUSSIAN, 0.06), ("beta(mean=0.6, sd=0.15, correlation=0.8)", 0.03)],
)
def test_solved_items_are_for_the_test_that_is_chosen_there(population: str, effect: float) -> None:
    """Whichever side of some twenty items the answer is on, the test of the row is the one chosen at that number."""
    row = plan(population, effect=effect, power=0.8, replicates=150).rows[0]
    assert str(choices(Population.parse(row.population), row.items).test) == row.test
    assert row.power == pytest.approx(0.8, abs=0.08)


def certain(power: float) -> PowerResult:
    return PowerResult(power, power, power, "exact", None, None, None)


def test_between_two_tests_the_first_number_that_will_do() -> None:
    """Five clusters fall short, for their signs must agree, and six are more than enough: six it is."""
    needed, asked = {SIGNS: 56, "chosen": 32}, list[int]()

    def solve(ask: PlanCase) -> Solution:
        return Solution(ask.study(needed[str(ask.test)]), certain(0.8))

    def find(study: Study) -> PowerResult:
        asked.append(study.items)
        return certain(0.79 if str(study.test) == SIGNS else 0.82)

    ask = PlanCase(Population.parse(f"{CLUSTERED[:-1]}, effect=0.1)"), CHOSEN, None, 0.8, 0.05)
    found = solve_for_chosen_test(ask, solve, find, Runner())
    assert (found.items, found.stable_from, str(found.study.test)) == (48, 48, "chosen")
    assert {40, 48} < set(asked)


def test_a_solved_effect_is_for_the_test_that_is_chosen_there() -> None:
    """At twelve items some samples look skewed, and those must be larger."""
    row = plan(GAUSSIAN, items=12, power=0.8, replicates=200).rows[0]
    assert row.test == "chosen"
    assert row.effect > plan(GAUSSIAN, items=12, power=0.8, test="paired_t").rows[0].effect


def test_rank_and_systems_apart_have_tests_of_their_own() -> None:
    """`compare` chooses neither for a board nor for systems on different items."""
    assert plan(GAUSSIAN, effect=0.05, items=20, systems=5).rows[0].test == "paired_t"
    assert plan("proportions", accuracy=0.7, effect=0.2, items=20).rows[0].test == "two_proportion_z"


def test_the_choice_can_be_named() -> None:
    """What a row or a signature says can be typed back."""
    assert plan(GAUSSIAN, effect=0.01, power=0.8, test="chosen") == plan(GAUSSIAN, effect=0.01, power=0.8)
    assert str(CHOSEN) == "chosen"


def test_replicates_are_fewer_where_each_takes_long() -> None:
    """Ten thousand of what is quick, a thousand where each is drawn again, and fewer yet of very many items; those asked for anyway."""
    beta = "beta(mean=0.6, sd=0.15, correlation=0.8)"
    asked = {(BOTH, 20): 1_000, ("paired_t", 60): 10_000, ("paired_t", 5_000): 2_000, (BOTH, 20_000): 100}
    for (test, items), replicates in asked.items():
        study = Study(f"{beta[:-1]}, effect=0.1)", test, items)
        assert usual_replicates(study) == replicates
        assert PlanQuestion(replicates=70).effort(study).replicates == 70
    assert plan(GAUSSIAN, effect=0.1, items=6).rows[0].replicates == 1_000


def test_an_interrupt_leaves_what_was_solved() -> None:
    """The first test's answer stands, under its own name."""
    solved: list[str] = []

    def solve(ask: PlanCase) -> Solution:
        solved.append(str(ask.test))
        if len(solved) > 1:
            raise KeyboardInterrupt
        return Solution(ask.study(80), certain(0.8))

    ask = PlanCase(Population.parse(f"{GAUSSIAN[:-1]}, effect=0.06)"), CHOSEN, None, 0.8, 0.05)
    found = solve_for_chosen_test(ask, solve, lambda _: certain(0.8), Runner(partial=True))
    assert solved == ["chosen", "paired_t"]
    assert found.study.test == CHOSEN


def test_no_note_of_a_choice_where_there_is_none() -> None:
    assert "depends_on_scores" not in codes(plan(GAUSSIAN, effect=0.02, items=60).notes)


def test_of_large_clusters_fewer_evaluations_are_looked_at() -> None:
    """Those that a plan can afford, of which the shares are still shares."""
    clustered = Population.parse(
        "clustered(effect=0.01, population=beta(sd=0.12, correlation=0.8, mean=0.9), size=500, icc=0.1)"
    )
    found = choices(clustered, 200_000)
    assert sum(share for _, share in found.shares) == pytest.approx(1.0)
    assert all(share * 62 == pytest.approx(round(share * 62)) for _, share in found.shares)
