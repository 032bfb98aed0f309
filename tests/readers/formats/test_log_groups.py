"""Logs in groups: by what their rows say, by a key of their records, and by the path that they lie under."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.readers.formats import written
from tests.readers.formats.conftest import Put

from tellapart.answers.comparison.parts import GroupResult
from tellapart.foundation.errors import DataError, TellapartError, UsageError
from tellapart.readers import read
from tellapart.verbs.compare import compare

ITEMS = [f"q{n}" for n in range(24)]
FIRST = {"old": {item: float(n % 2) for n, item in enumerate(ITEMS)}, "new": {item: float(n % 3 == 0) for n, item in enumerate(ITEMS)}}  # fmt: skip
LATER = {"old": FIRST["old"], "new": {item: 1.0 - score for item, score in FIRST["new"].items()}}


def log(model: str, scores: dict[str, float], *, levels: bool = False, dataset: str = "d") -> bytes:
    """An Inspect log, whose samples say a level where that is wanted."""
    found = json.loads(written.inspect(model, scores))
    found["eval"]["dataset"]["name"] = found["eval"]["task"] = dataset
    for number, sample in enumerate(found["samples"] if levels else ()):
        sample["metadata"] = {"level": "easy" if number < 12 else "hard"}
    return json.dumps(found).encode()


def week(put: Put, name: str, scores: dict[str, dict[str, float]], **more: Any) -> str:
    """A folder with a log of each system."""
    paths = [put(f"{name}/{model}.json", log(model, own, **more)) for model, own in scores.items()]
    return str(Path(paths[0]).parent)


def table(put: Put, **weeks: dict[str, dict[str, float]]) -> str:
    rows = [f"{week},{s},{i},{v}" for week, by in weeks.items() for s, own in by.items() for i, v in own.items()]
    return put("table.csv", "\n".join(["week,system,item,score", *rows]))


def judged(source: Any, **grouping: Any) -> tuple[GroupResult, ...]:
    answer = compare(source, a="old", b="new", **grouping)
    assert answer.groups is not None
    return answer.groups


def refused(source: Any, **asked: Any) -> str:
    with pytest.raises(TellapartError) as error:
        read(source, **asked)
    return error.value.message_for("command line")


def test_each_labelled_folder_is_a_group(put: Put) -> None:
    """The same systems under another label are no other runs of theirs; the answer is that of a table with a column of labels."""
    folders = [week(put, "wk1", FIRST), week(put, "wk2", LATER)]
    found = judged(folders, labels="w1,w2")
    assert [group.label for group in found] == ["w1", "w2"]
    assert found == judged(table(put, w1=FIRST, w2=LATER), by="week")


def test_systems_called_after_their_files_are_the_same_under_every_label(put: Put) -> None:
    for name, scores in (("wk1", FIRST), ("wk2", LATER)):
        for model, own in scores.items():
            put(f"{name}/{model}.jsonl", written.lm_eval(model, own))
    folders = [str(Path(put("wk1/x", "")).parent), str(Path(put("wk2/x", "")).parent)]
    assert [group.label for group in judged(folders, labels=("w1", "w2"))] == ["w1", "w2"]


def test_labels_of_logs_are_one_per_path(put: Put) -> None:
    folders = [week(put, "wk1", FIRST), week(put, "wk2", LATER)]
    assert "gives 3 labels (x, y, z) for 2 files" in refused(folders, labels=("x", "y", "z"))
    assert "'x' 2 times" in refused(folders, labels=("x", "x"))
    with pytest.raises(UsageError, match="leave one out"):
        read(folders, labels=("x", "y"), by="level")


def test_logs_are_grouped_by_dataset(put: Put) -> None:
    week(put, "logs/one", FIRST, dataset="one")
    folder = str(Path(week(put, "logs/two", LATER, dataset="two")).parent)
    for by in ("dataset", "Dataset"):
        assert [group.label for group in judged(folder, by=by)] == ["one", "two"]


@pytest.mark.parametrize("by", ["metadata.level", "level"])
def test_logs_are_grouped_by_a_key_of_their_records(put: Put, by: str) -> None:
    found = judged(week(put, "logs", FIRST, levels=True), by=by)
    assert [(group.label, group.items) for group in found] == [("easy", 12), ("hard", 12)]


def test_solved_lists_are_grouped_by_what_items_say(put: Put) -> None:
    """Items that no list names have a group too."""
    names = [f"{repo}-{n}" for repo in ("django__django", "sympy__sympy") for n in range(8)]
    put("all.txt", "\n".join(names))
    paths = [
        put(
            f"{model}/results/results.json",
            json.dumps({"no_generation": [], "no_logs": [], "resolved": solved}),
        )
        for model, solved in (("old", names[:3]), ("new", names[2:5] + names[9:12]))
    ]
    found = compare(read(paths, universe=str(Path(paths[0]).parents[2] / "all.txt"), by="repo"), a="old", b="new")
    assert found.groups is not None
    assert [(group.label, group.items) for group in found.groups] == [
        ("django/django", 8),
        ("sympy/sympy", 8),
    ]


@pytest.mark.parametrize("by", ["nonsense", "metadata.topic", "cluster", "rater"])
def test_what_logs_do_not_hold_makes_no_groups(put: Put, by: str) -> None:
    """It is refused by its name, with what there is."""
    said = refused(week(put, "logs", FIRST, levels=True), by=by)
    assert by in said
    assert "metadata.level" in said or "field of the rows: dataset" in said


def test_a_group_without_a_name_is_refused(put: Put) -> None:
    found = json.loads(log("old", FIRST["old"], levels=True))
    del found["samples"][3]["metadata"]
    paths = [put("old.json", json.dumps(found)), put("new.json", log("new", FIRST["new"], levels=True))]
    with pytest.raises(DataError, match="a blank for the group"):
        read(paths, by="level")


def test_a_table_beside_what_only_logs_answer_keeps_its_groups(put: Put) -> None:
    source = table(put, w1=FIRST, w2=LATER)
    assert judged(read(source, by="week", errors="zero")) == judged(source, by="week")
