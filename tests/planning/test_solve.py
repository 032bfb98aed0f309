"""The solver: items and effects against the oracle, saw-teeth, simulated roots with their interval."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.errors import UsageError
from tellapart.planning.power import Settings, power_of
from tellapart.planning.solve import solve_effect, solve_items
from tellapart.planning.study import Study
from tellapart.populations import POPULATIONS
from tellapart.significance import TESTS

Rows = list[dict[str, str]]
ANY = Settings()


def study(population: str, test: str, items: int = 2, alpha: float = 0.05) -> Study:
    return Study(POPULATIONS.parse(population), TESTS.parse(test), items, alpha)


def gaussian(row: dict[str, str], effect: str = "") -> str:
    return f"gaussian(sd={row['sd']}, correlation={row['rho']}{effect})"


def sided(row: dict[str, str]) -> str:
    return "paired_t" if row["alternative"] == "two.sided" else "paired_t(alternative=greater)"


def test_items_of_the_paired_t(reference: Callable[[str], Rows]) -> None:
    """The smallest number of items, every row of R's table, one-sided ones included."""
    for row in reference("required_n_paired_t.csv")[::7]:
        asked = study(gaussian(row, f", effect={row['delta']}"), sided(row), alpha=float(row["alpha"]))
        assert solve_items(asked, float(row["power"]), ANY).items == int(row["n_ceiling"]), row


def test_effects_of_the_paired_t(reference: Callable[[str], Rows]) -> None:
    """The smallest detectable effect to 1e-9."""
    for row in reference("mde_paired_t.csv")[::7]:
        asked = study(gaussian(row), sided(row), int(row["n"]), float(row["alpha"]))
        effect, _ = solve_effect(asked, float(row["power"]), ANY)
        assert effect == pytest.approx(float(row["mde"]), rel=1e-9), row


@pytest.mark.parametrize(("variant", "items"), [("exact", 2043), ("mid_p", 1949), ("asymptotic", 1945)])
def test_first_items_of_mcnemar(variant: str, items: int) -> None:
    """Accuracy 0.9, effect 0.02, discordance 0.1: the first number that reaches 80 %, found through the saw-tooth."""
    asked = study("paired_binary(accuracy=0.9, effect=0.02, discordance=0.1)", f"mcnemar(variant={variant})")
    assert solve_items(asked, 0.8, ANY).items == items


@pytest.mark.parametrize(
    "population", ["paired_binary(effect=0.3, discordance=0.5)", "paired_binary(effect=0.6, discordance=0.8)"]
)
@pytest.mark.parametrize("variant", ["exact", "mid_p", "asymptotic", "unconditional"])
def test_first_and_stable_items_by_looking_at_every_size(population: str, variant: str) -> None:
    """Where saw-teeth are large: no smaller size reaches the target, and from `stable_from` to twice it all do."""
    asked = study(population, f"mcnemar(variant={variant})")
    found = solve_items(asked, 0.8, ANY)
    powers = {
        n: power_of(study(population, f"mcnemar(variant={variant})", n), ANY).power
        for n in range(2, 2 * (found.stable_from or 0) + 1)
    }
    assert found.items == min(n for n, p in powers.items() if p >= 0.8)
    assert found.stable_from is not None
    assert all(powers[n] >= 0.8 for n in range(found.stable_from, 2 * found.stable_from + 1))
    assert found.stable_from == found.items or powers[found.stable_from - 1] < 0.8


def test_effect_of_mcnemar_has_the_power() -> None:
    """The exact engine's effect, put back, gives the target."""
    asked = study("paired_binary(accuracy=0.7, discordance=0.1)", "mcnemar", 1000)
    effect, solution = solve_effect(asked, 0.8, ANY)
    assert solution.result.engine == "exact"
    again = power_of(
        study(f"paired_binary(accuracy=0.7, discordance=0.1, effect={effect!r})", "mcnemar", 1000), ANY
    )
    assert again.power == pytest.approx(0.8, rel=1e-9)


@pytest.mark.parametrize("test", ["paired_t", "paired_t(alternative=less)"])
def test_simulated_roots_hold_the_exact_one(test: str) -> None:
    """Monte Carlo forced on a study with a formula: its interval contains the formula's answer."""
    sign = -1 if "less" in test else 1
    asked = study(f"gaussian(sd=0.1, correlation=0.5, effect={sign * 0.03})", test)
    simulated = Settings(engine="monte_carlo", replicates=4_000)
    items = solve_items(asked, 0.8, simulated)
    exact = solve_items(asked, 0.8, ANY).items
    assert items.low is not None
    assert items.high is not None
    assert items.low - 2 <= exact <= items.high + 2
    open_ended = study("gaussian(sd=0.1, correlation=0.5)", test, 100)
    effect, solution = solve_effect(open_ended, 0.8, simulated)
    truth, _ = solve_effect(open_ended, 0.8, ANY)
    assert solution.low is not None
    assert solution.high is not None
    reach = (solution.high - solution.low) / 2
    assert abs(effect - truth) <= 2.0 * reach
    assert reach < 0.05 * abs(truth)


def test_clusters_are_planned_whole() -> None:
    """Items that come ten at a time are needed ten at a time."""
    asked = study(
        "clustered(population=gaussian(sd=0.1, correlation=0.5), size=10, icc=0.3, effect=0.02)", "cluster_t"
    )
    found = solve_items(asked, 0.8, ANY)
    assert found.items % 10 == 0
    assert found.result.engine == "formula"
    alone = solve_items(study("gaussian(sd=0.1, correlation=0.5, effect=0.02)", "paired_t"), 0.8, ANY).items
    assert found.items == pytest.approx(alone * (1 + 9 * 0.3), rel=0.05)


def test_what_cannot_be_reached_is_said() -> None:
    """Ten items with a tenth of them discordant reach no power; the message gives the largest possible effect."""
    with pytest.raises(UsageError, match="largest effect these scores can have"):
        solve_effect(study("paired_binary(accuracy=0.7, discordance=0.1)", "mcnemar", 10), 0.8, ANY)
    with pytest.raises(UsageError, match="margin"):
        solve_effect(study("gaussian(sd=0.1, correlation=0)", "equivalence(margin=0.1)", 50), 0.8, ANY)


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
