"""A board that is held as bytes gives the answers of the same board held as doubles."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.multiplicity.alike import alike

from tellapart import Scores, rank, read
from tellapart.boards import binary_scores
from tellapart.boards.board import Board
from tellapart.data import score_storage
from tellapart.data.score_storage import stored_bytes
from tellapart.metrics import Metric

ROUNDED = 1e-12
"""Numbers to twelve digits: counts are divided where products of deviations are added."""


def board_file(folder: Path, systems: int, items: int, seed: int) -> Path:
    rng = np.random.default_rng(seed)
    skill, hardness = rng.normal(0.0, 0.6, systems), rng.normal(0.0, 1.0, items)
    right = (skill[:, np.newaxis] - hardness + rng.normal(0.0, 0.8, (systems, items)) > 0.0).astype(int)
    right[0], right[1] = 1, right[2]  # one that never errs, and twins
    names = [f"m{number}" for number in rng.permutation(systems)]
    lines = [f"q{i},{','.join(map(str, right[:, i].tolist()))}" for i in rng.permutation(items)]
    path = folder / "board.csv"
    path.write_text("\n".join([f"item,{','.join(names)}", *lines]) + "\n")
    return path


def both(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Scores, Scores]:
    doubles = read(path)
    monkeypatch.setattr(score_storage, "FROM", 0)
    monkeypatch.setattr(binary_scores, "BLOCK", 256)
    held = read(path)
    assert stored_bytes(doubles.values) is None
    assert stored_bytes(held.values) is not None
    return doubles, held


@pytest.mark.parametrize(("systems", "items", "seed"), [(4, 9, 1), (7, 150, 2), (30, 400, 3), (3, 70, 4)])
def test_the_same_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, systems: int, items: int, seed: int) -> None:
    doubles, held = both(board_file(tmp_path, systems, items, seed), monkeypatch)
    one, other = rank(doubles).to_dict(), rank(held).to_dict()
    alike(one, other, ROUNDED)
    assert one["signature"] == other["signature"]
    # What is counted, and what is flipped, has the same bits.
    for exact in ("pvalue", "adjusted_pvalue", "low", "high", "effect"):
        assert [pair.get(exact) for pair in one["pairs"]] == [pair.get(exact) for pair in other["pairs"]]


@pytest.mark.parametrize(
    "options",
    [
        {"baseline": "m1", "margin": 0.05},
        {"correction": "holm"},
        {"correction": "max_t(resampling=bootstrap)", "resamples": 499},
        {"lower_is_better": True},
    ],
)
def test_the_same_under_every_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    doubles, held = both(board_file(tmp_path, 6, 120, 5), monkeypatch)
    alike(rank(doubles, **options).to_dict(), rank(held, **options).to_dict(), ROUNDED)


def test_items_are_in_the_same_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doubles, held = both(board_file(tmp_path, 5, 200, 6), monkeypatch)
    one, other = Board.of(doubles, Metric.parse("mean")), Board.of(held, Metric.parse("mean"))
    assert other.binary_scores is not None
    assert np.array_equal(one.values, np.asarray(other.values))
    assert np.array_equal(one.places, other.places)
    assert np.array_equal(one.values[3], other.values[3])
    assert np.array_equal(one.means, other.means)
    assert np.array_equal(one.values @ one.values.T, other.binary_scores.together)


def test_items_that_tell_systems_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that some got right and some did not, and counts over these alone."""
    doubles, held = both(board_file(tmp_path, 4, 90, 9), monkeypatch)
    table, telling = (
        Board.of(doubles, Metric.parse("mean")).values,
        Board.of(held, Metric.parse("mean")).binary_scores,
    )
    assert telling is not None
    some = table[:, table.min(axis=0) < table.max(axis=0)]
    assert 0 < np.count_nonzero(table.min(axis=0)) < some.shape[1] < 90
    assert np.array_equal(telling.informative().doubles(), some)
    assert np.array_equal(telling.informative().together, some @ some.T)


def test_some_items_of_a_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row, part of a row, one mark, and several rows are looked up as in a table of doubles."""
    doubles, held = both(board_file(tmp_path, 5, 40, 8), monkeypatch)
    one, other = (Board.of(scores, Metric.parse("mean")).values for scores in (doubles, held))
    some = np.arange(40) % 3 == 0
    for key in ((2, some), (2, slice(3, 9)), (4, 7), (1, np.array([5, 0, 39])), 3, np.array([4, 0, 2])):
        assert np.array_equal(one[key], other[key])


def test_whatever_computes_with_them_has_doubles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doubles, held = both(board_file(tmp_path, 4, 30, 7), monkeypatch)
    assert (held.values - 1.0).dtype == np.float64
    assert np.array_equal(held.values[1] - held.values[2], doubles.values[1] - doubles.values[2])
    assert np.array_equal(1.0 - doubles.values, 1.0 - held.values)
    assert held.values.shape == doubles.values.shape


@pytest.mark.parametrize("cell", ["-0.0", "", "2", "0.5"])
def test_one_score_that_is_neither_keeps_doubles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cell: str) -> None:
    monkeypatch.setattr(score_storage, "FROM", 0)
    path = tmp_path / "scores.csv"
    path.write_text("item,a,b\n" + "".join(f"q{i:04d},{i % 2},{i % 3 % 2}\n" for i in range(1200)) + f"z,1,{cell}\n")
    scores = read(path)
    assert stored_bytes(scores.values) is None
    assert scores.values.dtype == np.float64
    assert scores.values[0, :4, 0, 0].tolist() == [0.0, 1.0, 0.0, 1.0]
