"""Rare failures that single pairs show: against which side, how many more, and what they do to a board."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tellapart.calibration.difference_laws import failing
from tellapart.calibration.leaning_boards import chosen_claims
from tellapart.distributions.rare_failures import failures_below
from tellapart.metrics import METRICS
from tellapart.multiplicity import pair_failures as room
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.corrections.max_t import MaxT
from tellapart.multiplicity.family import all_pairs, family_of
from tellapart.multiplicity.joint_bootstrap import joint_bootstrap
from tellapart.multiplicity.judging import Judging
from tellapart.multiplicity.pair_failures import PairFailures, pair_failures
from tellapart.multiplicity.residuals import Residuals
from tellapart.multiplicity.unseen_failures import UnseenFailures
from tellapart.scores import Scores
from tellapart.seeds import stream


def board_of(table: Any, clusters: list[int] | None = None) -> Board:
    scores = Scores.from_arrays({f"s{i:02d}": row for i, row in enumerate(table)}, clusters=clusters)
    return Board.of(scores, METRICS.parse("mean"))


def judging(board: Board) -> Judging:
    return Judging(board, family_of(board, *all_pairs(len(board.systems))), 0.05, 399, (7, ()))


def one_fails(seen: int, gain: float = 0.06) -> Any:
    """Five steady systems and one that gains a little and fails on so many items."""
    rng = np.random.default_rng(5)
    table = 0.02 * rng.standard_normal((6, 100))
    table[5] += gain
    table[5, [3, 40, 77][:seen]] -= 0.8
    return table


def found_in(table: Any) -> PairFailures:
    board = board_of(table)
    family = family_of(board, *all_pairs(len(table)))
    return pair_failures(Residuals.of(board, family), family.effects)


@pytest.mark.parametrize("seen", [1, 2])
def test_every_pair_of_the_one_that_fails(seen: int) -> None:
    """As `failures_below` has it for each pair by itself, and none where the failing system is behind: then it claims nothing."""
    table = one_fails(seen)
    found = found_in(table)
    a, b = all_pairs(6)
    assert found.pairs == 5
    for pair in np.flatnonzero(b == 5):
        alone = failures_below(table[5] - table[a[pair]])
        assert float(alone.seen) == seen
        assert (found.counts[pair], found.sizes[pair]) == pytest.approx(
            (float(alone.spared), float(alone.distance))
        )
    assert not found.counts[b != 5].any()
    assert found_in(one_fails(seen, gain=-0.06)).pairs == 0
    assert found_in(one_fails(3)).pairs == 0


def test_blocks_of_pairs_are_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever side leads in them, or none: the first and the last system gain a little and fail, and two are twins."""
    table = one_fails(1)
    table[3] = table[2]
    table[0] += 0.06
    table[0, 8] -= 0.8
    whole = found_in(table)
    assert whole.pairs == 8
    for held in (1, 200):
        monkeypatch.setattr(room, "HELD", held)
        cut = found_in(table)
        assert (whole.counts.tolist(), whole.sizes.tolist()) == (cut.counts.tolist(), cut.sizes.tolist())


def test_a_pair_bears_its_own_failures_or_those_of_the_board() -> None:
    """Whichever cost it more; what is drawn stays as it is."""
    rng = np.random.default_rng(3)
    board = board_of(rng.normal(size=(2, 50)) + np.array([[0.0], [0.8]]))
    plain = joint_bootstrap(board, family_of(board, *all_pairs(2)), 99, stream(1))
    own = PairFailures(np.array([2.5]), np.array([3.0]))
    d = board.values[1] - board.values[0]
    expected = (abs(d.sum()) - 7.5) / np.sqrt((((d - d.mean()) ** 2).sum() + 2.5 * 9.0) * 50 / 49)
    assert replace(plain, spared=own).observed == pytest.approx([expected])
    light, heavy = UnseenFailures(1, 3.0, 4.0), UnseenFailures(3, 3.0, 4.0)
    assert replace(plain, spared=own, unseen=light).observed == pytest.approx([expected])
    assert (
        replace(plain, spared=own, unseen=heavy).observed.tolist()
        == replace(plain, unseen=heavy).observed.tolist()
    )
    # Few and large ones cost more than many small ones, and the other way round.
    for small in (UnseenFailures(7, 1.0, 4.0), UnseenFailures(1, 7.0, 4.0)):
        assert replace(plain, spared=own, unseen=small).observed == pytest.approx([expected])
    large = UnseenFailures(2, 4.0, 4.0)
    assert (
        replace(plain, spared=own, unseen=large).observed.tolist()
        == replace(plain, unseen=large).observed.tolist()
    )
    order = np.array([0])
    assert next(plain.rows(order)).tolist() == next(replace(plain, spared=own).rows(order)).tolist()


def test_one_failing_system_makes_the_board_cautious() -> None:
    """By flips and draws alone its lead is certain; with one failure seen that is not enough, without any it is all there is."""
    judge, cautious = judging(board_of(one_fails(1))), MaxT(resampling="cautious")
    assert judge.chosen() == cautious
    assert judge.spared(cautious) is not None
    assert judge.spared(MaxT(resampling="bootstrap")) is None
    assert judge.joint(MaxT(resampling="bootstrap")).step_down.min() <= 0.05
    assert judge.joint(cautious).step_down.min() > 0.05
    steady = judging(board_of(one_fails(0)))
    assert steady.chosen() == MaxT()
    assert steady.joint(steady.chosen()).step_down.min() <= 0.05


def test_clusters_and_right_or_wrong_scores_bear_nothing() -> None:
    cautious = MaxT(resampling="cautious")
    assert judging(board_of(one_fails(1), list(range(100)))).spared(cautious) is None
    assert judging(board_of(one_fails(1) > 0.0)).spared(cautious) is None


def test_false_claims_with_one_risky_system() -> None:
    """One of ten fails on 3 % of 100 items, means equal: false claims on one board in ten without it, and .05 show no failure at all."""
    rng, fails = stream(12), failing(0.03)
    false = unseen = 0
    for seed in range(80):
        values = np.concatenate([0.1 * rng.standard_normal((9, 100)), fails((1, 100), 0.0, rng)])
        unseen += bool(values[9].min() > -1.0)
        false += bool(chosen_claims(values + rng.standard_normal(100), None, 0.05, seed).any())
    assert false <= unseen + 2
