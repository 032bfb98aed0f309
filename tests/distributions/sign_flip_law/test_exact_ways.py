"""Convolution, Fourier sums, enumeration and enumeration, each against all subsets written out."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from tests.distributions.sign_flip_law.subsets import asked, listed

from tellapart.numerics.sign_flip_law import enumeration, whole_numbers
from tellapart.numerics.sign_flip_law.enumeration import enumerated_tails, grouped_tail
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums, Tail
from tellapart.numerics.sign_flip_law.whole_numbers import (
    binomial_tails,
    convolution_tail,
    fourier_tails,
    fourier_time,
    same_sized,
)

Way = Callable[[SubsetSums], Tail | None]


def row_by_row(way: Callable[[SubsetSums], Tail | None]) -> Callable[[SubsetSums], Tail]:
    """A way for single rows, for all of them."""

    def tails(sums: SubsetSums) -> Tail:
        found = [way(sums[i : i + 1]) for i in range(len(sums))]
        return Tail.joined([tail for tail in found if tail is not None])

    return tails


WHOLE = {
    "convolution": row_by_row(convolution_tail),
    "Fourier": fourier_tails,
    "enumeration": enumerated_tails,
    "grouping": row_by_row(grouped_tail),
}
REAL = {name: WHOLE[name] for name in ("enumeration", "grouping")}


def open_rows(sums: SubsetSums) -> SubsetSums:
    """Rows that have something to count."""
    return sums[np.flatnonzero((sums.count > 0) & (sums.total > sums.threshold) & (sums.threshold > 0.0))]


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("shift", [0.0, 1.5])
def test_whole_numbers(name: str, shift: float) -> None:
    """Both tails of thirty rows of whole numbers, forced coins included."""
    values = np.rint(np.random.default_rng(1).normal(shift, 3.0, size=(30, 11)))
    sums = open_rows(asked(values))
    assert len(sums) > 20
    found = WHOLE[name](sums)
    for i in range(len(sums)):
        at_most, below = listed(sums, i)
        allowed = 1e-13 + 2.0 * found.error[i]
        assert found.at_most[i] == pytest.approx(at_most, abs=allowed)
        assert found.below[i] == pytest.approx(below, abs=allowed)
    assert np.all(found.error <= 1.1e-13)


@pytest.mark.parametrize("name", REAL)
def test_real_numbers(name: str) -> None:
    """Both tails of thirty rows of reals, some of which repeat."""
    rng = np.random.default_rng(2)
    values = np.where(rng.random((30, 11)) < 0.4, np.sqrt(2.0), rng.normal(size=(30, 11))) * rng.choice(
        [-1.0, 1.0], size=(30, 11)
    )
    sums = open_rows(asked(values))
    found = REAL[name](sums)
    for i in range(len(sums)):
        assert (found.at_most[i], found.below[i]) == pytest.approx(listed(sums, i), rel=1e-13, abs=0.0)


def test_near_ties_count_as_ties() -> None:
    """Of sixteen sums six are smaller than 1 + π and two are that, or that and a billionth: noise decides what is a tie."""
    values = np.array([1.0, np.pi, -(1.0 + np.pi) * (1.0 + 3e-9), 0.3])
    for way in REAL.values():
        for noise, below in ((1e-7, 6.0), (1e-12, 7.0)):
            found = way(asked(values, noise))
            assert (found.at_most[0], found.below[0]) == pytest.approx((0.5, below / 16.0), rel=1e-13, abs=0.0)


def test_equal_sizes_are_a_binomial_count() -> None:
    """Rows of one size are seen as such, and have the fair coin's tails."""
    sums = asked(
        np.array(
            [
                [1.0, -1.0, 1.0, 1.0, -1.0, 0.0],
                [2.0, -2.0, 2.0, 2.0, 0.0, 0.0],
                [1.0, 2.0, -3.0, 3.0, -1.0, 1.0],
            ]
        )
    )
    assert same_sized(sums).tolist() == [True, True, False]
    found = binomial_tails(sums[np.array([0, 1])])
    np.testing.assert_allclose(found.at_most, stats.binom.cdf([2, 1], [5, 4], 0.5), rtol=1e-14)
    np.testing.assert_allclose(found.below, stats.binom.cdf([1, 0], [5, 4], 0.5), rtol=1e-14)
    assert np.all(found.error <= 1.2e-14)
    np.testing.assert_allclose(found.error, (1e-14 + 6e-16 * np.sqrt([5.0, 4.0])) * found.at_most, rtol=1e-12)


def test_nothing_is_below_no_size_at_all() -> None:
    """Where none of the equal sizes is taken no sum is smaller."""
    sums = SubsetSums(np.ones((1, 4)), np.zeros(1), np.zeros(1), np.array([True]), np.zeros(1))
    found = binomial_tails(sums)
    assert (float(found.at_most[0]), float(found.below[0])) == (0.0625, 0.0)


def test_thousands_of_sizes_neither_overflow_nor_vanish() -> None:
    """3,000 sizes are 2³⁰⁰⁰ subsets: counts are scaled on the way, and the tail is that of a normal with its sum's spread."""
    sizes = np.sort(np.random.default_rng(3).integers(1, 4, size=3_000).astype(np.float64))
    threshold = np.floor(0.5 * sizes.sum() - 2.0 * 0.5 * np.sqrt(np.sum(sizes**2)))
    sums = SubsetSums(sizes[np.newaxis], np.array([threshold]), np.zeros(1), np.array([True]), np.zeros(1))
    found = convolution_tail(sums)
    z = (threshold + 0.5 - 0.5 * sizes.sum()) / (0.5 * np.sqrt(np.sum(sizes**2)))
    assert float(found.at_most[0]) == pytest.approx(stats.norm.cdf(z), rel=1e-3, abs=0.0)
    assert 0.0 < float(found.error[0]) < 1e-12


def test_tiny_counts_survive_scaling() -> None:
    """One subset in 2¹⁰⁵⁰ is still told, and forced coins halve it."""
    sizes = np.full((1, 1_050), 5.0)
    sums = SubsetSums(sizes, np.array([4.0]), np.array([3.0]), np.array([True]), np.zeros(1))
    assert float(convolution_tail(sums).at_most[0]) == 2.0**-1053


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows worked on a few at a time have the answers they have together."""
    sums = open_rows(asked(np.rint(np.random.default_rng(4).normal(0.0, 4.0, size=(30, 12)))))
    together = {name: WHOLE[name](sums) for name in ("Fourier", "enumeration")}
    monkeypatch.setattr(whole_numbers, "BLOCK", 1)
    monkeypatch.setattr(enumeration, "BLOCK", 1)
    for name, tail in together.items():
        again = WHOLE[name](sums)
        np.testing.assert_allclose(again.at_most, tail.at_most, atol=1e-14)
        np.testing.assert_allclose(again.below, tail.below, atol=1e-14)


def test_too_many_sums_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty different sizes pass a limit of a hundred sums per half; equal ones, or a low threshold, do not."""
    monkeypatch.setattr(enumeration, "LISTED", 100)
    rng = np.random.default_rng(5)
    assert grouped_tail(asked(rng.normal(size=30))) is None
    assert grouped_tail(asked(np.append(np.full(60, 1.0), np.full(40, -np.pi)))) is not None
    low = asked(np.append(rng.uniform(1.0, 2.0, size=30), -2.0 * np.ones(1)))
    assert grouped_tail(low) is not None


def test_more_than_a_thousand_equal_sizes_are_not_grouped() -> None:
    """Their binomial coefficients would overflow."""
    assert grouped_tail(asked(np.append(np.full(1_000, 1.0), [-np.pi, -2.0 * np.pi]))) is not None
    assert grouped_tail(asked(np.append(np.full(1_001, 1.0), [-np.pi, -2.0 * np.pi]))) is None


def test_time_of_a_fourier_sum_grows_with_rows_and_sizes() -> None:
    """More rows and larger sizes take longer, and very large ones for ever."""
    rng = np.random.default_rng(6)
    few, many, wide, huge = (
        asked(rng.integers(-m, m + 1, size=(rows, 20)).astype(np.float64))
        for rows, m in ((5, 5), (500, 5), (5, 100), (5, 10**7))
    )
    assert fourier_time(few) < fourier_time(many) < fourier_time(huge)
    assert fourier_time(few) < fourier_time(wide) < np.inf
    assert fourier_time(huge) == np.inf


def test_errors_of_exact_ways() -> None:
    """What is counted is off by its roundings: enumeration by some tens of them, convolution by one per size, a binomial by its root."""
    sums = asked(np.array([3.0, -1.0, 2.0, -2.0, 4.0, 1.0, 1.0, -5.0, 2.0, 6.0]))
    grouped = grouped_tail(sums)
    assert grouped is not None
    assert grouped.error[0] == pytest.approx(1e-14 * grouped.at_most[0], rel=1e-9, abs=0.0)
    convolved = convolution_tail(sums)
    assert convolved.error[0] == pytest.approx(1e-16 * sums.sizes.shape[1] * convolved.at_most[0], rel=1e-9, abs=0.0)
    equal = asked(np.array([1.0] * 7 + [-1.0] * 4))
    counted = binomial_tails(equal)
    assert counted.error[0] == pytest.approx((1e-14 + 6e-16 * np.sqrt(11.0)) * counted.at_most[0], rel=1e-9, abs=0.0)
    summed = fourier_tails(sums)
    assert summed.error[0] == pytest.approx(1e-13 * sums.chance[0], rel=1e-9, abs=0.0)


@pytest.mark.parametrize("threshold", [20.0, 60.0])
def test_the_error_of_a_convolution_is_one_rounding_per_size(threshold: float) -> None:
    """Of the tail, however small that is."""
    sizes = np.arange(1.0, 21.0)[np.newaxis]
    sums = SubsetSums(sizes, np.array([threshold]), np.array([5.0]), np.array([True]), np.zeros(1))
    found = convolution_tail(sums)
    assert float(found.error[0]) == pytest.approx(20e-16 * float(found.at_most[0]), rel=1e-12, abs=0.0)
