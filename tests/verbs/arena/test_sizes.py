"""Small simulated boards of equal systems: false claims are as rare as promised, and by vote they are not."""

import numpy as np
import pytest

from tellapart import plan_arena
from tellapart.foundation.seeds import stream
from tellapart.studies.calibration.arenas import ARENAS, SimulatedArena, counted_arenas
from tellapart.studies.calibration.measure import StreamBlock
from tellapart.verbs.arena.board import ELO

BOARDS = 60
MOST = 9
"""False boards of 60 at a size of .07: more than nine come once in a hundred tries."""


def name(arena: SimulatedArena) -> str:
    return f"{arena.truth}, {arena.systems} systems"


@pytest.mark.parametrize("arena", [one for one in ARENAS if not one.known and one.systems < 40], ids=name)
def test_false_claims_are_rare(arena: SimulatedArena) -> None:
    """And no rank lies outside its range on more boards than that."""
    false_claims, covered = counted_arenas(arena, StreamBlock(0, BOARDS, 2))
    assert false_claims <= MOST
    assert BOARDS - covered <= MOST


@pytest.mark.parametrize("arena", [one for one in ARENAS if one.known], ids=name)
def test_votes_taken_as_independent_are_found_out(arena: SimulatedArena) -> None:
    """The negative controls: votes of a rater as independent, and an order that is not adjusted for."""
    assert counted_arenas(arena, StreamBlock(0, BOARDS, 2))[0] > MOST


@pytest.mark.parametrize("systems", [5, 8])
def test_drawn_points_have_the_mean_of_the_model(systems: int) -> None:
    """A win counts 1 and a tie ½: with strengths θ the first of a pair has expit(θ − θ) of the points, whatever the ties."""
    arena = SimulatedArena(
        truth="ladder", systems=systems, votes=400_000, strengths=tuple(0.3 * i for i in range(systems)), ties=0.5
    )
    votes = arena.draw(stream(1))
    up = votes.winner == votes.a
    met = (votes.a == 0) & (votes.b == systems - 1)
    points = np.where(votes.winner < 0, 0.5, up)[met]
    expected = 1.0 / (1.0 + np.exp(0.3 * (systems - 1)))
    assert points.mean() == pytest.approx(expected, abs=4.0 * 0.5 / np.sqrt(met.sum()))


def test_planned_votes_leave_a_small_top_tier() -> None:
    """The leader of eight and at most one beside it, judged as `rank` judges; with half of the votes far more rarely."""
    votes = plan_arena(systems=8, lead=100, top=2, ties=0.2).rows[0].votes
    powers = []
    for count in (votes, votes // 2):
        arena = SimulatedArena(truth="lead", systems=8, votes=count, strengths=(100.0 / ELO, *[0.0] * 7))
        rng = stream(38)
        powers.append(np.mean([(arena.judge(rng).standings.tiers == 1).sum() <= 2 for _ in range(120)]))
    assert 0.7 <= powers[0] <= 0.94
    assert powers[1] < 0.6
