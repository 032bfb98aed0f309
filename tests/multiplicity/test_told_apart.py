"""Decisions without p-values: the same as those of the p-values, on any family."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.decision import rejects
from tellapart.metrics import METRICS
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import all_pairs, family_of
from tellapart.multiplicity.joint_bootstrap import joint_bootstrap
from tellapart.multiplicity.joint_flips import FLIPS, joint_flips
from tellapart.multiplicity.joint_pvalues import joint_pvalues
from tellapart.multiplicity.told_apart import told_apart
from tellapart.scores import Scores
from tellapart.seeds import stream

Table = np.ndarray[Any, Any]


def board(table: Table) -> Board:
    scores = {f"s{i:03d}": row for i, row in enumerate(table)}
    return Board.of(Scores.from_arrays(scores), METRICS.parse("mean"))


def both(table: Table, resamples: int, alpha: float, seed: int = 0) -> tuple[list[bool], list[bool]]:
    family = family_of(board(table), *all_pairs(len(table)))
    decided = told_apart(joint_flips(family, resamples, stream(seed)), alpha)
    joint = joint_pvalues(joint_flips(family, resamples, stream(seed)))
    return decided.tolist(), rejects(joint.step_down, alpha).tolist()


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    systems=st.integers(2, 14),
    items=st.integers(3, 30),
    alpha=st.sampled_from([0.0005, 0.01, 0.05, 0.2, 0.49]),
    gap=st.floats(0.0, 1.0),
    whole=st.booleans(),
)
def test_decisions_are_those_of_the_pvalues(
    seed: int, systems: int, items: int, alpha: float, gap: float, whole: bool
) -> None:
    """Whatever the scores, ties and all patterns included, a pair is told apart exactly if its step-down p-value says so."""
    rng = stream(seed)
    table = rng.standard_normal((systems, items)) + gap * np.arange(systems)[:, np.newaxis]
    decided, told = both(np.rint(table) if whole else table, 499, alpha, seed)
    assert decided == told


def test_many_pairs_and_several_blocks() -> None:
    """With more pairs than stretches, and resamples in more blocks than one, decisions stay the same, and some are made."""
    rng = stream(4)
    table = rng.standard_normal((20, 60)) + np.linspace(0.0, 2.0, 20)[:, np.newaxis]
    decided, told = both(table, FLIPS + 500, 0.05)
    assert decided == told
    assert 0 < sum(decided) < len(decided)


@pytest.mark.parametrize("seed", range(12))
def test_many_small_blocks(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resamples in blocks of a hundred and some decide as those in one."""
    monkeypatch.setattr("tellapart.multiplicity.joint_flips.FLIPS", 130)
    rng = stream(seed)
    table = rng.standard_normal((12, 40)) + np.linspace(0.0, 1.2, 12)[:, np.newaxis]
    decided, told = both(table, 499, 0.05, seed)
    assert decided == told
    assert 0 < sum(decided) < len(decided)


@pytest.mark.parametrize("stretches", [1, 5])
def test_pvalues_of_exactly_alpha(stretches: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 39 resamples p = 0.05 is met exactly, again and again: such a pair is told apart, wherever it is looked at."""
    monkeypatch.setattr("tellapart.multiplicity.told_apart.STRETCHES", stretches)
    for seed in range(40):
        table = stream(seed).standard_normal((8, 30)) + np.linspace(0.0, 1.2, 8)[:, np.newaxis]
        decided, told = both(table, 39, 0.05, seed)
        assert decided == told


def test_bootstrap_draws_decide_alike() -> None:
    """Any draws will do, not only sign flips."""
    where = board(stream(5).standard_normal((6, 40)) + np.linspace(0.0, 2.0, 6)[:, np.newaxis])
    draws = joint_bootstrap(where, family_of(where, *all_pairs(6)), 999, stream(0))
    found = told_apart([draws], 0.05)
    assert found.tolist() == (joint_pvalues([draws]).step_down <= 0.05).tolist()
    assert 0 < found.sum() < len(found)


@pytest.mark.parametrize("resamples", [5, 18])
def test_too_few_resamples_decide_nothing(resamples: int) -> None:
    """Where the smallest p-value there can be is above alpha no pair is told apart; with one more it is."""
    table = np.array([np.zeros(30), np.ones(30) + 0.01 * np.arange(30)])
    assert both(table, resamples, 0.05) == ([False], [False])
    assert both(table, 19, 0.05) == ([True], [True])


@dataclass(frozen=True, eq=False)
class Counted:
    """Statistics that are whole numbers, so that they tie exactly, in a family without rounding."""

    observed: Table
    drawn: Table
    exhaustive: bool = False

    @property
    def scale(self) -> Table:
        return np.zeros(len(self.observed))

    @property
    def resamples(self) -> int:
        return int(self.drawn.shape[1])

    def rows(self, order: Table) -> Iterator[Table]:
        return (self.drawn[int(pair)].copy() for pair in order)


@pytest.mark.parametrize("seed", range(25))
def test_exact_ties_are_decided_alike(seed: int) -> None:
    """Where resamples reach a pair exactly: as p-values have it, in one block of draws or in two."""
    rng = np.random.default_rng(seed)
    observed = rng.integers(0, 9, 12).astype(float)
    drawn = rng.integers(0, 7, (12, 39)).astype(float)
    blocks = [Counted(observed, drawn[:, :20]), Counted(observed, drawn[:, 20:])]
    for alpha in (0.05, 0.1, 0.3):
        expected = rejects(joint_pvalues(blocks).step_down, alpha).tolist()
        assert told_apart(blocks, alpha).tolist() == expected
        assert told_apart([Counted(observed, drawn)], alpha).tolist() == expected
