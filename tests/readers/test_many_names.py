"""Names that are too many to be texts are packed, and rows of wide tables are named once: what is read is the same."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tellapart import Scores, compare, read
from tellapart.data.encoded_names import EncodedNames, encode_names, unique_names
from tellapart.data.rows import ItemKeys
from tellapart.foundation.errors import TellapartError
from tellapart.readers.tables import labels

NAMES = ["q10", " q2 ", "Ärger", "q1", "質問", "z" * 30, "q3", "😀", "q", "Q1"]
SCORES = [0.1, 0.4, 0.35, 0.8, 0.25, 0.9, 0.15, 0.55, 0.45, 0.65]


def long_file(folder: Path, dataset: bool = False) -> Path:
    header = "system,item,score" + (",dataset" if dataset else "")
    rows = [
        f"{system},{name},{score + shift}" + (f",d{number % 3}" if dataset else "")
        for system, shift in (("old", 0.0), ("new", 0.01))
        for number, (name, score) in enumerate(zip(NAMES, SCORES, strict=True))
    ]
    path = folder / "long.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def wide_file(folder: Path) -> Path:
    rows = [f"{name},{score},{score + 0.01}" for name, score in zip(NAMES, SCORES, strict=True)]
    path = folder / "wide.csv"
    path.write_text("\n".join(["item,old,new", *rows]) + "\n", encoding="utf-8")
    return path


def same(one: Scores, other: Scores) -> None:
    assert one.systems == other.systems
    assert list(one.items) == list(other.items)
    assert np.array_equal(one.values, other.values, equal_nan=True)
    answers = [compare(scores, "old", "new").to_dict() | {"sources": None} for scores in (one, other)]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("dataset", [False, True])
def test_packed_names_are_read_as_texts_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dataset: bool) -> None:
    path = long_file(tmp_path, dataset)
    plain = read(path)
    monkeypatch.setattr(labels, "FEW_NAMES", 3)
    many = read(path)
    assert isinstance(many.items, ItemKeys)
    assert not isinstance(plain.items, ItemKeys)
    same(plain, many)


def test_a_wide_table_is_read_as_a_long_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = read(long_file(tmp_path))
    same(plain, read(wide_file(tmp_path)))
    monkeypatch.setattr(labels, "FEW_NAMES", 3)
    same(plain, read(wide_file(tmp_path)))


@pytest.mark.parametrize(
    "rows", ["q1,0,1\nq2,1,1\nq1,1,1\n", "q1,0,1\n,1,1\nq3,1,0\n", "q1,0,1\nq2,x,1\n", 'q1,0,1\n"q\0",1,1\n']
)
def test_what_is_wrong_is_told_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: str) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("item,old,new\n" + rows)
    told = []
    for few in (labels.FEW_NAMES, 0):
        monkeypatch.setattr(labels, "FEW_NAMES", few)
        with pytest.raises(TellapartError) as error:
            read(path)
        told.append(str(error.value))
    assert told[0] == told[1]


def test_a_name_that_cannot_be_packed_makes_all_texts_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "FEW_NAMES", 3)
    rows = [f"q{number},{number % 7},{number % 5}" for number in range(2000)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["item,old,new", *rows, "x" * 5000 + ",1,2"]) + "\n")
    scores = read(path)
    assert not isinstance(scores.items, ItemKeys)
    assert [name for _, name in scores.items] == sorted([*(f"q{n}" for n in range(2000)), "x" * 5000])
    monkeypatch.undo()
    same(scores, read(path))


def test_packed_names_are_in_the_order_of_their_characters() -> None:
    array = encode_names([*NAMES, *NAMES[::-1]])
    assert array is not None
    names, codes = unique_names(array)
    assert list(names) == sorted(NAMES)
    assert [names[code] for code in codes.tolist()] == [*NAMES, *NAMES[::-1]]
    assert list(names[2:5]) == sorted(NAMES)[2:5]
    assert isinstance(names[2:5], EncodedNames)


CHILD = """
import json, resource, sys
import tellapart
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
answer = tellapart.compare(sys.argv[1])
print(json.dumps([before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, answer.items]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is told in kilobytes on Linux")
@pytest.mark.parametrize(("kind", "most"), [("long", 150), ("wide", 220)])
def test_a_row_takes_few_bytes(tmp_path: Path, kind: str, most: int) -> None:
    """As texts and doubles, a row of a long table took 180 bytes and one of a wide table 350; measured are 70 and 120 of many more rows."""
    items = 300_000
    scores = np.random.default_rng(3).random((2, items)).round(4)
    path = tmp_path / "scores.csv"
    with path.open("w") as file:
        if kind == "long":
            file.write("system,item,score\n")
            for system, row in zip(("old", "new"), scores, strict=True):
                file.writelines(f"{system},item-{i:07d},{x}\n" for i, x in enumerate(row.tolist()))
        else:
            file.write("item,old,new\n")
            file.writelines(f"item-{i:07d},{a},{b}\n" for i, (a, b) in enumerate(scores.T.tolist()))
    done = subprocess.run([sys.executable, "-c", CHILD, str(path)], capture_output=True, text=True, check=True)
    before, after, found = json.loads(done.stdout)
    rows = 2 * items if kind == "long" else items
    assert found == items
    assert (after - before) * 1024 / rows < most
