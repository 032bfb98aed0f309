"""pass@k, pass^k and majority@k of n samples, held against reference values and all ways to draw k."""

import math
from itertools import combinations

import numpy as np
import pytest
from tests.numerics.frontier import rows

from tellapart.numerics.k_samples import RunSummary, all_right, any_right, majority_right
from tellapart.numerics.solve_rates import SolveRates


@pytest.mark.parametrize("row", rows("pass_at_k"), ids=lambda r: f"{r['samples']}-{r['right']}-{r['k']}")
def test_reference_values(row: dict[str, str]) -> None:
    n, c, k = np.array(int(row["samples"])), np.array(int(row["right"])), int(row["k"])
    found = [float(of(c, n, k)) for of in (any_right, all_right, majority_right)]
    expected = [float(row[name]) for name in ("pass_at_k", "pass_hat_k", "majority_at_k")]
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_every_way_to_draw() -> None:
    """Shares of all subsets: an even number half right counts half."""
    for n in range(1, 8):
        for c in range(n + 1):
            right = [1] * c + [0] * (n - c)
            for k in range(1, n + 1):
                drawn = [sum(some) for some in combinations(right, k)]
                shares = (
                    np.mean([one > 0 for one in drawn]),
                    np.mean([one == k for one in drawn]),
                    np.mean([(2 * one > k) + 0.5 * (2 * one == k) for one in drawn]),
                )
                counts = np.array(c), np.array(n), k
                found = [float(of(*counts)) for of in (any_right, all_right, majority_right)]
                assert found == pytest.approx(shares, rel=1e-12, abs=1e-13)


def test_one_sample_is_the_mean() -> None:
    counts = np.arange(6), np.full(6, 5)
    for of in (any_right, all_right, majority_right):
        assert of(*counts, 1) == pytest.approx(np.arange(6) / 5.0, rel=1e-12, abs=0.0)


@pytest.mark.parametrize(
    "row",
    rows("pass_at_k_spread"),
    ids=lambda r: f"{r['accuracy']}-{r['icc']}-{r['samples']}-{r['estimator'].replace('k', r['k'])}",
)
def test_spread_over_items_with_beta_solve_rates(row: dict[str, str]) -> None:
    summary = RunSummary.parse(row["estimator"].replace("k", row["k"]))
    mean, variance = SolveRates(float(row["accuracy"]), float(row["icc"])).moments(summary, int(row["samples"]))
    assert mean == pytest.approx(float(row["mean"]), rel=1e-9, abs=1e-12)
    assert math.sqrt(variance) == pytest.approx(float(row["sd_over_items"]), rel=1e-9, abs=1e-12)
