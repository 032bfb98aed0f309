"""Standings from who is ahead and who is better, whatever was measured."""

import numpy as np

from tellapart.boards.standings import Standings, rank_systems, win_matrix


def standings(better: list[tuple[int, int]], goodness: list[float]) -> Standings:
    good = np.array(goodness)
    winner, loser = np.array(better, dtype=np.int64).reshape(-1, 2).T
    return Standings(rank_systems(good[:, np.newaxis] - good, good), win_matrix(winner, loser, len(goodness)))


def test_places() -> None:
    """Ranks count those ahead, ties share one and are ordered by goodness, then as they stand."""
    found = rank_systems(np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 1.0], [0.0, -1.0, 0.0]]), np.array([1.0, 0.0, 2.0]))
    assert found.ranks.tolist() == [2, 1, 2]
    assert found.order.tolist() == [1, 2, 0]
    level = rank_systems(np.zeros((3, 3)), np.zeros(3))
    assert level.ranks.tolist() == [1, 1, 1]
    assert level.order.tolist() == [0, 1, 2]


def test_a_board_of_four() -> None:
    """Two wins of the last system, and one of the third, leave what they leave."""
    found = standings([(3, 0), (3, 1), (2, 0)], [1.0, 2.0, 3.0, 4.0])
    assert found.ranking.order.tolist() == [3, 2, 1, 0]
    assert found.best_ranks.tolist() == [3, 2, 1, 1]
    assert found.worst_ranks.tolist() == [4, 4, 3, 2]
    assert found.tiers.tolist() == [2, 2, 1, 1]
    assert found.unbeaten.tolist() == [False, False, True, True]
    assert found.letters == ("a", "ab", "bc", "c")
    assert found.separated_neighbours == 0


def test_neighbours() -> None:
    """Only wins over the next in rank count, and only downwards."""
    assert standings([(2, 1), (2, 0)], [0.0, 1.0, 2.0]).separated_neighbours == 1
    assert standings([(1, 0), (2, 1)], [0.0, 1.0, 2.0]).separated_neighbours == 2
    assert standings([(0, 1)], [0.0, 1.0]).separated_neighbours == 0


def test_nothing_told_apart() -> None:
    """Without a win every rank is open, and all share one tier and one letter."""
    found = standings([], [3.0, 1.0, 2.0])
    assert found.best_ranks.tolist() == [1, 1, 1]
    assert found.worst_ranks.tolist() == [3, 3, 3]
    assert found.tiers.tolist() == [1, 1, 1]
    assert found.letters == ("a", "a", "a")
