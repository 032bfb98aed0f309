"""The table of contributions: what is right or wrong, where scores are far from zero, and which differences are rounding."""

from typing import Any

import numpy as np
import pytest

from tellapart.boards.board import Board
from tellapart.data.scores import Scores
from tellapart.metrics import METRICS

MEAN = METRICS.parse("mean")


def board(*rows: Any, **options: Any) -> Board:
    return Board.of(Scores.from_arrays({f"s{i}": row for i, row in enumerate(rows)}, **options), MEAN)


def test_right_or_wrong() -> None:
    """Only 0 and 1, once per item, are right or wrong: gaps do not matter, repeats and other numbers do."""
    assert board([0, 1, 1], [1, 1, 0]).binary
    assert board([0, 1, np.nan], [1, 1, 0]).binary
    assert not board([0, 1, 1], [1, 0.5, 0]).binary
    assert not board([[0, 1], [1, 1]], [[1, 1], [0, 1]]).binary


def test_a_metric_of_parts_is_not_right_or_wrong() -> None:
    """F1 of counts of 0 and 1 is no share of right answers."""
    parts = np.ones((2, 4, 1, 3))
    scores = Scores(("a", "b"), tuple(("", str(i)) for i in range(4)), parts, parts=("tp", "fp", "fn"))
    assert not Board.of(scores, METRICS.parse("f1")).binary


def test_systems_and_items_have_an_order_of_their_own() -> None:
    """Systems by name, items by content; `places` leads back to the scores."""
    scores = Scores.from_arrays({"b": [3.0, 1.0, 2.0], "a": [0.0, 5.0, 1.0]})
    found = Board.of(scores, MEAN)
    assert found.systems == ("a", "b")
    np.testing.assert_array_equal(found.values[0], scores.values[1, found.places, 0, 0])
    np.testing.assert_array_equal(found.values[1], scores.values[0, found.places, 0, 0])


@pytest.mark.parametrize(("offset", "far"), [(1e3, False), (1e6, True), (-1e6, True)])
def test_scores_far_from_zero_are_taken_from_their_middle(offset: float, far: bool) -> None:
    """Only scores that lie thousands of times their own range away from 0 are centred; their means are not changed."""
    rows = np.random.default_rng(0).random((3, 50))
    found = board(*(rows + offset))
    assert (found.middle != 0.0) == far
    np.testing.assert_allclose(found.means, (rows + offset).mean(axis=1), rtol=1e-14)
    assert (np.abs(found.centred).max() < 2.0) == far


def test_where_far_begins() -> None:
    """A range of 1 is left alone up to a mean of 10,000 and centred beyond it; no range at all is left alone."""
    row = np.array([-0.5, 0.5] * 10)
    assert board(row + 10_000, row + 10_000).middle == 0.0
    assert board(row + 10_000.5, row + 10_000.5).middle == 10_000.5
    assert board(np.full(9, 1e9), np.full(9, 1e9)).middle == 0.0


def test_the_middle_is_the_median_system() -> None:
    """Of three systems the second, of two the lower one; and a small range makes a small number far."""
    row = np.array([-0.5, 0.5] * 10)
    assert board(row + 1e6, row + 3e6 / 2.0, row + 5e5).middle == 1e6
    assert board(row + 1e6, row + 1.2e6).middle == 1e6
    assert board(1e-5 * row + 10.0, 1e-5 * row + 10.0).middle == pytest.approx(10.0, rel=1e-12, abs=0.0)


def test_the_median_range_says_what_is_far() -> None:
    """Of four systems the third smallest range: half of them may vary little, and half may not."""
    row = np.array([-0.5, 0.5] * 10)
    assert board(row + 2e4, row + 2e4, row + 2e4, 100.0 * row + 2e4).middle == 2e4
    assert board(row + 2e4, row + 2e4, 100.0 * row + 2e4, 100.0 * row + 2e4).middle == 0.0


def test_gaps_do_not_hide_the_middle() -> None:
    """A board with gaps far from 0 is centred like any other."""
    row = np.array([-0.5, 0.5] * 10) + 1e6
    gappy = np.where(np.arange(20) < 2, np.nan, row)
    assert board(row, gappy).middle == 1e6


def test_systems_apart_have_no_middle() -> None:
    """Where one system's mean is less than half of the middle one's there is no common place to count from."""
    row = np.array([-0.5, 0.5] * 10)
    assert board(row + 1e6, row + 1e6, row + 4e5).middle == 0.0
    assert board(row + 1e6, row + 1e6, row + 6e5).middle == 1e6


def test_rounding_is_no_lead() -> None:
    """Means that differ in the last digits are equal, and the larger of two scores says what rounding is."""
    found = board([0.1 + 0.2, 0.5], [0.3, 0.5], [0.4, 0.5], [0.3 + 1e-9, 0.5])
    leads = found.leads()
    assert leads[0, 1] == leads[1, 0] == 0.0
    assert leads[2, 1] == pytest.approx(0.05)
    assert leads[3, 1] == pytest.approx(5e-10)
    np.testing.assert_array_equal(found.effects(np.array([0, 1]), np.array([1, 2])), [0.0, leads[2, 1]])
    assert found.snapped_means()[0] == found.snapped_means()[1]


def test_units_are_items_or_clusters() -> None:
    """Signs are flipped by item, or by cluster, and residuals are summed so."""
    rows = np.random.default_rng(1).random((2, 6))
    assert board(*rows).units == 6
    clustered = board(*rows, clusters=["x", "x", "y", "y", "y", "x"])
    assert clustered.units == 2
    left = clustered.residuals()
    assert left.shape == (2, 2)
    np.testing.assert_allclose(left.sum(axis=1), 0.0, atol=1e-15)


def test_gaps_count_for_nothing() -> None:
    """A system's mean and residuals are over its own items."""
    found = board([1.0, 2.0, np.nan], [4.0, 5.0, 9.0])
    np.testing.assert_allclose(found.means, [1.5, 6.0])
    assert found.items.tolist() == [2, 3]
    assert not found.complete
    np.testing.assert_allclose(np.sort(found.residuals()[0]), [-0.5, 0.0, 0.5])
    assert found.sizes.tolist() == [2.0, 9.0]


def test_right_answers_are_ones() -> None:
    """Whatever two numbers say right and wrong; those of 0 and 1 are the board itself, which is not held twice."""
    plain = board([0, 1, 1], [1, 1, 0])
    assert plain.right is plain.values
    coded = board([-1, 1, 1], [1, np.nan, -1])
    assert coded.coding == (-1.0, 1.0)
    np.testing.assert_array_equal(coded.right, np.where(np.isnan(coded.values), np.nan, coded.values == 1.0))


def test_only_means_are_taken_from_their_middle() -> None:
    """F1 of very many hits is far from 0 beside its range, and what items contribute to it is left as it is."""
    rng = np.random.default_rng(0)
    parts = np.ones((2, 8, 1, 3))
    parts[..., 0] = 1e6 + rng.integers(0, 3, (2, 8, 1))
    scores = Scores(("a", "b"), tuple(("", str(i)) for i in range(8)), parts, parts=("tp", "fp", "fn"))
    found = Board.of(scores, METRICS.parse("f1"))
    assert found.values.mean() > 1e4 * np.ptp(found.values, axis=1).max() > 0.0
    assert found.middle == 0.0


@pytest.mark.parametrize(("apart", "lead"), [(0.4, False), (0.6, True)])
def test_where_rounding_ends(apart: float, lead: bool) -> None:
    """Half a unit of the 13th digit after the first of the larger score."""
    found = board([1.0, 1.0], [1.0 + apart * 1e-13, 1.0 + apart * 1e-13])
    assert bool(found.leads()[1, 0] > 0.0) is lead
    assert bool(found.effects(np.array([0]), np.array([1]))[0] > 0.0) is lead
