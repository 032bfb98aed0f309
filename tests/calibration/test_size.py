"""False positive rates, measured: at most alpha where a test's assumptions hold, and as documented where they do not.

Bands are 99.9 % binomial. Seeds are fixed and thresholds derived, never tuned.
"""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences, Discordance
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS

ALPHA = 0.05


def band(share: float, replicates: int) -> tuple[float, float]:
    low, high = stats.binom.interval(0.999, replicates, share)
    return float(low) / replicates, float(high) / replicates


def size(test: str, values: FloatArray, clusters: Any = None, alpha: float = ALPHA) -> float:
    """The share of replicates `(replicate, item)` of differences on which a test rejects."""
    procedure = TESTS.parse(test)
    pair = Pair(np.zeros_like(values)[..., None, None], values[..., None, None], clusters)
    outcome = procedure.apply(procedure.needs.of(pair, METRICS.parse("mean")), stream(11))
    return float(rejects(outcome.pvalue, alpha).mean())


@pytest.mark.parametrize("test", ["paired_t", "permutation", "wilcoxon", "wilcoxon(method=corrected)", "sign"])
@pytest.mark.parametrize("items", [8, 20, 60])
def test_normal_differences_keep_the_level(test: str, items: int) -> None:
    """Symmetric differences: every one of these tests rejects a true null at most 5 % of the time."""
    values = np.random.default_rng(items).normal(size=(8_000, items))
    assert size(test, values) <= band(ALPHA, 8_000)[1]


@pytest.mark.parametrize("test", ["permutation", "wilcoxon", "sign"])
def test_ties_and_zeros_keep_the_level(test: str) -> None:
    """Five-point ratings with many ties and zeros, symmetric about zero."""
    values = np.random.default_rng(5).choice(
        [-2.0, -1.0, 0.0, 1.0, 2.0], p=[0.05, 0.15, 0.6, 0.15, 0.05], size=(4_000, 40)
    )
    assert size(test, values) <= band(ALPHA, 4_000)[1]


@pytest.mark.parametrize("test", ["bootstrap(kind=studentised, resamples=199)", "bootstrap(kind=bca, resamples=199)"])
def test_bootstrap_tests_keep_the_level_at_sixty_items(test: str) -> None:
    """Second-order methods on normal differences, with the allowance of a percent that their theory leaves at n = 60."""
    values = np.random.default_rng(6).normal(size=(2_000, 60))
    assert size(test, values) <= band(ALPHA + 0.012, 2_000)[1]


@pytest.mark.parametrize(
    ("test", "items", "published"),
    [
        ("paired_t", 50, 0.072),
        ("paired_t", 500, 0.065),
        ("wilcoxon(method=asymptotic)", 50, 0.21),
        ("wilcoxon(method=asymptotic)", 500, 0.94),
    ],
)
def test_skew_is_a_known_limit(test: str, items: int, published: float) -> None:
    """Mean-zero exponential differences: the t test is a little liberal, Wilcoxon tests something else altogether."""
    replicates = 4_000
    values = np.random.default_rng(7).exponential(size=(replicates, items)) - 1.0
    found = size(test, values)
    # The published rates come from a few thousand replicates of their own: their noise is allowed beside ours.
    reach = 3.3 * np.sqrt(2.0 * published * (1.0 - published) / 2_000)
    assert abs(found - published) <= reach


def exact_size(variant: str, items: int, discordance: float) -> float:
    """McNemar's size by enumeration of every table with equal chances of winning and losing."""
    wins, losses = np.meshgrid(np.arange(items + 1), np.arange(items + 1), indexing="ij")
    inside = wins + losses <= items
    wins, losses = wins[inside], losses[inside]
    chance = np.asarray(
        stats.multinomial.pmf(
            np.stack([wins, losses, items - wins - losses], axis=-1),
            items,
            [discordance / 2, discordance / 2, 1 - discordance],
        )
    )
    zero = np.zeros_like(wins)
    outcome = TESTS.parse(f"mcnemar(variant={variant})").apply(
        Discordance(zero, wins, losses, items - wins - losses), stream(0)
    )
    return float(chance[rejects(outcome.pvalue, ALPHA)].sum())


@pytest.mark.parametrize(
    ("variant", "items", "discordance", "published"),
    [
        ("exact", 100, 0.1, 0.022),
        ("mid_p", 100, 0.1, 0.041),
        ("asymptotic", 100, 0.1, 0.043),
        ("exact", 164, 0.15, 0.030),
        ("mid_p", 164, 0.15, 0.045),
        ("asymptotic", 164, 0.15, 0.053),
        ("mid_p", 50, 1.0, 0.065),
        ("mid_p", 100, 1.0, 0.057),
    ],
)
def test_mcnemar_sizes_by_enumeration(variant: str, items: int, discordance: float, published: float) -> None:
    """Exact is conservative, mid-p keeps its level but for the corner where all items differ; no simulation needed."""
    assert exact_size(variant, items, discordance) == pytest.approx(published, abs=6e-4)


@pytest.mark.parametrize("items", [30, 60])
@pytest.mark.parametrize("discordance", [0.1, 0.3, 0.6, 0.9])
def test_unconditional_never_exceeds_its_level(items: int, discordance: float) -> None:
    """The worst case over the share of discordant items is at most alpha by construction."""
    assert exact_size("unconditional", items, discordance) <= ALPHA + 1e-9


def clustered(groups: int, replicates: int, icc: float = 0.3, per_group: int = 10) -> tuple[FloatArray, Any]:
    rng = np.random.default_rng(groups)
    common = np.repeat(rng.normal(size=(replicates, groups)), per_group, axis=1)
    values = np.sqrt(icc) * common + np.sqrt(1.0 - icc) * rng.normal(size=(replicates, groups * per_group))
    return values, np.repeat(np.arange(groups), per_group)


@pytest.mark.parametrize("groups", [8, 20])
@pytest.mark.parametrize("test", ["cluster_t(variance=cr1)", "cluster_t(variance=cr2)", "cluster_sign_flip"])
def test_cluster_tests_keep_the_level(test: str, groups: int) -> None:
    """Ten items a cluster, intra-cluster correlation 0.3."""
    values, codes = clustered(groups, 4_000)
    assert size(test, values, codes) <= band(ALPHA, 4_000)[1]


@pytest.mark.parametrize(("groups", "published"), [(8, 0.323), (20, 0.311)])
def test_ignoring_clusters_is_seen_to_fail(groups: int, published: float) -> None:
    """Negative control: the plain t test rejects a true null every third time."""
    values, _ = clustered(groups, 4_000)
    low, high = band(published, 4_000)
    # The published rate is of a z test; t is a little lower at 80 items.
    assert low - 0.01 <= size("paired_t", values) <= high


def test_percentile_cluster_bootstrap_is_seen_to_fail_at_eight_clusters() -> None:
    """Negative control: about 13 % false alarms, which is why it is never chosen."""
    values, codes = clustered(8, 1_500)
    found = size("bootstrap(kind=percentile, resamples=399)", values, codes)
    low, high = band(0.129, 1_500)
    assert low <= found <= high
    assert found > band(ALPHA, 1_500)[1]


def test_a_liberal_test_would_be_caught() -> None:
    """Negative control of this file: a z test on 8 items is found out by the same band."""
    values = np.random.default_rng(8).normal(size=(8_000, 8))
    sample = Differences(values)
    z = np.sqrt(8) * sample.effect / values.std(axis=-1, ddof=1)
    assert float((2 * stats.norm.sf(np.abs(z)) <= ALPHA).mean()) > band(ALPHA, 8_000)[1]
