"""Scores on several scales, margins as wide as the scores, and shares in percent."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellapart
from tellapart.cli import main
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import DataError, UsageError
from tellapart.readers import read
from tellapart.readers.tables.sides import read_sides
from tellapart.verbs.compare import compare

Capture = pytest.CaptureFixture[str]
SHARES = np.round(np.random.default_rng(1).uniform(0.2, 0.9, 40), 3)
"""What two systems nearly agree on."""


def write(path: Path, scores: Any, column: str = "accuracy") -> str:
    rows = "".join(f"q{place},{score:g}\n" for place, score in enumerate(scores.tolist()))
    path.write_text(f"id,{column}\n{rows}")
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """One file from 0 to 1, the other from 0 to 100."""
    return [write(tmp_path / "new.csv", SHARES + 0.01), write(tmp_path / "old.csv", 100.0 * SHARES)]


def test_percent_beside_shares(files: list[str]) -> None:
    """Both orders are refused with the way out, which gives what both in shares give; one that is said to be on one scale is not."""
    for both in (files, files[::-1]):
        asks: list[Callable[[list[str]], object]] = [read, lambda given: read_sides(*given)]
        for ask in asks:
            with pytest.raises(DataError) as refusal:
                ask(both)
            assert "--rescale old=100" in refusal.value.message_for("command line")
            assert "rescale={'old': 100}" in str(refusal.value)
        answer = compare(read(both, rescale={"old": 100}), a="old", b="new")
        assert answer.effect == pytest.approx(0.01)
        assert read_sides(*both, rescale={"old": "100"}).values.max() < 1.0
        assert compare(read(both, rescale={"old": 1})).effect != pytest.approx(0.01)


@pytest.mark.parametrize(
    ("other", "column", "refused"),
    [
        (10.0 * SHARES, "quality", "--rescale b=10"),
        (np.round(5.0 * SHARES), "quality", "--rescale b=5"),
        (SHARES * 1.2, "quality", None),
        (30.0 * SHARES, "latency", None),
        (200.0 + SHARES, "quality", None),
        (100.0 * (SHARES > 0.5), "quality", "--rescale b=100"),
    ],
)
def test_scales(other: FloatArray, column: str, refused: str | None, tmp_path: Path) -> None:
    """What lies between 0 and 5, 10 or 100 beside shares; a little above 1, seconds and other numbers are left alone."""
    both = [write(tmp_path / "a.csv", SHARES, column), write(tmp_path / "b.csv", other, column)]
    if refused is None:
        assert len(read(both).systems) == 2
        return
    with pytest.raises(DataError) as refusal:
        read(both)
    assert refused in refusal.value.message_for("command line")


def test_counts_are_no_shares(tmp_path: Path) -> None:
    """Few things that are counted are whole numbers on one scale."""
    both = [
        write(tmp_path / "a.csv", 1.0 * (np.arange(40) % 2)),
        write(tmp_path / "b.csv", 1.0 * (np.arange(40) % 7)),
    ]
    assert len(read(both).systems) == 2


def test_divisors(files: list[str]) -> None:
    for wrong in ("0", "-1", "x", "inf"):
        with pytest.raises(UsageError, match="wanted a number above 0"):
            read(files, rescale={"old": wrong})
    with pytest.raises(DataError, match="no system is called 'odl'; did you mean 'old'"):
        read(files, rescale={"odl": 100})


RIGHT = Scores.from_arrays({"old": [0, 1] * 40, "new": [0, 0] * 40})


@pytest.mark.parametrize("margin", [1.0, 1.5])
def test_margin_as_wide_as_the_scores(margin: float, tmp_path: Path, capsys: Capture) -> None:
    """A candidate that is always wrong would pass: no answer, whoever asks."""
    wrong, right = np.zeros(40), 1.0 * (np.arange(40) % 2)
    old, new = write(tmp_path / "old.csv", right), write(tmp_path / "new.csv", wrong)
    for ask in (
        lambda: tellapart.gate(old, new, margin=margin),
        lambda: tellapart.compare(RIGHT, margin=margin),
        lambda: tellapart.rank(RIGHT, baseline="old", margin=margin),
    ):
        with pytest.raises(UsageError, match="as wide as the scores"):
            ask()
    with pytest.raises(SystemExit) as left:
        main(["gate", "--baseline", old, "--candidate", new, "--margin", str(margin)])
    assert (left.value.code, "as wide as the scores" in capsys.readouterr().err) == (2, True)


def test_margin_above_half(tmp_path: Path) -> None:
    """It is answered, with a warning; a margin in other units is held against how far scores lie apart."""
    for answer in (
        tellapart.gate(write(tmp_path / "a.csv", SHARES), write(tmp_path / "b.csv", SHARES), margin=0.6),
        tellapart.compare(RIGHT, margin=0.6),
        tellapart.rank(RIGHT, baseline="old", margin=0.6),
    ):
        (note,) = [note for note in answer.notes if note.code == "wide_margin"]
        assert note.values == {"margin": 0.6, "range": 1.0}
    bleu = Scores.from_arrays({"a": [10.0, 30, 50], "b": [12.0, 28, 49]})
    assert "wide_margin" not in [note.code for note in tellapart.compare(bleu, margin=5).notes]
    with pytest.raises(UsageError, match="40 apart at most"):
        tellapart.compare(bleu, margin=40)
    same = Scores.from_arrays({"a": [1, 1, 1], "b": [1, 1, 1]})
    assert tellapart.compare(same, margin=0.1).pvalue == 1.0


def test_percent(tmp_path: Path, capsys: Capture) -> None:
    """2 % is 0.02 in every verb, on the command line and in Python; a relative amount is nowhere one."""
    old, new = (write(tmp_path / f"{name}.csv", 1.0 * (np.arange(60) % k > 0)) for name, k in (("old", 3), ("new", 4)))
    commands = [
        ["gate", "--baseline", old, "--candidate", new, "--margin"],
        ["compare", old, new, "--margin"],
        ["rank", old, new, "--baseline", "old", "--margin"],
        ["plan", "--accuracy", "0.7", "--power", "0.8", "--effect"],
        ["plan", "--effect", "0.05", "--power", "0.8", "--accuracy"],
        ["plan", "proportions", "--items", "400", "--effect", "0.05", "--accuracy"],
    ]
    for command in commands:
        printed = []
        for said in ("20%", "20 %", "0.2"):
            with pytest.raises(SystemExit) as left:
                main([*command, said, "--format", "json"])
            assert not left.value.code, (command, capsys.readouterr().err)
            printed.append(capsys.readouterr().out)
        assert len(set(printed)) == 1, command
        with pytest.raises(SystemExit) as left:
            main([*command, "5r%"])
        assert left.value.code == 2
        capsys.readouterr()
    assert tellapart.gate(old, new, margin="2%").margin == 0.02


@pytest.mark.parametrize("graded", [False, True])
def test_a_margin_in_percent_of_scores_beyond_shares_has_two_readings(
    tmp_path: Path, capsys: Capture, *, graded: bool
) -> None:
    """Both are spelled out, and either is answered at once however many items it would take."""
    rng = np.random.default_rng(3)
    scores = 100.0 * (rng.random((2, 300)) if graded else rng.integers(0, 2, (2, 300)))
    old, new = (write(tmp_path / name, one) for name, one in zip(("old.csv", "new.csv"), scores, strict=True))
    sides = ["--baseline", old, "--candidate", new]
    for words in (["compare", old, new], ["gate", *sides], ["rank", old, new, "--baseline", "old"]):
        with pytest.raises(SystemExit, match="2"):
            main([*words, "--margin", "2%"])
        said = capsys.readouterr().err
        assert "--margin 2\n" in said
        assert "--margin 0.02\n" in said
    for words in (["compare", old, new], ["plan", "pilot", old, new]):
        with pytest.raises(SystemExit, match="2"):
            main([*words, "--effect", "2%"])
        assert "--effect 2\n" in capsys.readouterr().err
    percent: Any = "2%"
    with pytest.raises(UsageError, match=r"2%, which is 0\.02"):
        tellapart.compare([old, new], margin=percent)
    assert tellapart.compare([old, new], margin=2).margin == 2.0
    needed = tellapart.compare([old, new], margin=0.02).needed
    assert graded or (needed is not None and needed.items > 1e6)


def test_right_answers_that_count_100_are_printed_in_percent(tmp_path: Path, capsys: Capture) -> None:
    rights = np.random.default_rng(3).integers(0, 2, (2, 300))
    said = []
    for worth in (1.0, 100.0):
        files = [write(tmp_path / f"{name}.csv", worth * one) for name, one in zip("ab", rights, strict=True)]
        for verb in ("compare", "score"):
            with pytest.raises(SystemExit, match="0"):
                main([verb, *files])
            said.append(capsys.readouterr().out.split("\n\n")[0])
    assert said[:2] == said[2:]
