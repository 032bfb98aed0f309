import numpy as np
import pytest
from scipy import stats

from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences, Discordance
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import DataError, TooFew, UsageError
from tellapart.foundation.seeds import stream
from tellapart.metrics.mean import Mean
from tellapart.populations import POPULATIONS
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.pilot import Pilot
from tellapart.populations.pilot_items import correlation_interval, variance_inflation
from tellapart.populations.population import Design
from tellapart.populations.tilted_items import tilted


def _pair(differences: FloatArray, clusters: IntArray | None = None) -> Pair:
    a = np.zeros((len(differences), 1, 1))
    return Pair(a, a + np.asarray(differences, dtype=np.float64)[:, None, None], clusters)


NORMAL = stream(21).normal(0.03, 0.1, 200)


@pytest.mark.parametrize("effect", [-0.15, 0.0, 0.03, 0.2])
def test_tilt_hits_the_effect(effect: float) -> None:
    """Weights are a distribution over the items whose mean difference is the effect, to rounding."""
    pilot = Pilot.from_pair(_pair(NORMAL), effect)
    assert pilot.weights.sum() == pytest.approx(1.0, abs=1e-14)
    assert pilot.weights @ pilot.differences == pytest.approx(effect, abs=1e-14)
    log_weights = np.log(pilot.weights)[np.argsort(NORMAL)]
    slopes = np.diff(log_weights) / np.diff(np.sort(NORMAL))
    assert np.ptp(slopes) <= 1e-6 * max(1.0, np.abs(slopes).max())


def test_own_effect_needs_no_tilt() -> None:
    """Asked for the pilot's own effect, every item is as likely as in a plain bootstrap."""
    pilot = Pilot.from_pair(_pair(NORMAL))
    same = pilot.with_effect(pilot.observed_effect)
    assert np.allclose(same.weights, 1.0 / 200.0, rtol=1e-10)
    assert same.sd_difference == pytest.approx(NORMAL.std(), rel=1e-12, abs=0.0)
    assert same.spread == pytest.approx(NORMAL.std(), rel=1e-12, abs=0.0)


def test_tilt_near_the_end_of_the_range() -> None:
    """An effect close to the largest difference is still hit; beyond it there is none."""
    weights = tilted(NORMAL, np.ones(200), float(NORMAL.max()) - 1e-9)
    assert weights @ NORMAL == pytest.approx(NORMAL.max() - 1e-9, abs=1e-15)
    assert np.isnan(tilted(NORMAL, np.ones(200), float(NORMAL.max()) + 1e-9)).all()


def test_binary_pilot_stays_binary() -> None:
    """A right-or-wrong pilot draws right-or-wrong scores, and is the paired_binary population of its tilted table."""
    rng = stream(5)
    a, b = ((rng.random((80, 1, 1)) < p).astype(np.float64) for p in (0.6, 0.65))
    pilot = Pilot.from_pair(Pair(a, b), 0.1)
    pair = pilot.draw(60, 100, stream(6))
    assert set(np.unique(pair.b)) == {0.0, 1.0}
    assert isinstance(pilot.binary, PairedBinary)
    assert pilot.binary.sd_difference == pytest.approx(pilot.sd_difference, rel=1e-12, abs=0.0)
    counts = pilot.draw_summary(Discordance, Design(60), 5, stream(7))
    assert counts is not None
    assert (counts.items == 60).all()


def test_equal_clusters_are_drawn_whole() -> None:
    """With clusters of one size every drawn cluster is one of the pilot's, item for item."""
    d = np.arange(24, dtype=np.float64) ** 1.5
    pilot = Pilot.from_pair(_pair(d, np.repeat(np.arange(8), 3)), 50.0)
    pair = pilot.draw(12, 500, stream(8))
    drawn = {tuple(sorted(c)) for c in pair.b[..., 0, 0].reshape(-1, 3).tolist()}
    assert drawn <= {tuple(c) for c in d.reshape(8, 3).tolist()}
    assert pair.clusters is not None
    assert pair.clusters.tolist() == np.repeat(np.arange(4), 3).tolist()


def test_uneven_clusters_are_planned_in_proportion() -> None:
    """A larger plan has clusters of the pilot's sizes, each as often as there."""
    sizes = np.repeat([1, 2, 9], [50, 30, 20])
    codes = np.repeat(np.arange(100), sizes)
    pilot = Pilot.from_pair(_pair(stream(9).normal(size=len(codes)), codes), 0.0)
    clusters = pilot.draw(10 * len(codes), 1, stream(1)).clusters
    assert clusters is not None
    found = np.bincount(np.bincount(clusters), minlength=10) / (clusters[-1] + 1)
    assert found[[1, 2, 9]] == pytest.approx([0.5, 0.3, 0.2], abs=0.01)


def test_missing_runs_stay_missing() -> None:
    """An item's runs stay together, a missing one missing; its difference averages those there are."""
    a = np.array([[[0.0], [np.nan]], [[1.0], [3.0]]])
    pilot = Pilot.from_pair(Pair(a, np.ones((2, 1, 1))), 0.0)
    assert pilot.differences.tolist() == [1.0, -1.0]
    pair = pilot.draw(5, 4, stream(2))
    assert (pair.a.shape, pair.b.shape) == ((4, 5, 2, 1), (4, 5, 1, 1))
    assert set(Differences.of(pair, Mean()).values.ravel()) == {1.0, -1.0}


def test_clusters_widen_the_spread() -> None:
    """Items that rise and fall together tell less: the spread that counts is that of cluster sums."""
    together = np.repeat(NORMAL[:50], 4)
    pilot = Pilot.from_pair(_pair(together, np.repeat(np.arange(50), 4)))
    alone, clustered = Pilot.from_pair(_pair(together)), pilot
    effect = pilot.observed_effect
    assert clustered.with_effect(effect).spread == pytest.approx(
        2.0 * alone.with_effect(effect).spread, rel=1e-9, abs=0.0
    )
    assert (alone.units, clustered.units) == (200, 50)


def test_variance_limit_covers_the_true_variance() -> None:
    """The upper limit of level 0.9 lies above the true variance in about 90 % of normal pilots."""
    rng = np.random.default_rng(8)
    above = []
    for _ in range(400):
        pilot = Pilot.from_pair(_pair(rng.normal(size=50)))
        same = pilot.with_effect(pilot.observed_effect)
        above.append(same.spread**2 * same.variance_limit(0.9) > 1.0)
    assert np.mean(above) == pytest.approx(0.9, abs=0.06)


@pytest.mark.parametrize(("items", "level", "factor"), [(50, 0.8, 1.21), (50, 0.95, 1.44)])
def test_variance_inflation(items: int, level: float, factor: float) -> None:
    """METHODS 2.4: the factor on n for a pilot of 50 is 1.21 at 80 % assurance and 1.44 at 95 %."""
    assert variance_inflation(items, level) == pytest.approx(factor, abs=0.005)
    assert variance_inflation(items, level) == pytest.approx(
        (items - 1) / stats.chi2.ppf(1 - level, items - 1), rel=1e-12, abs=0.0
    )


@pytest.mark.parametrize(("items", "by_correlation", "by_sd"), [(30, 3.56, 2.85), (50, 2.63, 2.23), (100, 1.96, 1.75)])
def test_pilot_uncertainty_in_items(items: int, by_correlation: float, by_sd: float) -> None:
    """METHODS 2.4: how far apart the two ends of a 95 % interval plan, by correlation (at 0.7) and by spread."""
    low, high = correlation_interval(0.7, items)
    assert (1.0 - low) / (1.0 - high) == pytest.approx(by_correlation, abs=0.005)
    assert variance_inflation(items, 0.975) / variance_inflation(items, 0.025) == pytest.approx(by_sd, abs=0.005)


def test_correlation_of_the_pilot() -> None:
    """The pilot's correlation and its Fisher interval agree with scipy."""
    rng = stream(6)
    a = rng.normal(size=(40, 1, 1))
    b = a + rng.normal(size=(40, 1, 1))
    pilot = Pilot.from_pair(Pair(a, b))
    expected = stats.pearsonr(a.ravel(), b.ravel())
    interval = expected.confidence_interval(0.9)
    assert pilot.correlation == pytest.approx(expected.statistic, rel=1e-12, abs=0.0)
    assert pilot.correlation_interval(0.9) == pytest.approx((interval.low, interval.high), rel=1e-12, abs=0.0)


def test_pilots_differ_by_their_scores() -> None:
    """Two pilots are equal when effect and scores are: caches never mix them up."""
    one, two = Pilot.from_pair(_pair(NORMAL), 0.02), Pilot.from_pair(_pair(NORMAL + 1e-9), 0.02)
    assert one == Pilot.from_pair(_pair(NORMAL), 0.02)
    assert one != two
    assert one != one.with_effect(0.03)


def test_refusals() -> None:
    """A pilot without scores, too small, unfinished, or unable to have the effect is refused with the way out."""
    with pytest.raises(UsageError, match="plan pilot FILE"):
        POPULATIONS.parse("pilot")
    with pytest.raises(TooFew, match="at least 2"):
        Pilot.from_pair(_pair(np.array([0.1])))
    with pytest.raises(DataError, match="finite"):
        Pilot.from_pair(_pair(np.array([0.1, np.nan])))
    with pytest.raises(DataError, match="these scores are of 2 parts"):
        Pilot.from_pair(Pair(np.zeros((3, 1, 2)), np.zeros((3, 1, 2))))
    with pytest.raises(UsageError, match="between 0 and 1, and their mean lies strictly inside"):
        Pilot.from_pair(_pair(np.array([0.0, 1.0])), 1.0)
    with pytest.raises(UsageError, match="cluster means"):
        Pilot.from_pair(_pair(np.array([0.0, 1.0, 0.0, 1.0]), np.array([0, 0, 1, 1])), 0.6)
    with pytest.raises(UsageError, match="at least 4"):
        Pilot.from_pair(_pair(np.array([0.0, 1.0]))).correlation_interval()


@pytest.mark.parametrize("unit", [1e-80, 1e80])
def test_spread_at_any_scale(unit: float) -> None:
    """Scores in very small or large units have the same plan: no fourth power leaves the range of numbers."""
    pilot, scaled = (Pilot.from_pair(_pair(NORMAL * u), 0.02 * u) for u in (1.0, unit))
    assert scaled.spread == pytest.approx(pilot.spread * unit, rel=1e-12, abs=0.0)
    assert scaled.variance_limit(0.8) == pytest.approx(pilot.variance_limit(0.8), rel=1e-12, abs=0.0)


def test_pilot_in_which_one_system_wins_every_item() -> None:
    """Its discordance is 1, whatever the weights add up to in the last bit."""
    a = np.zeros((60, 1, 1))
    pilot = Pilot.from_pair(Pair(a, a + 1.0), 1.0)
    assert pilot.binary == PairedBinary(accuracy=0.0, discordance=1.0, effect=1.0)


def test_pilots_without_spread() -> None:
    """Differences that are one number up to rounding have no spread, and another effect is refused with the reason."""
    a = stream(8).normal(0.6, 0.1, (60, 1, 1))
    pair = Pair(a, a + 0.1)
    same = Pilot.from_pair(pair)
    assert same.with_effect(same.observed_effect).spread == 0.0
    with pytest.raises(UsageError, match="differences are all 1, so it has no spread to plan with"):
        Pilot.from_pair(_pair(np.ones(10)), 0.2)


def test_a_correlation_of_one_is_one() -> None:
    """Rounding is not taken for an interval below 1."""
    for number in range(5):
        a = stream(8, number).normal(0.6, 0.1, (60, 1, 1))
        assert Pilot.from_pair(Pair(a, a)).correlation == 1.0
        assert Pilot.from_pair(Pair(a, -3.0 * a)).correlation == -1.0


def test_whole_clusters() -> None:
    """A pilot whose clusters have one size is planned in whole ones; others item by item."""
    assert Pilot.from_pair(_pair(NORMAL, np.arange(200) // 5)).unit == 5
    assert Pilot.from_pair(_pair(NORMAL, np.minimum(np.arange(200) // 5, 30))).unit == 1
    assert Pilot.from_pair(_pair(NORMAL)).unit == 1
