"""Runs at the command line: compare, rank and plan pilot with `--qrels`."""

import json
from pathlib import Path
from typing import Any

import pytest

from tellapart.cli import main

QRELS = "".join(f"q{q} 0 d{d} {int(d == q % 5)}\n" for q in range(1, 41) for d in range(8))
OLD = "".join(f"q{q} Q0 d{d} 0 {(d * 7 + q) % 11} old\n" for q in range(1, 41) for d in range(8))
NEW = "".join(f"q{q} Q0 d{d} 0 {(d * 3 + q) % 11 + 9 * (d == q % 5)} new\n" for q in range(3, 44) for d in range(8))


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    for name, content in {"old.run": OLD, "new.run": NEW, "qrels.txt": QRELS}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return [
        *(str(tmp_path / name) for name in ("old.run", "new.run")),
        "--qrels",
        str(tmp_path / "qrels.txt"),
    ]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, err = run(capsys, *arguments, "--format", "json")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def test_compare(capsys: pytest.CaptureFixture[str], runs: list[str]) -> None:
    """A run is a system named after its file, queries are items, the metric is their mean and the measure what was asked for."""
    found = answer(capsys, "compare", *runs, "--measure", "nDCG@10")
    assert (found["metric"], found["measure"], found["items"]) == ("mean", "nDCG@10", 40)
    assert (found["a"]["name"], found["b"]["name"]) == ("old", "new")
    values = {note["code"]: note["values"] for note in found["notes"]}
    assert values["unretrieved_queries"] == {
        "system": "new", "queries": 2, "of": 40, "first": "q1", "left_out": False
    }  # fmt: skip
    assert values["unjudged_queries"] == {"system": "new", "queries": 3, "first": "q41"}


def test_a_metric_is_the_measure(capsys: pytest.CaptureFixture[str], runs: list[str]) -> None:
    """With judgements both flags mean the same, and two of them are one too many."""
    by_measure = answer(capsys, "compare", *runs, "--measure", "RR@10")
    assert answer(capsys, "compare", *runs, "--metric", "RR@10") == by_measure
    assert answer(capsys, "compare", *runs, "--metric", "mean", "--measure", "RR@10") == by_measure
    code, _, err = run(capsys, "compare", *runs, "--metric", "RR@10", "--measure", "AP")
    assert code == 2
    assert "--metric is RR@10 and --measure AP" in err


def test_rank_and_pilot(capsys: pytest.CaptureFixture[str], runs: list[str]) -> None:
    """What reading left to say stands in their notes too."""
    board = answer(capsys, "rank", *runs, "--metric", "AP")
    assert board["measure"] == "AP"
    assert "unretrieved_queries" in [note["code"] for note in board["notes"]]
    plan = answer(
        capsys,
        "plan",
        "pilot",
        *runs,
        "--metric",
        "AP",
        "--effect",
        "0.1",
        "--power",
        "0.8",
        "--test",
        "paired_t",
    )
    assert "unjudged_queries" in [note["code"] for note in plan["notes"]]


def test_left_out(capsys: pytest.CaptureFixture[str], runs: list[str]) -> None:
    """Queries that one run lacks are left out for both, or refused."""
    assert answer(capsys, "compare", *runs, "--measure", "AP", "--unretrieved", "drop")["items"] == 38
    code, _, err = run(capsys, "compare", *runs, "--measure", "AP", "--unretrieved", "error")
    assert code == 3
    assert "'new' retrieved nothing for 2 of 40 judged queries" in err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ([], "also needs the measure to score runs by"),
        (["--measure", "nDGC@10"], "did you mean 'nDCG'"),
        (["--metric", "f1"], "no measure is called 'f1'"),
        (["--measure", "AP", "--cluster", "topic"], "says that the files are runs"),
        (["--measure", "AP", "--unretrieved", "skip"], "--unretrieved"),
    ],
)
def test_questions_that_cannot_be_asked(
    capsys: pytest.CaptureFixture[str], runs: list[str], flags: list[str], said: str
) -> None:
    """Each is refused with the way out."""
    code, out, err = run(capsys, "compare", *runs, *flags)
    assert (code, out) == (2, "")
    assert said in err
