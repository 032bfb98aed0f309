"""The question behind sign flips, asked of small data by hand."""

import itertools

import numpy as np
import pytest
from tests.distributions.sign_flip_law.subsets import asked, listed

from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums, Tail


def test_the_question_in_whole_numbers() -> None:
    """Differences on a step become multiples of it; sizes beyond the threshold are coins that must fall one way."""
    sums, sign = SubsetSums.of(np.array([[0.2, -0.1, 0.4, 0.0, -0.2, 0.9]]), np.array([1e-13]))
    assert sums.sizes.tolist() == [[0.0, 1.0, 2.0, 2.0]] or sums.sizes.tolist() == [[1.0, 2.0, 2.0]]
    assert sums.threshold.tolist() == [3.0]
    assert sums.halvings.tolist() == [2.0]
    assert sums.whole.tolist() == [True]
    assert sums.tolerance.tolist() == [0.0]
    assert sign.tolist() == [1.0]


def test_the_question_in_reals() -> None:
    """Without a step sizes are scaled by a power of two, and sums closer than k times their noise are ties."""
    values = np.array([[np.pi, -np.e, np.sqrt(2.0), -0.5]])
    sums, sign = SubsetSums.of(values, np.array([1e-6]))
    scale = float(np.abs(values).max() / sums.sizes.max())
    assert np.log2(scale) == np.rint(np.log2(scale))
    np.testing.assert_allclose(sums.sizes[0] * scale, np.sort(np.abs(values[0])), rtol=1e-15)
    assert float(sums.threshold[0] * scale) == pytest.approx(np.e + 0.5)
    assert float(sums.tolerance[0] * scale) == pytest.approx(4 * 0.5e-6, rel=1e-6, abs=0.0)
    assert sign.tolist() == [1.0]


@pytest.mark.parametrize(
    ("values", "sign"),
    [([1.0, 2.0, -3.0], 0.0), ([1.0, -2.0], -1.0), ([np.pi, -np.pi], 0.0), ([np.pi, -np.e], 1.0)],
)
def test_the_sign_of_the_majority(values: list[float], sign: float) -> None:
    """That of the sum, and 0 where both sides weigh the same up to noise."""
    assert SubsetSums.of(np.array([values]), np.array([1e-12]))[1].tolist() == [sign]


def test_noise_alone_is_no_difference() -> None:
    """Sizes up to half the noise take no part; the next larger do."""
    sums, _ = SubsetSums.of(np.array([[1.0, -1.0, 4e-9, -6e-9]]), np.array([1e-8]))
    assert int(sums.count[0]) == 3


@pytest.mark.parametrize("kind", ["whole", "real"])
def test_tails_are_those_of_all_flips(kind: str) -> None:
    """P(W ≤ threshold) is P(S ≥ |s|) over all flips: with forced coins taken out, and after splitting on the largest."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        values = rng.normal(0.6, 1.0, size=9)
        values = np.rint(3.0 * values) if kind == "whole" else values
        if not values.any():
            continue
        sums = asked(values)
        flips = np.array(list(itertools.product((1.0, -1.0), repeat=9))) @ values
        expected = float(np.mean(flips >= abs(values.sum()) - 1e-9))
        assert listed(sums)[0] == pytest.approx(expected, rel=1e-12, abs=0.0)
        if int(sums.count[0]):
            halves = sums.split()
            assert len(halves) == 2
            possible = sums.sizes[0, -1] <= sums.threshold[0] + sums.tolerance[0]
            both = [listed(halves, row) for row in ((0, 1) if possible else (0,))]
            assert sum(at_most for at_most, _ in both) == pytest.approx(expected, rel=1e-12, abs=0.0)


def test_rows_can_be_taken_out() -> None:
    """Some rows, without columns that only others need, and all of them as they are."""
    sums = asked(np.array([[1.0, -1.0, 0.0, 0.0], [1.0, -2.0, 2.0, -1.0], [3.0, -3.0, 1.0, 0.0]]))
    assert len(sums) == 3
    one = sums[np.array([0])]
    assert one.sizes.tolist() == [[1.0, 1.0]]
    assert (one.threshold.tolist(), one.whole.tolist()) == ([1.0], [True])
    assert sums[np.array([0, 1, 2])] is sums
    assert sums[1:].threshold.tolist() == sums.threshold[1:].tolist()


def test_what_rows_say_of_themselves() -> None:
    """Total, number of sizes, chances, ties, and how many sums half of the sizes have."""
    sums = SubsetSums(
        np.array([[0.0, 1.0, 1.0, 2.0], [0.5, 1.0, 3.0, 7.0]]),
        np.array([3.0, 4.0]),
        np.array([0.0, 3.0]),
        np.array([True, False]),
        np.zeros(2),
    )
    assert sums.total.tolist() == [4.0, 11.5]
    assert sums.count.tolist() == [3, 4]
    assert sums.chance.tolist() == [1.0, 0.125]
    assert sums.single.tolist() == [0.125, 2.0**-7]
    assert sums.tied.tolist() == [True, False]
    np.testing.assert_allclose(sums.listed, [np.sqrt(3.0 * 2.0), np.sqrt(2.0**4)])


def test_many_sums_are_as_good_as_infinite() -> None:
    """Beyond 2⁶⁴ nobody counts."""
    sizes = np.sqrt(np.arange(1.0, 301.0))[np.newaxis]
    sums = SubsetSums(sizes, np.array([50.0]), np.zeros(1), np.array([False]), np.zeros(1))
    assert sums.listed.tolist() == [2.0**64]


def test_tails_are_joined_in_order() -> None:
    """Rows of several tails, one after the other; a single one as it is."""
    first, second = (
        Tail(*(np.array([x]) for x in (1.0, 2.0, 3.0))),
        Tail(*(np.array([x, x]) for x in (4.0, 5.0, 6.0))),
    )
    joined = Tail.joined([first, second])
    assert (joined.at_most.tolist(), joined.below.tolist(), joined.error.tolist()) == (
        [1.0, 4.0, 4.0],
        [2.0, 5.0, 5.0],
        [3.0, 6.0, 6.0],
    )
    assert Tail.joined([first]).error.tolist() == [3.0]
    assert joined[np.array([2])].below.tolist() == [5.0]


def test_rows_of_several_kinds_keep_theirs() -> None:
    """Whole numbers with noise are whole beside reals, and reals are not rounded."""
    noisy = np.array([1.0, -2.0 + 1e-14, 3.0 - 1e-14, 4.0])
    reals = np.array([np.pi, -np.e, np.sqrt(2.0), 0.5])
    sums, sign = SubsetSums.of(np.stack([noisy, reals]), np.array([1e-12, 1e-12]))
    assert sums.whole.tolist() == [True, False]
    whole = sums.sizes[0][sums.sizes[0] > 0.0]
    assert whole.tolist() == np.rint(whole).tolist() == [1.0, 2.0]
    assert sums.tolerance[0] == 0.0 < sums.tolerance[1]
    alone = SubsetSums.of(reals[np.newaxis], np.array([1e-12]))[0]
    kept = sums.sizes[1][sums.sizes[1] > 0.0] / sums.threshold[1]
    assert kept.tolist() == pytest.approx((alone.sizes[0] / alone.threshold[0]).tolist(), rel=1e-15, abs=0.0)
    assert sign.tolist() == [1.0, 1.0]


def test_one_tail_joined_is_itself() -> None:
    """And two are one after the other."""
    one = Tail(np.array([0.5]), np.array([0.25]), np.array([1e-9]))
    two = Tail(np.array([0.1, 0.2]), np.array([0.0, 0.1]), np.zeros(2))
    assert Tail.joined([one]).below.tolist() == [0.25]
    assert Tail.joined([one, two]).at_most.tolist() == [0.5, 0.1, 0.2]
    assert Tail.joined([two, one]).error.tolist() == [0.0, 0.0, 1e-9]


def test_sums_of_exact_numbers_are_off_by_rounding() -> None:
    """Without noise there is still that of as many additions as sizes: 1e-15 of the largest each."""
    values = np.array([[np.pi, -np.e, np.sqrt(2.0), -0.5], [1e-3 * np.pi, 0.0, -np.e, 0.0]])
    sums, _ = SubsetSums.of(values, np.zeros(2))
    assert sums.whole.tolist() == [False, False]
    np.testing.assert_allclose(sums.tolerance * 4.0, [4e-15 * np.pi, 2e-15 * np.e], rtol=1e-12)


def test_rows_of_a_single_size_are_told_apart() -> None:
    """Equal sizes of neighbouring rows are no repetition: a half of one size has √2 sums, as of two that differ it has 2."""
    ones = np.ones(3)
    single = SubsetSums(ones[:, np.newaxis], ones, 0.0 * ones, ones > 0.0, 0.0 * ones)
    np.testing.assert_allclose(single.listed, np.sqrt([2.0, 2.0, 2.0]))
    none = SubsetSums(np.zeros((3, 0)), ones, 0.0 * ones, ones > 0.0, 0.0 * ones)
    assert none.listed.tolist() == [1.0, 1.0, 1.0]
