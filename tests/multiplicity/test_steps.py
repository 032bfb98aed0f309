"""Stepping down, and the critical value of the step that decided about each pair."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.boards import joint_pvalues as room
from tellapart.boards.joint_pvalues import JointPvalues, joint_pvalues, step_count
from tellapart.foundation.decision import rejects

Table = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Given:
    """Statistics as they are, in a family without rounding."""

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


def draws(seed: int, pairs: int, resamples: int, *, whole: bool) -> Given:
    rng = np.random.default_rng(seed)
    observed, drawn = 4.5 * rng.random(pairs), np.abs(rng.standard_normal((pairs, resamples)))
    return Given(np.rint(observed), np.rint(drawn)) if whole else Given(observed, drawn)


def in_batches(given: Given, alpha: float) -> tuple[Table, Table]:
    """The published procedure: all that exceed the critical value of the largest are told apart; then the same of those left."""
    left = np.ones(len(given.observed), dtype=bool)
    place = int(np.floor(alpha * (1 + given.resamples) + 1e-9))
    critical = np.full(len(left), np.inf)
    while left.any() and place:
        at = np.sort(given.drawn[left].max(axis=0))[-place]
        critical[left] = at
        if not (given.observed[left] > at).any():
            break
        left &= given.observed <= at
    return ~left, critical


@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    pairs=st.integers(1, 40),
    resamples=st.sampled_from([19, 39, 199]),
    alpha=st.sampled_from([0.05, 0.1, 0.3, 0.01]),
    whole=st.booleans(),
)
def test_decisions_of_the_published_procedure(seed: int, pairs: int, resamples: int, alpha: float, whole: bool) -> None:
    """Romano & Wolf (2005), by definition; and the critical value of a pair is exceeded exactly where it is told apart."""
    given = draws(seed, pairs, resamples, whole=whole)
    found = joint_pvalues([given])
    told, critical = in_batches(given, alpha)
    assert rejects(found.step_down, alpha).tolist() == told.tolist()
    criticals = found.criticals(alpha)
    assert (given.observed > criticals).tolist() == told.tolist()
    np.testing.assert_array_equal(criticals[~told], critical[~told])
    # Batches tell several pairs apart at one value; taken one by one each has its own, which is no larger.
    assert (criticals <= critical).all()
    assert found.critical(alpha) >= criticals.max()


def test_fewer_steps_claim_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs that share a step are held against all of it: p-values are no smaller, and decision and critical value stay one."""
    monkeypatch.setattr(room, "STEPS", 8)
    for seed in range(30):
        given = draws(seed, 30, 199, whole=False)
        monkeypatch.setattr(room, "FEWEST_STEPS", 8)
        coarse = joint_pvalues([given])
        monkeypatch.setattr(room, "STEPS", 64)
        exact = joint_pvalues([given])
        monkeypatch.setattr(room, "STEPS", 8)
        assert coarse.maxima.shape == (8, 199)
        assert (coarse.step_down >= exact.step_down).all()
        assert (coarse.single_step == exact.single_step).all()
        told = rejects(coarse.step_down, 0.1)
        assert (given.observed > coarse.criticals(0.1)).tolist() == told.tolist()


def test_blocks_of_resamples_are_added_up() -> None:
    for seed in range(20):
        given = draws(seed, 12, 99, whole=True)
        parts = [Given(given.observed, part) for part in (given.drawn[:, :30], given.drawn[:, 30:])]
        one, other = joint_pvalues([given]), joint_pvalues(parts)
        for name in ("raw", "step_down", "single_step", "maxima", "steps"):
            assert getattr(one, name).tolist() == getattr(other, name).tolist()


def test_how_many_steps_there_are() -> None:
    """As many as pairs up to sixty-four, of very many resamples fewer, and never below eight."""
    assert [step_count(count) for count in (1, 10_000, 1 << 18, 1 << 20, 10**7)] == [64, 64, 64, 16, 8]


def test_the_critical_value_counts_the_observed_arrangement() -> None:
    """Of 19 resamples and the board itself one is 5 %: the largest is critical. Of 18 none is, and nothing can be told apart."""

    def critical(resamples: int, alpha: float = 0.05) -> float:
        maxima, one = np.arange(1.0, resamples + 1.0)[np.newaxis], np.ones(1)
        return JointPvalues(
            one, one, one, one, maxima, np.zeros(1, dtype=np.int64), resamples, exhaustive=False
        ).critical(alpha)

    assert critical(19) == 19.0
    assert critical(18) == float("inf")
    assert critical(38) == 38.0
    assert critical(39) == 38.0
    assert critical(99, 0.3) == 70.0


def test_too_few_resamples_decide_nothing() -> None:
    found = joint_pvalues([Given(np.array([5.0, 1.0]), np.ones((2, 18)))])
    assert not rejects(found.step_down, 0.05).any()
    assert np.isinf(found.criticals(0.05)).all()
