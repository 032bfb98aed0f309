"""The cluster t test against the regression with cluster-robust errors of statsmodels, and CR2 by its definition."""

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from tellapart.data.summaries import Differences
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS

SIZES = [[3, 3, 3, 3], [1, 2, 9, 4, 4], [30, 1, 1, 1, 2, 2]]


def data(sizes: list[int]) -> tuple[Any, Any]:
    rng = np.random.default_rng(len(sizes))
    codes = np.repeat(np.arange(len(sizes)), sizes)
    return 0.4 + rng.normal(size=len(codes)) + rng.normal(size=len(sizes))[codes], codes


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("sizes", SIZES)
def test_cr1_as_in_statsmodels(sizes: list[int], alternative: str) -> None:
    """The intercept of a regression on nothing: t with as many degrees of freedom as clusters less one."""
    values, codes = data(sizes)
    fit = sm.OLS(values, np.ones((len(values), 1))).fit(cov_type="cluster", cov_kwds={"groups": codes})
    # statsmodels also multiplies by (n − 1)/(n − 1), which is 1 for an intercept alone.
    t = float(fit.params[0] / fit.bse[0])
    df = len(sizes) - 1
    expected = {
        "two-sided": 2.0 * stats.t.sf(abs(t), df),
        "less": stats.t.cdf(t, df),
        "greater": stats.t.sf(t, df),
    }
    test = TESTS.parse(f"cluster_t(variance=cr1, alternative={alternative})")
    found = test.apply(Differences(values, codes), stream(0))
    assert float(found.statistic) == pytest.approx(t, rel=1e-9, abs=0.0)
    assert float(found.pvalue) == pytest.approx(expected[alternative], rel=1e-9, abs=0.0)
    assert found.method == "cluster-robust variance (CR1) and Student's t distribution"
    assert (float(found.direction), float(found.error)) == (np.sign(values.mean()), 0.0)


@pytest.mark.parametrize("sizes", SIZES)
def test_cr2_by_its_matrices(sizes: list[int]) -> None:
    """Residuals of a cluster are divided by √(1 − its share of items); Satterthwaite's df of that variance."""
    values, codes = data(sizes)
    n, shares = len(values), np.array(sizes) / len(values)
    residual_sums = np.bincount(codes, values - values.mean())
    variance = float((residual_sums**2 / (1.0 - shares)).sum()) / n**2
    centre = np.eye(n) - 1.0 / n
    rows = [(codes == g).astype(float) / np.sqrt(1.0 - shares[g]) @ centre / n for g in range(len(sizes))]
    gram = np.array(rows) @ np.array(rows).T
    df = np.trace(gram) ** 2 / (gram**2).sum()
    t = values.mean() / np.sqrt(variance)
    found = TESTS.parse("cluster_t(variance=cr2)").apply(Differences(values, codes), stream(0))
    assert float(found.statistic) == pytest.approx(t, rel=1e-9, abs=0.0)
    assert float(found.pvalue) == pytest.approx(2.0 * stats.t.sf(abs(t), df), rel=1e-8, abs=0.0)
    assert "(CR2)" in found.method


def test_clusters_are_asked_for() -> None:
    """Without clusters it says which option names them."""
    assert TESTS.parse("cluster_t").needs_clusters
    with pytest.raises(Unsuitable, match="belong together"):
        TESTS.parse("cluster_t").apply(Differences(np.arange(5.0)), stream(0))
