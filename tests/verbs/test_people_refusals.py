"""What is refused of ratings and votes, at the command line: one line with the way out, and commands that take it."""

import shlex
from pathlib import Path

import pytest

from tellapart.cli import main

RATED = "system,item,rater,score\n"
BOTH = RATED + "".join(f"{s},{i},{r},{i + len(r)}\n" for s in "ab" for i in range(4) for r in ("x", "yy", "zzz"))
VOTES = "a,b,winner\np,q,p\np,q,q\np,q,tie\n"
SPREADS = "--rater-effect-sd 0.22 --item-effect-sd 0.28 --residual-sd 0.26"


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    said, _, commands = capsys.readouterr().err.partition("\n\nTry:\n")
    assert stop.value.code in {2, 3}, said
    assert said.rstrip("\n").count("\n") == 0
    assert "internal error" not in said
    for command in commands.splitlines():
        assert said not in _said_by(capsys, *shlex.split(command)[1:])
    return said


def _said_by(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The refusal, if it is one, of a command that was advised."""
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    said = capsys.readouterr().err
    assert stop.value.code in {0, 2, 3}, said
    return said


@pytest.mark.parametrize(
    ("files", "more", "said"),
    [
        (
            [RATED + "a,1,x,3\na,1,x,4\nb,1,y,2\n"],
            "",
            "line 3: rater 'x' already rated system 'a' on item '1'",
        ),
        ([RATED + "a,1,x,3\nb,1,,4\n"], "", "line 3: found a blank for the rater"),
        ([RATED + "a,1,x,3\na,2,x,4\nb,1,y,2\nb,2,y,3\n"], "", "Have one of them rate both systems"),
        ([RATED + "a,1,x,3\na,2,x,4\nb,1,x,2\nb,2,x,3\na,3,y,\n"], "", "--raters-as fixed"),
        ([RATED + "a,1,x,3\nb,1,x,4\na,1,y,2\nb,1,y,3\n"], "", "Check the column of items"),
        (["a,b,winner\np,q,r\np,q,p\n"], "", "wanted 'p', 'q' or 'tie'"),
        ([VOTES, BOTH], "", "another file holds votes"),
        (["system,item,score,a,b,winner\ns,1,3,p,q,p\n"], "", "votes and scores take two files"),
        ([BOTH], "--ties drop", "--ties is for votes"),
        ([BOTH], "--test paired_t", "--raters-as fixed"),
        ([BOTH], "--by rater", "leave --by out"),
    ],
)
def test_compare(files: list[str], more: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / f"{place}.csv" for place in range(len(files))]
    for path, text in zip(paths, files, strict=True):
        path.write_text(text, encoding="utf-8")
    assert said in refused(capsys, "compare", *map(str, paths), *more.split())


def test_rank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "both.csv"
    path.write_text(BOTH, encoding="utf-8")
    assert "Pass --raters-as fixed" in refused(capsys, "rank", str(path))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            "--raters 3 --items 9 --rater-effect-sd -1 --item-effect-sd 1 --residual-sd 1",
            "should not be below 0",
        ),
        (
            "--raters 3 --items 9 --rater-effect-sd 0 --item-effect-sd 0 --residual-sd 0",
            "give at least one spread",
        ),
        (f"--raters 3 --items 9 --per-item 4 {SPREADS}", "between 1 and the number of raters (3)"),
        (f"--budget 5 {SPREADS}", "does not pay for 2 raters on 2 items, which cost 8"),
        (
            f"--raters 3 --power 0.8 {SPREADS}",
            "3 raters reach at most 15.8 % power, whatever the items; 12 could",
        ),
    ],
)
def test_plan(more: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in refused(capsys, "plan", "ratings", "--effect", "0.2", *more.split())
