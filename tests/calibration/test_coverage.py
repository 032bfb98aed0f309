"""Coverage of intervals, measured or enumerated: at least the level where assumptions hold, as documented elsewhere."""

import numpy as np
import pytest
from scipy import stats

from tellapart.data.pair import Pair
from tellapart.data.summaries import Discordance, Proportion
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.metrics import METRICS


def band(share: float, replicates: int) -> tuple[float, float]:
    low, high = stats.binom.interval(0.999, replicates, share)
    return float(low) / replicates, float(high) / replicates


def coverage(interval: str, values: FloatArray, truth: float, clusters: FloatArray | None = None) -> float:
    chosen = INTERVALS.parse(interval)
    pair = Pair(np.zeros_like(values)[..., None, None], values[..., None, None], clusters)  # type: ignore[arg-type]
    low, high = chosen.interval(chosen.needs.of(pair, METRICS.parse("mean")), 0.95, stream(12))
    return float(((low <= truth) & (truth <= high)).mean())


@pytest.mark.parametrize("items", [10, 50])
@pytest.mark.parametrize("interval", ["student_t", "hodges_lehmann"])
def test_normal_differences_are_covered(interval: str, items: int) -> None:
    """Exact intervals on the data they are exact for."""
    values = np.random.default_rng(items).normal(size=(5_000, items))
    assert coverage(interval, values, 0.0) >= band(0.95, 5_000)[0]


def test_studentised_bootstrap_follows_skew() -> None:
    """Exponential differences at 50 items: within a percent and a half of nominal, where Student t falls short."""
    values = np.random.default_rng(1).exponential(size=(2_000, 50))
    assert coverage("bootstrap(kind=studentised, resamples=399)", values, 1.0) >= band(0.935, 2_000)[0]
    assert coverage("student_t", values, 1.0) < 0.95


def test_percentile_undercovers_as_published() -> None:
    """Normal differences at 50 items: 0.942 in theory, because it lacks the t factor."""
    values = np.random.default_rng(2).normal(size=(3_000, 50))
    low, high = band(0.942, 3_000)
    assert low - 0.006 <= coverage("bootstrap(kind=percentile, resamples=399)", values, 0.0) <= high


@pytest.mark.parametrize("variance", ["cr1", "cr2"])
def test_cluster_intervals_cover(variance: str) -> None:
    """Twelve clusters of ten items, intra-cluster correlation 0.3."""
    rng = np.random.default_rng(3)
    values = np.repeat(rng.normal(size=(4_000, 12)), 10, axis=1) * 0.3**0.5 + 0.7**0.5 * rng.normal(size=(4_000, 120))
    assert (
        coverage(f"cluster_t(variance={variance})", values, 0.0, np.repeat(np.arange(12), 10)) >= band(0.95, 4_000)[0]
    )


def enumerated(interval: str, items: int, discordance: float, effect: float) -> float:
    """The exact coverage of an interval for a paired difference: every table with its probability."""
    wins, losses = np.meshgrid(np.arange(items + 1), np.arange(items + 1), indexing="ij")
    inside = wins + losses <= items
    wins, losses = wins[inside], losses[inside]
    rest = items - wins - losses
    cells = [(discordance + effect) / 2, (discordance - effect) / 2, 1 - discordance]
    chance = np.asarray(stats.multinomial.pmf(np.stack([wins, losses, rest], axis=-1), items, cells))
    low, high = INTERVALS.parse(interval).interval(
        Discordance(np.zeros_like(wins), wins, losses, rest), 0.95, stream(0)
    )
    return float(chance[(low <= effect + 1e-12) & (effect - 1e-12 <= high)].sum())


@pytest.mark.parametrize(
    ("items", "discordance", "effect", "wald", "bonett_price", "tango"),
    [
        (30, 0.1, 0.05, 0.890, 0.992, 0.984),
        (50, 0.06, 0.02, 0.863, 0.996, 0.969),
        (100, 0.05, 0.03, 0.902, 0.974, 0.939),
        (164, 0.1, 0.03, 0.946, 0.960, 0.951),
        (30, 0.05, 0.05, 0.782, 0.999, 0.997),
    ],
)
def test_paired_proportions_by_enumeration(
    items: int, discordance: float, effect: float, wald: float, bonett_price: float, tango: float
) -> None:
    """Wald fails where few items differ; Bonett–Price is safe, Tango close to nominal. No simulation, so no band."""
    for interval, published in (("wald", wald), ("bonett_price", bonett_price), ("tango", tango)):
        assert enumerated(interval, items, discordance, effect) == pytest.approx(published, abs=6e-4), interval


@pytest.mark.parametrize("items", [20, 100])
@pytest.mark.parametrize("share", [0.05, 0.5, 0.93])
def test_clopper_pearson_always_covers(items: int, share: float) -> None:
    """The exact interval for one proportion, by enumeration; Wilson is near, and below in places."""
    counts = np.arange(items + 1)
    chance = stats.binom.pmf(counts, items, share)
    sample = Proportion(counts, np.full_like(counts, items))
    covered = {}
    for name in ("clopper_pearson", "wilson"):
        low, high = INTERVALS.parse(name).interval(sample, 0.95, stream(0))
        covered[name] = float(chance[(low <= share) & (share <= high)].sum())
    assert covered["clopper_pearson"] >= 0.95
    assert covered["wilson"] >= 0.90
