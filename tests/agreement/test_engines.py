"""Engine against engine: wherever two can answer, they agree; a wrong formula would be found out."""

import pytest

from tellapart.planning import formula as formulas
from tellapart.planning.power import Settings, power_of
from tellapart.planning.study import Study
from tellapart.populations import POPULATIONS
from tellapart.significance import TESTS

REPLICATES = 20_000

STUDIES = [
    ("gaussian(sd=0.12, correlation=0.8, effect=0.02)", "paired_t", 100),
    ("gaussian(sd=0.12, correlation=0.8, effect=0.02)", "paired_t(alternative=greater)", 40),
    ("gaussian(sd=0.12, sd_b=0.2, correlation=0.3, effect=-0.03)", "paired_t", 60),
    ("gaussian(sd=0.12, correlation=0.8, effect=0.0)", "equivalence(margin=0.02)", 200),
    ("gaussian(sd=0.12, correlation=0.8, effect=0.005)", "non_inferiority(margin=0.02)", 80),
    (
        "repeated(population=gaussian(sd=0.1, correlation=0.6), runs=3, within_sd=0.1, effect=0.03)",
        "paired_t",
        50,
    ),
    (
        "clustered(population=gaussian(sd=0.1, correlation=0.5), size=5, icc=0.4, effect=0.04)",
        "cluster_t",
        100,
    ),
    ("paired_binary(accuracy=0.8, discordance=0.2, effect=0.05)", "mcnemar(variant=mid_p)", 150),
    ("paired_binary(accuracy=0.8, discordance=0.2, effect=0.05)", "mcnemar(variant=exact)", 150),
    ("paired_binary(accuracy=0.8, discordance=0.2, effect=0.05)", "mcnemar(variant=asymptotic)", 150),
    ("paired_binary(accuracy=0.8, discordance=0.2, effect=0.05)", "mcnemar(variant=corrected)", 150),
    ("paired_binary(accuracy=0.8, discordance=0.2, effect=0.05)", "sign", 150),
    (
        "paired_binary(accuracy=0.8, discordance=0.2, effect=0.01)",
        "equivalence(test=mcnemar(variant=mid_p), margin=0.1)",
        200,
    ),
]


def study(population: str, test: str, items: int) -> Study:
    return Study(POPULATIONS.parse(population), TESTS.parse(test), items)


@pytest.mark.parametrize(("population", "test", "items"), STUDIES)
def test_closed_answers_agree_with_simulation(population: str, test: str, items: int) -> None:
    """Formula or enumeration within four standard errors of the simulation of the very test; type S and M too."""
    asked = study(population, test, items)
    closed = power_of(asked, Settings())
    assert closed.engine in {"formula", "exact"}
    simulated = power_of(asked, Settings(engine="monte_carlo", replicates=REPLICATES))
    error = (closed.power * (1 - closed.power) / REPLICATES) ** 0.5
    assert abs(simulated.power - closed.power) <= 4 * error + 1e-12
    if closed.type_m is not None and simulated.type_m is not None:
        assert simulated.type_m == pytest.approx(closed.type_m, rel=0.02)


def test_a_wrong_formula_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: half the variance, the error of a published table, is caught by the comparison above."""
    right = formulas._item_spread
    monkeypatch.setattr(formulas, "_item_spread", lambda population: (right(population) or 0.0) / 2.0**0.5)
    with pytest.raises(AssertionError):
        test_closed_answers_agree_with_simulation(*STUDIES[0])


def test_named_approximations_are_near_the_exact_answer() -> None:
    """Connett's formula, asked for by name, is close to the enumeration it approximates and says it is a formula."""
    asked = study(
        "paired_binary(accuracy=0.9, discordance=0.1, effect=0.02)", "mcnemar(variant=asymptotic)", 1960
    )
    named = power_of(asked, Settings(engine="formula"))
    exact = power_of(asked, Settings())
    assert (named.engine, exact.engine) == ("formula", "exact")
    assert named.power == pytest.approx(exact.power, abs=0.005)


@pytest.mark.parametrize("test", sorted(TESTS))
def test_every_test_can_be_planned_for(test: str) -> None:
    """Whatever `compare` can run, `plan` can simulate: a plug-in needs nothing more."""
    kind = TESTS[test]
    spelled = f"{test}(margin=0.1)" if kind.claim != "difference" else test
    population = (
        "proportions(accuracy=0.6, effect=0.2)" if kind.name in {"welch_t", "two_proportion_z"}
        else "paired_binary(accuracy=0.6, discordance=0.4, effect=0.2)" if kind.name == "mcnemar"
        else "clustered(population=gaussian(sd=0.1, correlation=0.5), size=4, icc=0.2, effect=0.05)" if "cluster" in test
        else "gaussian(sd=0.1, correlation=0.5, effect=0.05)"
    )  # fmt: skip
    found = power_of(study(population, spelled, 60), Settings(engine="monte_carlo", replicates=200))
    assert 0.0 <= found.low <= found.power <= found.high <= 1.0
    assert found.replicates == 200
