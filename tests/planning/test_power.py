"""Which engine answers, what is asked for and by whom: the nouns around a study."""

import pickle
import re

import pytest

from tellapart import Study, power
from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.foundation.arrays import FINEST
from tellapart.foundation.errors import Unsuitable, UsageError
from tellapart.planning.power import power_curve, power_of, powers_of
from tellapart.populations.population import Design

GAUSSIAN = "gaussian(sd=0.1, correlation=0.5, effect=0.03)"
BINARY = "paired_binary(discordance=0.2, effect=0.05)"


def test_the_first_engine_that_can_answers() -> None:
    """Formula, then enumeration, then simulation; or the one that was named."""
    asked = [Study(GAUSSIAN, "paired_t", 50), Study(BINARY, "mcnemar", 50), Study(GAUSSIAN, "sign", 20)]
    assert [power(study, replicates=50).engine for study in asked] == ["formula", "exact", "monte_carlo"]
    assert power(asked[0], engine="monte_carlo", replicates=50).replicates == 50
    assert power(asked[0]).replicates is None


def test_engines_without_an_answer_say_so() -> None:
    """By name, with the way out."""
    for engine in ("formula", "exact"):
        with pytest.raises(Unsuitable, match=f"engine {engine} has no answer for sign"):
            power_of(Study(GAUSSIAN, "sign", 20), Budget(engine))


def test_many_are_as_single_ones() -> None:
    """Each study once, whichever engine answers, with the very same answer."""
    asked = [
        Study(GAUSSIAN, "paired_t", 50),
        Study(GAUSSIAN, "sign", 20),
        Study(GAUSSIAN, "sign", 20),
        Study(BINARY, "mcnemar", 50),
        Study("gaussian(sd=0.1, correlation=0.5, effect=0.05)", "sign", 20),
    ]
    heard: list[tuple[int, int]] = []
    budget = Budget(replicates=300, seed=5)
    found = powers_of(asked, budget, Runner(1, lambda *done: heard.append(done)))
    assert found == {study: power_of(study, budget) for study in asked}
    assert heard[-1] == (600, 600)
    assert powers_of([], budget) == {}


def test_a_study_is_asked_for() -> None:
    """Anything else is refused, and so are tests that the scores cannot be given to."""
    with pytest.raises(UsageError, match="is not a study"):
        power("gaussian")  # type: ignore[arg-type]  # what a user may try
    with pytest.raises(Unsuitable, match="whose scores are paired; name a test such as paired_t"):
        power(Study(GAUSSIAN, "welch_t", 20))
    with pytest.raises(Unsuitable, match="whose scores are unpaired; name a test such as two_proportion_z"):
        power(Study("proportions(accuracy=0.5, effect=0.1)", "paired_t", 20))


def test_curves_are_for_saw_teeth() -> None:
    """Only where the exact engine answers; a formula has none and a simulation cannot see them."""
    binary = Study(BINARY, "mcnemar", 100)
    assert power_curve(binary, Budget()) is not None
    assert power_curve(binary, Budget("exact")) is not None
    assert power_curve(binary, Budget("monte_carlo")) is None
    assert power_curve(binary, Budget("formula")) is None
    assert power_curve(Study(GAUSSIAN, "paired_t", 100), Budget()) is None


def test_designs() -> None:
    """A number is one of items; studies are resized by field, and equal when all four parts are."""
    study = Study(GAUSSIAN, "paired_t", 50, 0.1)
    assert study == Study(GAUSSIAN, "paired_t", Design(50), 0.1)
    assert study.items == study.design.items == 50
    assert study.resized(items=60) == Study(GAUSSIAN, "paired_t", 60, 0.1)
    assert study.with_effect(0.05).population.effect == 0.05
    assert study.with_effect(0.05).alpha == 0.1
    assert hash(study) == hash(pickle.loads(pickle.dumps(study)))  # noqa: S301  (our own bytes)


@pytest.mark.parametrize("items", [1, 0, -3, 2.0, True, "50", None])
def test_refused_designs(items: object) -> None:
    """Fewer than two items, or no whole number."""
    with pytest.raises(UsageError, match="items is"):
        Study(GAUSSIAN, "paired_t", items)  # type: ignore[arg-type]  # what a user may try


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"engine": "guess"}, "no engine is called 'guess'"),
        ({"replicates": 0}, "replicates is 0"),
        ({"replicates": 1.5}, "replicates is 1.5"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_refused_budgets(wrong: dict[str, object], said: str) -> None:
    """What no simulation can be asked for."""
    with pytest.raises(UsageError, match=said):
        Budget(**wrong)  # type: ignore[arg-type]  # what a user may try


def test_what_an_interrupt_cut_short() -> None:
    """Fewer replicates than were asked for; answers without simulation are whole, and so are those that were known with fewer."""
    budget = Budget(replicates=100)
    assert budget.exceeds(99)
    assert not budget.exceeds(100)
    assert not budget.exceeds(None)
    assert not Budget(replicates=100, until=0.02).exceeds(99)
    assert Budget(replicates=1, seed=0) == Budget(replicates=1)


def test_runners() -> None:
    """Progress is a function or nothing; nobody has interrupted in the beginning."""
    assert not Runner().interrupted
    Runner().tell(1, 2)
    with pytest.raises(UsageError, match="progress is 3"):
        Runner(progress=3)  # type: ignore[arg-type]  # what a user may try


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("population", "test", "items"),
    [(BINARY, "mcnemar(variant=exact)", 4), ("paired_binary(discordance=0, effect=0)", "mcnemar", 50)],
)
def test_no_rejection_has_no_sign(population: str, test: str, items: int) -> None:
    """Where a test never rejects, power is 0 and there is no share of wrong signs: nothing is divided by nothing."""
    found = power(Study(population, test, items))
    assert (found.power, found.type_s, found.type_m) == (0.0, None, None)


@pytest.mark.parametrize(
    ("alpha", "said"),
    [
        (0.0, r"alpha is 0; it should lie between 0 and 1 \(1e-100 at least\), usually 0.05"),
        (1.0, "alpha is 1; it should lie between 0 and 1"),
        (-0.1, "alpha is -0.1; it should lie between"),
        (1e-300, r"it should lie between 0 and 1 \(1e-100 at least\)"),
        ("0.05", "alpha is '0.05'; it should be a number"),
        (True, "alpha is True; it should be a number"),
    ],
)
def test_refused_levels(alpha: object, said: str) -> None:
    """No test has such a level."""
    with pytest.raises(UsageError, match=said):
        Study(GAUSSIAN, "paired_t", 50, alpha)  # type: ignore[arg-type]  # what a user may try


def test_defaults_are_those_that_are_documented() -> None:
    """Ten thousand replicates from seed 0 at a level of 0.05, by whichever engine answers."""
    assert Budget() == Budget(None, 10_000, 0)
    assert Study(GAUSSIAN, "paired_t", 50).alpha == 0.05
    simulated = Study(GAUSSIAN, "sign", 20)
    assert power(simulated) == power_of(simulated, Budget())
    assert power(simulated).replicates == 10_000


@pytest.mark.parametrize("engine", ["formula", "exact"])
@pytest.mark.parametrize(
    ("population", "test", "usual"),
    [
        ("gaussian(sd=0.12, correlation=0.8, effect=0.05)", "permutation", {"formula": "paired_t"}),
        ("paired_binary(accuracy=0.7, discordance=0.2, effect=0.05)", "permutation", {"exact": "mcnemar"}),
        ("beta(mean=0.6, sd=0.2, correlation=0.8, effect=0.05)", "permutation", {"formula": "paired_t"}),
    ],
    ids=["gaussian", "binary", "beta"],
)
def test_an_engine_without_an_answer_names_a_test_that_has_one(
    engine: str, population: str, test: str, usual: dict[str, str]
) -> None:
    """And the advice is right: with that test the engine answers."""
    with pytest.raises(Unsuitable) as refused:
        power(Study(population, test, 30), engine=engine)
    said = refused.value.message_for("command line")
    assert said.endswith("leave --engine out to use one that has")
    advised = re.search(r'--test "?([^",]+(?:\([^)]*\))?)"?, or leave', said)
    assert (advised is not None) == (engine in usual)
    if advised is not None:
        assert advised[1].startswith(usual[engine])
        assert power(Study(population, advised[1], 30), engine=engine).engine == engine


def test_the_finest_level_is_still_one() -> None:
    """And anything finer is refused with it."""
    assert Study(GAUSSIAN, "paired_t", 20, FINEST).alpha == FINEST
    with pytest.raises(UsageError, match="it should lie between 0 and 1"):
        Study(GAUSSIAN, "paired_t", 20, FINEST / 2.0)
