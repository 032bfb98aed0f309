"""Which numbers share a step, float noise and all."""

import numpy as np
import pytest

from tellapart.distributions.lattice import common_step


def step_of(values: list[float], noise: float = 1e-11) -> float:
    return float(common_step(np.array([values]), np.array([noise]))[0])


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([1.0, 0.0, 1.0], 1.0),
        ([0.2, 0.6, 0.4], 0.2),
        ([0.1 + 0.2, 0.1], 0.1),
        ([3.0, 5.0, 4.0], 1.0),
        ([0.1234, 0.0002, 0.5], 0.0002),
        ([1 / 3, 2 / 3, 1.0], 1 / 3),
        ([1 / 2 - 1 / 3, 1 / 3 - 1 / 4, 1 - 1 / 5], 1 / 60),
        ([1e-8, 3e-8, 7e-8], 1e-8),
        ([2.5e12, 1e13], 2.5e12),
        ([0.7], 0.7),
        ([0.123456, 0.654321], 0.000003),
    ],
)
def test_the_step_is_found(values: list[float], step: float) -> None:
    """Decimals, ratings, thirds and differences of reciprocal ranks are multiples of one number."""
    assert step_of(values) == pytest.approx(step, rel=1e-9)


@pytest.mark.parametrize(
    "values", [[1.0, np.pi, np.e, np.sqrt(2.0)], [0.0, 0.0], [1.0, 1.0 + 1e-7 * np.pi, 0.3]]
)
def test_no_step_is_invented(values: list[float]) -> None:
    """Numbers that share none, and zeros, have no step."""
    assert step_of(values) == 0.0


def test_rows_are_judged_one_by_one() -> None:
    """A row without a step does not spoil the others."""
    rng = np.random.default_rng(0)
    rows = np.stack(
        [rng.integers(0, 9, 40) / 7.0, rng.random(40), rng.integers(0, 9, 40) * 1.0, np.zeros(40)]
    )
    assert common_step(np.repeat(rows, 10, axis=0), np.full(40, 1e-11))[::10] == pytest.approx(
        [1 / 7, 0.0, 1.0, 0.0]
    )


@pytest.mark.parametrize("rows", [1, 40])
def test_the_largest_denominator_at_once(rows: int) -> None:
    """Fractions of 2048 share their step, those of 2053 are not recognised: tried out one by one, or as continued fractions."""
    for denominator, step in ((2047, 1 / 2047), (2048, 1 / 2048), (2053, 0.0)):
        found = common_step(np.tile([[1.0, 1 / denominator]], (rows, 1)), np.full(rows, 1e-13))
        assert found.tolist() == [pytest.approx(step)] * rows
