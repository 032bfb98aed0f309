"""Systems on different items: power by every pair of counts, against a sum of its own and against simulation."""

import numpy as np
import pytest
from scipy import stats

from tellapart import Study, plan, power
from tellapart.data.summaries import Proportion, SeparateCounts
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.planning import exact as room
from tellapart.planning.exact import _likely, separate, separate_curve


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
        assert found.type_m == pytest.approx(size, rel=1e-9, abs=0.0)


def test_simulation_agrees() -> None:
    study = Study("proportions(accuracy=0.8, effect=0.05)", "two_proportion_z", 500)
    simulated = power(study, engine="monte_carlo", replicates=4_000)
    assert simulated.low - 0.01 <= power(study).power <= simulated.high + 0.01


def test_margins_are_summed_too() -> None:
    study = Study("proportions(accuracy=0.8, effect=0)", "equivalence(test=two_proportion_z, margin=0.1)", 300)
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


@pytest.mark.parametrize("items", [1, 30, 500, 40_000])
@pytest.mark.parametrize("accuracy", [0.0, 0.001, 0.3, 0.5, 0.97, 1.0])
def test_the_counts_that_have_a_chance(items: int, accuracy: float) -> None:
    """A binomial's, all but what no double shows; no more of them than that takes, and none that cannot be."""
    counts, chances = _likely(items, accuracy)
    assert 0 <= counts[0] <= counts[-1] <= items
    assert (np.diff(counts) == 1).all()
    np.testing.assert_allclose(chances, stats.binom.pmf(counts, items, accuracy), rtol=2e-10, atol=1e-300)
    assert chances.sum() == pytest.approx(1.0, rel=1e-14, abs=0.0)
    left_out = stats.binom.cdf(counts[0] - 1, items, accuracy) + stats.binom.sf(counts[-1], items, accuracy)
    assert left_out < 1e-16
    reach = 9.2 * np.sqrt(items * accuracy * (1.0 - accuracy)) + 45.0
    assert len(counts) <= 2.0 * reach + 2.0


@pytest.mark.parametrize(
    "test",
    [
        "two_proportion_z(alternative=less)",
        "two_proportion_z(alternative=greater)",
        "equivalence(test=two_proportion_z, margin=0.2)",
        "non_inferiority(test=two_proportion_z, margin=0.1)",
    ],
)
def test_one_side_and_margins_are_summed_too(test: str) -> None:
    """Every pair of counts by the test's own p-value; margins have no sign to be wrong and no size to be exaggerated."""
    study = Study("proportions(accuracy=0.6, effect=0.08)", test, 35)
    found = separate(study)
    assert found is not None
    a, b = np.broadcast_arrays(np.arange(36)[:, np.newaxis], np.arange(36))
    every = np.full(a.shape, 35)
    outcome = TESTS.parse(test).apply(SeparateCounts(Proportion(a, every), Proportion(b, every)), stream(0))
    chance = stats.binom.pmf(a, 35, 0.6) * stats.binom.pmf(b, 35, 0.68)
    rejected = rejects(outcome.pvalue, 0.05)
    assert found.power == pytest.approx(float(chance[rejected].sum()), rel=1e-9, abs=0.0)
    assert (found.type_s is None) == (study.test.claim != "difference")


def test_a_curve_is_one_number_of_items_after_the_other() -> None:
    """Twenty-four on each side, from two items on, each with the power it has alone."""
    sizes, powers = separate_curve(Study("proportions(accuracy=0.6, effect=0.2)", "two_proportion_z", 60)) or ([], [])
    assert list(sizes) == list(range(36, 85))
    for place in (0, 24, 48):
        alone = power(Study("proportions(accuracy=0.6, effect=0.2)", "two_proportion_z", int(sizes[place])))
        assert powers[place] == alone.power
    few, _ = separate_curve(Study("proportions(accuracy=0.6, effect=0.2)", "two_proportion_z", 10)) or (
        [],
        [],
    )
    assert list(few) == list(range(2, 35))


def test_what_is_not_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paired scores, tests of other things, and more pairs of counts than are worth it: exactly as many are summed."""
    assert separate(Study("gaussian(effect=0.1, sd=0.3, correlation=0.5)", "paired_t", 20)) is None
    assert separate(Study("proportions(accuracy=0.6, effect=0.2)", "welch_t", 20)) is None
    assert separate_curve(Study("proportions(accuracy=0.6, effect=0.2)", "welch_t", 20)) is None
    study = Study("proportions(accuracy=0.6, effect=0.2)", "two_proportion_z", 20)
    monkeypatch.setattr(room, "MOST_TABLES", 21 * 21)
    assert separate(study) is not None
    monkeypatch.setattr(room, "MOST_TABLES", 21 * 21 - 1)
    assert separate(study) is None
