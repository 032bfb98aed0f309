"""In which order groups stand: what follows each other by its name, what a column says, what the caller gives, else as met."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tellapart.answers.comparison import Comparison
from tellapart.data.array_input import sort_groups
from tellapart.data.rows import Labels
from tellapart.data.scores import Scores
from tellapart.readers import read
from tellapart.verbs.compare import compare

pd: Any = import_module("pandas")
pl: Any = import_module("polars")

Table = Callable[[list[Any]], dict[str, list[Any]]]


def columns(weeks: list[Any]) -> dict[str, list[Any]]:
    """Eight items in each of these groups."""
    rows = [
        (week, f"{place}-{n}", 0.1 * n, 0.1 * n + 0.01 * (n % 3)) for place, week in enumerate(weeks) for n in range(8)
    ]
    week, item, old, new = (list(column) for column in zip(*rows, strict=True))
    return {"item": item, "week": week, "old": old, "new": new}


def labels(answer: Comparison) -> list[str]:
    assert answer.groups is not None
    return [group.label for group in answer.groups]


@pytest.mark.parametrize(
    ("met", "wanted"),
    [
        (["12", "9", "10"], ["9", "10", "12"]),
        (["0.5", "-1.5", "0.1"], ["-1.5", "0.1", "0.5"]),
        (["2026-02-01", "2025-12-31"], ["2025-12-31", "2026-02-01"]),
        (["2026-W02", "2025-W52"], ["2025-W52", "2026-W02"]),
        (["2026-02-01 10:00:00", "2026-02-01 09:30:00"], ["2026-02-01 09:30:00", "2026-02-01 10:00:00"]),
        (["2026-02-01 00:00:00", "2025-12-31 00:00:00"], ["2025-12-31", "2026-02-01"]),
    ],
)
def test_numbers_and_dates_follow_each_other(met: list[str], wanted: list[str]) -> None:
    """Every row keeps its group."""
    found = sort_groups(Labels.of([*met, met[0]]))
    assert list(found.names) == wanted
    assert found.ordered
    assert found.names[found.codes[-1]] == found.names[found.codes[0]]
    assert [found.names[code] for code in found.codes] == [name.removesuffix(" 00:00:00") for name in (*met, met[0])]


@pytest.mark.parametrize("met", [["b", "a"], ["10", "9", "x"], ["1.9", "1.10"], ["2026-02-01", "2025"]])
def test_other_names_stand_as_they_were_met(met: list[str]) -> None:
    found = sort_groups(Labels.of(met))
    assert list(found.names) == met
    assert not found.ordered


def test_the_newest_first_is_not_the_first_group() -> None:
    answer = compare(pd.DataFrame(columns([12, 11, 10, 9, 8])), by="week")
    assert labels(answer) == ["8", "9", "10", "11", "12"]
    assert "groups_as_met" not in {note.code for note in answer.notes}


def test_words_are_held_against_the_first_in_the_file() -> None:
    """Nothing says that the others are later, and a note says so."""
    answer = compare(pd.DataFrame(columns(["prod", "beta", "dev"])), by="week")
    assert labels(answer) == ["prod", "beta", "dev"]
    (note,) = [note for note in answer.notes if note.code == "groups_as_met"]
    assert note.values == {"first": "prod"}


def test_ordered_categories_have_their_order() -> None:
    frame = pd.DataFrame(columns(["high", "low", "mid"]))
    plain = frame.assign(week=frame["week"].astype("category"))
    assert labels(compare(plain, by="week")) == ["high", "low", "mid"]
    order = pd.CategoricalDtype(["low", "mid", "unmet", "high"], ordered=True)
    answer = compare(frame.assign(week=frame["week"].astype(order)), by="week")
    assert labels(answer) == ["low", "mid", "high"]
    assert "groups_as_met" not in {note.code for note in answer.notes}
    polars = pl.DataFrame(columns(["high", "low"])).with_columns(pl.col("week").cast(pl.Enum(["low", "high"])))
    assert labels(compare(polars, by="week")) == ["low", "high"]


def test_midnight_is_a_day() -> None:
    frame = pd.DataFrame(columns(["2026-01-12", "2026-01-05"]))
    frame["week"] = pd.to_datetime(frame["week"])
    assert labels(compare(frame, by="week")) == ["2026-01-05", "2026-01-12"]


def test_arrays_have_the_same_order() -> None:
    given = columns([12, 9])
    scores = Scores.from_arrays({"old": given["old"], "new": given["new"]}, items=given["item"], groups=given["week"])
    assert scores.groups is not None
    assert scores.groups.names == ("9", "12")


def test_labels_keep_the_order_in_which_they_are_given(tmp_path: Path) -> None:
    """Numbers too: the caller says which file is the first."""
    paths = []
    for week in (12, 9):
        paths.append(str(tmp_path / f"{week}.csv"))
        pd.DataFrame(columns([week])).drop(columns="week").to_csv(paths[-1], index=False)
    answer = compare(read(paths, labels=("12", "9")))
    assert labels(answer) == ["12", "9"]
    assert "groups_as_met" not in {note.code for note in answer.notes}
