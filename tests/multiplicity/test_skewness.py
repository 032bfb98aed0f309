"""Differences that lean to one side."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.metrics import METRICS
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.family import all_pairs
from tellapart.multiplicity.skewness import leaning, skewness
from tellapart.scores import Scores


def board(table: Any, clusters: list[int] | None = None) -> Board:
    return Board.of(
        Scores.from_arrays({f"s{i}": row for i, row in enumerate(table)}, clusters=clusters),
        METRICS.parse("mean"),
    )


def test_skewness_is_that_of_the_differences() -> None:
    """From sums over systems comes what scipy computes pair by pair; identical systems have none."""
    table = np.random.default_rng(0).exponential(size=(4, 50)) * np.array([1, 2, 3, 4])[:, None] + 7.0
    table = np.concatenate([table, table[:1]])
    a, b = all_pairs(5)
    found = skewness(board(table), a, b)
    for pair, (i, j) in enumerate(zip(a, b, strict=True)):
        difference = table[j] - table[i]
        expected = 0.0 if (difference == 0.0).all() else stats.skew(difference)
        assert found[pair] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_skewness_of_clusters() -> None:
    """With clusters it is that of the clusters' sums of deviations."""
    rng = np.random.default_rng(1)
    table, codes = rng.exponential(size=(2, 60)), np.repeat(np.arange(20), 3)
    difference = table[1] - table[0]
    sums = np.bincount(codes, difference - difference.mean())
    a, b = all_pairs(2)
    assert skewness(board(table, codes.tolist()), a, b)[0] == pytest.approx(stats.skew(sums), rel=1e-9)


def test_only_strong_leaning_counts() -> None:
    """Rare disasters of one system lean, symmetric noise does not, and many items make leaning harmless."""
    rng = np.random.default_rng(2)
    calm = 0.1 * rng.normal(size=(2, 60))
    disasters = np.where(np.arange(60) < 2, -5.0, 0.2)
    a, b = all_pairs(3)
    assert leaning(board(np.concatenate([calm, disasters[None]])), a, b).tolist() == [False, True, True]
    assert not leaning(board(rng.exponential(size=(3, 5000)) * np.array([[1], [2], [3]])), a, b).any()


def test_gaps_are_not_judged() -> None:
    """Where systems have different items nothing is said."""
    table = np.random.default_rng(3).lognormal(0, 2, size=(3, 40))
    table[0, :5] = np.nan
    assert not leaning(board(table), *all_pairs(3)).any()
