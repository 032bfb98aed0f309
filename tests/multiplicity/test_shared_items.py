"""Who is ahead of whom on the items both have."""

import numpy as np
import pytest

from tellapart.boards.board import Board
from tellapart.boards.family import all_pairs, family_of, pair_errors
from tellapart.boards.gaps import leads_on_shared_items
from tellapart.data.scores import Scores
from tellapart.metrics import METRICS


def gappy(parts: int = 1) -> Scores:
    rng = np.random.default_rng(0)
    values = rng.integers(0, 6, (4, 30, 1, parts)).astype(float)
    for system in range(3):
        values[system, 5 * system : 5 * system + 7] = np.nan
    names = ("score",) if parts == 1 else ("tp", "fp", "fn")
    return Scores(tuple("abcd"), tuple(("", f"{i:02d}") for i in range(30)), values, parts=names)


@pytest.mark.parametrize(("metric", "parts"), [("mean", 1), ("f1", 3)])
def test_leads_are_the_effects_of_the_pairs(metric: str, parts: int) -> None:
    """What the family judges is what ranks count, and what the errors are about."""
    board = Board.of(gappy(parts), METRICS.parse(metric))
    a, b = all_pairs(4)
    found = leads_on_shared_items(board)
    np.testing.assert_allclose(found[b, a], family_of(board, a, b).effects, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found, -found.T, atol=1e-12)
    np.testing.assert_allclose(found[b, a], pair_errors(board, a, b).effects, rtol=1e-9, atol=1e-11)


def test_strangers_are_compared_by_their_means() -> None:
    """Two systems that share nothing still have an order."""
    nan = np.nan
    scores = Scores.from_arrays({"a": [1, 2, nan, nan], "b": [nan, nan, 4, 5], "c": [1.0, 2, 2, 1]})
    found = leads_on_shared_items(Board.of(scores, METRICS.parse("mean")))
    assert found[1, 0] == 3.0
    assert found[1, 2] == 3.0
    assert found[0, 2] == 0.0


def test_few_pairs_have_the_errors_of_many() -> None:
    """Asking about one pair gives what asking about all gives, with clusters too."""
    rng = np.random.default_rng(1)
    for clusters in (None, rng.integers(0, 9, 40).tolist()):
        scores = {f"s{i}": rng.normal(size=40) for i in range(6)}
        board = Board.of(Scores.from_arrays(scores, clusters=clusters), METRICS.parse("mean"))
        a, b = all_pairs(6)
        many, few = pair_errors(board, a, b), pair_errors(board, a[3:4], b[3:4])
        for one, all_of_them in zip(few, many, strict=True):
            assert one[0] == pytest.approx(all_of_them[3], rel=1e-9, abs=0.0)


def test_the_spread_of_a_pair_is_that_of_its_differences() -> None:
    """Without clusters it is their standard deviation."""
    rows = np.random.default_rng(2).normal(size=(3, 25))
    board = Board.of(Scores.from_arrays({f"s{i}": row for i, row in enumerate(rows)}), METRICS.parse("mean"))
    a, b = all_pairs(3)
    found = pair_errors(board, a, b)
    np.testing.assert_allclose(found.spread, (rows[b] - rows[a]).std(axis=1, ddof=1), rtol=1e-9)
    np.testing.assert_allclose(found.variances, found.spread**2 / 25, rtol=1e-12)


@pytest.mark.parametrize("few", [True, False])
def test_errors_are_those_of_the_paired_t(few: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Effect, variance, degrees of freedom and items of each pair, whichever way they are computed; two items are enough."""
    monkeypatch.setattr("tellapart.boards.family._pair_by_pair_is_faster", lambda *_: few)
    for items in (2, 9):
        rows = np.random.default_rng(items).normal(size=(3, items))
        board = Board.of(Scores.from_arrays({f"s{i}": row for i, row in enumerate(rows)}), METRICS.parse("mean"))
        a, b = all_pairs(3)
        found = pair_errors(board, a, b)
        differences = rows[b] - rows[a]
        np.testing.assert_allclose(found.effects, differences.mean(axis=1), rtol=1e-9)
        np.testing.assert_allclose(found.variances, differences.var(axis=1, ddof=1) / items, rtol=1e-9)
        assert found.dfs.tolist() == [items - 1.0] * 3
        assert found.items.tolist() == [items] * 3


@pytest.mark.parametrize("few", [True, False])
def test_a_constant_difference_has_no_variance(few: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What rounding leaves of it is none."""
    monkeypatch.setattr("tellapart.boards.family._pair_by_pair_is_faster", lambda *_: few)
    row = np.random.default_rng(3).random(12)
    board = Board.of(Scores.from_arrays({"a": row, "b": row + 0.1}), METRICS.parse("mean"))
    assert pair_errors(board, *all_pairs(2)).variances.tolist() == [0.0]


def test_one_cluster_leaves_one_degree_of_freedom() -> None:
    """All items of a board in one cluster: no variance can be seen, and nothing is divided by 0."""
    rows = np.random.default_rng(4).random((2, 6))
    scores = Scores.from_arrays({"a": rows[0], "b": rows[1]}, clusters=[1] * 6)
    found = pair_errors(Board.of(scores, METRICS.parse("mean")), *all_pairs(2))
    assert found.dfs.tolist() == [1.0]
    assert found.variances.tolist() == [0.0]
