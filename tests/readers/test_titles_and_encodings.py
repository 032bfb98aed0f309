"""What stands around a table: titles above its header, UTF-16, Latin-1; and files that are named as what they are."""

import json
import sqlite3
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tellapart.data.scores import Scores
from tellapart.readers import read

File = Callable[..., str]
Refusal = Callable[..., str]
Same = Callable[[Scores, Scores], bool]
LONG = "system,item,score\nold,q1,0.1\nold,q2,0.4\nnew,q1,0.3\nnew,q2,0.5\n"


@pytest.mark.parametrize(
    "titles",
    [
        "Results of May 2026\n",
        "Results,,\n,,\n(points),,\n",
        "sep=,\n",
        "# run 7\n# of May\n",
        "\ufeffResults\n\n\n",
    ],
)
def test_titles_above_the_header(titles: str, file: File, long: Scores, same: Same) -> None:
    assert same(read(file(titles + LONG)), long)


def test_lines_are_those_of_the_file(file: File, refusal: Refusal) -> None:
    """A fault below a title has the number that an editor shows."""
    assert "line 4: found 'x' in column 'score'" in refusal(file("Results\nsystem,item,score\nold,q1,1\nold,q2,x\n"))


def test_a_header_with_gaps_below_is_no_title(file: File) -> None:
    found = read(file("item,old,new\nq1,1,\nq2,,1\nq3,1,1\n"))
    assert [item for _, item in found.items] == ["q1", "q2", "q3"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_marked_encodings(encoding: str, file: File, long: Scores, same: Same) -> None:
    assert same(read(file(LONG.encode(encoding))), long)
    rows = [dict(zip(("system", "item", "score"), line.split(","), strict=True)) for line in LONG.splitlines()[1:]]
    assert read(file(json.dumps(rows).encode(encoding), "s.json")).systems == ("old", "new")


def test_latin_1(file: File) -> None:
    found = read(file(LONG.replace("q2", "Größe").encode("latin-1")))
    assert [item for _, item in found.items] == ["Größe", "q1"]


@pytest.mark.parametrize("encoding", ["Latin-1", "Utf-16"])
def test_another_encoding_is_told(encoding: str, file: File) -> None:
    for text in (LONG, "item,old,new\nq1,1,0\nq2,0,1\n"):
        path = file(text.replace("q2", "Größe").encode(encoding))
        told = [one.values for one in read(path).remarks if one.code == "other_encoding"]
        assert told == [{"file": path, "encoding": encoding.replace("Utf", "UTF")}]
    assert not read(file(LONG)).remarks


def test_markdown(file: File, refusal: Refusal) -> None:
    said = refusal(file("| id | old | new |\n|----|-----|-----|\n| q1 | 1 | 0 |\n", "scores.md"))
    assert "found a Markdown table. Write it as CSV: grep '|'" in said


def test_the_advice_for_markdown_works(file: File, refusal: Refusal, tmp_path: Path) -> None:
    subprocess: Any = import_module("subprocess")
    said = refusal(file("| id | old | new |\n|----|:---:|----:|\n| q1 | 1 | 0 |\n| q2 | 0 | 1 |\n", "scores.md"))
    subprocess.run(["sh", "-c", said[said.index("grep") :]], check=True, cwd=tmp_path)
    assert read(tmp_path / "scores.csv").systems == ("old", "new")


def test_sqlite(tmp_path: Path, refusal: Refusal) -> None:
    with sqlite3.connect(tmp_path / "scores.db") as base:
        base.execute("create table scores (item text, score real)")
    base.close()
    said = refusal(tmp_path / "scores.db")
    assert "found a SQLite database" in said
    assert "sqlite3 -header -csv FILE" in said


def test_arrow(tmp_path: Path, refusal: Refusal) -> None:
    pyarrow, feather, ipc = (import_module(name) for name in ("pyarrow", "pyarrow.feather", "pyarrow.ipc"))
    table = pyarrow.table({"item": ["q1"], "score": [0.5]})
    feather.write_feather(table, tmp_path / "scores.feather")
    assert "found an Arrow file (Feather)" in refusal(tmp_path / "scores.feather")
    saved = tmp_path / "saved"
    saved.mkdir()
    with ipc.new_stream(saved / "data-00000-of-00001.arrow", table.schema) as stream:
        stream.write_table(table)
    assert "found an Arrow stream" in refusal(saved / "data-00000-of-00001.arrow")
    for name in ("dataset_info.json", "state.json"):
        (saved / name).write_text("{}")
    assert "found a dataset of Hugging Face (save_to_disk)" in refusal(saved)
