"""The score of votes in both orders, against a search over all shares and against Farrington and Manning's cubic."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from tellapart.data.summaries import Proportion, SeparateCounts
from tellapart.data.summaries.rater_samples import VotesByOrder
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.numerics.null_laws.score_difference import bounds_of_orders, degrees_of_orders, score_of_orders
from tellapart.numerics.null_laws.tails import fair_mid_pvalue, t_quantile

TABLES = [[(6, 5, 4), (8, 9, 1)], [(1, 6, 5), (27, 15, 18)], [(3, 4, 6), (1, 22, 21)]]
LEVELS = (0.5, 0.65, 0.8, 0.95)
"""How often the one shown first wins."""


def counts(*orders: tuple[int, int, int]) -> VotesByOrder:
    return VotesByOrder(*(np.array(column, dtype=float) for column in zip(*orders, strict=True)))


def searched(orders: list[tuple[int, int, int]], null: float) -> float:
    """The same statistic, with shares that a general optimiser finds the likeliest."""
    seen = np.array(orders, dtype=float)
    votes, value = seen.sum(axis=1), np.array([1.0, 0.0, -1.0])

    def shares(logs: FloatArray) -> FloatArray:
        sizes = np.exp(logs.reshape(2, 3))
        return np.asarray(sizes / sizes.sum(axis=1, keepdims=True))

    at_null: Any = {"type": "eq", "fun": lambda logs: (shares(logs) @ value).mean() - null}
    minimize: Any = optimize.minimize  # whose stubs know no constraint of this form
    found = minimize(
        lambda logs: -float((seen * np.log(shares(logs))).sum()),
        np.zeros(6),
        constraints=at_null,
        method="SLSQP",
        tol=1e-14,
        options={"maxiter": 500},
    )
    likeliest = shares(found.x)
    variance = likeliest @ value**2 - (likeliest @ value) ** 2
    error = 0.5 * np.sqrt((variance / votes).sum() * votes.sum() / (votes.sum() - 1.0))
    return float(((seen @ value / votes).mean() - null) / error)


@pytest.mark.parametrize("orders", TABLES)
@pytest.mark.parametrize("null", [0.0, 0.3, -0.45])
def test_as_a_search_finds(orders: list[tuple[int, int, int]], null: float) -> None:
    found = score_of_orders(counts(*orders), np.asarray(null))
    assert float(found) == pytest.approx(searched(orders, null), rel=1e-5, abs=0.0)


@pytest.mark.parametrize("null", [0.0, 0.2, -0.3])
def test_without_ties_as_two_proportions(null: float) -> None:
    """Shares of wins of the one shown first, in both orders: another form of the same likelihood."""
    found = float(score_of_orders(counts((12, 0, 18), (70, 0, 25)), np.asarray(null)))
    first = SeparateCounts(Proportion(np.asarray(18), np.asarray(30)), Proportion(np.asarray(70), np.asarray(95)))
    other = TESTS.parse("two_proportion_z").against(first, null, stream(0))
    assert found == pytest.approx(float(other.statistic) * np.sqrt(124.0 / 125.0), rel=1e-9, abs=0.0)


def every_table(first: int, second: int) -> tuple[VotesByOrder, FloatArray]:
    """All votes without ties of so many in each order, with the chance of each at every one of `LEVELS`."""
    lost, won = (x.ravel() for x in np.meshgrid(np.arange(first + 1.0), np.arange(second + 1.0), indexing="ij"))
    wins = np.stack([first - lost, won], axis=-1)
    chances = [stats.binom.pmf(lost, first, q) * stats.binom.pmf(won, second, q) for q in LEVELS]
    return VotesByOrder(wins, np.zeros_like(wins), [first, second] - wins), np.array(chances)


def claimed(votes: VotesByOrder) -> FloatArray:
    score = score_of_orders(votes, np.zeros(len(votes.wins)))
    return np.asarray(np.abs(score) >= t_quantile(0.975, degrees_of_orders(votes)))


@pytest.mark.parametrize("total", [20, 30, 40, 60, 200])
@pytest.mark.parametrize("share", [0.5, 0.2, 0.1, 0.03])
def test_equal_systems_are_called_different_as_often_as_meant(total: int, share: float) -> None:
    """With so many votes in the rarer order, however often the one shown first wins; enumerated."""
    first = max(round(total * share), 1)
    votes, chances = every_table(first, total - first)
    assert (chances @ claimed(votes)).max() <= 0.06


@pytest.mark.parametrize("total", [20, 40, 200])
def test_one_vote_in_an_order_is_not_held_against_the_normal_law(total: int) -> None:
    """Negative control, and why few votes leave few degrees of freedom."""
    votes, chances = every_table(1, total - 1)
    assert (chances @ (np.abs(score_of_orders(votes, np.zeros(len(votes.wins)))) >= 1.96)).max() >= 0.08


def test_signs_of_such_votes_are_not_to_be_trusted() -> None:
    """Negative control, and the issue's own numbers: the first wins 65 %, and B was first on 80 %."""
    votes, chances = every_table(40, 160)
    wins = votes.wins.sum(axis=-1).astype(int)
    raw = fair_mid_pvalue(wins, np.full_like(wins, 200), "two-sided") <= 0.05
    assert chances[1] @ raw == pytest.approx(0.74, abs=0.01)


@pytest.mark.parametrize("advantage", [0.5, 0.65, 0.8])
def test_at_balance_it_finds_what_signs_find(advantage: float) -> None:
    """And more, where much of the spread is the order's."""
    votes, _ = every_table(100, 100)
    chance = stats.binom.pmf(votes.wins[:, 1], 100, advantage + 0.1)
    chance *= stats.binom.pmf(votes.wins[:, 0], 100, 1.1 - advantage)
    wins = votes.wins.sum(axis=-1).astype(int)
    raw = fair_mid_pvalue(wins, np.full_like(wins, 200), "two-sided") <= 0.05
    assert chance @ claimed(votes) >= chance @ raw - 0.02


@pytest.mark.parametrize("orders", [*TABLES, [(3, 0, 0), (3, 0, 20)], [(0, 6, 0), (16, 2, 8)], [(5, 0, 0), (9, 0, 0)]])
def test_bounds_lie_where_the_score_says(orders: list[tuple[int, int, int]]) -> None:
    """Within all votes for one system, mirrored by the other, and at the score that was asked for."""
    votes = counts(*orders)
    low, high = bounds_of_orders(votes, np.asarray(1.96))
    assert -1.0 <= low <= votes.effect <= high <= 1.0
    other = bounds_of_orders(VotesByOrder(votes.losses, votes.ties, votes.wins), np.asarray(1.96))
    assert (float(-other[1]), float(-other[0])) == pytest.approx((float(low), float(high)), abs=1e-9)
    for bound, score in ((low, 1.96), (high, -1.96)):
        if abs(bound) < 1.0:
            assert float(score_of_orders(votes, bound)) == pytest.approx(score, abs=1e-6)
