"""The permutation test of a mean, without chance and by Monte Carlo, against scipy's on the same scores."""

import numpy as np
from scipy import stats

from benchmarks._clock import seconds
from tellapart.data.summaries import Parts
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS

Row = tuple[str, float, float, str]


def rows() -> list[Row]:
    return [*_against_scipy(1_000), *_against_scipy(10_000), _batch(50), _batch(200)]


def _against_scipy(items: int) -> list[Row]:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=items), rng.normal(0.05, 1.0, size=items)
    sample = _parts(a, b)
    exact, resampled = TESTS.parse("permutation"), TESTS.parse("permutation(resamples=9999)")
    chance = stream(0)
    peer = seconds(lambda: _scipy(a, b), repeats=1)
    without_chance = seconds(lambda: exact.apply(sample, chance), repeats=20)
    by_chance = seconds(lambda: resampled.apply(sample, chance))
    return [
        (
            f"permutation of {items:,} differences / scipy, 9,999 resamples",
            without_chance,
            peer,
            "at least 400",
        ),
        (f"the same by Monte Carlo, {items:,} differences / scipy", by_chance, peer, "at least 50"),
    ]


def _scipy(a: FloatArray, b: FloatArray) -> object:
    def difference(x: FloatArray, y: FloatArray, axis: int) -> FloatArray:
        return np.asarray(np.mean(x - y, axis=axis))

    return stats.permutation_test(
        (b, a),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=9_999,
        batch=1_000,
        rng=np.random.default_rng(0),
    )


def _batch(items: int) -> Row:
    """Ten thousand tests at once, beside ten thousand paired t tests of scipy."""
    values = np.random.default_rng(0).normal(0.1, 1.0, size=(10_000, items))
    sample, test, rng = _parts(np.zeros_like(values), values), TESTS.parse("permutation"), stream(0)
    ours = seconds(lambda: test.apply(sample, rng), repeats=2)
    peer = seconds(lambda: stats.ttest_1samp(values, 0.0, axis=-1), repeats=3)
    return f"10,000 permutation tests at n = {items} / scipy's paired t", ours, peer, "ours about 1 s"


def _parts(a: FloatArray, b: FloatArray) -> Parts:
    return Parts(a[..., np.newaxis], b[..., np.newaxis], METRICS.parse("mean"))
