"""Sheets with a column per rater: the same ratings as one row per rating."""

from pathlib import Path

import pytest

from tellapart import Ratings, compare, read
from tellapart.readers.formats.rater_columns import RaterColumns

HEADS = ["rater1,rater2,rater3", "Annotator A,Annotator B,Annotator C", "judge_1,judge_2,judge_3"]
ROWS = [
    (system, item, 1 + (3 * item + 5 * rater + shift * (item % 3)) % 5, rater)
    for shift, system in ((1, "old"), (2, "new"))
    for item in range(8)
    for rater in range(3)
]


def long_table(path: Path) -> Path:
    lines = [f"{system},q{item},r{rater},{rating}" for system, item, rating, rater in ROWS]
    path.write_text("\n".join(["system,item,rater,rating", *lines]) + "\n")
    return path


def sheet(path: Path, head: str, blank: frozenset[int] = frozenset()) -> Path:
    cells = {(system, item, rater): rating for system, item, rating, rater in ROWS}
    lines = [
        f"{system},q{item},"
        + ",".join("" if item in blank and r == 2 else str(cells[system, item, r]) for r in range(3))
        for system in ("old", "new")
        for item in range(8)
    ]
    path.write_text("\n".join([f"system,item,{head}", *lines]) + "\n")
    return path


@pytest.mark.parametrize("head", HEADS)
def test_a_sheet_is_what_its_rows_say_one_by_one(tmp_path: Path, head: str) -> None:
    by_row = compare(read(long_table(tmp_path / "long.csv")), "old", "new")
    by_column = compare(read(sheet(tmp_path / "wide.csv", head)), "old", "new")
    assert (by_column.effect, by_column.pvalue) == (by_row.effect, by_row.pvalue)
    assert by_column.ratings == by_row.ratings


def test_a_blank_is_no_rating(tmp_path: Path) -> None:
    ratings = read(sheet(tmp_path / "wide.csv", HEADS[0], frozenset({0, 3})))
    assert isinstance(ratings, Ratings)
    assert len(ratings.values) == len(ROWS) - 4


@pytest.mark.parametrize("columns", ["rater1,score,rater2", "rater1,speed", "ann,bob,cleo", "rater,rater1,rater2"])
def test_other_sheets_are_not_taken_for_one(columns: str) -> None:
    """With a score beside them, with one rater, under names that say nothing, and with who rated in a column."""
    assert not RaterColumns().matches(frozenset(["system", "item", *columns.split(",")]))
