"""A board of some of the systems is the board of a file that holds no others."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import Scores, rank, read
from tellapart.cli import main
from tellapart.foundation.errors import UnknownSystem, UsageError

pd = pytest.importorskip("pandas")

NAMES = ("old", "new", "bad", "odd")
VALUES = {name: np.random.default_rng(place).normal(0.1 * place, 0.3, 24).round(3) for place, name in enumerate(NAMES)}  # fmt: skip


def numbers(answer: Any) -> Any:
    return replace(answer, sources=(), signature="").to_dict()


def written(path: Path, *, wide: bool, among: tuple[str, ...] = NAMES) -> Path:
    """A file in which no score of `bad` is a number, and `odd` has items of its own."""
    if wide:
        lines = [f"item,{','.join(among)}"]
        lines += [",".join([f"q{i}", *("?" if name == "bad" else str(VALUES[name][i]) for name in among)]) for i in range(24)]  # fmt: skip
    else:
        lines = ["item,system,score"]
        lines += [
            f"{'x' if name == 'odd' else 'q'}{i},{name},{'?' if name == 'bad' else VALUES[name][i]}"
            for name in among
            for i in range(24)
        ]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("wide", [True, False])
def test_others_are_not_looked_at(tmp_path: Path, wide: bool) -> None:
    """Neither what is no number nor what is no item of those asked about."""
    all_of_them = written(tmp_path / "all.csv", wide=wide)
    these = written(tmp_path / "these.csv", wide=wide, among=NAMES[:2])
    assert numbers(rank(str(all_of_them), systems=("new", "old"))) == numbers(rank(str(these)))


def test_scores_in_memory() -> None:
    """Items that only others have are no gaps."""
    gap = np.full(24, np.nan)
    given = {name: np.concatenate([values, gap]) for name, values in VALUES.items()}
    given["odd"] = np.concatenate([gap, VALUES["odd"]])
    some = rank({name: VALUES[name] for name in NAMES[:3]})
    assert numbers(rank(given, systems="old, new ,bad,new")) == numbers(some)
    assert numbers(rank(Scores.from_arrays(VALUES), systems=NAMES)) == numbers(rank(VALUES))


def test_where_they_came_from(tmp_path: Path) -> None:
    """Of scores that were read with all systems, only files of those asked about are named."""
    path = tmp_path / "three.csv"
    path.write_text("item,old,new,odd\n" + "".join(f"{i},{VALUES['old'][i]},{VALUES['new'][i]},0.5\n" for i in range(24)))  # fmt: skip
    answer = rank(read(str(path)), systems=("old", "new"))
    assert {one.system for one in answer.sources or ()} == {"old", "new"}


def test_refusals() -> None:
    with pytest.raises(UnknownSystem, match="no system is called 'odl'; did you mean 'old'"):
        rank(VALUES, systems="odl,new")
    with pytest.raises(UsageError, match="systems=… names 'old'; wanted two or more"):
        rank(VALUES, systems=("old",))
    with pytest.raises(UsageError, match="names none; wanted two or more"):
        rank(VALUES, systems=())
    with pytest.raises(UsageError, match="the baseline 'odd' is not among systems=… "):
        rank(VALUES, systems=("old", "new"), baseline="odd")


COMMAS = {"odd, one": VALUES["odd"], "old": VALUES["old"], " new ": VALUES["new"]}


@pytest.mark.parametrize(
    "systems",
    [
        '"odd, one",old',
        'old , "odd, one",',
        ["odd, one", "old"],
        (name for name in ("old", "odd, one")),
        pd.DataFrame(COMMAS).columns[:2],
        np.array(["old", "odd, one"]),
    ],
)
def test_a_name_that_holds_a_comma(systems: Any) -> None:
    """In double quotes among others, or in whatever holds names."""
    assert {one.name for one in rank(COMMAS, systems=systems).systems} == {"odd, one", "old"}


@pytest.mark.parametrize("systems", ["old,new", "old, new ,", ("old", " new "), ("old", "new")])
def test_blanks_around_a_name(systems: Any, tmp_path: Path) -> None:
    """What is read from files has none, and what is given in memory may."""
    assert {one.name for one in rank(COMMAS, systems=systems).systems} == {"old", " new "}
    frame = pd.DataFrame({"item": range(24), **COMMAS})
    assert {one.name for one in rank(frame, systems=systems).systems} == {"old", "new"}
    frame.to_csv(tmp_path / "all.csv", index=False)
    assert {one.name for one in rank(str(tmp_path / "all.csv"), systems=systems).systems} == {"old", "new"}


def test_two_names_that_differ_by_blanks() -> None:
    """Each is found by what it is called."""
    given = {"new": VALUES["bad"], " new ": VALUES["new"], "old": VALUES["old"]}
    assert {one.name for one in rank(given, systems=(" new ", "old")).systems} == {" new ", "old"}
    assert {one.name for one in rank(given, systems=("new", "old")).systems} == {"new", "old"}


def test_how_to_quote_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In memory and at the command line; not where names were given one by one, nor where none holds a comma."""
    advice = """A name that holds a comma goes in double quotes within systems=…: '"odd, one",…'"""
    with pytest.raises(UnknownSystem, match="no system is called 'odd'; did you mean") as refused:
        rank(COMMAS, systems="odd, one,old")
    assert advice in str(refused.value)
    with pytest.raises(UnknownSystem) as refused:
        rank(COMMAS, systems=("odd", "old"))
    assert "double quotes" not in str(refused.value)
    pd.DataFrame({"item": range(24), **COMMAS}).to_csv(tmp_path / "all.csv", index=False)
    with pytest.raises(SystemExit) as left:
        main(["rank", str(tmp_path / "all.csv"), "--systems", "odd, one,old"])
    assert left.value.code == 3
    assert """double quotes within --systems: '"odd, one",…'""" in capsys.readouterr().err


@pytest.mark.parametrize("systems", [5, b"old,new", 0.5])
def test_what_holds_no_names(systems: Any) -> None:
    with pytest.raises(
        UsageError,
        match=r"systems=… is .*; wanted two or more names: one text with commas between, or a list",
    ):
        rank(VALUES, systems=systems)


def test_runs_that_only_others_have_are_not_averaged() -> None:
    """A note said that up to three runs were, where the systems asked about have one each."""
    rng = np.random.default_rng(0)
    one = np.full((2, 24, 3), np.nan)
    one[:, :, 1] = rng.normal(size=(2, 24))
    given = {"old": one[0], "new": one[1], "many": rng.normal(size=(24, 3))}
    answer = rank(Scores.from_arrays(given), systems=("old", "new"))
    assert not [note for note in answer.notes if note.code == "runs_averaged"]
    assert numbers(answer)["pairs"] == numbers(rank({"old": one[0, :, 1], "new": one[1, :, 1]}))["pairs"]
    assert [n.values for n in rank(given, systems=("old", "many")).notes if n.code == "runs_averaged"] == [{"runs": 3}]


def test_a_baseline_among_them() -> None:
    answer = rank(VALUES, systems=("old", "new", "odd"), baseline="old", margin=1.0)
    assert {pair.a for pair in answer.pairs} == {"old"}
    answer.require("not-worse")


def test_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(written(tmp_path / "all.csv", wide=False))
    codes = {}
    for systems in ("new,old", "new,oid", "new"):
        with pytest.raises(SystemExit) as left:
            main(["rank", file, "--systems", systems, "--baseline", "new", "--fail-on", "worse", "--margin", "0.5"])  # fmt: skip
        codes[systems] = left.value.code
    assert codes == {"new,old": 0, "new,oid": 3, "new": 2}
    assert "did you mean 'old'" in capsys.readouterr().err
