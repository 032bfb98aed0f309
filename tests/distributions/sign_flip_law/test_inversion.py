"""Inversion of the characteristic function against exact counts, and the honesty of its error."""

from collections.abc import Callable

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.numerics.sign_flip_law import sign_flip_tails
from tellapart.numerics.sign_flip_law.enumeration import enumerated_tails, grouped_tail
from tellapart.numerics.sign_flip_law.inversion import inverted_tails
from tellapart.numerics.sign_flip_law.random_flips import flipped_sums
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums
from tellapart.numerics.sign_flip_law.whole_numbers import convolution_tail, fourier_tails

Rng = np.random.Generator
WORK = 1 << 21


def asked(values: FloatArray) -> SubsetSums:
    rows = np.atleast_2d(values)
    return SubsetSums.of(rows, 1e-11 * np.abs(rows).max(axis=-1))[0]


@pytest.mark.parametrize("items", [38, 39, 40])
@pytest.mark.parametrize("law", ["normal", "lognormal", "heavy"])
def test_it_agrees_with_listing_all_flips(items: int, law: str) -> None:
    """At forty differences, some 5·10¹¹ flips listed exactly and a few ten thousand nodes give the same p-value."""
    rng = np.random.default_rng(items)
    sizes = {
        "normal": rng.normal(size=items),
        "lognormal": rng.lognormal(size=items),
        "heavy": rng.standard_t(2, items),
    }
    values = np.abs(sizes[law]) * rng.choice([-1.0, 1.0], p=[0.4, 0.6], size=items)
    sums = asked(values)
    listed, inverted = enumerated_tails(sums), inverted_tails(sums, WORK)
    assert float(inverted.at_most[0]) == pytest.approx(float(listed.at_most[0]), rel=2e-6, abs=0.0)
    assert abs(inverted.at_most - listed.at_most)[0] <= inverted.error[0]
    assert abs(inverted.below - listed.below)[0] <= inverted.error[0]


@pytest.mark.parametrize(
    ("items", "shift"), [(60, 0.2), (60, 3.0), (200, 1.0), (200, 4.0), (1000, 0.2), (1000, 2.0), (1000, 3.8)]
)
def test_small_tails_keep_their_relative_accuracy(items: int, shift: float) -> None:
    """On a lattice the inversion equals the exact convolution to twelve digits, at p = 0.3 and at p = 1e-200."""
    values = np.rint(np.random.default_rng(items).normal(shift, 3.0, size=items))
    sums = asked(values)
    counted, inverted = convolution_tail(sums), inverted_tails(sums, WORK)
    assert float(inverted.at_most[0]) == pytest.approx(float(counted.at_most[0]), rel=2e-12, abs=0.0)
    assert float(inverted.below[0]) == pytest.approx(float(counted.below[0]), rel=2e-12, abs=0.0)
    assert abs(inverted.at_most - counted.at_most)[0] <= inverted.error[0]


def test_the_far_tail_reaches_1e_200() -> None:
    """The hardest of the cases above is as small as it claims."""
    values = np.rint(np.random.default_rng(1000).normal(3.8, 3.0, size=1000))
    assert 0.0 < float(convolution_tail(asked(values)).at_most[0]) < 1e-195


KINDS: dict[str, Callable[[Rng, tuple[int, int]], FloatArray]] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "lognormal": lambda rng, shape: rng.lognormal(sigma=1.5, size=shape),
    "Cauchy": lambda rng, shape: rng.standard_cauchy(shape),
    "nearly ratings": lambda rng, shape: rng.integers(1, 6, shape) + 1e-4 * rng.normal(size=shape),
    "nearly tenths": lambda rng, shape: rng.integers(1, 12, shape) / 10.0 + 1e-3 * rng.normal(size=shape),
    "ratings and a few reals": lambda rng, shape: np.where(
        rng.random(shape) < 0.15, rng.normal(size=shape), rng.integers(1, 5, shape)
    ),
    "two steps": lambda rng, shape: rng.choice([1.0, np.pi / 3.0], shape),
    "three decimals": lambda rng, shape: np.round(rng.normal(size=shape), 3),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("nodes", [96, 1000])
def test_the_error_covers_what_was_left_out(kind: str, nodes: int) -> None:
    """With far too few differences or nodes for it, the inversion is off by no more than it says."""
    rng = np.random.default_rng(nodes)
    sizes = np.abs(KINDS[kind](rng, (60, 24)))
    values = np.where(rng.random(sizes.shape) < rng.choice([0.5, 0.3], size=(60, 1)), -sizes, sizes)
    sums = asked(values)
    sums = sums[np.flatnonzero((sums.count > 10) & (sums.total > sums.threshold * (1.0 + 1e-9)))]
    listed, inverted = enumerated_tails(sums), inverted_tails(sums, nodes * sums.sizes.size)
    off = np.maximum(np.abs(inverted.at_most - listed.at_most), np.abs(inverted.below - listed.below))
    assert np.all(off <= inverted.error + 1e-15)


def test_rows_of_different_length_have_their_own_errors() -> None:
    """A short row beside a long one is as rough as alone: its padding adds no accuracy."""
    rng = np.random.default_rng(4)
    short, long = rng.normal(size=26), rng.normal(size=400)
    alone = inverted_tails(asked(short), 1)
    together = inverted_tails(asked(np.stack([np.append(short, np.zeros(374)), long])), 1)
    assert float(together.error[0]) == pytest.approx(float(alone.error[0]), rel=0.5, abs=0.0)
    assert float(together.at_most[0]) == pytest.approx(float(alone.at_most[0]), abs=float(alone.error[0]))


def test_a_hidden_lattice_is_not_overlooked() -> None:
    """Ratings with noise a ten-thousandth their size: the error admits a good part of a near-tie, and covers the truth."""
    rng = np.random.default_rng(2)
    ratings = rng.integers(1, 4, size=400) * rng.choice([-1.0, 1.0], size=400)
    plain, values = sign_flip_tails(ratings), ratings + 1e-4 * rng.normal(size=400)
    near_tie = float(plain.upper - (1.0 - plain.lower))
    sums = asked(values)
    inverted = inverted_tails(sums, 1)
    flipped = flipped_sums(np.abs(values)[:, np.newaxis], 200_000, stream(0))[:, 0]
    truth = float(np.mean(flipped >= np.abs(values.sum())))
    assert float(inverted.error[0]) > 0.2 * near_tie
    assert abs(float(inverted.at_most[0]) - truth) <= float(inverted.error[0]) + 5.0 * np.sqrt(0.25 / 200_000)


@pytest.mark.parametrize("levels", [2, 9, 101])
def test_one_fourier_sum_serves_a_batch(levels: int) -> None:
    """The Fourier sum over many rows equals the convolution of each, to its stated 1e-13."""
    rng = np.random.default_rng(levels)
    sums = asked(rng.integers(-levels, levels + 2, size=(50, 40)).astype(np.float64))
    together = fourier_tails(sums)
    for i in range(50):
        alone = convolution_tail(sums[i : i + 1])
        assert abs(together.at_most[i] - alone.at_most[0]) <= 1e-13
        assert abs(together.below[i] - alone.below[0]) <= 1e-13


@pytest.mark.parametrize("kind", ["normal", "two steps", "ratings and a few reals", "three decimals"])
def test_grouping_equal_sizes_counts_the_same_flips(kind: str) -> None:
    """Equal differences taken together, sums out of reach dropped early: the same exact tail."""
    rng = np.random.default_rng(7)
    sizes = np.abs(KINDS[kind](rng, (20, 18)))
    sums = asked(np.where(rng.random(sizes.shape) < 0.4, -sizes, sizes))
    listed = enumerated_tails(sums)
    for i in range(20):
        grouped = grouped_tail(sums[i : i + 1])
        assert grouped is not None
        assert float(grouped.at_most[0]) == pytest.approx(float(listed.at_most[i]), rel=1e-13, abs=0.0)
        assert float(grouped.below[0]) == pytest.approx(float(listed.below[i]), rel=1e-13, abs=0.0)


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_a_jump_is_split_in_the_middle(seed: int) -> None:
    """Of ten reals each choice of signs is 1/1,024: inversion sees half of the observed one, and the other half is added."""
    sums = asked(np.random.default_rng(seed).normal(0.3, 1.0, size=10))
    inverted, listed = inverted_tails(sums, 1 << 19, patient=True), enumerated_tails(sums)
    for found, exact in ((inverted.at_most, listed.at_most), (inverted.below, listed.below)):
        assert abs(float(found[0] - exact[0])) <= 0.1 * float(sums.single[0])
