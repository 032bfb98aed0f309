"""Lines through simulated powers: against weighted least squares and the delta method written out."""

import math

import numpy as np
import pytest
from scipy import stats

from tellapart.planning.simulated_root import ProbitLine, information, probit_line
from tellapart.planning.study import PowerResult

X = np.array([3.0, 4.0, 5.5, 7.0])
POWERS = (0.31, 0.52, 0.71, 0.93)
REPLICATES = (400, 900, 900, 600)


def simulated(power: float, replicates: int) -> PowerResult:
    return PowerResult(power, power, power, "monte_carlo", replicates, None, None)


RESULTS = [simulated(p, r) for p, r in zip(POWERS, REPLICATES, strict=True)]


def test_information_is_one_over_the_variance_of_a_probit() -> None:
    """By simulation: probits of shares of rejections scatter by its root."""
    shares = np.random.default_rng(1).binomial(2000, 0.8, 100_000) / 2000
    scatter = float(stats.norm.ppf(shares).std())
    assert float(information(np.asarray(0.8), 2000)) == pytest.approx(1.0 / scatter**2, rel=0.02, abs=0.0)


def test_weighted_least_squares() -> None:
    """Intercept, slope and their covariance are those of numpy's fit with weights of one over the standard error."""
    line = probit_line(X, RESULTS)
    assert line is not None
    weights = [float(information(np.asarray(r.power), r.replicates or 0)) ** 0.5 for r in RESULTS]
    (slope, intercept), covariance = np.polyfit(X, stats.norm.ppf(POWERS), 1, w=weights, cov="unscaled")
    assert (line.intercept, line.slope) == pytest.approx((intercept, slope))
    assert line.covariance == pytest.approx((covariance[1, 1], covariance[0, 0], covariance[0, 1]))
    assert line.replicates == 900


def test_powers_of_0_and_1_are_on_no_line() -> None:
    """Their probits are infinite: the line goes through the others."""
    more = [simulated(0.0, 500), *RESULTS, simulated(1.0, 500)]
    assert probit_line(np.array([1.0, *X, 20.0]), more) == probit_line(X, RESULTS)


def test_where_there_is_no_line() -> None:
    """Fewer than two places inside (0, 1), or power that does not rise."""
    assert probit_line(np.array([1.0, 2.0]), [simulated(0.0, 9), simulated(0.4, 9)]) is None
    assert probit_line(np.array([2.0, 2.0]), [simulated(0.3, 9), simulated(0.4, 9)]) is None
    assert probit_line(np.array([1.0, 2.0]), [simulated(0.4, 9), simulated(0.3, 9)]) is None
    assert probit_line(np.array([1.0, 2.0]), [simulated(0.4, 9), simulated(0.4, 9)]) is None


def test_the_root_and_its_interval() -> None:
    """Where replicates are shared by all places, what one fewer leaves open at the root is the error of the root."""
    line = ProbitLine(-1.0, 0.5, (1e-9, 1e-9, 0.0), 2500)
    x, low, high = line.solve(0.8)
    wanted = float(stats.norm.ppf(0.8))
    error = math.sqrt(0.8 * 0.2 / 2500) / float(stats.norm.pdf(wanted)) / 0.5
    assert x == pytest.approx((wanted + 1.0) / 0.5)
    assert (low, high) == pytest.approx((x - 1.959964 * error, x + 1.959964 * error))


def test_far_from_its_points_the_slope_counts() -> None:
    """The variance of intercept + slope · x, covariance included, where that is the larger."""
    line = ProbitLine(-1.0, 0.5, (0.3, 0.02, -0.01), 10**9)
    x, low, high = line.solve(0.9)
    error = math.sqrt(0.3 + x * x * 0.02 - 2.0 * x * 0.01) / 0.5
    assert (low, high) == pytest.approx((max(x - 1.959964 * error, 0.0), x + 1.959964 * error))
    assert low > 0.0


def test_no_place_below_zero() -> None:
    """A wide interval begins at zero."""
    assert ProbitLine(-1.0, 0.5, (0.0, 0.0, 0.0), 2).solve(0.9)[1] == 0.0


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_lines_in_any_unit(unit: float) -> None:
    """Effects in any unit have the same line, whose slope is then large or small; only powers that do not differ have none."""
    powers = [simulated(power, 1_000) for power in (0.5, 0.7, 0.9)]
    line = probit_line(unit * np.array([1.0, 2.0, 3.0]), powers)
    assert line is not None
    assert line.solve(0.7)[0] == pytest.approx(1.887 * unit, rel=1e-3, abs=0.0)
    assert probit_line(unit * np.array([1.0, 2.0, 3.0]), [powers[0]] * 3) is None
