"""A folder of Parquet files that are one table, as programs write it that work on many machines."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import rank, read
from tellapart.foundation.errors import ReadError, TellapartError

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def board() -> dict[str, Any]:
    rng = np.random.default_rng(4)
    columns: dict[str, Any] = {"item": [f"q{i:03d}" for i in range(90)]}
    return columns | {f"m{j}": (rng.random(90) < 0.4 + 0.1 * j).astype(int).tolist() for j in range(4)}


def written(folder: Path, columns: dict[str, Any], parts: int = 3) -> Path:
    folder.mkdir()
    size = len(columns["item"]) // parts
    for part in range(parts):
        rows = {name: cells[part * size : (part + 1) * size] for name, cells in columns.items()}
        pq.write_table(pa.table(rows), folder / f"part-{part:05d}.parquet")
    (folder / "_SUCCESS").touch()
    (folder / ".part-00000.parquet.crc").write_bytes(b"crc")
    return folder


def test_a_folder_is_one_board(tmp_path: Path) -> None:
    folder, whole = written(tmp_path / "board", board()), tmp_path / "whole.parquet"
    pq.write_table(pa.table(board()), whole)
    one, other = rank(folder).to_dict(), rank(whole).to_dict()
    assert {source["file"] for source in one.pop("sources")} == {str(folder)}
    assert {source["rows"] for source in other.pop("sources")} == {90}
    assert one == other


def test_a_folder_of_rows_that_name_their_system(tmp_path: Path) -> None:
    rows: dict[str, Any] = {
        "item": [f"q{i}" for i in range(30)] * 2,
        "system": ["old"] * 30 + ["new"] * 30,
        "score": [float(i % 7) for i in range(60)],
    }
    scores = read(written(tmp_path / "rows", rows))
    assert scores.systems == ("old", "new")
    assert len(scores.items) == 30


def test_other_columns_are_named(tmp_path: Path) -> None:
    folder = written(tmp_path / "board", board())
    pq.write_table(pa.table({"item": ["z"], "m0": [1], "m9": [0]}), folder / "part-00009.parquet")
    with pytest.raises(ReadError, match=r"part-00009.*its columns are not those of .*part-00000.*'m1'"):
        read(folder)


def test_an_item_in_two_parts_is_told_with_its_rows(tmp_path: Path) -> None:
    columns = board()
    columns["item"][70] = "q003"
    with pytest.raises(TellapartError, match=r"row 71: .*'q003'.*row 4\): it comes twice"):
        read(written(tmp_path / "board", columns))


def test_files_of_one_system_each_are_no_board(tmp_path: Path) -> None:
    columns: dict[str, Any] = {"item": ["a", "b", "c"], "score": [0.1, 0.2, 0.3]}
    """They are a system each, as files of any other format are."""
    found = read(written(tmp_path / "systems", columns))
    assert [source.format for source in found.reading.sources] == ["parquet"] * len(found.systems)
    assert len(found.systems) > 1
