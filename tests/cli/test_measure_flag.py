"""`--measure` picks a score by its name or refuses, whatever asks; `--measure-name` only calls a lone one otherwise."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tellapart
from tellapart.cli import main
from tellapart.foundation.errors import DataError, UsageError
from tellapart.pytest_plugin import Gates
from tellapart.readers import read

Asked = Callable[..., Any]
Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main([*arguments])
    code = left.value.code
    return int(code or 0), capsys.readouterr().err


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two files whose only score is called accuracy."""
    for name, wrong in (("old", 3), ("new", 5)):
        rows = "".join(f"q{n},{int(n % wrong > 0)}\n" for n in range(40))
        (tmp_path / f"{name}.csv").write_text(f"id,accuracy\n{rows}")
    return [str(tmp_path / "old.csv"), str(tmp_path / "new.csv")]


def commands(old: str, new: str) -> list[list[str]]:
    return [
        ["compare", old, new],
        ["rank", old, new],
        ["gate", "--baseline", old, "--candidate", new, "--margin", "0.1"],
        ["plan", "pilot", old, new, "--effect", "0.1"],
    ]


@pytest.mark.parametrize("which", range(4))
def test_commands(files: list[str], which: int, capsys: Capture) -> None:
    """A name that no column has is refused with those that there are; the own name answers, and a new name is only a name."""
    command = commands(*files)[which]
    code, said = run(capsys, *command, "--measure", "exact_match")
    assert (code, "no column of scores is called 'exact_match'; known: 'accuracy'" in said) == (3, True)
    assert "--measure-name exact_match" in said
    assert run(capsys, *command, "--measure", "accuracy")[0] == 0
    assert run(capsys, *command, "--measure-name", "exact_match")[0] == 0
    code, said = run(capsys, *command, "--measure", "accuracy", "--measure-name", "x")
    assert (code, "leave one of them out" in said) == (2, True)


def test_python(files: list[str]) -> None:
    """So do the functions and the fixture of pytest."""
    asked: list[Asked] = [
        lambda **how: read(files, **how),
        lambda **how: tellapart.gate(*files, margin=0.1, **how),
        lambda **how: Gates(lambda *_: None).assert_not_worse(*files, margin=0.5, **how),
    ]
    for ask in asked:
        with pytest.raises(DataError, match="no column of scores is called 'em'"):
            ask(measure="em")
        assert ask(measure_name="em").measure == "em"
        with pytest.raises(UsageError):
            ask(measure="accuracy", measure_name="em")


def test_two_names_of_one_measure(tmp_path: Path) -> None:
    """Columns that are called otherwise in each file are one measure for who says so."""
    for name in ("acc", "accuracy"):
        (tmp_path / f"{name}.csv").write_text(f"id,{name}\nq1,1\nq2,0\n")
    paths = [str(tmp_path / "acc.csv"), str(tmp_path / "accuracy.csv")]
    with pytest.raises(DataError, match=r"scores .accuracy."):
        read(paths)
    assert read(paths, measure_name="accuracy").measure == "accuracy"


@pytest.fixture
def nested(tmp_path: Path) -> list[str]:
    """Gold answers that are numbers beside scores inside an object."""
    for name, wrong in (("old", 3), ("new", 4)):
        rows = [
            {
                "id": n,
                "expected": str(n),
                "scores": {"accuracy": int(n % wrong > 0), "em": 0},
                "other": {"em": 1},
            }
            for n in range(12)
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (tmp_path / f"{name}.json").write_text(json.dumps(rows))
    return [str(tmp_path / "old.jsonl"), str(tmp_path / "new.json")]


def test_nested_keys(nested: list[str]) -> None:
    """A nested score is a column by its path, or by its last key where only one ends so."""
    for asked in ("scores.accuracy", "accuracy", "Accuracy"):
        found = read(nested, measure=asked)
        assert found.values[:, :, 0, 0].mean(axis=1).tolist() == pytest.approx([8 / 12, 9 / 12])
    with pytest.raises(DataError, match=r"did you mean 'scores.em' or 'other.em'|known: 'scores.em', 'other.em'"):
        read(nested, measure="em")
    with pytest.raises(DataError, match=r"'scores\.accuracy'"):
        read(nested)


def test_nested_roles(tmp_path: Path) -> None:
    """Other roles are named by paths too."""
    rows = [{"meta": {"qid": f"q{n}"}, "run": {"model": m}, "score": n % 2} for n in range(4) for m in "ab"]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = read(tmp_path / "x.jsonl", columns={"item": "qid", "system": "run.model", "run": "none"})
    assert (found.systems, len(found.items)) == (("a", "b"), 4)
