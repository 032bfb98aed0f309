"""Characteristic functions that come back: seen where they do, and not where they do not."""

import numpy as np
import pytest
from tests.distributions.sign_flip_law.subsets import asked

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.sign_flip_law import inversion
from tellapart.numerics.sign_flip_law.contour import Contour, saddlepoint_contour
from tellapart.numerics.sign_flip_law.inversion import secondary_peaks


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
    contour = contour_of(rng.integers(1, 4, size=80) * rng.choice([-1.0, 1.0], size=80) + noise * rng.normal(size=80))
    hidden = float(secondary_peaks(contour, 40.0 * contour.spacing)[0])
    scale = float(np.rint(3.0 / contour.sizes.max() * 2**20) / 2**20)
    step = 1.0 / scale
    base = 1.0 / step
    cluster = step / (np.sqrt(2.0 * np.pi) * float(contour.spread[0]))
    strongest = max(magnitude(contour, k * base) for k in range(1, 4))
    assert 0.5 * cluster * strongest < hidden < 2.0 * cluster * 1.0001


def test_reals_without_a_step_hide_little() -> None:
    """Sixty normals share no step: nothing comes back at any of the places looked at."""
    contour = contour_of(np.random.default_rng(2).normal(size=60))
    assert float(secondary_peaks(contour, 40.0 * contour.spacing)[0]) < 1e-3


def test_a_lattice_does_not_come_back() -> None:
    """On whole numbers frequencies end at half a turn, and the full turn is the same as none."""
    contour = contour_of(np.random.default_rng(3).integers(-4, 5, size=60).astype(np.float64))
    assert float(secondary_peaks(contour, contour.limit * contour.spacing)[0]) < 0.02


def test_rows_are_judged_one_by_one() -> None:
    """A hidden step in one row is no matter of the other's."""
    rng = np.random.default_rng(4)
    ratings = rng.integers(1, 4, size=70) * rng.choice([-1.0, 1.0], size=70) + 1e-5 * rng.normal(size=70)
    sums = asked(np.stack([rng.normal(size=70), ratings]))
    contour = saddlepoint_contour(np.ascontiguousarray(sums.sizes.T), sums.threshold, sums.whole)
    real, rated = secondary_peaks(contour, 40.0 * contour.spacing)
    assert rated > 0.01 > 10.0 * real


def turned(sizes: FloatArray, odds: FloatArray, turns: FloatArray) -> FloatArray:
    """The squared magnitude of all factors, by definition."""
    share = odds / (1.0 + odds)
    factors = 1.0 - share + share * np.exp(-2j * np.pi * turns[:, np.newaxis] * sizes)
    return np.asarray(np.abs(factors.prod(axis=1)) ** 2)


def test_strength_is_a_close_upper_bound() -> None:
    """Never below the squared magnitude of the factors; equal to it at whole and at half turns."""
    rng = np.random.default_rng(5)
    sizes, odds = rng.uniform(0.1, 1.0, size=(6, 2)), rng.uniform(0.05, 1.0, size=(6, 2))
    turns = rng.uniform(0.0, 30.0, size=(400, 2))
    found, exact = inversion._strength(sizes, odds, turns), turned(sizes, odds, turns)
    assert np.all(found >= exact - 1e-15)
    assert np.all(found <= exact + 0.12)
    whole, half = np.ones((1, 2)), np.full((1, 2), 0.5)
    units = np.ones((6, 2))
    np.testing.assert_allclose(inversion._strength(units, odds, whole), 1.0)
    np.testing.assert_allclose(inversion._strength(units, odds, half), turned(units, odds, half), rtol=1e-12)


def test_magnitude_is_that_of_all_sizes() -> None:
    """|characteristic function| at one frequency per row."""
    contour = contour_of(np.random.default_rng(6).normal(size=(3, 15)))
    turns = np.array([0.3, 1.7, 4.0])
    expected = np.sqrt(turned(contour.sizes, contour.odds, turns[np.newaxis])[0])
    np.testing.assert_allclose(inversion._magnitude(contour, turns), expected, rtol=1e-10)


def test_suspects_are_full_circles_beyond_the_frequency() -> None:
    """Multiples of the turns at which one of three sizes comes full circle, the first of them that was not summed."""
    sizes = np.array([[1.0], [2.0], [4.0], [5.0], [8.0]])
    base, shifted = inversion._suspects(sizes, np.array([2.0 * np.pi * 0.3]))
    assert base.shape == shifted.shape == (3 * 160, 1)
    assert sorted({1.0 / 8.0, 1.0 / 4.0, 1.0 / 2.0, 3.0 / 8.0, 160.0 / 2.0} - set(base[:, 0].tolist())) == []
    multiples = shifted / base
    np.testing.assert_allclose(multiples, np.rint(multiples), atol=1e-12)
    assert np.all(shifted >= 0.3 - 1e-12)
    assert np.all((shifted - base < 0.3) | (multiples == 1.0))


def hand_made(sizes: list[float], odds: float, spread: float, *, whole: bool = False) -> Contour:
    """A contour whose parts are said and not computed."""
    column = np.array(sizes)[:, np.newaxis]
    one = np.ones(1)
    return Contour(column, np.full_like(column, odds), one, one, np.array([whole]), one, np.inf * one, spread * one)


NEARLY_ONE = (1.0 + 1e-4 * np.linspace(-1.0, 1.0, 40)).tolist()


@pytest.mark.parametrize(("spread", "step"), [(9.0, 1.0), (1.5, 1.0), (1.4, 0.5)])
def test_what_hides_is_the_share_of_one_cluster(spread: float, step: float) -> None:
    """Sizes near 1: clusters one step apart, of which the nearest holds step/(√2π·spread); nine spreads make the first decay."""
    found = secondary_peaks(hand_made(NEARLY_ONE, 1.0, spread), np.array([1.0]))
    assert float(found[0]) == pytest.approx(step / (np.sqrt(2.0 * np.pi) * spread), rel=2e-3, abs=0.0)


def test_only_what_was_not_summed_can_hide() -> None:
    """Twelve hundred turns on, the same sizes are out of step by as many times as much."""
    near, far = (
        secondary_peaks(hand_made(NEARLY_ONE, 1.0, 3.0), np.array([2.0 * np.pi * turns])) for turns in (0.5, 1200.0)
    )
    assert float(far[0]) < 0.7 * float(near[0])


def test_a_lattice_ends_at_half_a_turn() -> None:
    """A full turn of whole numbers repeats what was summed."""
    assert float(secondary_peaks(hand_made([1.0] * 40, 1.0, 3.0, whole=True), np.array([np.pi]))[0]) == 0.0


@pytest.mark.parametrize("items", [1, 2, 5, 24, 31, 32, 33, 47, 64, 100, 1000, 12_345])
def test_probed_sizes_are_spread_over_the_upper_three_quarters(items: int) -> None:
    """The largest first, then equally far apart, at most 24 of them, none in the lowest quarter where zeros may stand."""
    places = inversion._probed(items).tolist()
    step = max(1, (3 * items // 4) // 24)
    assert places == [items - 1 - step * k for k in reversed(range(len(places)))]
    assert len(places) == min(24, -(-(items - items // 4) // step))
    assert places[0] >= items // 4


@pytest.mark.parametrize(("share", "least"), [(0.0, 1e-2), (1 / 32, 1e-3), (1 / 16, 1e-4), (1 / 8, 1e-6), (1.0, 1e-6)])
def test_the_fewer_are_probed_the_stronger_they_must_be(share: float, least: float) -> None:
    """A hundredth where few of very many were probed, a millionth from an eighth on."""
    assert inversion._least_revival(share) == pytest.approx(least, rel=1e-12, abs=0.0)


def test_three_sizes_are_followed() -> None:
    """The largest, the median and that of the lowest quarter of those probed."""
    sizes = np.array([1.0, 1.3, 1.7, 2.9, 3.1, 4.7, 5.3, 6.1, 7.9])[:, np.newaxis]
    base, _ = inversion._suspects(sizes, np.array([0.1]))
    once = [1.0 / 7.9, 1.0 / 3.1, 1.0 / 1.7]
    assert sorted(base[:3, 0].tolist()) == pytest.approx(sorted(once))
    tiny, _ = inversion._suspects(np.array([[0.0], [0.0], [0.0], [0.0], [2.0]]), np.array([0.1]))
    assert float(tiny.max()) == pytest.approx(160.0 / 2e-3)


@pytest.mark.parametrize("step", [3.0, 2.0])
def test_whole_numbers_that_nearly_share_a_step_come_back(step: float) -> None:
    """Sixty multiples of three, or of two, and a single one: at a third of a turn, or at the half where turns end; not again beyond it."""
    multiples = step * np.random.default_rng(0).integers(1, 12, 60)
    sizes = np.sort(np.append(multiples, 1.0))[:, np.newaxis]
    contour = saddlepoint_contour(sizes, np.array([sizes.sum() // 2.0 - 20.0]), np.array([True]))
    turn = 2.0 * np.pi / step
    before, beyond = (float(secondary_peaks(contour, np.array([angle]))[0]) for angle in (turn - 0.4, turn + 0.2))
    cluster = step / (np.sqrt(2.0 * np.pi) * float(contour.spread[0]))
    assert 0.0 < cluster * magnitude(contour, 1.0 / step) * 0.999 < before < 3.1 * cluster
    assert beyond < 1e-9


@pytest.mark.parametrize(("rows", "multiples"), [(1, 160), (11, 160), (12, 151), (20, 91), (56, 32), (100, 32)])
def test_the_more_rows_the_fewer_multiples(rows: int, multiples: int) -> None:
    """About a hundred thousand probes in all: from 160 multiples of each of three sizes in a few rows to 32 in many."""
    base, shifted = inversion._suspects(np.tile(np.arange(1.0, 25.0)[:, np.newaxis], rows), np.ones(rows))
    assert base.shape == shifted.shape == (3 * multiples, rows)
