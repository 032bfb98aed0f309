"""Bootstrap intervals: against scipy, against exact bootstrap laws, and where resamples have no spread."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.data.summaries import Differences, Parts
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import SpellingError, TooFew, Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance.bootstrap import BootstrapInterval
from tellapart.metrics import METRICS
from tellapart.numerics.moments import cluster_error
from tellapart.numerics.resampling import draws
from tellapart.numerics.resampling.draws import Replicates

MEAN = METRICS.parse("mean")
KINDS = ("percentile", "bca", "studentised")


def parts(differences: FloatArray, clusters: Any = None) -> Parts:
    column = np.asarray(differences, dtype=float)[..., np.newaxis]
    return Parts(np.zeros_like(column), column, MEAN, clusters)


def bounds(kind: Any, sample: Parts, level: float = 0.95, seed: int = 0) -> tuple[float, float]:
    low, high = BootstrapInterval(kind=kind).interval(sample, level, stream(seed))
    return float(low), float(high)


def replicates(sample: Parts, resamples: int = 999, seed: int = 0) -> Replicates:
    """The one group of replicates that a small sample is made of."""
    (units,) = draws._entry_groups(sample, resamples)
    return draws._draw_replicates(units, resamples, stream(seed))


@pytest.mark.parametrize("kind", ["percentile", "bca"])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_as_in_scipy(kind: Any, level: float) -> None:
    """Percentile and BCa bounds of a skewed mean agree with scipy's up to the noise of draws."""
    values = np.random.default_rng(1).exponential(size=60)
    expected = stats.bootstrap(
        (values,), np.mean, confidence_level=level, n_resamples=40_000, method=kind, rng=7
    ).confidence_interval
    width = expected.high - expected.low
    found = bounds(kind, parts(values), level)
    assert (expected.low, expected.high) == pytest.approx(found, abs=0.04 * width)


@pytest.mark.parametrize("kind", ["percentile", "bca"])
def test_f1_as_in_scipy(kind: Any) -> None:
    """A metric of parts goes through the same path: bounds of an F1 difference are scipy's."""
    a, b = np.random.default_rng(2).integers(0, 4, size=(2, 60, 3)).astype(float)
    f1 = METRICS.parse("f1")

    def difference(*columns: FloatArray, axis: int = -1) -> FloatArray:
        means = np.stack([c.mean(axis=axis) for c in columns], axis=-1)
        return f1.value(means[..., 3:], 60) - f1.value(means[..., :3], 60)

    expected = stats.bootstrap(
        tuple(np.hstack([a, b]).T), difference, paired=True, n_resamples=20_000, method=kind, rng=7
    ).confidence_interval
    found = bounds(kind, Parts(a, b, f1))
    assert (expected.low, expected.high) == pytest.approx(found, abs=0.05 * (expected.high - expected.low))


@pytest.mark.parametrize("values", [[0.3, -0.8, 1.9, 0.6, 2.5, 0.0], [1.0, 1.0, 1.0, 1.0, 1.0, 0.0]])
def test_studentised_by_every_resample(values: list[float]) -> None:
    """With six items all 6⁶ resamples can be listed: the bounds are those of the listed law, flat ones beyond all others."""
    seen = np.array(values)
    every = seen[np.stack(np.meshgrid(*[np.arange(6)] * 6), axis=-1).reshape(-1, 6)]
    spread = every.std(axis=-1, ddof=1) / np.sqrt(6.0)
    flat = spread < 1e-12
    ratios = np.divide(every.mean(axis=-1) - seen.mean(), spread, out=np.full(len(every), np.inf), where=~flat)
    top = np.quantile(ratios, 0.9, method="inverted_cdf")
    bottom = np.quantile(np.where(flat, np.inf, -ratios), 0.9, method="inverted_cdf")
    error = seen.std(ddof=1) / np.sqrt(6.0)
    found = BootstrapInterval(resamples=99_999).interval(parts(seen), 0.8, stream(0))
    if flat.mean() > 0.1:
        assert tuple(map(float, found)) == (-np.inf, np.inf), "a third of all resamples draw five equal items alone"
    else:
        assert (float(found[0]), float(found[1])) == pytest.approx(
            (seen.mean() - error * top, seen.mean() + error * bottom), abs=0.04
        )


@pytest.mark.parametrize("metric", ["mean", "f1", "mcc"])
def test_errors_of_resamples_are_those_of_resampled_items(metric: str) -> None:
    """The effect and error computed from weighted sums equal those computed from the drawn items themselves."""
    aggregation = METRICS.parse(metric)
    width = len(aggregation.parts())
    a, b = np.random.default_rng(3).random((2, 12, width))
    found = replicates(Parts(a, b, aggregation), resamples=200)
    drawn = stream(0).integers(0, 12, size=(200, 12))
    items = Parts(a[drawn], b[drawn], aggregation)
    error = items.differences.values.std(axis=-1, ddof=1) / np.sqrt(12)
    np.testing.assert_allclose(found.effects[0], items.effect, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.errors[0], error, rtol=1e-9)


def test_what_no_drawn_item_has_is_zero() -> None:
    """A class that a resample lost leaves its margin empty, and no rounding of it to take the root of."""
    mcc = METRICS.parse("mcc")
    a, b = (np.eye(4)[cells] for cells in ([0, 0, 0, 2, 2, 2], [0, 0, 0, 1, 2, 2]))
    found = replicates(Parts(a, b, mcc), resamples=500)
    drawn = stream(0).integers(0, 6, size=(500, 6))
    items = Parts(a[drawn], b[drawn], mcc)
    error = items.differences.values.std(axis=-1, ddof=1) / np.sqrt(6)
    np.testing.assert_allclose(found.effects[0], items.effect, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.errors[0], error, rtol=1e-9, atol=1e-12)


def test_clusters_are_drawn_whole() -> None:
    """The observed error is the cluster-robust one, and resamples are made of whole clusters."""
    rng = np.random.default_rng(4)
    codes = np.repeat(np.arange(12), rng.integers(1, 6, size=12))
    values = rng.normal(size=12)[codes] + 0.1 * rng.normal(size=len(codes))
    found = replicates(parts(values, codes))
    _, error, _ = cluster_error(values, codes, "cr1")
    assert float(found.error[0]) == pytest.approx(float(error), rel=1e-12, abs=0.0)
    assert found.effects.std() == pytest.approx(float(error), rel=0.15, abs=0.0)
    low, high = bounds("studentised", parts(values, codes))
    alone = bounds("studentised", parts(values))
    assert high - low > 1.3 * (alone[1] - alone[0])


def test_equal_items_are_drawn_by_counts() -> None:
    """Scores of few levels take the fast path, and its law is that of drawing items."""
    values = np.repeat([-1.0, 0.0, 1.0], [50, 100, 80])
    fast = replicates(parts(values), resamples=20_000)
    slow = replicates(parts(values + 1e-9 * np.arange(230)), resamples=20_000, seed=1)
    for quantile in (0.025, 0.5, 0.975):
        both = [np.quantile((f.effects - f.effect) / f.errors, quantile) for f in (fast, slow)]
        assert both[0] == pytest.approx(both[1], abs=0.06)


def test_coverage_of_a_skewed_mean() -> None:
    """Studentised intervals of 20 exponential items hold the mean about 95 % of the time; Student's fall short."""
    values = np.random.default_rng(5).exponential(size=(1_500, 20)) - 1.0
    low, high = BootstrapInterval(resamples=499).interval(parts(values), 0.95, stream(0))
    covered = float(np.mean((low < 0.0) & (high > 0.0)))
    low, high = INTERVALS.parse("student_t").interval(Differences(values), 0.95, stream(0))
    student = float(np.mean((low < 0.0) & (high > 0.0)))
    assert 0.925 < covered < 0.97
    assert student < covered


def test_a_share_of_flat_resamples_has_no_bound() -> None:
    """Of seven equal items and one other, 34 % of the resamples draw the equal ones alone: bounds up to that level, none beyond."""
    sample = parts(np.repeat([1.0, 0.0], [7, 1]))
    flat = (7.0 / 8.0) ** 8
    for level, bounded in ((1.0 - 2.0 * flat - 0.03, True), (1.0 - 2.0 * flat + 0.03, False), (0.95, False)):
        low, high = BootstrapInterval(resamples=19_999).interval(sample, level, stream(0))
        assert np.isfinite([low, high]).tolist() == [bounded] * 2
    assert bounds("studentised", parts(np.arange(5.0))) == (-np.inf, np.inf), "fewer than six units"
    assert np.isfinite(bounds("studentised", parts(np.arange(6.0)))).all()


@pytest.mark.parametrize("kind", KINDS)
def test_constant_differences_have_no_width(kind: str) -> None:
    """The same difference on every item, float noise or not, is an interval of one point."""
    base = np.random.default_rng(6).random((60, 1))
    low, high = bounds(kind, Parts(base, base + 0.1, MEAN))
    assert (low, high) == pytest.approx((0.1, 0.1), rel=1e-12, abs=0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_same_generator_same_bounds(kind: str) -> None:
    """Chance comes from the generator alone."""
    sample = parts(np.random.default_rng(7).normal(size=55))
    assert bounds(kind, sample, seed=3) == bounds(kind, sample, seed=3)
    assert bounds(kind, sample, seed=3) != bounds(kind, sample, seed=4)


def test_batches_are_worked_on_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch larger than memory allows keeps its shape, and every entry its own answer."""
    values = np.random.default_rng(8).normal(size=(4, 3, 52)) + np.arange(12).reshape(4, 3, 1)
    monkeypatch.setattr(draws, "HELD", 5_000)
    low, high = BootstrapInterval(resamples=199).interval(parts(values), 0.95, stream(0))
    assert low.shape == high.shape == (4, 3)
    assert ((low < values.mean(axis=-1)) & (values.mean(axis=-1) < high)).all()
    assert (high - low < 1.0).all()


def test_refusals_name_the_way_out() -> None:
    """Few items for percentiles, few resamples, an unreachable level and a single cluster are refused."""
    values = np.arange(49.0)
    with pytest.raises(Unsuitable, match="kind=studentised"):
        bounds("percentile", parts(values))
    with pytest.raises(SpellingError, match="at least 99"):
        BootstrapInterval(resamples=20)
    with pytest.raises(Unsuitable, match="resamples=19999"):
        bounds("bca", parts(np.arange(60.0)), 0.9999)
    with pytest.raises(TooFew, match="one cluster"):
        bounds("studentised", parts(values, np.zeros(49, dtype=np.int64)))
    with pytest.raises(TooFew, match="one item"):
        bounds("studentised", parts(values[:1]))


def test_kind_is_always_spelled() -> None:
    """A reader sees which bootstrap was used."""
    assert BootstrapInterval(kind="bca").label == "BCa bootstrap"
    assert BootstrapInterval(kind="percentile").label == "percentile bootstrap"
    assert str(BootstrapInterval()) == "bootstrap(kind=studentised)"
    assert INTERVALS.parse("bootstrap(kind=bca, resamples=999)") == BootstrapInterval(kind="bca", resamples=999)
