"""Standard errors of clustered means, against the matrices they are short for."""

from typing import get_args

import numpy as np
import pytest
from scipy import linalg

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import TooFew
from tellapart.numerics.moments import (
    Variance,
    cluster_error,
    cluster_sizes,
    cluster_sums,
    cluster_weights,
    degrees_of_freedom,
)

CODES = {
    "equal": np.repeat(np.arange(6), 5),
    "unequal": np.repeat(np.arange(5), [1, 2, 3, 9, 14]),
    "two": np.repeat(np.arange(2), [3, 8]),
    "mixed order": np.array([2, 0, 1, 0, 2, 2, 1, 3, 0, 2]),
}


def sandwich(values: FloatArray, codes: IntArray, variance: Variance) -> tuple[float, float]:
    """The variance of a mean and its degrees of freedom by matrices: a regression on a constant, clusters as blocks."""
    n = len(values)
    design = np.ones((n, 1))
    hat = design @ np.linalg.inv(design.T @ design) @ design.T
    members = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    residuals = (np.eye(n) - hat) @ values
    total, rows = 0.0, []
    for here in members:
        adjust = np.eye(len(here))
        if variance == "cr2":
            adjust = np.real(linalg.fractional_matrix_power(np.eye(len(here)) - hat[np.ix_(here, here)], -0.5))
        weights = adjust @ np.ones(len(here)) / n
        total += float(weights @ residuals[here]) ** 2
        rows.append(weights @ (np.eye(n) - hat)[here])
    if variance == "cr1":
        return total * len(members) / (len(members) - 1.0), len(members) - 1.0
    gram = np.array(rows) @ np.array(rows).T
    return total, float(np.trace(gram) ** 2 / np.sum(gram**2))


@pytest.mark.parametrize("variance", ["cr1", "cr2"])
@pytest.mark.parametrize("kind", CODES)
def test_errors_are_the_sandwich(kind: str, variance: Variance) -> None:
    """Mean, standard error and degrees of freedom are those of the regression's sandwich, for a whole batch."""
    codes = CODES[kind]
    values = np.random.default_rng(len(codes)).normal(2.0, 1.0, size=(3, 2, len(codes)))
    mean, error, df = cluster_error(values, codes, variance)
    for place in np.ndindex(3, 2):
        square, freedom = sandwich(values[place], codes, variance)
        assert float(mean[place]) == pytest.approx(values[place].mean(), rel=1e-14, abs=0.0)
        assert float(error[place]) == pytest.approx(np.sqrt(square), rel=1e-10, abs=0.0)
        assert float(df[place]) == pytest.approx(freedom, rel=1e-9, abs=0.0)


def test_clusters_of_one_are_the_usual_error() -> None:
    """With one item per cluster the error is the standard deviation over √n."""
    values = np.random.default_rng(1).normal(size=20)
    for variance in ("cr1", "cr2"):
        _, error, df = cluster_error(values, np.arange(20), variance)
        assert float(error) == pytest.approx(values.std(ddof=1) / np.sqrt(20), rel=1e-12, abs=0.0)
        assert float(df) == pytest.approx(19.0)


def test_sums_are_in_order_of_code() -> None:
    """Sums within clusters, whatever order the items come in."""
    codes = CODES["mixed order"]
    values = np.random.default_rng(2).normal(size=(4, len(codes)))
    expected = np.stack([values[:, codes == code].sum(axis=1) for code in range(4)], axis=1)
    np.testing.assert_allclose(cluster_sums(values, codes), expected, rtol=1e-13)


def test_float_noise_is_no_spread() -> None:
    """Residuals that cancel up to rounding have no error; `scale` says how large the scores were they came from."""
    codes = np.array([0, 0, 1, 1])
    alike = np.array([0.1, 0.3, 0.3, 0.1]) + np.array([0.0, 0.0, 1e-17, -1e-17])
    assert float(cluster_error(alike, codes, "cr1")[1]) == 0.0
    small = np.array([1e-13, 1e-13, -1e-13, -1e-13])
    assert float(cluster_error(small, codes, "cr1")[1]) > 0.0
    assert float(cluster_error(small, codes, "cr1", scale=100.0)[1]) == 0.0


def test_one_cluster_is_refused() -> None:
    """A single cluster shows no variation between clusters."""
    with pytest.raises(TooFew, match="all 3 items are in one cluster"):
        cluster_error(np.ones(3), np.zeros(3, dtype=np.int64), "cr1")


ROWS = np.array([[1.0, 2.0, 3.0, 9.0], [4.0, 0.0, 4.0, 4.0], [0.0, 5.0, 0.0, 0.0], [7.0, 7.0, 0.0, 0.0]])
"""Items by row and cluster: all there, one absent, one alone, two."""


def test_weights_of_many_rows() -> None:
    """G/(G − 1) of the clusters that are there, or N/(N − n) of each; one cluster alone counts 0, an absent one for nothing."""
    simple = cluster_weights(ROWS, "cr1")
    np.testing.assert_allclose(simple, np.repeat([[4.0 / 3.0], [1.5], [0.0], [2.0]], 4, axis=1), rtol=1e-14)
    expected = [
        [15.0 / 14.0, 15.0 / 13.0, 15.0 / 12.0, 15.0 / 6.0],
        [1.5, 1.0, 1.5, 1.5],
        [1.0, 0.0, 1.0, 1.0],
        [2.0, 2.0, 1.0, 1.0],
    ]
    np.testing.assert_allclose(cluster_weights(ROWS, "cr2"), expected, rtol=1e-14)
    for row in ROWS:
        for variance in get_args(Variance):
            np.testing.assert_array_equal(cluster_weights(row, variance), cluster_weights(row[np.newaxis], variance)[0])


def test_freedom_of_many_rows() -> None:
    """One less than the clusters that are there, or Satterthwaite's by matrices; never below one."""
    assert degrees_of_freedom(ROWS, "cr1").tolist() == [3.0, 2.0, 1.0, 1.0]
    found = degrees_of_freedom(ROWS, "cr2")
    for row, df in zip(ROWS[[0, 1, 3]], found[[0, 1, 3]], strict=True):
        codes = np.repeat(np.arange(4), row.astype(int))
        assert df == pytest.approx(sandwich(np.ones(len(codes)), codes, "cr2")[1], rel=1e-9, abs=0.0)
    assert found[2] == 1.0


def test_codes_may_begin_anywhere() -> None:
    """Clusters that a pair of systems does not share leave the codes of the others as they were."""
    assert cluster_sums(np.arange(4.0), np.array([1, 1, 3, 1])).tolist() == [4.0, 2.0]


@pytest.mark.parametrize("unit", [1e-20, 1.0, 1e20])
def test_rounding_is_judged_by_the_values(unit: float) -> None:
    """A residual of half the noise in each of eight items is none, one of twice the noise is; in any unit."""
    codes = np.repeat([0, 1], 8)
    sides = np.repeat([1.0, -1.0], 8)
    for off, spread in ((0.5e-14, False), (2e-14, True)):
        error = cluster_error(unit * (1.0 + off * sides), codes, "cr1")[1]
        assert bool(error > 0.0) is spread


def test_codes_may_be_left_out() -> None:
    """Clusters of which no item is left have no size and no sum."""
    codes = np.array([5, 2, 0, 2])
    assert cluster_sizes(codes).tolist() == [1.0, 2.0, 1.0]
    assert cluster_sums(np.array([10.0, 1.0, 100.0, 2.0]), codes).tolist() == [100.0, 3.0, 10.0]
