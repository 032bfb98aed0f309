"""Pilots for metrics that are no mean: planned as `compare` will judge them."""

import numpy as np
import pytest
from scipy import stats

from tellapart import plan
from tellapart.compute.work import Budget
from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import DataError, UsageError
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS
from tellapart.planning.power import power_of
from tellapart.planning.study import Study
from tellapart.populations.pilot import Pilot


def counts(items: int = 300, seed: int = 1) -> Pair:
    """Right, wrong and missed answers of two systems, both better on the same items."""
    rng = stream(seed)
    hardness = np.exp(0.3 * rng.normal(size=(items, 1)))
    found = [rng.poisson(hardness * rates) for rates in ([2.0, 0.7, 0.6], [2.2, 0.6, 0.5])]
    a, b = (x[:, np.newaxis, :].astype(np.float64) for x in found)
    return Pair(a, b)


def shares(scores: FloatArray) -> FloatArray:
    """Parts of which F1 is the plain mean: what is not right is wrong once and missed once."""
    parts = np.stack([scores, 1.0 - scores, 1.0 - scores], axis=-1)
    return parts[:, np.newaxis, :]


F1 = METRICS.parse("f1")


def test_the_metric_itself_has_the_effect() -> None:
    """Among endless items drawn like this, F1 of B is above that of A by exactly what was asked for."""
    pair = counts()
    for effect in (-0.02, 0.0, 0.05):
        weights = Pilot.from_pair(pair, effect, "f1").weights
        a, b = (F1.value(weights @ x[:, 0], 1) for x in (pair.a, pair.b))
        assert float(b - a) == pytest.approx(effect, abs=1e-12)
        assert weights.sum() == pytest.approx(1.0)


def test_influences_are_taken_where_items_are_drawn_from() -> None:
    """The spread is that of the metric on many drawn items, not that of the pilot's own items."""
    pilot = Pilot.from_pair(counts(), 0.1, "f1")
    drawn = pilot.draw(2000, 2000, stream(3))
    a, b = (F1.value(x[:, :, 0].mean(axis=1), 1) for x in (drawn.a, drawn.b))
    spread = float((b - a).std() * 2000**0.5)
    assert pilot.sd_difference == pytest.approx(spread, rel=0.05, abs=0.0)
    assert pilot.spread == pytest.approx(pilot.sd_difference, rel=1e-9, abs=0.0)


def test_a_mean_in_disguise_plans_like_the_mean() -> None:
    """F1 of parts that add up to the same on every item is a mean: every number of the pilot is that of the mean's."""
    rng = stream(5)
    a = rng.beta(2.0, 2.0, 80)
    b = np.clip(a + rng.normal(0.03, 0.15, 80), 0.0, 1.0)
    plain = Pilot.from_pair(Pair(a[:, None, None], b[:, None, None]), 0.05)
    disguised = Pilot.from_pair(Pair(shares(a), shares(b)), 0.05, "f1")
    assert disguised.effect_range == pytest.approx(plain.effect_range, abs=1e-5)
    assert disguised.observed_effect == pytest.approx(plain.observed_effect)
    assert disguised.weights == pytest.approx(plain.weights)
    assert disguised.correlation == pytest.approx(plain.correlation)
    for own in ("sd_difference", "spread"):
        assert getattr(disguised, own) == pytest.approx(getattr(plain, own))
    assert disguised.variance_limit(0.9) == pytest.approx(plain.variance_limit(0.9))
    budget = Budget("monte_carlo", 2_000)
    powers = [power_of(Study(p, TESTS.parse("paired_t"), 60), budget) for p in (plain, disguised)]
    assert powers[0].power == pytest.approx(powers[1].power, abs=0.03)
    assert powers[0].type_m == pytest.approx(powers[1].type_m or 0.0, abs=0.05)


@pytest.mark.parametrize("test", ["paired_t", "permutation(resamples=199)"])
def test_simulated_power_is_that_of_the_spread(test: str) -> None:
    """Influence and recomputed metric alike find the effect as often as a z test with the metric's spread."""
    pilot = Pilot.from_pair(counts(), 0.05, "f1")
    shift = 0.05 / (pilot.spread / 400**0.5)
    expected = float(stats.norm.sf(1.96 - shift))
    found = power_of(Study(pilot, TESTS.parse(test), 400), Budget("monte_carlo", 1_000))
    assert found.power == pytest.approx(expected, abs=0.06)


def test_clusters_of_counts() -> None:
    """Clusters of a pilot stay together for any metric, and make the spread larger."""
    pair = counts()
    order = np.argsort(Differences.of(pair, F1).values)
    alike = Pair(pair.a[order], pair.b[order], np.repeat(np.arange(60), 5))
    clustered = Pilot.from_pair(alike, 0.03, "f1")
    assert clustered.spread > 1.5 * clustered.sd_difference
    assert clustered.unit == 5


def test_plan_chooses_as_compare_does() -> None:
    """The default test is what `compare` takes for this metric, and the row names the metric."""
    row = plan(Pilot.from_pair(counts(), 0.05, "f1"), items=300, replicates=200).rows[0]
    assert row.test == "paired_t"
    assert row.population == "pilot(effect=0.05, items=300, metric=f1)"


def test_pilots_of_other_metrics_are_others() -> None:
    """The same scores under another metric are another pilot, whatever the effect."""
    a, b = (np.concatenate([x, x[..., :1]], axis=-1) for x in (counts().a, counts().b))
    first, second = (Pilot.from_pair(Pair(a, b), 0.01, name) for name in ("mcc", "mcc"))
    assert first == second
    assert first.digest != Pilot.from_pair(counts(), 0.01, "f1").digest
    assert Pilot.from_pair(counts(), 0.01, "f1").replace(effect=0.02).metric == F1


def test_refusals() -> None:
    """Parts of another metric, and an effect that no weights give."""
    with pytest.raises(DataError, match="pilot for mean needs score of every item, and these scores are of 3"):
        Pilot.from_pair(counts(), 0.01)
    with pytest.raises(DataError, match="pilot for mcc needs tp, fp, fn, tn"):
        Pilot.from_pair(counts(), 0.01, "mcc")
    with pytest.raises(UsageError, match="only be reweighted to a difference of f1 between"):
        Pilot.from_pair(counts(), 1.5, "f1")
