"""Extremes of several normals."""

import math

import pytest

from tellapart.distributions.extremes import expected_maximum


@pytest.mark.parametrize(
    ("count", "expected"),
    [(1, 0.0), (2, 1 / math.sqrt(math.pi)), (3, 1.5 / math.sqrt(math.pi)), (5, 1.1629644736)],
)
def test_expected_maximum(count: int, expected: float) -> None:
    """The largest of a few normals, known in closed form for two and three of them."""
    assert expected_maximum(count) == pytest.approx(expected, abs=1e-10)
