"""Ids that count anew in each category, and two files of one model: described, and answered as the description says."""

import shlex
from pathlib import Path

import numpy as np
import pytest

from tellapart import compare, read
from tellapart.cli import main
from tellapart.foundation.errors import ComesTwice
from tellapart.verbs.describe import describe


def categories(path: Path, *, wide: bool) -> Path:
    """Two systems on 15 items of two subjects each, whose ids begin anew."""
    rng = np.random.default_rng(3)
    rows = ["id,subject,base,new" if wide else "id,subject,model,correct"]
    for subject in ("law", "math"):
        for item in range(15):
            right = rng.integers(0, 2, size=2).tolist()
            if wide:
                rows.append(f"{item},{subject},{right[0]},{right[1]}")
            else:
                rows += [f"{item},{subject},{model},{one}" for model, one in zip("ab", right, strict=True)]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("wide", [True, False])
def test_the_column_is_named_and_its_command_answers(
    wide: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = categories(tmp_path / "categories.csv", wide=wide)
    found = describe(str(file))
    assert (found.items, found.runs, found.datasets) == (30, 1, ("law", "math"))
    (command,) = found.commands
    with pytest.raises(SystemExit) as left:
        main(shlex.split(command)[1:])
    assert left.value.code == 0
    capsys.readouterr()
    with pytest.raises(ComesTwice) as refused:
        read(file)
    assert "dataset" in refused.value.ways[0]
    assert "subject" in refused.value.ways[0]
    assert compare(read(file, columns={"dataset": "subject"})).items == 30


def test_two_files_of_one_model_are_two_systems(tmp_path: Path) -> None:
    """Before and after a change, in the order given; an id that comes twice in one of them is refused as ever."""
    rng = np.random.default_rng(4)
    for name in ("before", "after"):
        rows = (f"q{item},m,{score:.3f}" for item, score in enumerate(rng.random(20)))
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,model,score", *rows]), encoding="utf-8")
    files = [tmp_path / "before.csv", tmp_path / "after.csv"]
    answer = compare(read(files))
    assert answer.items == 20
    assert ["before" in answer.a.name, "after" in answer.b.name] == [True, True]
    files[0].write_text(files[0].read_text(encoding="utf-8") + "\nq0,m,0.5", encoding="utf-8")
    with pytest.raises(ComesTwice):
        read(files)
