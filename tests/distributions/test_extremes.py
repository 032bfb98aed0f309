"""The expected largest of several normals, against closed forms and mpmath."""

import mpmath
import pytest

from tellapart.numerics.null_laws.studentized_range import expected_maximum


@pytest.mark.parametrize(
    ("count", "expected"),
    [(1, 0.0), (2, 1.0 / mpmath.sqrt(mpmath.pi)), (3, 1.5 / mpmath.sqrt(mpmath.pi))],
)
def test_a_few_are_known(count: int, expected: float) -> None:
    """0 for one, 1/√π for two, 1.5/√π for three."""
    assert expected_maximum(count) == pytest.approx(float(expected), abs=5e-14)


@pytest.mark.parametrize("count", [10, 1000, 1_000_000])
def test_many_agree_with_mpmath(count: int) -> None:
    """Twenty-digit integration agrees to twelve digits up to a million."""
    with mpmath.workdps(25):
        breaks = [-9, -3, 0, 1, 2, 3, 4, 5, 6, 7, 10]
        expected = mpmath.quad(
            lambda x: x * count * mpmath.npdf(x) * mpmath.ncdf(x) ** (count - 1), breaks, maxdegree=9
        )
    assert expected_maximum(count) == pytest.approx(float(expected), abs=2e-12)
