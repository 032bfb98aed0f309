"""What is asked for is taken before anything is checked, and systems may be called otherwise."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, UnknownSystem
from tellapart.readers import read

File = Callable[..., str]
Refusal = Callable[..., str]
Same = Callable[[Scores, Scores], bool]

HEADER = "dataset,system,item,measure,score\n"
GOOD = "d,old,q1,map,0.1\nd,old,q2,map,0.4\nd,new,q1,map,0.3\nd,new,q2,map,0.5\n"
ASKED: dict[str, Any] = {"systems": ("old", "new"), "dataset": "d", "measure": "map"}


@pytest.mark.parametrize(
    ("asked", "bad"),
    [
        ("dataset", "e,old,q1,map,oops\n"),
        ("dataset", "e,,,map,1\n"),
        ("systems", "d,third,q1,map,oops\n"),
        ("systems", "d,third,q1,map,1\nd,third,q1,map,1\n"),
        ("measure", "d,old,q1,num_q,oops\n"),
    ],
)
@pytest.mark.parametrize("score", ["score", "nDCG@10"])
def test_rows_of_others_are_not_checked(
    asked: str, bad: str, score: str, file: File, refusal: Refusal, same: Same
) -> None:
    """A bad row of another dataset, system or measure stops nobody who does not ask for it, wherever it stands."""
    header = HEADER.replace("score", score)
    label: dict[str, Any] = {"measure": "map"}
    wanted = read(file(header + GOOD), **label)
    for text in (header + bad + GOOD, header + GOOD + bad):
        assert same(read(file(text), **{**label, asked: ASKED[asked]}), wanted)
    if asked != "measure":
        assert refusal(file(header + GOOD + bad), **label)


def test_files_of_other_systems_are_not_checked(file: File) -> None:
    """Where each file is a system, cells of one that is not asked about may hold anything."""
    good, bad = "item,score\n1,0\n2,1\n", "item,score\n1,oops\n"
    files = [file(good, "old.csv"), file(bad, "third.csv"), file(good, "new.csv")]
    assert read(files, systems=["old", "new"]).systems == ("old", "new")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"systems": ("old", "nev")}, "no system is called 'nev'; did you mean 'new'?"),
        ({"dataset": "dd"}, "no dataset is called 'dd'; did you mean 'd'?"),
        ({"systems": ("old", "new"), "dataset": "e"}, "no row of dataset 'e' is of system 'old' or 'new'"),
        (
            {"names": {"olt": "base"}},
            "no system is called 'olt', so it cannot be renamed; did you mean 'old'?",
        ),
        ({"names": {"old": "new"}}, "systems 'old' and 'new' would both be called 'new'"),
    ],
)
def test_names_that_are_not_there(options: dict[str, Any], message: str, file: File) -> None:
    """A name that no row has is refused with the nearest, although rows of others were left out."""
    text = HEADER + GOOD + "e,third,q1,map,1\n"
    with pytest.raises(DataError) as caught:
        read(file(text), **options)
    assert message in str(caught.value)
    assert isinstance(caught.value, UnknownSystem) == ("no system" in message)


@pytest.mark.parametrize("text", [HEADER + GOOD, "item,old,new\nq1,0.1,0.3\nq2,0.4,0.5\n"])
def test_systems_are_called_otherwise(text: str, file: File) -> None:
    """Systems may be renamed, also into each other's names, and are asked for by their new names."""
    names = {"old": "new", "new": "newer"}
    assert read(file(text), names=names).systems == ("new", "newer")
    asked = read(
        file(text + ("d,third,q1,map,oops\n" if "system" in text else "")),
        names=names,
        systems=("new", "newer"),
    )
    np.testing.assert_array_equal(asked.values[asked.system("new"), :, 0, 0], [0.1, 0.4])
    if "system" in text:
        third = file(text + "d,third,q1,map,1\n")
        assert read(third, names={"third": "x"}, systems=("old", "new")).systems == ("old", "new")


def test_the_row_all_is_no_item(file: File, same: Same) -> None:
    """The mean that trec_eval prints as item `all` is left out, of each system and dataset once."""
    means = "d,old,all,map,0.25\nd,new,all,map,0.4\n"
    assert same(read(file(HEADER + GOOD + means)), read(file(HEADER + GOOD)))
    assert same(read(file(HEADER + means + GOOD)), read(file(HEADER + GOOD)))


@pytest.mark.parametrize(
    "text",
    [
        "system,item,score\na,all,1\na,one,0\nb,all,1\nb,one,0\n",
        "system,item,measure,run,score\na,all,m,1,1\na,one,m,2,0\nb,all,m,1,1\nb,one,m,2,1\n",
        "system,item,measure,score\na,all,m,1\na,one,m,0\nb,all,m,1\n",
    ],
)
def test_an_item_that_is_called_all(text: str, file: File) -> None:
    """Without a measure, or without other items beside it, `all` is a name like any other."""
    assert ("", "all") in read(file(text)).items


def test_two_rows_called_all(file: File, refusal: Refusal) -> None:
    """A mean stands once per system: what is there twice is an item that was scored twice, and is refused as such."""
    text = "system,item,measure,score\na,all,m,1\na,q,m,1\na,all,m,1\nb,q,m,1\n"
    assert "line 4: system 'a' already has a score for item 'all'" in refusal(file(text))


def test_line_after_rows_were_left_out(file: File, refusal: Refusal) -> None:
    """Lines in errors count those that were left out."""
    twice = "system,item,measure,score\na,all,m,1\na,q,m,1\nb,all,m,1\nb,q,m,1\nb,q,m,1\n"
    message = refusal(file(twice))
    assert "line 6: system 'b' already has a score for item 'q'" in message
    assert "line 5)" in message
