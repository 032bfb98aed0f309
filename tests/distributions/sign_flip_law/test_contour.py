"""The saddlepoint contour and the values on it, against what defines them."""

import itertools

import numpy as np
import pytest
from scipy import special
from tests.distributions.sign_flip_law.subsets import asked

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.sign_flip_law import contour
from tellapart.numerics.sign_flip_law.contour import LANES, Contour, NodeProducts, saddlepoint_contour, turn
from tellapart.numerics.sign_flip_law.inversion import inverted_tails
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums


def contour_of(sums: SubsetSums) -> Contour:
    return saddlepoint_contour(np.ascontiguousarray(sums.sizes.T), sums.threshold, sums.whole)


def some(kind: str, rows: int = 3, items: int = 12) -> SubsetSums:
    values = np.random.default_rng(items).normal(0.3, 2.0, size=(rows, items))
    sums = asked(np.rint(3.0 * values) if kind == "whole" else values)
    return sums[np.flatnonzero((sums.threshold > 0.0) & (sums.total > sums.threshold))]


@pytest.mark.parametrize("kind", ["whole", "real"])
def test_the_tilt_is_nearly_the_saddlepoint(kind: str) -> None:
    """Along the real axis the integrand is smallest there: five hundredths to either side it is larger, or as good as equal."""
    sums = some(kind)
    contour = contour_of(sums)
    for row in range(len(sums)):
        sizes, threshold = sums.sizes[row], sums.threshold[row]

        def log_integrand(tilt: float, sizes: FloatArray = sizes, threshold: float = threshold) -> float:
            pole = -np.expm1(-tilt) if kind == "whole" else tilt
            return float(tilt * threshold + np.log1p(np.exp(-tilt * sizes)).sum() - np.log(pole))

        here = log_integrand(contour.tilt[row])
        assert here < log_integrand(1.2 * contour.tilt[row])
        assert here < log_integrand(contour.tilt[row] / 1.2)


@pytest.mark.parametrize("kind", ["whole", "real"])
def test_height_and_spread_are_those_of_tilted_coins(kind: str) -> None:
    """e^(λr)·E[e^(−λW)], and the standard deviation of W with odds e^(−λa), by writing all subsets out."""
    sums = some(kind, items=9)
    contour = contour_of(sums)
    for row in range(len(sums)):
        every = np.array(list(itertools.product((0.0, 1.0), repeat=sums.sizes.shape[1]))) @ sums.sizes[row]
        tilted = np.exp(-contour.tilt[row] * every)
        height = np.exp(contour.tilt[row] * sums.threshold[row]) * tilted.mean()
        assert float(contour.height[row]) == pytest.approx(float(height), rel=1e-12, abs=0.0)
        weights = tilted / tilted.sum()
        mean = weights @ every
        assert float(contour.spread[row]) == pytest.approx(np.sqrt(weights @ (every - mean) ** 2), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("kind", ["whole", "real"])
def test_values_are_the_characteristic_function(kind: str) -> None:
    """At every node, through several chunks, e^(iθr)·E[e^(−iθW)] under the tilted coins."""
    sums = some(kind, items=10)
    contour = contour_of(sums)
    products = NodeProducts(contour, 7)
    values = np.concatenate([products.following() for _ in range(40)])
    nodes = np.arange(1.0, 281.0)[:, np.newaxis]
    for row in range(len(sums)):
        angle = nodes * contour.spacing[row]
        share = contour.odds[:, row] / (1.0 + contour.odds[:, row])
        factors = 1.0 - share + share * np.exp(-1j * angle * sums.sizes[row])
        expected = factors.prod(axis=1) * np.exp(1j * angle[:, 0] * sums.threshold[row])
        np.testing.assert_allclose(values[:, row], expected, atol=2e-13)


def test_many_rows_and_few_share_their_lanes() -> None:
    """However many rows there are, products run over all sizes of each."""
    many = some("real", rows=LANES + 9, items=5)
    contour = contour_of(many)
    values = NodeProducts(contour, 4).following()
    angle = np.arange(1.0, 5.0)[:, np.newaxis, np.newaxis] * contour.spacing * contour.sizes
    share = contour.odds / (1.0 + contour.odds)
    expected = (1.0 - share + share * np.exp(-1j * angle)).prod(axis=1)
    phase = np.exp(1j * np.arange(1.0, 5.0)[:, np.newaxis] * contour.spacing * contour.threshold)
    np.testing.assert_allclose(values, expected * phase, atol=1e-14)


def test_turns() -> None:
    """e^(−i·angle)."""
    angle = np.array([0.0, 1.0, -2.0, 100.0])
    np.testing.assert_allclose(turn(angle), np.exp(-1j * angle), atol=1e-15)


def test_the_floor_is_the_chance_of_two_equal_draws() -> None:
    """Its square is P(W = W′) for two draws under the tilted coins, sizes that share no step; for equal ones a bound."""
    sizes = np.sqrt(np.array([2.0, 3.0, 5.0, 7.0, 11.0]))
    for repeated in (False, True):
        here = np.sort(np.append(sizes, sizes[:2])) if repeated else sizes
        contour = saddlepoint_contour(here[:, np.newaxis], np.array([3.0]), np.array([False]))
        chance = contour.odds[:, 0] / (1.0 + contour.odds[:, 0])
        every = np.array(list(itertools.product((0, 1), repeat=len(here))))
        weights = np.prod(np.where(every == 1, chance, 1.0 - chance), axis=1)
        values = (every @ here).round(9)
        equal = sum(weights[values == value].sum() ** 2 for value in np.unique(values))
        if repeated:
            assert equal <= float(contour.floor[0]) ** 2 <= 1.5 * equal
        else:
            assert float(contour.floor[0]) ** 2 == pytest.approx(equal, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("kind", ["whole", "real"])
def test_the_period_spans_what_can_happen(kind: str) -> None:
    """No wider than all sums; on a lattice odd, with its frequencies ending at half a turn."""
    contour = contour_of(some(kind))
    total = contour.sizes.sum(axis=0)
    assert np.all(contour.period <= np.maximum(contour.threshold, total - contour.threshold) + 4.0)
    if kind == "whole":
        assert np.all(contour.period % 2.0 == 1.0)
        assert np.all(2.0 * contour.limit + 1.0 == contour.period)
        assert np.all(contour.limit * contour.spacing < np.pi)
    else:
        assert np.all(np.isinf(contour.limit))


def test_weights_of_both_kinds() -> None:
    """1/z for reals, 1/(1 − e^(−z)) on a lattice, row by row."""
    real, whole = some("real", rows=1), some("whole", rows=1)
    width = max(real.sizes.shape[1], whole.sizes.shape[1])
    sizes = np.zeros((width, 2))
    sizes[width - real.sizes.shape[1] :, 0], sizes[width - whole.sizes.shape[1] :, 1] = (
        real.sizes[0],
        whole.sizes[0],
    )
    contour = saddlepoint_contour(sizes, np.concatenate([real.threshold, whole.threshold]), np.array([False, True]))
    z = contour.tilt + 1j * 0.7
    found = contour.weight(np.full((1, 2), 0.7))[0]
    np.testing.assert_allclose(found, [1.0 / z[0], 1.0 / (1.0 - np.exp(-z[1]))], rtol=1e-13)


@pytest.mark.parametrize("shift", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("kind", ["normal", "heavy", "whole"])
def test_few_steps_lead_to_the_saddlepoint(kind: str, shift: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the saddlepoint of a normal law five steps suffice, far in the tail and with heavy tails too."""
    monkeypatch.setattr(contour, "MOST_STEPS", 5)
    rng = np.random.default_rng(int(10.0 * shift))
    values = {
        "normal": rng.normal(shift, 1.0, size=(30, 300)),
        "heavy": rng.standard_t(3, size=(30, 300)) + shift,
        "whole": np.rint(rng.normal(4.0 * shift, 4.0, size=(30, 300))),
    }[kind]
    sums = asked(values)
    assert np.all(contour_of(sums).tilt > 0.0)


def test_sizes_that_are_no_numbers_end_the_search() -> None:
    """Newton's method is not left to run for ever."""
    with np.errstate(invalid="ignore"), pytest.raises(AssertionError, match="did not converge"):
        saddlepoint_contour(np.full((3, 1), np.nan), np.array([1.0]), np.array([False]))


@pytest.mark.parametrize("factor", [0.2, 0.9, 3.0])
@pytest.mark.parametrize("kind", ["whole", "real"])
def test_the_search_for_a_tilt_begins_anywhere(kind: str, factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """From far below or above: the line is as near to the best one, and every tail on it is the same."""
    sums = some(kind, items=25)
    usual, tails = contour_of(sums), inverted_tails(sums, 1 << 18)
    first = contour._first_tilt
    monkeypatch.setattr(contour, "_first_tilt", lambda *asked: factor * first(*asked))
    np.testing.assert_allclose(contour_of(sums).tilt, usual.tilt, rtol=0.1)
    found = inverted_tails(sums, 1 << 18)
    assert (np.abs(found.at_most - tails.at_most) <= found.error + tails.error).all()


def test_one_weight_for_each_kind_of_row() -> None:
    """1/z for reals, 1/(1 − e^(−z)) for whole numbers, side by side."""
    sizes = np.array([[1.0, 1.3], [2.0, 2.7], [3.0, 3.1]])
    both = saddlepoint_contour(sizes, np.array([2.0, 2.9]), np.array([True, False]))
    z = both.tilt + 1j * np.array([[0.0], [0.7]])
    expected = np.stack([1.0 / (1.0 - np.exp(-z[:, 0])), 1.0 / z[:, 1]], axis=-1)
    np.testing.assert_allclose(both.weight(np.array([[0.0], [0.7]])), expected, rtol=1e-13)


@pytest.mark.parametrize("items", [4, 6, 30, 200])
@pytest.mark.parametrize("kind", ["whole", "real"])
def test_the_period_spans_what_counts(kind: str, items: int) -> None:
    """8.6 standard deviations and the pull of the pole, or all sums; of whole numbers the next odd number but one."""
    found = contour_of(some(kind, items=items))
    pull = 1.0 / (np.expm1(found.tilt) if kind == "whole" else found.tilt)
    wide = 8.6 * 0.5 * np.sqrt(np.sum(found.sizes**2, axis=0)) + pull
    every = np.maximum(found.threshold, found.sizes.sum(axis=0) - found.threshold) + (kind == "whole")
    least = np.minimum(wide, every)
    if kind == "whole":
        assert np.all((least + 1.0 <= found.period) & (found.period <= least + 3.001))
    else:
        np.testing.assert_allclose(found.period, least, rtol=1e-8)


def test_echoes_are_those_of_whole_periods() -> None:
    """Σ e^(−kλP) over k = 1, 2, …: 1/(e^(λP) − 1), and nothing where that is endless."""
    one = np.ones(3)
    made = Contour(one, one, np.array([0.5, 3.0, 400.0]), one, one > 0.0, np.array([3.0, 7.0, 9.0]), one, one)
    powers = np.exp(-np.outer(np.arange(1.0, 200.0), [1.5, 21.0]))
    np.testing.assert_allclose(made.echo[:2], powers.sum(axis=0), rtol=1e-12)
    assert 0.0 <= made.echo[2] < 1e-150


def test_the_floor_of_equal_sizes_is_a_bessel_function() -> None:
    """Row by row: 1 − s/2 for each size that is met once, I₀(ms/2)·e^(−ms/2) for m equal ones, s = 4ρ/(1 + ρ)²; zeros take no part."""
    sizes = np.array([[0.0, 0.3], [0.0, 0.5], [0.7, 0.7], [1.1, 0.9], [1.1, 1.3], [1.1, 1.4]])
    found = saddlepoint_contour(sizes, np.array([1.5, 2.0]), np.array([False, False]))
    swing = 4.0 * found.odds / (1.0 + found.odds) ** 2
    three = special.ive(0, 1.5 * swing[3, 0])
    expected = [(1.0 - 0.5 * swing[2, 0]) * three, np.prod(1.0 - 0.5 * swing[:, 1])]
    np.testing.assert_allclose(found.floor**2, expected, rtol=1e-12)
