"""Student's t, against mpmath."""

import mpmath
import numpy as np
import pytest

from tellapart.numerics.null_laws import tails
from tellapart.numerics.null_laws.tails import t_quantile, t_quantiles, t_tails


def upper_tail(t: float, df: float) -> float:
    with mpmath.workdps(40):
        x = mpmath.mpf(df) / (df + mpmath.mpf(t) ** 2)
        small = mpmath.betainc(mpmath.mpf(df) / 2, mpmath.mpf(1) / 2, 0, x, regularized=True) / 2
        return float(small if t >= 0 else 1 - small)


@pytest.mark.parametrize("df", [1.0, 4.5, 60.0])
@pytest.mark.parametrize("t", [-12.0, -0.3, 0.0, 2.0, 40.0])
def test_tails_keep_their_digits(t: float, df: float) -> None:
    """Both tails, the small one to eleven digits however small."""
    lower, upper = t_tails(np.array(t), df)
    assert float(upper) == pytest.approx(upper_tail(t, df), rel=1e-11, abs=0.0)
    assert float(lower) == pytest.approx(upper_tail(-t, df), rel=1e-11, abs=0.0)


def test_quantiles_have_their_tails() -> None:
    """The quantile of a level leaves that level below it."""
    level = np.array([0.001, 0.3, 0.5, 0.975])
    lower, _ = t_tails(t_quantile(level, 7.0), 7.0)
    np.testing.assert_allclose(lower, level, rtol=1e-10)


@pytest.mark.parametrize("level", [0.6, 0.95, 0.975, 0.9995])
def test_quantiles_that_are_looked_up_are_the_same(level: float) -> None:
    """Between knots and at the ends of what is known, and beyond it, to eight digits."""
    rng = np.random.default_rng(1)
    df = np.exp(np.append(rng.uniform(-1.0, 16.0, 5_000), [-1.0, 16.0]))
    np.testing.assert_allclose(t_quantiles(level, df), t_quantile(level, df), rtol=2e-8)
    for far in (np.array([0.05, 3.0]), np.array([3.0, 1e9]), np.array([0.05, 1e9])):
        np.testing.assert_array_equal(t_quantiles(level, far), t_quantile(level, far))
    np.testing.assert_array_equal(t_quantiles(1.0 - level, df), t_quantile(1.0 - level, df))


@pytest.mark.parametrize("far", [-1.04, 16.04])
def test_quantiles_beyond_the_knots_are_computed(far: float) -> None:
    """To the last digit, of all laws that are asked for together; those between knots are not."""
    beyond, within = np.exp([2.0, far]), np.exp([2.003, 5.017, 9.011])
    np.testing.assert_array_equal(t_quantiles(0.975, beyond), t_quantile(0.975, beyond))
    assert (t_quantiles(0.975, within) != t_quantile(0.975, within)).all()


def test_nothing_is_computed_between_the_knots(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first to the last, and of no laws at all."""
    t_quantiles(0.9, np.ones(1))

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(tails, "t_quantile", never)
    assert t_quantiles(0.9, np.exp([-0.999, 0.1, 15.999])).shape == (3,)
    assert t_quantiles(0.9, np.ones(0)).shape == (0,)


def test_knots_are_a_fiftieth_apart() -> None:
    """Of the logarithm, from −1 to 16; slopes are per step."""
    values, slopes = tails._looked_up(0.95)
    assert len(values) == len(slopes) == 851
    for place in (0, 1, 400, 850):
        here, before, after = (float(t_quantile(0.95, np.exp(-1.0 + 0.02 * (place + by)))) for by in (0.0, -1e-3, 1e-3))
        assert values[place] == pytest.approx(np.log(here), rel=1e-12, abs=0.0)
        assert slopes[place] == pytest.approx(np.log(after / before) / 2e-3, rel=1e-5, abs=1e-9)


def test_the_median_is_nothing() -> None:
    """Of any number of degrees of freedom: it has no logarithm, and is not looked up."""
    # The oldest SciPy that is allowed is off by a rounding.
    assert t_quantiles(0.5, np.array([1.0, 7.5, 1e4])) == pytest.approx(0.0, abs=1e-15)
