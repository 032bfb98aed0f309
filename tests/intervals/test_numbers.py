"""Intervals for differences of numbers, against R, statsmodels and scipy."""

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep

from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences, Independent, Proportion, SeparateCounts
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import TooFew, Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.intervals.interval import Bounds
from tellapart.metrics import METRICS
from tellapart.numerics.moments import cluster_error
from tellapart.numerics.null_laws import signed_rank_law, walsh_averages

QUANTITIES = ("t_ci95_low", "t_ci95_high", "hl_ci95_low_walsh", "hl_ci95_high_walsh", "hodges_lehmann_all")


def many(name: str, sample: Any, level: float = 0.95) -> Bounds:
    return INTERVALS.parse(name).interval(sample, level, stream(0))


def bounds(name: str, sample: Any, level: float = 0.95) -> tuple[float, float]:
    low, high = many(name, sample, level)
    return float(low), float(high)


def separate(*counted: tuple[int, int]) -> SeparateCounts:
    """Right answers out of items of A and of B."""
    return SeparateCounts(*(Proportion(np.asarray(right), np.asarray(items)) for right, items in counted))


def error_of(values: FloatArray, codes: IntArray, variance: Any) -> tuple[float, float, float]:
    mean, error, df = cluster_error(values, codes, variance)
    return float(mean), float(error), float(df)


@pytest.fixture(scope="module")
def datasets(reference: Any) -> dict[str, Differences]:
    """The reference differences: theirs are A − B, so their B stands first here."""
    rows = reference("datasets.csv")
    names = dict.fromkeys(row["dataset"] for row in rows)
    columns = {
        name: [np.array([float(row[key]) for row in rows if row["dataset"] == name]) for key in ("score_b", "score_a")]
        for name in names
    }
    return {name: Differences.between(*pair) for name, pair in columns.items()}


def pseudo_median(values: FloatArray) -> float:
    """The median of all Walsh averages: the centre that the interval of Hodges and Lehmann is about."""
    total = walsh_averages.averages(len(values))
    low, high = walsh_averages.order_statistics(values, ((total + 1) // 2, total // 2 + 1))
    return float(low + high) / 2.0


def quantities(sample: Differences) -> dict[str, float]:
    (t_low, t_high), (low, high) = bounds("student_t", sample), bounds("hodges_lehmann", sample)
    return dict(
        zip(
            QUANTITIES,
            (t_low, t_high, low, high, pseudo_median(sample.snapped)),
            strict=True,
        )
    )


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_as_in_r(quantity: str, datasets: dict[str, Differences], reference: Any) -> None:
    """Student and Hodges–Lehmann bounds and the pseudo-median are those of R; NA stands for constant differences."""
    rows = [row for row in reference("tests_on_data.csv") if row["quantity"] == quantity]
    assert len(rows) == 17
    for row in rows:
        sample = datasets[row["dataset"]]
        found = quantities(sample)[quantity]
        expected = float(sample.values[0]) if row["value"] == "NA" else float(row["value"])
        if sample.items < 6 and quantity.startswith("hl_ci95"):
            # No rank of so few reaches 95 %: R gives the whole range at a level that is lower.
            assert np.isinf(found)
            continue
        assert expected == pytest.approx(found, rel=1e-9, abs=1e-12), row


@pytest.mark.parametrize("items", [1, 2, 3, 5, 6, 9, 12])
def test_signed_rank_quantile_by_enumeration(items: int) -> None:
    """The quantile is the smallest sum of positive ranks that exceeds the probability, over all sign patterns."""
    signs = (np.arange(2**items)[:, np.newaxis] >> np.arange(items)) & 1
    sums = np.sort(signs @ np.arange(1, items + 1))
    for probability in (0.00005, 0.005, 0.025, 0.05, 0.1, 0.25, 2.0**-items, 0.5):
        expected = sums[int(np.floor(probability * len(sums)))]
        assert expected == signed_rank_law.signed_rank_quantile(probability, items)


@pytest.mark.parametrize("probability", [0.00005, 0.005, 0.025, 0.1, 0.25])
def test_signed_rank_approximation_meets_the_exact_law(probability: float) -> None:
    """Where the approximation takes over it is within one rank of 22,575 of the exact quantile."""
    items = signed_rank_law.EXACT_RANKS
    exact = signed_rank_law.signed_rank_quantile(probability, items)
    assert abs(signed_rank_law._signed_rank_approximation(probability, items) - exact) <= 1


@pytest.mark.parametrize("digits", [1, 15])
def test_counting_finds_what_writing_out_finds(digits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to an order statistic give the same number up to the last bit, with and without ties."""
    values = np.random.default_rng(4).normal(size=(3, 2, 90)).round(digits)
    ranks = (signed_rank_law.signed_rank_quantile(0.025, 90), walsh_averages.averages(90) // 2)
    written = walsh_averages.order_statistics(values, ranks)
    monkeypatch.setattr(walsh_averages, "MOST_ITEMS_WRITTEN_OUT", 1)
    counted = walsh_averages.order_statistics(values, ranks)
    np.testing.assert_allclose(np.stack(written), np.stack(counted), rtol=1e-14, atol=1e-16)
    assert written[0].shape == (3, 2)


def test_hodges_lehmann_of_many_items() -> None:
    """Three thousand items hold the true centre in a tight interval, without four million averages in memory."""
    values = np.random.default_rng(5).normal(loc=0.25, size=3_000)
    low, high = bounds("hodges_lehmann", Differences(values))
    centre = pseudo_median(values)
    assert low < centre < high
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(np.pi / 3 / 3_000), rel=0.05, abs=0.0)


def clustered(sizes: list[int], seed: int = 0) -> tuple[FloatArray, IntArray]:
    """Differences with a common part per cluster, in shuffled order, and their cluster codes."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    return rng.normal(size=len(sizes))[codes] + rng.normal(size=len(codes)) + 0.3, codes


@pytest.mark.parametrize("sizes", [[4] * 6, [1, 2, 3, 9, 20, 1, 1]])
def test_cr1_as_in_statsmodels(sizes: list[int]) -> None:
    """Mean, standard error and t(G − 1) bounds are those of a cluster-robust regression on a constant."""
    values, codes = clustered(sizes)
    fit = sm.OLS(values, np.ones_like(values)).fit(
        cov_type="cluster", cov_kwds={"groups": codes, "df_correction": True}, use_t=True
    )
    mean, error, df = error_of(values, codes, "cr1")
    assert (float(fit.params[0]), float(fit.bse[0])) == pytest.approx((mean, error), rel=1e-12, abs=0.0)
    assert df == len(sizes) - 1
    assert tuple(fit.conf_int(0.05)[0]) == pytest.approx(
        bounds("cluster_t(variance=cr1)", Differences(values, codes)), rel=1e-10, abs=0.0
    )


@pytest.mark.parametrize("sizes", [[4] * 6, [1, 2, 3, 9, 20, 1, 1], [5, 1]])
def test_cr2_by_its_matrices(sizes: list[int]) -> None:
    """CR2 and its Satterthwaite df equal the definition with explicit hat matrices (Bell & McCaffrey 2002)."""
    values, codes = clustered(sizes)
    n = len(values)
    annihilator = np.eye(n) - np.ones((n, n)) / n
    residuals, columns, squares = annihilator @ values, [], 0.0
    for g in range(len(sizes)):
        own = codes == g
        eigenvalues, vectors = np.linalg.eigh(annihilator[np.ix_(own, own)])
        root = vectors @ np.diag(eigenvalues**-0.5) @ vectors.T
        squares += float((root @ residuals[own]).sum()) ** 2 / n**2
        columns.append(annihilator[:, own] @ root @ np.ones(own.sum()) / n)
    gram = np.array(columns) @ np.array(columns).T
    expected = values.mean(), np.sqrt(squares), np.trace(gram) ** 2 / (gram**2).sum()
    assert expected == pytest.approx(error_of(values, codes, "cr2"), rel=1e-9, abs=0.0)


def test_equal_clusters_make_cr2_and_cr1_one() -> None:
    """With clusters of one size both variances and both degrees of freedom are the same."""
    values, codes = clustered([5] * 8)
    assert error_of(values, codes, "cr1") == pytest.approx(error_of(values, codes, "cr2"), rel=1e-12, abs=0.0)


def test_clusters_of_one_item_are_no_clusters() -> None:
    """Each item its own cluster: Student's interval."""
    values = np.random.default_rng(1).normal(size=(4, 15))
    for name in ("cluster_t(variance=cr1)", "cluster_t(variance=cr2)"):
        found = many(name, Differences(values, np.arange(15)))
        np.testing.assert_allclose(found, many("student_t", Differences(values)), rtol=1e-12)


def test_clusters_that_cancel_have_no_error() -> None:
    """Residual sums that are only float noise count as zero."""
    values = np.array([0.1, 0.2, 0.3, 0.3, 0.1, 0.2, 0.2, 0.3, 0.1])
    _, error, _ = error_of(values, np.repeat(np.arange(3), 3), "cr1")
    assert error == 0.0


def test_cluster_t_says_what_it_lacks() -> None:
    """Without clusters, or with one, the error says what to do."""
    values = np.arange(6.0)
    with pytest.raises(Unsuitable, match="belong together"):
        bounds("cluster_t(variance=cr1)", Differences(values))
    with pytest.raises(TooFew, match="one cluster"):
        bounds("cluster_t(variance=cr2)", Differences(values, np.zeros(6, dtype=np.int64)))


@pytest.mark.parametrize("level", [0.5, 0.95, 0.9999])
def test_welch_as_in_scipy(level: float) -> None:
    """Systems on different items: Welch's interval, B − A."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=9), 3.0 * rng.normal(size=23) + 1.0
    expected = stats.ttest_ind(b, a, equal_var=False).confidence_interval(level)
    assert (expected.low, expected.high) == pytest.approx(
        bounds("welch_t", Independent(a, b), level), rel=1e-9, abs=0.0
    )


@pytest.mark.parametrize(("right_a", "right_b"), [(3, 9), (0, 12), (0, 0), (8, 12)])
def test_newcombe_independent_as_in_statsmodels(right_a: int, right_b: int) -> None:
    """Two accuracies on different items: Newcombe's hybrid score interval."""
    expected = confint_proportions_2indep(right_b, 12, right_a, 8, method="newcomb", compare="diff", alpha=0.05)
    found = bounds("newcombe_independent", separate((right_a, 8), (right_b, 12)))
    assert expected == pytest.approx(found, rel=1e-9, abs=1e-12)


def test_newcombe_independent_needs_right_or_wrong() -> None:
    """Numbers are refused with the interval that takes them."""
    a, b = (np.array(x)[:, np.newaxis, np.newaxis] for x in ([0.0, 0.5], [1.0, 0.0]))
    with pytest.raises(Unsuitable, match="welch_t"):
        SeparateCounts.of(Pair(a, b), METRICS.parse("mean"))
