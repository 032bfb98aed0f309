"""Parquet says the same as the CSV it could be written to."""

import io
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tellapart.data.scores import Scores
from tellapart.foundation.errors import ReadError
from tellapart.readers import read
from tellapart.readers.tables.parquet import block

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

Same = Callable[[Scores, Scores], bool]
Refusal = Callable[..., str]

LONG: dict[str, list[Any]] = {
    "model": ["a", "a", "b", "b"],
    "question_id": [10, 9, 9, 10],
    "cluster": ["x", "y", "y", "x"],
    "score": [0.5, None, 0.25, 0.1],
}
WIDE: dict[str, list[Any]] = {
    "task": ["s", "t", "u"],
    "a": [1, 2, 3],
    "b": [0.5, None, 0.25],
    "c": [True, False, None],
}


def write(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The file that the laws of readers are tried on."""
    pq.write_table(pa.table({name: [row[name] for row in rows] for name in rows[0]}), file := io.BytesIO())
    return file.getvalue()


def as_csv(columns: dict[str, list[Any]], path: Path) -> str:
    file = path / "table.csv"
    pd.DataFrame(columns).to_csv(file, index=False)
    return str(file)


@pytest.mark.parametrize("columns", [LONG, WIDE], ids=["long", "wide"])
@pytest.mark.parametrize("stdin", [False, True])
def test_parquet_equals_its_csv(
    columns: dict[str, list[Any]], stdin: bool, tmp_path: Path, same: Same, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parquet gives the scores of the same table as CSV, from a file or from standard input."""
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(columns), path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert same(read("-" if stdin else path), read(as_csv(columns, tmp_path)))


def test_rows_far_into_a_file(tmp_path: Path, refusal: Refusal) -> None:
    """A row is counted from the start of the file, however far it stands from there."""
    items = [*map(str, range(20_000)), "7"]
    pq.write_table(pa.table({"item": items, "a": [1] * len(items), "b": [0] * len(items)}), tmp_path / "t.parquet")
    message = refusal(tmp_path / "t.parquet")
    assert "t.parquet, row 20001: system 'a' already has a score for item '7'" in message
    assert "t.parquet, row 8): it comes twice. Keep one" in message


def test_damaged_parquet(tmp_path: Path, refusal: Refusal) -> None:
    """Parquet that is cut short, empty or repeats a name is refused by name."""
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(WIDE), path)
    (tmp_path / "cut.parquet").write_bytes(path.read_bytes()[:200])
    assert "cut.parquet: damaged Parquet" in refusal(tmp_path / "cut.parquet")
    pq.write_table(pa.table({"item": ["q"], "naïve": [1.0]}), path)
    (tmp_path / "name.parquet").write_bytes(path.read_bytes().replace("ï".encode(), b"\xe5x"))
    assert "name.parquet: damaged Parquet" in refusal(tmp_path / "name.parquet")
    pq.write_table(pa.table(WIDE).slice(0, 0), path)
    assert "table.parquet: found column names but no rows" in refusal(path)
    pq.write_table(pa.table([[1], [2]], names=["a", "a"]), path)
    assert "table.parquet: found column 'a' 2 times" in refusal(path)


def test_parquet_without_pyarrow(tmp_path: Path, refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pyarrow is not installed the error says how to get it."""
    pq.write_table(pa.table(WIDE), tmp_path / "table.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert "pip install 'tellapart[parquet]'" in refusal(tmp_path / "table.parquet")


def test_a_word_that_the_dictionary_does_not_have() -> None:
    """As a damaged file gives it: pyarrow notices only when the value is asked for."""
    words = pa.DictionaryArray.from_arrays(pa.array([0, 6], pa.int32()), pa.array(["yes"]), safe=False)
    found = block("t.parquet", ("word",), 1, pa.RecordBatch.from_arrays([words], ["word"]))
    with pytest.raises(ReadError, match="damaged Parquet"):
        found.column("word")
