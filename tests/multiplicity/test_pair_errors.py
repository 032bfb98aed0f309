"""The standard error of every pair: as the cluster t test has it for that pair alone, whichever variance suits the clusters."""

from typing import Any, Literal

import numpy as np
import pytest

from tellapart import rank
from tellapart.boards.board import Board
from tellapart.boards.family import all_pairs, pair_errors
from tellapart.data.scores import Scores
from tellapart.metrics import METRICS
from tellapart.numerics.moments import cluster_error

SIZES = (1, 2, 4, 30, 3, 8, 1, 12, 2, 5, 3, 9, 1, 2, 2, 20, 3, 4, 6, 7)
CODES = np.repeat(np.arange(len(SIZES)), SIZES)
SYSTEMS = 6


def scores(*, complete: bool = True) -> Scores:
    rng = np.random.default_rng(2)
    table = rng.normal(size=(SYSTEMS, len(CODES))) + rng.normal(size=(SYSTEMS, len(SIZES)))[:, CODES]
    if not complete:
        table[0, :5] = np.nan
        table[3, 40:45] = np.nan
    return Scores.from_arrays({f"s{i}": row for i, row in enumerate(table)}, clusters=CODES.tolist())


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("variance", ["cr1", "cr2"])
def test_errors_are_those_of_each_pair_alone(variance: Literal["cr1", "cr2"], complete: bool) -> None:
    board = Board.of(scores(complete=complete), METRICS.parse("mean"))
    assert board.clusters is not None
    a, b = all_pairs(SYSTEMS)
    found = pair_errors(board, a, b, variance)
    for k in range(len(a)):
        both = board.scored[a[k]] & board.scored[b[k]]
        gaps = (board.values[b[k]] - board.values[a[k]])[both].reshape(-1)
        mean, error, df = cluster_error(gaps, board.clusters[both], variance)
        assert found.effects[k] == pytest.approx(float(mean))
        assert np.sqrt(found.variances[k]) == pytest.approx(float(error))
        assert (found.dfs[k], found.items[k]) == (pytest.approx(float(df)), both.sum())


def test_intervals_and_p_values_of_a_clustered_board_are_of_one_law() -> None:
    """On uneven clusters the interval of a pair has the error of the t that it is judged by, not a smaller one."""
    answer: Any = rank(scores())
    board = Board.of(scores(), METRICS.parse("mean"))
    assert board.clusters is not None
    places = {system: place for place, system in enumerate(board.systems)}
    widths, errors = [], []
    for pair in answer.pairs:
        a, b = places[pair.a], places[pair.b]
        _, error, _ = cluster_error(board.values[b] - board.values[a], board.clusters, "cr2")
        if abs((pair.low + pair.high) / 2.0 - pair.effect) < 1e-9:  # not widened up to zero
            widths.append((pair.high - pair.low) / 2.0)
            errors.append(float(error))
    assert len(widths) >= 3
    ratios = np.array(widths) / np.array(errors)
    assert ratios == pytest.approx(ratios[0])
