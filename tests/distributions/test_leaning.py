"""How differences lean, and what that does to a t test."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.arrays import FloatArray
from tellapart.distributions.leaning import leaning, one_sided_size


def quantiles(law: Any, n: int) -> FloatArray:
    """A sample without chance: the law at evenly spread probabilities."""
    return np.asarray(law.ppf((np.arange(n) + 0.5) / n))


def test_the_size_is_the_edgeworth_expansion() -> None:
    """Against the two-sided expansion written out with skewness and kurtosis from scipy. Hall (1992), section 2.6."""
    values = quantiles(stats.gamma(2.0), 200)
    g, k, z = stats.skew(values), stats.kurtosis(values), stats.norm.ppf(0.975)
    polynomial = z * (k / 12.0 * (z**2 - 3.0) - g**2 / 18.0 * (z**4 + 2.0 * z**2 - 3.0))
    assert leaning(values).size == pytest.approx(
        0.05 - 2.0 / 200 * polynomial * stats.norm.pdf(z), rel=1e-9, abs=0.0
    )


def test_simulated_sizes_follow_it() -> None:
    """Gamma differences with 40 items: what a t test really rejects is nearer to this than to its level."""
    rng, n = np.random.default_rng(0), 40
    draws = rng.gamma(1.5, 1.0, (40_000, n)) - 1.5
    rejected = float(np.mean(stats.ttest_1samp(draws, 0.0, axis=1).pvalue <= 0.05))
    expected = float(leaning(quantiles(stats.gamma(1.5), 100_000)).size)
    predicted = 0.05 + (expected - 0.05) * 100_000 / n
    assert abs(predicted - rejected) < abs(0.05 - rejected)


@pytest.mark.parametrize(
    ("values", "acted_on"),
    [
        (quantiles(stats.norm(), 60), False),
        (quantiles(stats.t(3), 60), False),
        (quantiles(stats.lognorm(1.0), 60), True),
        (np.r_[np.full(55, 0.1) + 1e-3 * np.arange(55), np.full(5, -1.0)], True),
        (np.r_[quantiles(stats.norm(), 59), 4.0], False),
        (np.r_[quantiles(stats.norm(), 59), 7.0], False),
        (np.r_[np.full(59, 0.1) + 1e-3 * np.arange(59), -5.0], True),
        (np.zeros(60), False),
        (np.array([1.0, 2.0]), False),
        (np.array([3.0]), False),
    ],
)
def test_what_is_acted_on(values: FloatArray, acted_on: bool) -> None:
    """Skew and rare losses are; symmetric tails and one moderate outlier are not; nothing varies: nothing leans."""
    assert bool(leaning(values).acted_on) == acted_on
    both = leaning(np.stack([values, -values]))
    assert both.acted_on.tolist() == [acted_on, acted_on]
    assert leaning(-values).size == pytest.approx(leaning(values).size, rel=1e-9, abs=0.0)


def test_what_does_not_vary_has_the_size_it_should() -> None:
    """Without spread there are no moments, and no excess of any."""
    assert leaning(np.zeros((3, 12))).size.tolist() == [0.05] * 3
    assert leaning(np.full((2, 90), 0.3)).size.tolist() == [0.05] * 2


def test_rows_are_judged_one_by_one() -> None:
    """A row that varies beside one that does not, and rows of unlike spread."""
    rows = np.stack([quantiles(stats.gamma(2.0), 40), np.zeros(40), 1e-6 * quantiles(stats.gamma(2.0), 40)])
    found = leaning(rows)
    assert found.size[1] == 0.05
    assert found.size[0] == pytest.approx(float(leaning(rows[0]).size), rel=1e-12, abs=0.0)
    assert found.size[2] == pytest.approx(found.size[0], rel=1e-9, abs=0.0)
    assert found.acted_on.tolist() == [bool(leaning(row).acted_on) for row in rows]


def test_sizes_stay_between_the_level_and_one() -> None:
    """Light tails without skew would be below the level, and two items with one far off beyond all bounds."""
    assert leaning(np.r_[np.zeros(9), 1.0] * 1e3).size <= 1.0
    assert leaning(np.r_[np.zeros(400), 1.0]).size <= 1.0
    flat = np.linspace(-1.0, 1.0, 50)
    assert leaning(flat).size >= 0.05
    heavy = quantiles(stats.t(2.1), 20)
    assert leaning(heavy).size == 0.05


@pytest.mark.parametrize("shape", [0.5, 0.55, 0.6, 0.65, 0.7, 0.8])
@pytest.mark.parametrize("items", [15, 30, 80])
def test_what_is_acted_on_by_definition(shape: float, items: int) -> None:
    """A size above 0.06 with a skewness of 1.2 standard errors, the error from the sample, or a size above 0.12."""
    values = quantiles(stats.lognorm(shape), items)
    z = (values - values.mean()) / values.std()
    error = np.sqrt(np.mean((z**3 - 3.0 * z) ** 2) / items)
    found = leaning(values)
    clear = found.size > 0.06 and abs(stats.skew(values)) > 1.2 * error
    assert bool(found.acted_on) == bool(clear or found.size > 0.12)


def test_the_one_sided_size_is_the_edgeworth_expansion() -> None:
    """Against the expansion written out with scipy's skewness; the other side is as much too seldom. Hall (1992), section 2.6."""
    rows = np.stack([quantiles(stats.gamma(2.0), 90), quantiles(stats.norm(), 90), np.full(90, 0.3)])
    z = stats.norm.ppf(0.95)
    skewness = np.array([stats.skew(rows[0]), stats.skew(rows[1]), 0.0])
    expected = 0.05 - stats.norm.pdf(z) * skewness * (2.0 * z**2 + 1.0) / (6.0 * np.sqrt(90.0))
    np.testing.assert_allclose(one_sided_size(rows), expected, rtol=1e-9)
    np.testing.assert_allclose(one_sided_size(-rows), 0.1 - expected, rtol=1e-9)
    assert float(one_sided_size(1e-6 * rows[0])) == pytest.approx(expected[0], rel=1e-9, abs=0.0)


def test_simulated_one_sided_sizes_follow_it() -> None:
    """Differences with rare large losses: how often a t test shows a mean above that is not is nearer to this than to its level."""
    rng, n = np.random.default_rng(1), 60
    draws = 2.0 - rng.gamma(2.0, 1.0, (20_000, n))
    rejected = float(np.mean(stats.ttest_1samp(draws, 0.0, axis=1, alternative="greater").pvalue <= 0.05))
    whole = float(one_sided_size(2.0 - quantiles(stats.gamma(2.0), 100_000)))
    predicted = 0.05 + (whole - 0.05) * np.sqrt(100_000 / n)
    assert abs(predicted - rejected) < abs(0.05 - rejected)


def test_units_of_unlike_sizes_are_fewer() -> None:
    """Of half the evenness, what is beyond the level is twice as much."""
    values = np.random.default_rng(6).exponential(size=(3, 60))
    assert leaning(values, 0.5).size - 0.05 == pytest.approx(2.0 * (leaning(values).size - 0.05))


def test_no_size_is_more_than_always() -> None:
    """Of units as uneven as this the expansion says more than one."""
    values = np.append(np.zeros(29), 1.0)
    assert float(leaning(values).size) < 1.0
    assert float(leaning(values, evenness=0.02).size) == 1.0
