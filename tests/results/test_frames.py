"""Frames: every answer's table under the names of its JSON, and tables of scores that read back as they were."""

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.golden.cases import ANSWERS, made

import tellapart
from tellapart import Ratings, Scores, Votes, read
from tellapart.foundation import frames
from tellapart.foundation.errors import UsageError
from tellapart.foundation.frames import frame

ROOT = Path(__file__).parents[2]
BACKENDS = ("pandas", "polars", "pyarrow")


def columns(found: Any) -> dict[str, list[Any]]:
    """A frame of any library as lists, with None for what is missing."""
    if hasattr(found, "to_pydict"):
        return dict(found.to_pydict())
    said = found.to_dict(as_series=False) if hasattr(found, "collect_schema") else found.to_dict("list")
    return {str(k): [None if v is None or (isinstance(v, float) and math.isnan(v)) else v for v in c] for k, c in said.items()}  # fmt: skip


def at(row: Any, path: str) -> Any:
    """What the JSON has at a path: names of keys may hold dots themselves."""
    if path in row:
        return row[path]
    first = next(key for key in row if path.startswith(f"{key}.") and isinstance(row[key], dict))
    return at(row[first], path.removeprefix(f"{first}."))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_is_a_frame(name: str, backend: Any) -> None:
    """Cell by cell what the JSON has under that name."""
    answer = made(name)
    said = json.loads(answer.to_json())
    if name == "reproduce":
        rows = [{"table": t["name"], **cell} for t in said["tables"] for cell in t["cells"]]
    else:
        rows = said.get(answer.table, [said])
    found = columns(answer.to_frame(backend=backend, full=True))
    assert {len(column) for column in found.values()} == {len(rows)}
    compared = 0
    for column, cells in found.items():
        for row, cell in zip(rows, cells, strict=True):
            try:
                wanted = at(row, column)
            except StopIteration:  # a path that this row has not, and another has
                wanted = None
            if isinstance(wanted, int | float | str | None) and not isinstance(cell, list):
                assert cell == wanted or cell == str(wanted), column
                compared += 1
    assert compared >= len(rows)


@pytest.mark.parametrize("backend", BACKENDS)
def test_other_tables(backend: Any) -> None:
    """The pairs of a board; an answer that has no such table says which it has."""
    board = made("rank")
    found = columns(board.to_frame("pairs", backend=backend))
    assert list(zip(found["a"], found["b"], strict=True)) == [(p["a"], p["b"]) for p in board.to_dict()["pairs"]]  # fmt: skip
    with pytest.raises(UsageError, match="systems, pairs"):
        board.to_frame("rows")


def same(a: Scores, b: Scores) -> None:
    assert (a.systems, a.items, a.measure, a.parts) == (b.systems, b.items, b.measure, b.parts)
    np.testing.assert_array_equal(a.values, b.values)
    np.testing.assert_array_equal(
        np.empty(0) if a.clusters is None else a.clusters, np.empty(0) if b.clusters is None else b.clusters
    )


@pytest.mark.parametrize("backend", BACKENDS)
def test_scores_read_back(backend: Any) -> None:
    """Datasets, clusters, runs, gaps and a measure, in any library."""
    rng = np.random.default_rng(3)
    values = rng.random((7, 3))
    values[2, 1:] = np.nan
    gaps = rng.random((7, 3))
    gaps[4] = np.nan
    scores = Scores.from_arrays(
        {"old one": values, "näw": gaps},
        items=[f"q{i}" for i in range(7)],
        datasets=["x", "y"] * 3 + ["x"],
        clusters=[0, 0, 1, 1, 2, 2, 2],
        measure="nDCG@10",
    )
    same(read(scores.to_frame(backend)), scores)
    plain = read(ROOT / "examples" / "retrieval.csv")
    assert isinstance(plain, Scores)
    same(read(plain.to_frame(backend)), plain)


@pytest.mark.parametrize("backend", BACKENDS)
def test_parts_read_back(backend: Any) -> None:
    counts = np.random.default_rng(1).integers(0, 3, (9, 1, 3)).astype(float)
    scores = Scores.from_arrays({"a": counts, "b": counts + 1}, parts=("tp", "fp", "fn"))
    found = read(scores.to_frame(backend), metric="f1")
    assert isinstance(found, Scores)
    np.testing.assert_array_equal(found.values, scores.values)


@pytest.mark.parametrize("backend", BACKENDS)
def test_ratings_and_votes_read_back(backend: Any) -> None:
    ratings = read(ROOT / "examples" / "ratings.csv")
    assert isinstance(ratings, Ratings)
    again = read(ratings.to_frame(backend))
    assert isinstance(again, Ratings)
    assert (again.systems, again.items, again.raters) == (ratings.systems, ratings.items, ratings.raters)
    for name in ("system", "item", "rater", "values"):
        np.testing.assert_array_equal(getattr(again, name), getattr(ratings, name))
    votes = read(ROOT / "examples" / "votes.csv")
    assert isinstance(votes, Votes)
    back = read(votes.to_frame(backend))
    assert isinstance(back, Votes)
    assert (back.systems, back.items, back.raters) == (votes.systems, votes.items, votes.raters)
    a, b = votes.systems
    assert tellapart.compare(back, a, b).effect == tellapart.compare(votes, a, b).effect


def test_which_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one in use; else the first that is installed; else it is said what to install."""
    monkeypatch.setattr(frames, "_CAME_IN", [])
    loaded = {name: sys.modules.get(name) for name in BACKENDS}
    for name in ("pandas", "pyarrow"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import polars  # noqa: ICN001, PLC0415  (as a user would have done)

    assert isinstance(frame({"x": [1]}), polars.DataFrame)
    for name, module in loaded.items():
        if module is not None:
            monkeypatch.setitem(sys.modules, name, module)
    with pytest.raises(UsageError, match="wanted pandas, polars, pyarrow"):
        frame({"x": [1]}, "spark")  # type: ignore[arg-type]  # what a user may type
    for name in BACKENDS:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr("tellapart.foundation.frames.find_spec", lambda _name: None)
    with pytest.raises(UsageError, match="pip install pandas"):
        frame({"x": [1]})
    with pytest.raises(UsageError, match="pip install polars"):
        frame({"x": [1]}, "polars")


@pytest.mark.parametrize("backend", BACKENDS)
def test_columns_are_of_one_type(backend: Any) -> None:
    """Whole numbers among others, and words among numbers, as a plan over several populations has them."""
    made_of: dict[str, list[Any]] = {"x": [1, 2.5, None], "y": ["a", 1, None], "z": [True, None, False]}
    found = columns(frame(made_of, backend))
    assert found["x"] == [1.0, 2.5, None]
    assert found["y"] == ["a", "1", None]
    assert found["z"] == [True, None, False]


def test_a_comparison_shows_its_main_columns() -> None:
    """Twenty at most, of which every one is in the full row under the same name."""
    answer = made("compare_continuous")
    main, full = (columns(answer.to_frame(backend="pandas", full=asked)) for asked in (False, True))
    assert {"effect", "interval.low", "interval.high", "pvalue", "verdict"} <= set(main)
    assert len(main) <= 20 < len(full)
    assert {name: full[name] for name in main} == main


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_frame_goes_out_as_it_came_in(backend: Any) -> None:
    scores = frame({"item": ["x", "y", "z"], "a": [0.1, 0.4, 0.2], "b": [0.3, 0.5, 0.9]}, backend)
    assert type(tellapart.compare(read(scores)).to_frame()) is type(scores)


@pytest.mark.parametrize(("method", "form"), [("to_markdown", "md"), ("to_latex", "tex"), ("to_html", "html")])
def test_answers_print_and_save_themselves(method: str, form: str, tmp_path: Path) -> None:
    answer = made("compare_binary")
    path = tmp_path / f"x.{form}"
    answer.save(path)
    assert path.read_text(encoding="utf-8") == getattr(answer, method)()
    assert answer.to_dict()["b"]["name"] in path.read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="unknown ending"):
        answer.save(tmp_path / "x.doc")
