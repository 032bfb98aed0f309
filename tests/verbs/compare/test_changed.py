"""Items won and lost: counted apart, in the answer, on pages, and as a file."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import Scores, compare, gate
from tellapart.answers.comparison.parts import ChangedItem
from tellapart.answers.page import page_of
from tellapart.answers.texts import add_text
from tellapart.cli import main
from tellapart.render import render

RNG = np.random.default_rng(11)
A, B = (RNG.random((2, 90)) < [[0.6], [0.7]]).astype(float)
OLD, NEW = RNG.normal(size=(2, 90)).round(2)


def independently(a: Any, b: Any, *, better: int = 1) -> tuple[list[str], list[str]]:
    """Names of items won and lost by B, the largest differences first."""
    gains = {f"{place + 1:02d}": better * (y - x) for place, (x, y) in enumerate(zip(a, b, strict=True))}
    won = sorted((name for name in gains if gains[name] > 1e-9), key=lambda name: (-round(gains[name], 6), name))
    lost = sorted((name for name in gains if gains[name] < -1e-9), key=lambda name: (round(gains[name], 6), name))
    return won, lost


def table(a: Any, b: Any) -> Scores:
    return Scores.from_arrays({"old": a, "new": b}, items=[f"{place + 1:02d}" for place in range(len(a))])


@pytest.mark.parametrize(("a", "b"), [(A, B), (OLD, NEW)])
@pytest.mark.parametrize("lower", [False, True])
def test_won_and_lost(a: Any, b: Any, *, lower: bool) -> None:
    """Every one, with both scores; fewer is better where that is said."""
    found = compare(table(a, b), lower_is_better=lower).changed
    assert found is not None
    won, lost = independently(a, b, better=-1 if lower else 1)
    assert ([one.item for one in found.won], [one.item for one in found.lost]) == (won, lost)
    assert (found.won_items, found.lost_items) == (len(won), len(lost))
    place = int(won[0]) - 1
    assert found.won[0] == ChangedItem(won[0], a[place], b[place])


def test_they_are_the_discordant_items() -> None:
    """Of right or wrong they are counted by the 2×2 table too."""
    answer = compare(table(A, B))
    assert answer.counts is not None
    assert answer.changed is not None
    assert (answer.counts.only_b, answer.counts.only_a) == (
        answer.changed.won_items,
        answer.changed.lost_items,
    )


def test_runs_are_averaged() -> None:
    found = compare(Scores.from_arrays({"old": [[0, 1], [1, 1], [0, 0]], "new": [[1, 0], [1, 0], [1, 1]]})).changed
    assert found is not None
    assert [one.item for one in found.won] == ["2"]
    assert [(one.item, one.a, one.b) for one in found.lost] == [("1", 1.0, 0.5)]


def test_float_noise_changes_no_item() -> None:
    found = compare(Scores.from_arrays({"old": [0.3, 0.1, 0.5], "new": [0.1 + 0.2, 0.4, 0.6]})).changed
    assert found is not None
    assert (found.won_items, found.lost_items) == (2, 0)


def test_metrics_that_give_items_no_score() -> None:
    counts = np.stack([A, 1.0 - A, 0.0 * A], axis=-1)[:, np.newaxis]
    other = np.stack([B, 1.0 - B, 0.0 * B], axis=-1)[:, np.newaxis]
    answer = compare({"old": counts, "new": other}, metric="f1")
    assert answer.changed is None
    assert "changed" not in answer.to_dict()


def test_pages_show_the_largest() -> None:
    """Twenty of each, which open on demand; the JSON has all."""
    answer = add_text(compare(table(OLD, NEW)))
    lost, won = page_of(answer).folded
    assert (len(lost.rows), len(won.rows)) == (20, 20)
    assert answer.changed is not None
    assert len(answer.to_dict()["changed"]["won"]) == answer.changed.won_items > 20
    assert "<details>" in render(answer, "html")
    assert lost.caption in render(answer, "markdown")


def files(folder: Path) -> tuple[str, str]:
    paths = []
    for name, values in (("old", A), ("new", B)):
        path = folder / f"{name}.csv"
        path.write_text("id,accuracy\n" + "".join(f"{i + 1:02d},{int(x)}\n" for i, x in enumerate(values)))
        paths.append(str(path))
    return paths[0], paths[1]


def test_a_gate_shows_what_was_lost(tmp_path: Path) -> None:
    """The first regressions stand in the summary of the job."""
    answer = add_text(gate(*files(tmp_path), margin=0.1))
    _, lost = page_of(answer).grids
    assert [row[0].text for row in lost.rows] == independently(A, B)[1][:20]


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    return int(stop.value.code or 0)


@pytest.mark.parametrize("command", ["compare", "gate"])
def test_a_file_of_all(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    """Both scores of every item won or lost, and none besides."""
    old, new = files(tmp_path)
    made = tmp_path / "changed.csv"
    given = [old, new] if command == "compare" else ["--baseline", old, "--candidate", new, "--margin", "0.1"]
    assert run(command, *given, "--changed", str(made), "--format", "json") == 0
    rows = list(csv.DictReader(made.read_text().splitlines()))
    won, lost = independently(A, B)
    assert [row["item"] for row in rows if row["change"] == "won"] == won
    assert [row["item"] for row in rows if row["change"] == "lost"] == lost
    assert all(float(row["b"]) - float(row["a"]) == float(row["difference"]) for row in rows)
    said = json.loads(capsys.readouterr().out)
    assert (said.get("comparison") or said)["changed"]["won_items"] == len(won)


def test_texts_of_items(tmp_path: Path) -> None:
    """What was asked stands beside the scores where the files say it: in the answer, on pages and in the file."""
    asked = {f"{i + 1:02d}": f"What is {i + 1} plus {'one ' * i}and one?" for i in range(len(A))}
    for name, values in (("old", A), ("new", B)):
        rows = [{"id": item, "prompt": asked[item], "score": int(x)} for item, x in zip(asked, values, strict=True)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    shown = {item: text if len(text) <= 60 else f"{text[:60]}…" for item, text in asked.items()}
    answer = compare([tmp_path / "old.jsonl", tmp_path / "new.jsonl"])
    assert answer.changed is not None
    assert {one.item: one.text for one in answer.changed.won} == {
        one.item: shown[one.item] for one in answer.changed.won
    }
    assert page_of(answer).folded[0].titles[-1] == "text"
    made = tmp_path / "changed.csv"
    assert run("compare", *(str(tmp_path / f"{n}.jsonl") for n in ("old", "new")), "--changed", str(made)) == 0
    found = {row["item"]: row["text"] for row in csv.DictReader(made.read_text().splitlines())}
    assert found == {item: shown[item] for item in found}


def test_groups_are_refused_before_anything_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "changed.csv"
    assert run("compare", "absent.csv", "--by", "week", "--changed", str(made)) == 2
    assert "in groups" in capsys.readouterr().err
    assert not made.exists()


def test_votes_have_no_scores_of_items(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "votes.csv").write_text("a,b,winner\n" + "old,new,new\nnew,old,old\nold,new,new\n" * 5)
    made = tmp_path / "changed.csv"
    assert run("compare", str(tmp_path / "votes.csv"), "--changed", str(made)) == 2
    assert "score of each system" in capsys.readouterr().err
    assert not made.exists()
