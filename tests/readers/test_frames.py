"""Frames say the same as the CSV they could be written to."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from tellapart.data.scores import Scores
from tellapart.readers import read

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

Same = Callable[[Scores, Scores], bool]
Refusal = Callable[..., str]

LONG: dict[str, list[Any]] = {
    "model": ["a", "a", "a", "b", "b", "b"],
    "question_id": [10, 9, 8, 8, 9, 10],
    "seed": [1, 1, 1, 1, 1, 1],
    "cluster": ["x", "x", "y", "y", "x", "x"],
    "score": [0.5, None, 1.0, 0.25, 0.75, 0.1],
}
WIDE: dict[str, list[Any]] = {
    "task": ["s", "t", "u"],
    "a": [1, 2, 3],
    "b": [0.5, None, 0.25],
    "c": [True, False, None],
}

MAKERS: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas_nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas_categories": lambda columns: pd.DataFrame(columns).astype({next(iter(columns)): "category"}),
    "polars": pl.DataFrame,
    "polars_lazy": pl.LazyFrame,
    "pyarrow": pa.table,
}


def as_csv(columns: dict[str, list[Any]], path: Path) -> str:
    file = path / "table.csv"
    pd.DataFrame(columns).to_csv(file, index=False)
    return str(file)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("columns", [LONG, WIDE], ids=["long", "wide"])
def test_frames_equal_their_csv(maker: str, columns: dict[str, list[Any]], tmp_path: Path, same: Same) -> None:
    """A frame of any library gives the scores of the CSV it would be written to, nulls as missing."""
    assert same(read(MAKERS[maker](columns)), read(as_csv(columns, tmp_path)))


def test_frames_longer_than_a_block() -> None:
    """Rows beyond the first block keep their place."""
    n = 20_000
    frame = pl.DataFrame({"item": range(n), "a": np.arange(n) / n, "b": np.ones(n)})
    scores = read(frame)
    order = [int(name) for _, name in scores.items]
    np.testing.assert_array_equal(scores.values[0, :, 0, 0], np.arange(n)[order] / n)


def test_nan_is_a_null_only_in_pandas(refusal: Refusal) -> None:
    """NaN is how pandas says missing; where a library has nulls of its own, NaN is a result gone wrong."""
    columns = {"item": [1, 2], "a": [1.0, float("nan")], "b": [1.0, 2.0]}
    assert np.isnan(read(pd.DataFrame(columns)).values[0, 1, 0, 0])
    message = refusal(pl.DataFrame(columns))
    assert "frame, row 2: found nan in column 'a'; wanted a finite number" in message
    assert "Make it null" in message
    assert "found inf in column 'a'" in refusal(pd.DataFrame(columns | {"a": [1.0, float("inf")]}))


def test_bad_frames(refusal: Refusal) -> None:
    """A frame without rows, with a name twice, with a null item or with lists is refused like a file."""
    assert "frame: found column names but no rows" in refusal(pd.DataFrame({"item": [], "a": [], "b": []}))
    assert "frame: each column name may occur once" in refusal(pd.DataFrame([[1, 2, 3]], columns=["item", "a", "a"]))
    assert "frame, row 2: found a blank for the item" in refusal(pd.DataFrame({"item": ["q", None], "a": 1, "b": 2}))
    assert "frame, row 1: found [1] in column 'a'" in refusal(pl.DataFrame({"item": [1], "a": [[1]], "b": [1]}))
    assert "frame: no column names the items; found no columns" in refusal(pd.DataFrame(index=[1, 2]))


def test_columns_of_numbers_as_names() -> None:
    """Column names that are no text are read as text."""
    assert read(pd.DataFrame({"item": [1, 2], 0: [1, 2], 1: [3, 4]})).systems == ("0", "1")


def test_the_index_of_a_frame_is_what_it_would_be_in_a_file(tmp_path: Path, same: Same) -> None:
    """Rows of a wide frame are items, called as its index calls them; a named index has the role of a column."""
    plain = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0.5, 0.0, 0.25]})
    for frame in (plain, plain.set_axis(["s", "t", "u"]), plain.rename_axis("anything")):
        file = tmp_path / "wide.csv"
        frame.rename_axis(None).to_csv(file)
        assert same(read(frame), read(file))
    long = pd.DataFrame(LONG)
    for indexed in (long.set_index("question_id"), long.set_index(["model", "question_id"])):
        assert same(read(indexed), read(long))


def test_an_index_never_takes_the_place_of_a_column(same: Same) -> None:
    """Rows that were picked from a larger frame keep an index that means nothing beside the items of a column."""
    long = pd.DataFrame(LONG)
    assert same(read(long.set_axis(range(100, 106)).rename_axis("id")), read(long))
    both = pd.DataFrame({"": ["s", "t"], "a": [1.0, 2.0], "b": [0.5, 0.0]})
    assert [item for _, item in read(both).items] == ["s", "t"]
