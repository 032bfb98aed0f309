"""Simulated arenas of equal systems: how often any pair is called different. Run as a module for the table of docs/arenas.md."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tellapart.boards import vote_board
from tellapart.boards.vote_board import VotePairs, vote_errors
from tellapart.foundation.arrays import IntArray
from tellapart.foundation.seeds import stream
from tellapart.numerics.pairwise import PairwiseVotes, blocks_of_wins, groups_that_met
from tellapart.numerics.pairwise.bradley_terry import fit_strengths

Rng = np.random.Generator


@dataclass(frozen=True)
class Scenario:
    """Equal systems; `voters` says who casts each vote. Raters and items have strengths of their own with these deviations."""

    name: str
    systems: int
    votes: int
    voters: Callable[[Rng, int], IntArray] | None = None
    rater_sd: float = 0.0
    items: int = 0
    item_sd: float = 0.0
    ties: float = 0.2
    first: float = 0.0
    """The advantage of the one shown first, which is the system of the lower number in 8 votes of 10."""
    order: bool = True
    clusters: bool = True
    only_separated: bool = False


def uneven(count: int) -> Callable[[Rng, int], IntArray]:
    """Raters whose activity is lognormal."""

    def drawn(rng: Rng, votes: int) -> IntArray:
        activity = rng.lognormal(0.0, 1.0, count)
        return rng.choice(count, votes, p=activity / activity.sum()).astype(np.int64)

    return drawn


def ten_with_half(rng: Rng, votes: int) -> IntArray:
    few, many = rng.integers(0, 10, votes // 2), rng.integers(10, 210, votes - votes // 2)
    return np.concatenate([few, many]).astype(np.int64)


def one_each(_: Rng, votes: int) -> IntArray:
    return np.arange(votes, dtype=np.int64)


SCENARIOS = (
    Scenario("voters with one vote each", 8, 800, one_each),
    Scenario("ten voters with half of all votes", 8, 2000, ten_with_half, 0.6),
    Scenario("three systems, 30 uneven raters", 3, 600, uneven(30), 0.6),
    Scenario("forty systems, 150 uneven raters", 40, 8000, uneven(150), 0.6),
    Scenario("order always unbalanced, fitted", 6, 1200, first=0.6),
    Scenario("raters and items both", 6, 1500, uneven(60), 0.5, 80, 0.5),
    Scenario("Firth's fall-back, 4 systems, 16 votes", 4, 16, ties=0.0, only_separated=True),
    Scenario("Firth's fall-back, 8 systems, 60 votes", 8, 60, ties=0.0, only_separated=True),
)
CONTROLS = (
    replace(SCENARIOS[1], name="ten voters with half of all votes, by vote", clusters=False),
    replace(SCENARIOS[4], name="order always unbalanced, ignored", order=False),
    replace(SCENARIOS[5], name="raters and items both, by vote", clusters=False),
)


def drawn(scenario: Scenario, rng: Rng) -> tuple[PairwiseVotes, tuple[IntArray, ...]]:
    """Votes of one board, and their clusters."""
    systems, votes = scenario.systems, scenario.votes
    a = rng.integers(0, systems, votes)
    b = (a + rng.integers(1, systems, votes)) % systems
    strengths = np.zeros((votes, 2))
    clusters: list[IntArray] = []
    for who, sd in ((scenario.voters, scenario.rater_sd), (_items(scenario), scenario.item_sd)):
        if who is not None:
            codes = np.unique(who(rng, votes), return_inverse=True)[1]
            own = rng.normal(0.0, sd, (int(codes.max()) + 1, systems))
            strengths += np.stack([own[codes, a], own[codes, b]], axis=1)
            clusters.append(codes)
    low_first = rng.random(votes) < 0.8
    first = np.where(low_first == (a < b), 1.0, -1.0) if scenario.first else np.zeros(votes)
    up = 1.0 / (1.0 + np.exp(strengths[:, 1] - strengths[:, 0] - scenario.first * first))
    points = np.where(rng.random(votes) < 4.0 * scenario.ties * up * (1.0 - up), 0.5, rng.random(votes) < up)
    first = first if scenario.order else np.zeros(votes)
    made = PairwiseVotes(systems, a, b, points.astype(np.float64), first, np.ones(votes))
    return made, tuple(clusters) if scenario.clusters else ()


def _items(scenario: Scenario) -> Callable[[Rng, int], IntArray] | None:
    return (lambda rng, votes: rng.integers(0, scenario.items, votes)) if scenario.items else None


def false_claims(scenario: Scenario, boards: int, seed: int) -> tuple[int, int]:
    """Boards on which some pair is called different, and how many were judged."""
    rng, wrong, judged = np.random.default_rng(seed), 0, 0
    a, b = np.triu_indices(scenario.systems, 1)
    while judged < boards:
        votes, clusters = drawn(scenario, rng)
        separated = bool(blocks_of_wins(votes).max())
        if groups_that_met(votes).max() or separated != scenario.only_separated:
            continue
        fit = fit_strengths(votes.collapsed(), "half", order=bool(votes.first.any()), penalised=separated)
        fit = replace(fit, votes=votes) if clusters and not separated else fit
        errors = vote_errors(fit, clusters if not separated else (), a, b)
        pairs = VotePairs(fit, errors, a, b, 0.05, "max_t", stream(judged))
        wrong, judged = wrong + int(pairs.significant.any()), judged + 1
    return wrong, judged


def size(scenario: Scenario, boards: int, seed: int = 0) -> float:
    wrong, judged = false_claims(scenario, boards, seed)
    return wrong / judged


if __name__ == "__main__":
    vote_board.HELD = 1
    boards = int(sys.argv[1])
    for scenario in (*SCENARIOS, *CONTROLS):
        found = size(scenario, boards if scenario.systems < 40 else boards // 2)
        print(f"| {scenario.name} | {found:.4f} |", flush=True)  # noqa: T201  (a table for the document)
