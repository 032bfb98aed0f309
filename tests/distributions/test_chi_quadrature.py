"""Averages over the chi ratio, against mpmath and moments that are known."""

import mpmath
import numpy as np
import pytest
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws import chi_quadrature
from tellapart.numerics.null_laws.tails import between, density

FREEDOMS = [0.5, 1.0, 3.0, 19.0, 20.0, 21.0, 400.0, 1e7]


def whole_range(df: float) -> FloatArray:
    """Pieces that hold all of chi's density, without a tail to look at."""
    return chi_quadrature.tail_edges(np.zeros(1), np.array([df]), np.zeros(1))


@pytest.mark.parametrize("df", FREEDOMS)
def test_weights_are_probabilities(df: float) -> None:
    """They add up to 1, and the mean square of the ratio is 1, as that of a standard error is."""
    ratio, weight = chi_quadrature.nodes(np.array([df]), whole_range(df))
    assert float(weight.sum()) == pytest.approx(1.0, rel=1e-12, abs=0.0)
    assert float((weight * ratio**2).sum()) == pytest.approx(1.0, rel=1e-11, abs=0.0)


@pytest.mark.parametrize("df", FREEDOMS)
def test_the_mean_ratio_is_known(df: float) -> None:
    """E[χ/√df] is √(2/df)·Γ((df + 1)/2)/Γ(df/2)."""
    ratio, weight = chi_quadrature.nodes(np.array([df]), whole_range(df))
    with mpmath.workdps(30):
        half = mpmath.mpf(df) / 2
        gammas = mpmath.exp(mpmath.loggamma(half + mpmath.mpf(1) / 2) - mpmath.loggamma(half))
        expected = float(gammas / mpmath.sqrt(half))
    assert float((weight * ratio).sum()) == pytest.approx(expected, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("df", FREEDOMS)
def test_the_density_at_ratio_one(df: float) -> None:
    """Log 2 + k·log k − k − log Γ(k) with k = df/2, on both sides of where the series takes over."""
    with mpmath.workdps(30):
        k = mpmath.mpf(df) / 2
        expected = float(mpmath.log(2) + k * mpmath.log(k) - k - mpmath.loggamma(k))
    assert float(chi_quadrature.log_peak(np.array([df]))[0]) == pytest.approx(expected, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("x", [10.0, 25.0, 1e6])
def test_what_stirling_leaves_out(x: float) -> None:
    """Log Γ(x) minus Stirling's formula, good to 2e-14 from ten on."""
    with mpmath.workdps(40):
        y = mpmath.mpf(x)
        formula = (y - mpmath.mpf(1) / 2) * mpmath.log(y) - y + mpmath.log(2 * mpmath.pi) / 2
        expected = float(mpmath.loggamma(y) - formula)
    assert float(chi_quadrature.stirling(np.array(x))) == pytest.approx(expected, abs=2e-14)


@pytest.mark.parametrize("shift", [-30.0, -3.0, 0.0, 0.4, 5.0, 40.0])
@pytest.mark.parametrize("critical", [0.0, 0.7, 3.0, 300.0])
@pytest.mark.parametrize("df", [1.0, 8.0, 300.0])
def test_pieces_rise_and_hold_the_integrand(df: float, critical: float, shift: float) -> None:
    """Edges are in order, and beyond them density times tail is below 1e-15 of its peak."""
    edges = chi_quadrature.tail_edges(np.array([shift]), np.array([df]), np.array([critical]))[0]
    assert np.all(np.diff(edges) >= 0.0)

    def log_integrand(u: FloatArray) -> FloatArray:
        return df * (u - np.exp(2.0 * u) / 2.0) + special.log_ndtr(shift - critical * np.exp(u))

    inside = log_integrand(np.linspace(edges[0], edges[-1], 20_001)).max()
    outside = log_integrand(np.array([edges[0], edges[-1]]))
    assert np.all(outside - inside < np.log(1e-15))


@pytest.mark.parametrize("up", [0.5, 4.0])
@pytest.mark.parametrize("critical", [0.3, 2.0])
def test_capped_pieces_end_where_the_bounds_meet(up: float, critical: float) -> None:
    """No ratio beyond the one at which both bounds meet is looked at, and none that counts below it is left out."""
    edges = chi_quadrature.capped_edges(np.array([up]), np.array([2.0]), np.array([6.0]), np.array([critical]))
    meeting = np.log((up + 2.0) / (2.0 * critical))
    assert edges[0, -1] <= meeting + 1e-12
    assert edges[0, -1] == pytest.approx(meeting) or edges[0, -1] > 1.0
    assert edges[0, 0] < min(meeting, 0.0) - np.sqrt(45.0 / 6.0)


def finer(edges: FloatArray) -> FloatArray:
    """Every piece cut in four."""
    for _ in range(2):
        middle = (edges[:, 1:] + edges[:, :-1]) / 2.0
        edges = np.sort(np.concatenate([edges, middle], axis=-1), axis=-1)
    return edges


def test_finer_pieces_change_nothing() -> None:
    """Over shifts, degrees of freedom and critical values of all sizes: the pieces hold every bump to the last digits."""
    shift, df, critical = (
        x.ravel()
        for x in np.meshgrid(
            [-6.0, -1.0, 0.0, 0.3, 2.0, 8.0, 40.0],
            [1.0, 2.0, 5.0, 19.9, 20.1, 150.0, 4e3, 1e7],
            [0.0, 1e-3, 0.7, 2.0, 6.0, 45.0],
        )
    )
    edges = chi_quadrature.tail_edges(shift, df, critical)

    def tail(pieces: FloatArray) -> tuple[FloatArray, FloatArray]:
        ratio, weight = chi_quadrature.nodes(df, pieces)
        x = shift[:, np.newaxis] - critical[:, np.newaxis] * ratio
        return (weight * special.ndtr(x)).sum(axis=-1), (weight * density(x)).sum(axis=-1)

    (chance, slope), (better, better_slope) = tail(edges), tail(finer(edges))
    seen = better > 1e-290
    np.testing.assert_allclose(chance[seen], better[seen], rtol=2e-13)
    # The slope is added to the shift times the chance, and needs no more digits than those two together.
    assert (np.abs(slope - better_slope) <= 2e-13 * (better_slope + np.abs(shift) * better)).all()


def test_finer_pieces_between_two_bounds_change_nothing() -> None:
    """The same for the chance of staying within a margin."""
    up, down, df, critical = (
        x.ravel()
        for x in np.meshgrid(
            [0.5, 2.0, 9.0, 60.0], [0.2, 2.0, 30.0], [1.0, 3.0, 19.9, 20.1, 400.0, 1e6], [0.3, 1.7, 12.0]
        )
    )
    edges = chi_quadrature.capped_edges(up, down, df, critical)

    def inside(pieces: FloatArray) -> FloatArray:
        ratio, weight = chi_quadrature.nodes(df, pieces)
        inset = critical[:, np.newaxis] * ratio
        return np.asarray((weight * between(inset - down[:, np.newaxis], up[:, np.newaxis] - inset)).sum(axis=-1))

    one, other = inside(edges), inside(finer(edges))
    seen = other > 1e-290
    np.testing.assert_allclose(one[seen], other[seen], rtol=2e-13)
