"""The standard normal, against mpmath."""

import mpmath
import numpy as np
import pytest

from tellapart.numerics.null_laws.tails import between, density, two_sided_quantile


@pytest.mark.parametrize("x", [-30.0, -1.0, 0.0, 2.5, 38.0])
def test_density(x: float) -> None:
    """exp(−x²/2)/√(2π), and nothing, without a warning, where it underflows."""
    assert float(density(np.array(x))) == pytest.approx(float(mpmath.npdf(x)), rel=1e-13, abs=0.0)
    assert float(density(np.array(1e200))) == 0.0


@pytest.mark.parametrize(("low", "high"), [(-1.0, 2.0), (3.0, 3.5), (8.0, 9.0), (-9.0, -8.0), (0.0, 0.1), (20.0, 21.0)])
def test_between_keeps_its_digits(low: float, high: float) -> None:
    """P(low ≤ Z ≤ high) far out on either side is no difference of near-equals."""
    with mpmath.workdps(120):
        expected = float(mpmath.ncdf(high) - mpmath.ncdf(low))
    assert float(between(np.array(low), np.array(high))) == pytest.approx(expected, rel=1e-12, abs=0.0)
    assert float(between(np.array(high), np.array(low))) == 0.0


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999999])
def test_two_sided_quantile_holds_its_share(level: float) -> None:
    """A share `level` lies between −z and z."""
    z = two_sided_quantile(level)
    assert float(mpmath.erf(z / mpmath.sqrt(2))) == pytest.approx(level, rel=1e-13, abs=0.0)
