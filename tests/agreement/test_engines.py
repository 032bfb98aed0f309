"""Engine against engine: wherever two can answer, they agree; a wrong formula would be found out."""

import contextlib
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.spelling import options
from tellapart.methods.significance import TESTS, Procedure
from tellapart.methods.significance.paired_t import PairedT
from tellapart.planning import formula as formulas
from tellapart.planning.exact import exact
from tellapart.planning.formula import formula
from tellapart.planning.power import power_of, powers_of
from tellapart.planning.study import PowerResult, Study
from tellapart.populations import POPULATIONS, Population
from tellapart.populations.gaussian import Gaussian

REPLICATES, ITEMS, ALPHA = 10_000, 60, 0.1
"""Sixty items are whole clusters of every example."""


def _variants(name: str) -> Iterator[Procedure]:
    """A test in every combination of its choices, what must be given at 0.1 and resamples few."""
    kind, own = TESTS[name], options(TESTS[name])
    fixed: dict[str, Any] = {o.name: 0.1 for o in own if o.required or o.name == "margin"}
    fixed |= {o.name: 199 for o in own if o.name == "resamples" and o.default}
    choices = {o.name: o.choices for o in own if o.choices}
    for combination in itertools.product(*choices.values()):
        chosen: dict[str, Any] = dict(zip(choices, combination, strict=True))
        # Some choices have no meaning beside each other, and the test says so.
        with contextlib.suppress(SpellingError):
            yield kind(**fixed, **chosen)


def _tests() -> Iterator[Procedure]:
    """Every registered test, and those about a margin around every two-sided one."""
    plain = [test for name in TESTS for test in _variants(name) if test.claim == "difference"]
    yield from plain
    for name in TESTS:
        if TESTS[name].claim != "difference":
            inner = (test for test in plain if test.alternative == "two-sided")
            yield from (outer.replace(test=test) for outer in _variants(name) for test in inner)


POPULATED = [POPULATIONS.parse(e) for name in POPULATIONS for e in POPULATIONS[name].examples]
EVERY = list(_tests())
PLANNED = sorted(set(TESTS) - {"judge_regression"})
"""The tests that some population draws scores for."""


def _closed() -> Iterator[Study]:
    """Every example of every population with every test that an engine without simulation answers for."""
    for population, test in itertools.product(POPULATED, EVERY):
        study = Study(population, test, ITEMS, ALPHA)
        if formula(study) is not None or exact(study) is not None:
            yield study


def _disagreements(told: PowerResult, study: Study) -> list[str]:
    """What a simulation of the study contradicts by more than four of its own standard errors."""
    seen = power_of(study, Budget("monte_carlo", REPLICATES), Runner(1))
    found = []
    if abs(told.power - seen.power) > 4.0 * _error(told.power, REPLICATES):
        found.append(f"power {told.power:.4f} against {seen.power:.4f}")
    rejections = seen.power * REPLICATES
    if told.type_s is not None and seen.type_s is not None and rejections > 200:
        if abs(told.type_s - seen.type_s) > 4.0 * _error(told.type_s, rejections):
            found.append(f"type S {told.type_s:.4f} against {seen.type_s:.4f}")
        # Estimates that reject spread by less than their mean.
        # Power with seeds comes from drawn mean squares, which say nothing of exaggeration.
        exaggerates = study.population.name != "seeds"
        if exaggerates and (
            told.type_m is None or abs(told.type_m / (seen.type_m or 0.0) - 1.0) > 4.0 / rejections**0.5
        ):
            found.append(f"type M {told.type_m} against {seen.type_m}")
    return found


def _error(probability: float, trials: float) -> float:
    return math.sqrt(max(probability * (1.0 - probability), 1.0 / trials) / trials)


@pytest.mark.parametrize("study", list(_closed()), ids=lambda s: f"{s.test}-{s.population}")
def test_closed_answers_agree_with_simulation(study: Study) -> None:
    """Every closed form and every enumeration is what simulating the very test on the very population gives."""
    for engine in (formula, exact):
        told = engine(study)
        if told is not None:
            assert _disagreements(told, study) == []


def test_enough_is_compared() -> None:
    """The comparison above covers each engine, each claim and every variant of the tests on counts."""
    check = list(_closed())
    assert {study.test.claim for study in check} == {"difference", "equivalence", "non-inferiority"}
    assert sum(formula(study) is not None for study in check) > 20
    assert {str(s.test) for s in check} >= {str(t) for n in ("mcnemar", "sign") for t in _variants(n)}


NORMAL = Study(Gaussian(sd=0.12, correlation=0.75, effect=0.06), PairedT(), 7)


def _unpaired(study: Study) -> PowerResult | None:
    """A deliberately wrong formula: it forgets that the systems' scores of an item are correlated."""
    return formula(replace(study, population=study.population.replace(correlation=0.0)))


def _with_normal_quantile(study: Study) -> PowerResult | None:
    """A subtly wrong formula: the normal quantile in place of Student's, at seven items."""
    return formula(replace(study, alpha=study.alpha * 1.55))


@pytest.mark.parametrize("wrong", [_unpaired, _with_normal_quantile])
def test_wrong_formulas_are_caught(wrong: Callable[[Study], PowerResult | None]) -> None:
    """Negative control: the comparison of engines that passes for the right formula fails for a wrong one."""
    right, told = formula(NORMAL), wrong(NORMAL)
    assert right is not None
    assert told is not None
    assert _disagreements(right, NORMAL) == []
    assert _disagreements(told, NORMAL) != []


def test_half_the_variance_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: the error of a published table, put into the formula itself, fails the law above."""
    spread = formulas._with_spread
    monkeypatch.setattr(formulas, "_with_spread", lambda *asked: (spread(*asked)[0] / 2.0**0.5, spread(*asked)[1]))
    with pytest.raises(AssertionError):
        test_closed_answers_agree_with_simulation(NORMAL)


def test_named_approximations_are_near_the_exact_answer() -> None:
    """Connett's formula, asked for by name, is close to the enumeration it approximates and says it is a formula."""
    population = POPULATIONS.parse("paired_binary(accuracy=0.9, discordance=0.1, effect=0.02)")
    asked = Study(population, TESTS.parse("mcnemar(variant=asymptotic)"), 1960)
    named = power_of(asked, Budget(engine="formula"))
    enumerated = power_of(asked, Budget())
    assert (named.engine, enumerated.engine) == ("formula", "exact")
    assert named.power == pytest.approx(enumerated.power, abs=0.005)


def _suited(test: Procedure) -> list[Population]:
    """The examples that a test can be run on."""

    def suits(population: Population) -> bool:
        try:
            power_of(Study(population, test, ITEMS), Budget(engine="monte_carlo", replicates=1))
        except UsageError:
            return False
        return True

    return [population for population in POPULATED if suits(population)]


@pytest.mark.parametrize("name", PLANNED)
def test_every_test_can_be_planned_for(name: str) -> None:
    """Whatever `compare` can run, `plan` can simulate on some population: a plug-in needs nothing more.

    A judge's regression looks at labels beside judgements, which no population draws: `plan judged` plans for it (`test_plan_judged`).
    """
    test = next(_variants(name))
    population = _suited(test)[0]
    found = power_of(Study(population, test, ITEMS), Budget(engine="monte_carlo", replicates=200))
    assert 0.0 <= found.low <= found.power <= found.high <= 1.0
    assert found.replicates == 200


def _more(population: Population) -> Iterator[Population]:
    """The same population with a larger effect, and with a higher correlation where it has one."""
    effect, (low, high) = population.known_effect, population.effect_range
    farther = 1.25 * effect
    yield population.with_effect(farther if low < farther < high else effect)
    correlation = getattr(population, "correlation", None)
    if correlation is not None:
        yield population.replace(correlation=correlation + 0.1 * (1.0 - abs(correlation)))


@pytest.mark.parametrize("name", [n for n in PLANNED if TESTS[n].claim == "difference"])
def test_more_items_effect_or_correlation_never_cost_power(name: str) -> None:
    """For every test on every population it suits, by the engine that answers: power falls by no more than its error."""
    test = next(_variants(name))
    if test.ordered:
        pytest.skip("it bets on scores within a range, in their order")
    for population in {p.name: p for p in reversed(_suited(test))}.values():
        studies = [Study(population, test, ITEMS), Study(population, test, ITEMS + 20)]
        studies += [Study(more, test, ITEMS) for more in _more(population)]
        found = powers_of(studies, Budget(replicates=80))
        base, *others = (found[study] for study in studies)
        for study, other in zip(studies[1:], others, strict=True):
            error = math.hypot(base.high - base.low, other.high - other.low)
            assert other.power >= base.power - error - 1e-12, (study, base, other)
