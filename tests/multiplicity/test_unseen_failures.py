"""Rare failures that a system may have been spared: when they are reckoned with, how many, and what that does to a pair."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tellapart.calibration.difference_laws import failing
from tellapart.calibration.leaning_boards import chosen_claims
from tellapart.metrics import METRICS
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.corrections.max_t import MaxT
from tellapart.multiplicity.family import all_pairs, family_of
from tellapart.multiplicity.joint_bootstrap import joint_bootstrap
from tellapart.multiplicity.judging import Judging
from tellapart.multiplicity.leaning_pairs import LeaningPairs
from tellapart.multiplicity.unseen_failures import UnseenFailures, unseen_failures
from tellapart.scores import Scores
from tellapart.seeds import stream


def board_of(table: Any, clusters: list[int] | None = None) -> Board:
    scores = Scores.from_arrays({f"s{i:02d}": row for i, row in enumerate(table)}, clusters=clusters)
    return Board.of(scores, METRICS.parse("mean"))


def judging(board: Board) -> Judging:
    return Judging(board, family_of(board, *all_pairs(len(board.systems))), 0.05, 399, (7, ()))


def low_and_high(low: int, high: int, systems: int = 10) -> Board:
    """So many scores far below and far above what the middle system has."""
    table = np.tile(np.linspace(0.0, 0.1, 40), (systems, 1))
    table[0, :low] -= 5.0
    table[1, :high] += 5.0
    return board_of(table)


def pairs(seen: float, share: float = 0.9, size: float = 4.0) -> LeaningPairs:
    return LeaningPairs(np.array([seen]), np.array([size]), np.array([share]))


@pytest.mark.parametrize(("seen", "count"), [(2.0, 1), (3.0, 1), (4.0, 2), (5.0, 2), (6.0, 3)])
def test_as_many_as_leave_a_spared_system_hardly_ahead(seen: float, count: int) -> None:
    """Of k failures with u put back the lead is (k − u)/√u standard errors: below 2.2, and above it with one fewer."""
    found = unseen_failures(pairs(seen), low_and_high(3, 0))
    assert found == UnseenFailures(count, 4.0, seen)
    assert (seen - count) / np.sqrt(count) <= 2.2
    assert count == 1 or (seen - count + 1) / np.sqrt(count - 1) > 2.2


def test_where_none_is_reckoned_with() -> None:
    """No pair leans; one item makes them lean; heavy tails do; or failures are so many that luck spares no system."""
    board = low_and_high(3, 0)
    none = LeaningPairs(np.array([]), np.array([]), np.array([]))
    assert unseen_failures(none, board) is None
    assert unseen_failures(pairs(1.0), board) is None
    assert unseen_failures(pairs(3.0, share=0.74), board) is None
    assert unseen_failures(pairs(3.0, share=0.75), board) is not None
    assert unseen_failures(pairs(7.0), board) is None  # 10·exp(−7) < 0.02
    assert unseen_failures(pairs(7.0), low_and_high(3, 0, systems=30)) is not None


def test_the_middle_pair_speaks_for_all() -> None:
    """One pair that leans by many more, larger or smaller ones, or by heavy tails, changes nothing."""
    tails, sizes, shares = (np.array(x) for x in ([5.0, 30.0, 4.0], [4.0, 1.0, 90.0], [0.9, 0.1, 0.8]))
    found = unseen_failures(LeaningPairs(tails, sizes, shares), low_and_high(3, 0))
    assert found == UnseenFailures(2, 4.0, 5.0)


@pytest.mark.parametrize(
    ("low", "high", "reckoned"),
    [(2, 0, True), (0, 3, True), (4, 1, True), (1, 0, False), (3, 1, False), (3, 3, False)],
)
def test_scores_far_away_are_on_one_side(low: int, high: int, reckoned: bool) -> None:
    """Either side will do: a system without its rare gains looks worse than it is."""
    assert (unseen_failures(pairs(3.0), low_and_high(low, high)) is not None) == reckoned


def test_a_pair_bears_what_it_did_not_show() -> None:
    """The sum of differences loses the failures and its squares gain theirs; resamples stay as they are."""
    rng = np.random.default_rng(3)
    board = board_of(rng.normal(size=(2, 50)) + np.array([[0.0], [0.8]]))
    family = family_of(board, *all_pairs(2))
    plain = joint_bootstrap(board, family, 99, stream(1))
    borne = replace(plain, unseen=UnseenFailures(2, 3.0, 4.0))
    d = board.values[1] - board.values[0]
    expected = (abs(d.sum()) - 6.0) / np.sqrt((((d - d.mean()) ** 2).sum() + 2 * 9.0) * 50 / 49)
    np.testing.assert_allclose(borne.observed, [expected], rtol=1e-12)
    order = np.array([0])
    assert next(plain.rows(order)).tolist() == next(borne.rows(order)).tolist()
    assert replace(plain, unseen=UnseenFailures(9, 30.0, 4.0)).observed.tolist() == [0.0]


def spared() -> Any:
    """Three steady systems and three that fail on three items in a hundred, of which the last was spared; all means are truly equal."""
    rng = np.random.default_rng(5)
    risky = 0.05 + 0.05 * rng.standard_normal((3, 100))
    risky[0, [3, 40, 77]] -= 1.6
    risky[1, [8, 50, 91]] -= 1.6
    return np.concatenate([0.02 * rng.standard_normal((3, 100)), risky])


def test_a_system_that_was_spared_is_not_told_apart() -> None:
    """By items drawn again alone its lead is certain; with caution one failure like those of the others undoes it."""
    judge = judging(board_of(spared()))
    cautious, drawn = MaxT(resampling="cautious"), MaxT(resampling="bootstrap")
    borne = judge.borne(cautious)
    assert borne is not None
    assert (borne.count, borne.seen) == (1, 3.0)
    assert borne.size == pytest.approx(1.6, abs=0.1)
    assert judge.borne(drawn) is None
    assert judge.chosen() == cautious
    assert judge.joint(drawn).step_down.min() <= 0.05 < judge.joint(cautious).step_down.min()
    assert judge.expected_error(cautious, judge.joint(cautious)) is None


def test_clusters_bear_nothing() -> None:
    """They lean by their sizes alone."""
    judge = judging(board_of(spared(), list(range(100))))
    assert judge.borne(MaxT(resampling="cautious")) is None


def test_false_claims_with_three_failures_expected() -> None:
    """Robust against risky, 3 % failures, 100 items, equal means: false claims on one board in seven without it, on hardly any with it."""
    rng, fails = stream(11), failing(0.03)
    false = 0
    for seed in range(60):
        steady = 0.1 * rng.standard_normal((5, 100))
        values = np.concatenate([steady, fails((5, 100), 0.0, rng)]) + rng.standard_normal(100)
        false += bool(chosen_claims(values, None, 0.05, seed).any())
    assert false <= 4
