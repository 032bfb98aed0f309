"""Differences that are often 0 and else Laplace: closed forms, simulated powers, and what cannot be."""

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from tests.conftest import Rows

from tellapart import plan
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.planning.formula import formula
from tellapart.planning.power import power
from tellapart.planning.study import Study
from tellapart.populations import Population

Reference = Callable[[str], Rows]


def _cases(rows: Rows, quantity: str) -> list[tuple[str, dict[str, float], float, float]]:
    """(population, what was asked of it, value, tolerance) of every row with this quantity."""
    found = []
    for row in rows:
        if row["quantity"] == quantity:
            population, _, asked = row["case"].partition("|")
            given = {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", asked)}
            tolerance = 0.0 if row["tolerance"] == "equal" else float(row["tolerance"])
            found.append((population, given, float(row["value"]), tolerance))
    return found


def test_spread(reference: Reference) -> None:
    """The standard deviation of a difference, by its closed form."""
    cases = _cases(reference("delta_laplace.csv"), "sd_difference")
    assert len(cases) > 40
    for population, _, value, _ in cases:
        assert Population.parse(population).sd_difference == pytest.approx(value, abs=1e-12)


def test_power_by_the_noncentral_t(reference: Reference) -> None:
    """The formula of the paired t, asked for by name also where too few items differ for it."""
    cases = _cases(reference("delta_laplace.csv"), "power_noncentral_t")
    assert len(cases) > 40
    for population, asked, value, _ in cases:
        study = Study(population, "paired_t", int(asked["items"]), asked["alpha"])
        found = formula(study, approximate=True)
        assert found is not None
        assert found.power == pytest.approx(value, abs=1e-9)


def test_items_and_detectable_effects(reference: Reference) -> None:
    """Solved by the noncentral t, as published closed forms have it."""
    rows = reference("delta_laplace.csv")
    items = _cases(rows, "items_noncentral_t")
    assert len(items) > 15
    for population, asked, value, _ in items:
        found = plan(population, power=asked["power"], test="paired_t", engine="formula").rows[0]
        assert found.items == value
    detectable = _cases(rows, "detectable_noncentral_t")
    assert len(detectable) > 8
    for population, asked, value, _ in detectable:
        solved = plan(population, items=int(asked["items"]), power=asked["power"], test="paired_t", engine="formula")
        assert solved.rows[0].effect == pytest.approx(value, rel=1e-8, abs=0.0)


@pytest.mark.parametrize("test", ["paired_t", "permutation"])
def test_simulated_power(reference: Reference, test: str) -> None:
    """Simulated powers meet those of another program's simulations, few items and many."""
    cases = _cases(reference("delta_laplace.csv"), f"power_simulated {test}")
    few = [case for case in cases if case[1]["items"] <= 200]
    assert len(few) == 8
    for population, asked, value, tolerance in few:
        study = Study(population, test, int(asked["items"]), asked["alpha"])
        found = power(study, engine="monte_carlo", replicates=2_000)
        assert abs(found.power - value) <= tolerance + 4.0 * math.sqrt(0.25 / 2_000), population


def test_the_interval_holds_what_simulations_find(reference: Reference) -> None:
    """From 300 differing items on the noncentral t is off by less than the interval says; below there is no formula."""
    checked = 0
    for population, asked, value, tolerance in _cases(reference("delta_laplace.csv"), "power_simulated paired_t"):
        source = Population.parse(population)
        found = formula(Study(source, "paired_t", int(asked["items"]), asked["alpha"]))
        differing = (1.0 - source.zero_share) * asked["items"]  # type: ignore[attr-defined]
        assert (found is None) == (differing < 300)
        if found is not None:
            checked += 1
            assert found.high - found.low <= 4.0 / differing + 1e-12
            assert found.low - tolerance <= value <= found.high + tolerance, population
    assert checked > 20


def test_the_published_example() -> None:
    """2,000 sentences and one point of BLEU: Card et al. print about 75 %; 2,276 have 80 %."""
    row = plan("delta_laplace(effect=1, zero_share=0.13, scale=25.8)", items=2000).rows[0]
    assert (row.test, row.engine) == ("paired_t", "formula")
    assert row.power == pytest.approx(0.7474, abs=5e-5)
    assert plan("delta_laplace(effect=1, zero_share=0.13, scale=25.8)", power=0.8).rows[0].items == 2276


@pytest.mark.parametrize("effect", [0.0, 0.7, -2.5])
def test_draws_have_the_law(effect: float) -> None:
    """As many zeros as said, and a Laplace law beside them."""
    population = Population.parse(f"delta_laplace(effect={effect}, zero_share=0.3, scale=4)")
    pair = population.draw(1000, 40, stream(3))
    differences = (pair.b - pair.a).reshape(-1)
    assert np.mean(differences == 0.0) == pytest.approx(0.3, abs=0.01)
    others = differences[differences != 0.0]
    assert stats.kstest(others, stats.laplace(effect / 0.7, 2.0).cdf).pvalue > 1e-4


def test_items_near_the_end_of_the_formula_are_solved_by_one_engine() -> None:
    """Around 300 differing items a search does not go back and forth between formula and simulation."""
    for effect in (2.6, 2.75, 2.9):
        row = plan(f"delta_laplace(effect={effect}, zero_share=0.13, scale=25.8)", power=0.8, test="paired_t").rows[0]
        assert row.items == pytest.approx(7.849 * 0.87 * 25.8**2 / 2 / effect**2, rel=0.05, abs=0.0)


@pytest.mark.parametrize("options", ["zero_share=1, scale=2", "zero_share=13, scale=2", "zero_share=0.1, scale=0"])
def test_what_cannot_be(options: str) -> None:
    """No zeros beyond all, and some spread."""
    with pytest.raises(UsageError):
        Population.parse(f"delta_laplace({options})")
