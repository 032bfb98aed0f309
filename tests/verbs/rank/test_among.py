"""A board of some of the systems is the board of a file that holds no others."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import Scores, rank, read
from tellapart.cli import main
from tellapart.errors import UnknownSystem, UsageError

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


def test_a_baseline_among_them() -> None:
    answer = rank(VALUES, systems=("old", "new", "odd"), baseline="old", margin=2.0)
    assert {pair.a for pair in answer.pairs} == {"old"}
    answer.require("not-worse")


def test_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(written(tmp_path / "all.csv", wide=False))
    codes = {}
    for systems in ("new,old", "new,oid", "new"):
        with pytest.raises(SystemExit) as left:
            main(["rank", file, "--systems", systems, "--baseline", "new", "--fail-on", "worse", "--margin", "3"])  # fmt: skip
        codes[systems] = left.value.code
    assert codes == {"new,old": 0, "new,oid": 3, "new": 2}
    assert "did you mean 'old'" in capsys.readouterr().err
