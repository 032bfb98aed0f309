"""Plain tables, votes, ratings and runs say which file gave how many rows of whom, as logs do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tellapart import compare, rank
from tellapart.data.provenance import Source
from tellapart.readers import read

File = Callable[..., str]


def counts(
    sources: tuple[Source, ...] | None,
) -> dict[tuple[str, str, str | None], tuple[int, int, int, int]]:
    assert sources is not None
    return {
        (Path(one.file).name, one.system, one.dataset): (one.rows, one.scored, one.missing, one.errors)
        for one in sources
    }


def test_a_long_table(file: File) -> None:
    """Rows per system and dataset; a blank is missing."""
    rows = "".join(
        f"{s},{d},q{n},{'' if (s, n) == ('a', 1) else n % 2}\n" for s in "ab" for d in "xy" for n in range(4)
    )
    path = file("system,dataset,item,score\n" + rows)
    answer = compare(read(path), missing="drop")
    name = Path(path).name
    assert counts(answer.sources) == {
        (name, "a", "x"): (4, 3, 1, 0),
        (name, "a", "y"): (4, 3, 1, 0),
        (name, "b", "x"): (4, 4, 0, 0),
        (name, "b", "y"): (4, 4, 0, 0),
    }
    assert {one.format for one in answer.sources or ()} == {"delimited"}
    assert "direction_assumed" not in {note.code for note in answer.notes}
    assert answer.to_dict()["sources"][0]["rows"] == 4
    assert counts(compare(read(path, dataset="x"), missing="drop").sources).keys() == {
        (name, "a", "x"),
        (name, "b", "x"),
    }


def test_wide_tables_files_and_new_names(file: File) -> None:
    """A column each, a file each, and systems by the names that the caller gives them."""
    wide = file("item,a,b,c\nq1,1,0,1\nq2,,1,1\nq3,1,1,0\n", "wide.csv")
    assert counts(rank(read(wide), missing="drop").sources) == {
        ("wide.csv", "a", None): (3, 2, 1, 0),
        ("wide.csv", "b", None): (3, 3, 0, 0),
        ("wide.csv", "c", None): (3, 3, 0, 0),
    }
    one = file('{"item": "q1", "score": 1}\n{"item": "q2", "score": 0}\n', "one.jsonl")
    other = file("item,score\nq1,0\nq2,1\n", "other.csv")
    found = compare(read([one, other], names={"one": "new"})).sources or ()
    assert counts(found) == {
        ("one.jsonl", "new", None): (2, 2, 0, 0),
        ("other.csv", "other", None): (2, 2, 0, 0),
    }
    assert [source.format for source in found] == ["json_lines", "delimited"]


def test_summary_rows_are_not_counted(file: File) -> None:
    """What is left out as a mean of the items is no row."""
    path = file("system,item,measure,score\n" + "".join(f"{s},{i},map,0.5\n" for s in "ab" for i in ("1", "2", "all")))
    assert set(counts(compare(read(path)).sources).values()) == {(2, 2, 0, 0)}


def test_votes(file: File) -> None:
    """A vote is a row of both its systems; what nobody judged, or where judging failed, is counted and left out."""
    path = file("left,right,winner\nx,y,left\nx,y,right\ny,x,left\nx,y,error\nx,y,missing\nx,y,tie\n", "v.csv")
    scores = read(path)
    assert len(scores) == 4
    assert counts(compare(scores).sources) == {
        ("v.csv", "x", None): (6, 4, 1, 1),
        ("v.csv", "y", None): (6, 4, 1, 1),
    }


def test_votes_that_nobody_won(file: File, refusal: Callable[..., str]) -> None:
    """Without a single winner there is nothing to compare."""
    assert "no vote says who won" in refusal(file("a,b,winner\nx,y,error\n"))


def test_what_was_asked_is_the_item_of_a_vote(file: File) -> None:
    """Evalica writes an id per pair that was shown beside the prompt."""
    found = read(file("id,prompt,left,right,winner,worker\n0,8,x,y,left,w\n1,8,x,z,left,w\n2,9,x,y,right,w\n"))
    assert found.items == (("", "8"), ("", "9"))


def test_ratings(file: File) -> None:
    """Ratings are rows like any other."""
    rows = "".join(f"{s},q{n},{r},{n % 3}\n" for s in "ab" for n in range(4) for r in "uvw")
    path = file("system,item,rater,score\n" + rows, "r.csv")
    assert counts(compare(read(path)).sources) == {
        ("r.csv", "a", None): (12, 12, 0, 0),
        ("r.csv", "b", None): (12, 12, 0, 0),
    }


def test_a_frame_is_no_file() -> None:
    """There is no file to name."""
    frame = pl.DataFrame({"item": ["1", "2"], "a": [1.0, 0.0], "b": [0.0, 1.0]})
    assert compare(read(frame)).sources is None


def test_runs(tmp_path: Path) -> None:
    """A row per judged query; one without documents is 0, or missing where it is left out."""
    pytest.importorskip("ir_measures")
    (tmp_path / "qrels").write_text("1 0 d1 1\n2 0 d2 1\n3 0 d3 1\n")
    (tmp_path / "x.run").write_text("1 Q0 d1 1 2 t\n2 Q0 d9 1 2 t\n")
    (tmp_path / "y.run").write_text("1 Q0 d9 1 2 t\n2 Q0 d2 1 2 t\n3 Q0 d3 1 2 t\n")
    paths = [str(tmp_path / name) for name in ("x.run", "y.run")]
    asked: dict[str, Any] = {"qrels": str(tmp_path / "qrels"), "measure": "P@1"}
    assert counts(compare(read(paths, **asked)).sources) == {
        ("x.run", "x", None): (3, 3, 0, 0),
        ("y.run", "y", None): (3, 3, 0, 0),
    }
    assert counts(compare(read(paths, **asked, unretrieved="drop")).sources)["x.run", "x", None] == (
        3,
        2,
        1,
        0,
    )
