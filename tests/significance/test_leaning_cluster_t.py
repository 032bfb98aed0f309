"""`leaning_cluster_t`: cluster t that follows the skewness of few clusters, and its interval."""

import numpy as np
import pytest

from tellapart.arrays import FloatArray, IntArray
from tellapart.calibration.difference_laws import in_clusters, lognormal, normal, skewed
from tellapart.calibration.scenario import Draw
from tellapart.errors import Unsuitable
from tellapart.intervals import INTERVALS
from tellapart.seeds import stream
from tellapart.significance import TESTS
from tellapart.significance.cautious import inverse
from tellapart.summaries import Differences

SIZES = {"even": (10,) * 12, "uneven": tuple(int(n) for n in np.round(np.geomspace(2, 60, 12)))}


def drawn(
    sizes: tuple[int, ...], law: Draw, effect: float = 0.0, likeness: float = 0.8
) -> tuple[FloatArray, IntArray]:
    codes = np.repeat(np.arange(len(sizes)), sizes)
    return in_clusters(sizes, likeness, law)((4_000, len(codes)), effect, np.random.default_rng(5)), codes


def pvalues(test: str, sample: Differences) -> FloatArray:
    return TESTS.parse(test).apply(sample, stream(0)).pvalue


@pytest.mark.parametrize("variance", ["cr1", "cr2"])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.9999])
def test_test_and_interval_are_each_others_inverse(variance: str, level: float) -> None:
    """Zero is left out exactly where the test rejects, and it rejects nothing that cluster t does not."""
    values, codes = drawn(SIZES["uneven"], skewed, 0.3)
    sample, name = Differences(values, codes), f"leaning_cluster_t(variance={variance})"
    low, high = INTERVALS.parse(name).interval(sample, level, stream(0))
    found = pvalues(name, sample)
    assert (((low > 0.0) | (high < 0.0)) == (found <= 1.0 - level)).all()
    assert (found >= pvalues(f"cluster_t(variance={variance})", sample) * (1.0 - 1e-12)).all()
    assert str(inverse(name)) == name


@pytest.mark.parametrize(
    ("kind", "law", "most"),
    [
        ("even", skewed, 0.07),
        ("uneven", skewed, 0.08),
        ("even", lognormal, 0.115),
        ("uneven", lognormal, 0.12),
    ],
)
def test_false_claims_where_clusters_lean(kind: str, law: Draw, most: float) -> None:
    """Twelve clusters of items that are nearly all alike: fewer than cluster t makes by a fifth at least, and no more than this."""
    values, codes = drawn(SIZES[kind], law)
    sample, variance = Differences(values, codes), "cr1" if kind == "even" else "cr2"
    size, plain = (
        (pvalues(f"{test}(variance={variance})", sample) <= 0.05).mean()
        for test in ("leaning_cluster_t", "cluster_t")
    )
    assert size < most
    assert size < 0.8 * plain


@pytest.mark.parametrize("kind", ["even", "uneven"])
def test_power_given_away_on_symmetric_effects(kind: str) -> None:
    """At most .08 of it, twelve clusters."""
    sizes = SIZES[kind]
    items, likeness = sum(sizes), 0.8
    error = np.sqrt(likeness * sum(n**2 for n in sizes) / items**2 + (1.0 - likeness) / items)
    values, codes = drawn(sizes, normal, 2.8 * error)
    sample, variance = Differences(values, codes), "cr1" if kind == "even" else "cr2"
    power, plain = (
        (pvalues(f"{test}(variance={variance})", sample) <= 0.05).mean()
        for test in ("leaning_cluster_t", "cluster_t")
    )
    assert plain - 0.08 < power < plain


def test_clusters_have_to_be_known() -> None:
    sample = Differences(np.arange(4.0))
    with pytest.raises(Unsuitable, match="which items belong together"):
        TESTS.parse("leaning_cluster_t").apply(sample, stream(0))
    with pytest.raises(Unsuitable, match="which items belong together"):
        INTERVALS.parse("leaning_cluster_t").interval(sample, 0.95, stream(0))
