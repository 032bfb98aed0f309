"""Student's t between clusters, moved by their skewness: Hall's transformation, its inverse, and how far skewness is followed."""

import numpy as np
import pytest
from scipy import special, stats

from tellapart.distributions.leaning_t import (
    EVENED,
    FARTHEST,
    MOST,
    leaning_quantiles,
    leaning_tails,
    moved,
    moved_back,
    skewness_of_mean,
    skewness_over_root,
)

SCORES = np.linspace(-12.0, 12.0, 241)
SKEWNESS = (-0.3, -0.05, -1e-12, 0.0, 1e-12, 0.2, 0.3)


@pytest.mark.parametrize("k", SKEWNESS)
def test_moved_and_back(k: float) -> None:
    """The inverse is one at every score, near and far, and no larger score is moved below a smaller one."""
    skewness = np.full_like(SCORES, k)
    there = moved(SCORES, skewness)
    assert moved_back(there, skewness) == pytest.approx(SCORES, abs=1e-9)
    assert (np.diff(there) > 0.0).all()


@pytest.mark.parametrize("k", [-0.3, 0.1])
def test_by_halls_formula(k: float) -> None:
    """{(1 + kz/3)³ − 1}/k + k/6 near zero; beyond three all are moved as three is."""
    near = SCORES[np.abs(SCORES) <= FARTHEST]
    assert moved(near, np.full_like(near, k)) == pytest.approx(((1 + k * near / 3) ** 3 - 1) / k + k / 6)
    ends = moved(np.array([FARTHEST, 10.0]), np.full(2, k))
    assert ends[1] - ends[0] == pytest.approx(10.0 - FARTHEST)


def test_without_skewness_it_is_students() -> None:
    t, df = np.array([-40.0, -2.0, 0.0, 1.5, np.inf]), np.full(5, 7.0)
    lower, upper = leaning_tails(t, df, np.zeros(5))
    assert lower == pytest.approx(stats.t.cdf(t, 7), rel=1e-12, abs=0.0)
    assert upper == pytest.approx(stats.t.sf(t, 7), rel=1e-12, abs=0.0)


@pytest.mark.parametrize("k", [-0.3, -0.1, 0.0, 0.25])
@pytest.mark.parametrize("quantile", [0.3, 1.96, 3.5])
def test_quantiles_are_where_tails_are(k: float, quantile: float) -> None:
    """At the t of a quantile the tail is that of the quantile, and neither is ever bolder than Student's."""
    df, skewness = np.array([4.2]), np.array([k])
    above, below = leaning_quantiles(quantile, df, skewness)
    tail = special.ndtr(-quantile)
    assert leaning_tails(above, df, skewness)[1] == pytest.approx(tail, rel=1e-9, abs=0.0)
    assert leaning_tails(below, df, skewness)[0] == pytest.approx(tail, rel=1e-9, abs=0.0)
    assert min(above, -below) >= stats.t.isf(tail, 4.2) * (1.0 - 1e-12)


def test_skewness_of_sums_by_definition() -> None:
    """Of deviations summed by cluster over size^0.75: the sample skewness with its correction, over the root of the clusters."""
    rng = np.random.default_rng(4)
    sizes = np.array([1, 2, 2, 3, 5, 5, 8, 9, 12, 20, 21, 40])
    codes, values = np.repeat(np.arange(12), sizes), rng.normal(0.5, 1.0, sizes.sum())
    sums = np.array([(values[codes == g] - values.mean()).sum() for g in range(12)])
    expected = stats.skew(sums / sizes**EVENED, bias=False) / np.sqrt(12)
    assert abs(expected) < MOST
    assert skewness_of_mean(values, codes) == pytest.approx(expected, rel=1e-12, abs=0.0)
    assert skewness_of_mean(-values * 1e150, codes) == pytest.approx(-expected, rel=1e-9, abs=0.0)


@pytest.mark.parametrize("units", [3, 4, 12])
def test_skewness_by_scipy(units: int) -> None:
    """Corrected for how few units there are, over the root of their number; places without a unit count for nothing."""
    values = np.random.default_rng(1).normal(size=units)
    deviations = np.append(values - values.mean(), np.zeros(5))
    expected = stats.skew(values, bias=False) / np.sqrt(units)
    assert skewness_over_root(deviations, np.array(units)) == pytest.approx(expected, rel=1e-12, abs=0.0)


@pytest.mark.parametrize(("clusters", "most"), [(9, 0.2), (10, 0.3)])
def test_it_is_followed_so_far(clusters: int, most: float) -> None:
    """One cluster far out is as skewed as can be."""
    values = np.array([[0.0] * (clusters - 1) + [1.0], [0.0] * (clusters - 1) + [-1.0]])
    assert skewness_of_mean(values, np.arange(clusters)).tolist() == [most, -most]


@pytest.mark.parametrize("clusters", [2, 3, 8])
def test_nothing_leans_where_nothing_varies_or_two_do(clusters: int) -> None:
    """Equal differences have no skewness, and neither have two clusters."""
    assert skewness_of_mean(np.full(clusters, 0.1), np.arange(clusters)) == 0.0
    assert skewness_of_mean(np.array([0.0, 1.0]), np.arange(2)) == 0.0
