"""A board that lies in a file gives the answers, to the bit, of the same board in memory."""

import errno
import io
import os
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.multiplicity.alike import alike

from tellapart import Scores, rank, read
from tellapart.boards import joint_flips, omnibus, simultaneous_intervals
from tellapart.boards.board import Board
from tellapart.data import score_storage
from tellapart.foundation.errors import DataError
from tellapart.metrics import Metric

ROUNDED = 1e-10
"""Numbers to ten digits: what is added up in blocks is rounded otherwise."""


def board_file(folder: Path, systems: int, items: int, seed: int, *, far: float = 0.0) -> Path:
    rng = np.random.default_rng(seed)
    skill, hardness = rng.normal(0.0, 0.1, systems), rng.normal(0.0, 0.3, items)
    scores = far + np.round(skill[:, np.newaxis] - hardness + rng.normal(0.0, 0.5, (systems, items)), 6)
    scores[1], scores[:, 3] = scores[2], 0.25  # twins, and an item that tells nobody apart
    names = [f"m{number}" for number in rng.permutation(systems)]
    lines = [f"q{i},{','.join(map(repr, scores[:, i].tolist()))}" for i in rng.permutation(items)]
    path = folder / "board.csv"
    path.write_text("\n".join([f"item,{','.join(names)}", *lines]) + "\n")
    return path


@pytest.fixture
def blocks(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Every table is looked at in blocks, as large ones are."""
    monkeypatch.setattr(score_storage, "LARGE_FROM", 0)
    monkeypatch.setattr(score_storage, "BLOCK", 256)
    return monkeypatch


def both(path: Path, blocks: pytest.MonkeyPatch) -> tuple[Scores, Scores]:
    held = read(path)
    blocks.setattr(score_storage, "HELD", 0)
    filed = read(path)
    assert not score_storage.on_disk(held.values)
    assert score_storage.on_disk(filed.values)
    return held, filed


@pytest.mark.parametrize(("systems", "items", "far"), [(4, 9, 0.0), (7, 150, 0.0), (12, 700, 5e6)])
def test_the_same_bits(tmp_path: Path, blocks: pytest.MonkeyPatch, systems: int, items: int, far: float) -> None:
    held, filed = both(board_file(tmp_path, systems, items, items, far=far), blocks)
    assert rank(held, resamples=999).to_dict() == rank(filed, resamples=999).to_dict()
    one, other = (Board.of(scores, Metric.parse("mean")) for scores in (held, filed))
    assert score_storage.on_disk(other.values)
    assert np.array_equal(one.places, other.places)
    assert np.array_equal(one.values, other.values)


@pytest.mark.parametrize(
    "options",
    [
        {"baseline": "m1", "margin": 0.05},
        {"correction": "holm"},
        {"correction": "max_t(resampling=bootstrap)"},
        {"lower_is_better": True},
    ],
)
def test_the_same_under_every_question(tmp_path: Path, blocks: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    held, filed = both(board_file(tmp_path, 6, 120, 5), blocks)
    one, other = (rank(scores, resamples=499, **options).to_dict() for scores in (held, filed))
    assert one == other


def test_blocks_give_what_all_at_once_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = board_file(tmp_path, 9, 333, 8)
    whole = rank(read(path), resamples=999).to_dict()
    monkeypatch.setattr(score_storage, "LARGE_FROM", 0)
    monkeypatch.setattr(score_storage, "BLOCK", 256)
    alike(whole, rank(read(path), resamples=999).to_dict(), ROUNDED)


def test_gaps_are_dealt_with_as_ever(tmp_path: Path, blocks: pytest.MonkeyPatch) -> None:
    path = board_file(tmp_path, 5, 90, 9)
    lines = path.read_text().splitlines()
    lines[7] = lines[7].rpartition(",")[0] + ","
    path.write_text("\n".join(lines) + "\n")
    held, filed = both(path, blocks)
    for missing in ("drop", "pairwise"):
        one, other = (rank(scores, resamples=499, missing=missing).to_dict() for scores in (held, filed))
        assert one == other


def test_marks_that_turn_out_to_be_numbers(tmp_path: Path, blocks: pytest.MonkeyPatch) -> None:
    """Bytes become doubles in the file where a late score is no 0 or 1, and rows that need names of their own are spread out."""
    path = tmp_path / "scores.csv"
    rows = "".join(f"q{i:04d},{i % 2},{i % 3 % 2}\n" for i in range(1200))
    path.write_text(f"item,a,b\n{rows}z,1,0.5\n")
    held, filed = both(path, blocks)
    assert np.array_equal(held.values, filed.values)
    assert held.items == filed.items
    path.write_text(f"item,a,b\n{rows}q0000,1,0.5\n")
    with pytest.raises(Exception, match="q0000"):
        read(path)


def test_no_room_is_said_before_anything_is_written(tmp_path: Path, blocks: pytest.MonkeyPatch) -> None:
    path = board_file(tmp_path, 4, 30, 1)
    blocks.setattr(score_storage, "HELD", 0)
    blocks.setattr(score_storage, "_SPARE", 1 << 62)
    with pytest.raises(DataError, match="TMPDIR"):
        read(path)


def test_a_disk_that_fills_up_meanwhile_is_told(tmp_path: Path, blocks: pytest.MonkeyPatch) -> None:
    class Full(io.FileIO):
        def write(self, _: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    with Full(os.devnull, "w") as file, pytest.raises(DataError, match="TMPDIR"):
        score_storage.written(file, np.zeros(4))
    blocks.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(DataError, match="gone"):
        score_storage.scratch(8)


def test_no_table_of_the_size_of_the_board_is_held(tmp_path: Path, blocks: pytest.MonkeyPatch) -> None:
    """In a file, a fraction of the scores is held at once; in memory, the board itself and half as much for the ranks of its scores.

    With so many items nobody asks whether differences are skewed, which would need a table of them.
    """
    blocks.setattr(score_storage, "BLOCK", 1 << 13)
    blocks.setattr(omnibus, "BLOCK", 1 << 12)
    blocks.setattr(simultaneous_intervals, "BLOCK", 1 << 12)
    blocks.setattr(joint_flips, "FLIPS_OF_BLOCKS", 64)
    held, filed = both(board_file(tmp_path, 20, 17_000, 3), blocks)
    rank(filed, resamples=99)  # what is imported on the way is not counted
    for scores, most in ((filed, 0.7), (held, 2.7)):
        tracemalloc.start()
        rank(scores, resamples=99)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < most * 8 * 20 * 17_000
