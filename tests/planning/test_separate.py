"""Systems on different items: power by every pair of counts, against a sum of its own and against simulation."""

import numpy as np
import pytest
from scipy import stats

from tellapart import Study, plan, power


@pytest.mark.parametrize(("accuracy", "effect", "items"), [(0.7, 0.1, 60), (0.98, -0.1, 40), (0.5, 0.0, 25)])
def test_power_is_the_sum_over_all_pairs_of_counts(accuracy: float, effect: float, items: int) -> None:
    found = power(Study(f"proportions(accuracy={accuracy}, effect={effect})", "two_proportion_z", items))
    right = np.arange(items + 1)
    a, b = right[:, np.newaxis], right[np.newaxis]
    pooled = (a + b) / (2.0 * items)
    error = np.sqrt(2.0 * pooled * (1.0 - pooled) / items)
    gap = (b - a) / items
    z = np.divide(gap, error, out=np.zeros_like(gap), where=error > 0.0)
    chance = stats.binom.pmf(a, items, accuracy) * stats.binom.pmf(b, items, accuracy + effect)
    rejected = 2.0 * stats.norm.sf(np.abs(z)) <= 0.05
    assert (found.engine, found.replicates) == ("exact", None)
    assert found.power == pytest.approx(float(chance[rejected].sum()), abs=1e-12)
    if effect:
        wrong = chance[rejected & (np.sign(gap) == -np.sign(effect))].sum() / chance[rejected].sum()
        size = (chance * np.abs(gap))[rejected].sum() / chance[rejected].sum() / abs(effect)
        assert found.type_s == pytest.approx(wrong, abs=1e-12)
        assert found.type_m == pytest.approx(size, rel=1e-9)


def test_simulation_agrees() -> None:
    study = Study("proportions(accuracy=0.8, effect=0.05)", "two_proportion_z", 500)
    simulated = power(study, engine="monte_carlo", replicates=4_000)
    assert simulated.low - 0.01 <= power(study).power <= simulated.high + 0.01


def test_margins_are_summed_too() -> None:
    study = Study(
        "proportions(accuracy=0.8, effect=0)", "equivalence(test=two_proportion_z, margin=0.1)", 300
    )
    found, simulated = power(study), power(study, engine="monte_carlo", replicates=4_000)
    assert found.engine == "exact"
    assert simulated.low - 0.01 <= found.power <= simulated.high + 0.01


def test_what_is_solved_has_the_power_asked_for() -> None:
    effect = plan("proportions(accuracy=0.7)", items=1_000, power=0.8).rows[0]
    assert effect.engine == "exact"
    assert effect.power == pytest.approx(0.8, abs=1e-9)
    items = plan("proportions(accuracy=0.7, effect=0.1)", power=0.8).rows[0]
    assert items.power >= 0.8
    assert items.stable_from is not None
    short = power(Study("proportions(accuracy=0.7, effect=0.1)", "two_proportion_z", items.items - 1))
    assert short.power < 0.8


def test_very_many_items_are_simulated() -> None:
    study = Study("proportions(accuracy=0.5, effect=0.002)", "two_proportion_z", 200_000)
    assert power(study, replicates=50).engine == "monte_carlo"
