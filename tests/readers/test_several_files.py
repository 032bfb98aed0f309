"""Several files are one table; a file without a system column is one system."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tellapart.data.scores import Scores
from tellapart.readers import read
from tellapart.readers.naming import name_systems

File = Callable[..., str]
Same = Callable[[Scores, Scores], bool]
Refusal = Callable[..., str]

OLD, NEW = "item,score\nq1,0.1\nq2,0.4\n", "item,score\nq2,0.5\nq1,0.3\n"


def test_systems_named_after_files(file: File, long: Scores, same: Same) -> None:
    """Each file without a system column is a system called like it, in any mix of formats."""
    as_lines = '{"item": "q2", "score": 0.5}\n{"item": "q1", "score": 0.3}\n'
    assert same(read([file(OLD, "old.csv"), file(NEW, "new.csv")]), long)
    assert same(read([Path(file(OLD, "old.csv")), Path(file(as_lines, "new.jsonl"))]), long)


def test_files_with_system_columns(file: File, long: Scores, same: Same) -> None:
    """Files with a system column keep their systems, and can stand beside files without one."""
    one = file("system,item,score\nold,q1,0.1\nnew,q2,0.5\n", "one.csv")
    two = file("system,item,score\nold,q2,0.4\nnew,q1,0.3\n", "two.csv")
    assert same(read([one, two]), long)
    whole = file("model,item,score\nold,q1,0.1\nold,q2,0.4\n", "whole.csv")
    assert same(read([whole, file(NEW, "new.csv")]), long)


def test_measure_in_every_file(file: File, refusal: Refusal) -> None:
    """Of files with several columns of scores one is picked by `measure`; the only one is taken, if it is the same."""
    paths = [file("id,acc,f1\n1,0.5,0.6\n", "a.csv"), file("id,acc,f1\n1,0.7,0.8\n", "b.csv")]
    scores = read(paths, measure="f1")
    assert (scores.systems, scores.measure, scores.values.ravel().tolist()) == (("a", "b"), "f1", [0.6, 0.8])
    assert "several columns could be the score (of several files, each is one system): 'acc', 'f1'" in refusal(paths)
    assert read([file("id,acc\n1,1\n", "c.csv"), file("id,acc\n1,0\n", "d.csv")]).measure == "acc"
    message = refusal([file("id,acc\n1,1\n", "c.csv"), file("id,f1\n1,0\n", "d.csv")])
    assert "d.csv scores 'f1' and " in message
    assert "c.csv 'acc'" in message


def test_duplicates_across_files(file: File, refusal: Refusal) -> None:
    """The same score in two files is refused, naming both places."""
    one, two = (
        file("system,item,score\na,1,1\nb,1,1\n", "x.csv"),
        file("system,item,score\nc,1,1\na,1,1\n", "y.csv"),
    )
    message = refusal([one, two])
    assert f"{two}, line 3: system 'a' already has a score for item '1' ({one}, line 2)" in message


def test_same_file_twice(file: File, refusal: Refusal) -> None:
    """A file given twice is a mistake, not two systems that never differ."""
    path = file(OLD, "old.csv")
    assert "this file is given twice" in refusal(
        [path, str(Path(path).parent / ".." / Path(path).parent.name / "old.csv")]
    )


def test_files_that_do_not_fit(file: File, refusal: Refusal) -> None:
    """A dataset or cluster column in only one of the files is refused, saying which file lacks it."""
    for role in ("dataset", "cluster"):
        message = refusal([file(f"item,{role},score\n1,x,1\n", "a.csv"), file("item,score\n1,1\n", "b.csv")])
        assert f"b.csv: no column for the {role}, but " in message


def test_repeats_in_one_file_only(file: File) -> None:
    """A system that was run once can stand beside one with repeats."""
    paths = [file("item,seed,score\n1,1,0.5\n1,2,1\n", "a.csv"), file("item,score\n1,0.25\n", "b.csv")]
    np.testing.assert_array_equal(read(paths).values[..., 0], [[[0.5, 1]], [[0.25, np.nan]]])


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a.csv", "b.tsv.gz", "c"], ["a", "b", "c"]),
        (["gpt-3.5.csv", "llama-3.1", "-"], ["gpt-3.5", "llama-3.1", "stdin"]),
        (
            ["/x/one/scores.csv", "/x/two/scores.csv", "/x/two/other.csv"],
            ["one/scores", "two/scores", "other"],
        ),
        (["/x/1/run/s.csv", "/x/2/run/s.csv"], ["1/run/s", "2/run/s"]),
        (["/x/a.csv", "/x/a.jsonl"], ["/x/a.csv", "/x/a.jsonl"]),
        ([".csv"], [".csv"]),
    ],
)
def test_names_of_files(paths: list[str], names: list[str]) -> None:
    """A file lends its stem, with as many folders as it takes to tell it from the others."""
    assert name_systems(paths) == names


@pytest.mark.parametrize(
    ("first", "second", "called"),
    [
        ("rating", "score", "score"),
        ("score", "Rating", "score"),
        ("rating", "Rating", "rating"),
        ("value", "rating", "score"),
    ],
)
def test_ratings_in_one_file_are_scores_in_another(
    first: str, second: str, called: str, file: Callable[..., str]
) -> None:
    """Whatever capitals it has: a column of scores is one, and it is called as all files call it."""
    paths = [file(f"item,{name}\n1,2\n2,3\n", f"{place}.csv") for place, name in enumerate((first, second))]
    assert read(paths).measure == called


def test_other_scores_in_another_file_are_refused(file: Callable[..., str], refusal: Callable[..., str]) -> None:
    paths = [file("item,bleu\n1,2\n2,3\n", "a.csv"), file("item,rating\n1,2\n2,3\n", "b.csv")]
    assert "scores 'rating'" in refusal(paths)
