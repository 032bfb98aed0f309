"""Characteristic functions that come back: seen where they do, and not where they do not."""

import numpy as np
import pytest
from tests.distributions.sign_flip_law.subsets import asked

from tellapart.arrays import FloatArray
from tellapart.distributions.sign_flip_law.contour import Contour, saddlepoint_contour
from tellapart.distributions.sign_flip_law.revivals import revival


def contour_of(values: FloatArray) -> Contour:
    sums = asked(values)
    return saddlepoint_contour(np.ascontiguousarray(sums.sizes.T), sums.threshold, sums.whole)


def magnitude(contour: Contour, turns: float) -> float:
    """|characteristic function| at so many turns per unit, by definition."""
    share = contour.odds[:, 0] / (1.0 + contour.odds[:, 0])
    factors = 1.0 - share + share * np.exp(-2j * np.pi * turns * contour.sizes[:, 0])
    return float(np.abs(factors.prod()))


@pytest.mark.parametrize("noise", [1e-5, 1e-4])
def test_a_hidden_step_is_seen(noise: float) -> None:
    """Ratings with a little noise come back at one turn per step; what may hide there is a cluster's share of it."""
    rng = np.random.default_rng(1)
    contour = contour_of(
        rng.integers(1, 4, size=80) * rng.choice([-1.0, 1.0], size=80) + noise * rng.normal(size=80)
    )
    hidden = float(revival(contour, 40.0 * contour.spacing)[0])
    scale = float(np.rint(3.0 / contour.sizes.max() * 2**20) / 2**20)
    step = 1.0 / scale
    base = 1.0 / step
    cluster = step / (np.sqrt(2.0 * np.pi) * float(contour.spread[0]))
    strongest = max(magnitude(contour, k * base) for k in range(1, 4))
    assert 0.5 * cluster * strongest < hidden < 2.0 * cluster * 1.0001


def test_reals_without_a_step_hide_little() -> None:
    """Sixty normals share no step: nothing comes back at any of the places looked at."""
    contour = contour_of(np.random.default_rng(2).normal(size=60))
    assert float(revival(contour, 40.0 * contour.spacing)[0]) < 1e-3


def test_a_lattice_does_not_come_back() -> None:
    """On whole numbers frequencies end at half a turn, and the full turn is the same as none."""
    contour = contour_of(np.random.default_rng(3).integers(-4, 5, size=60).astype(np.float64))
    assert float(revival(contour, contour.limit * contour.spacing)[0]) < 0.02


def test_rows_are_judged_one_by_one() -> None:
    """A hidden step in one row is no matter of the other's."""
    rng = np.random.default_rng(4)
    ratings = rng.integers(1, 4, size=70) * rng.choice([-1.0, 1.0], size=70) + 1e-5 * rng.normal(size=70)
    sums = asked(np.stack([rng.normal(size=70), ratings]))
    contour = saddlepoint_contour(np.ascontiguousarray(sums.sizes.T), sums.threshold, sums.whole)
    real, rated = revival(contour, 40.0 * contour.spacing)
    assert rated > 0.01 > 10.0 * real
