"""Raters are not averaged in silence: a column of raters makes ratings."""

from collections.abc import Callable

import numpy as np
import pytest

from tellapart import Ratings, Scores, compare, rank
from tellapart.data.provenance import Remark
from tellapart.foundation.errors import Unsuitable, UsageError
from tellapart.readers import read

File = Callable[..., str]
Refusal = Callable[..., str]

TWO = "system,item,rater,score\na,1,x,1\na,1,y,3\nb,1,x,2\nb,1,y,5\n"


def test_two_raters_make_ratings(file: File) -> None:
    """One entry per rating, in the order of systems, items and raters whatever the order of rows."""
    found = read(file(TWO))
    assert isinstance(found, Ratings)
    assert (found.systems, found.items, found.raters) == (("a", "b"), (("", "1"),), ("x", "y"))
    np.testing.assert_array_equal(found.values, [1, 3, 2, 5])
    head, *rows = TWO.splitlines()
    again = read(file("\n".join([head, rows[1], rows[0], *rows[:1:-1]]) + "\n", "other.csv"))
    np.testing.assert_array_equal(again.values, found.values)
    np.testing.assert_array_equal(again.rater, found.rater)


def test_one_rater_in_all_makes_scores(file: File) -> None:
    """Nobody else judged: the scores are plain, and know by whom they are."""
    found = read(file("system,item,judge,score\na,1,gpt,1\na,2,gpt,0\nb,1,gpt,2\nb,2,gpt,1\n"))
    assert isinstance(found, Scores)
    assert found.remarks == (Remark("one_rater", {"rater": "gpt"}),)
    assert "one_rater" in {note.code for note in compare(found).notes}
    assert "one_rater" in {note.code for note in rank(found).notes}


def test_one_rater_per_item_makes_ratings(file: File) -> None:
    """Each item with its own rater, also in wide form."""
    text = "system,item,rater,score\na,1,x,1\na,2,y,3\nb,1,x,2\nb,2,y,5\n"
    assert read(file(text)).raters == ("x", "y")
    wide = read(file("item,rater,a,b\n1,x,0,1\n2,y,1,\n", "wide.csv"))
    assert (wide.systems, len(wide)) == (("a", "b"), 3)


def test_blank_raters(file: File, refusal: Refusal) -> None:
    """A blank among names is refused with its line; a column that is blank throughout says nothing."""
    message = refusal(file("system,item,rater,score\na,1,x,1\nb,1,,2\n"))
    assert "line 3: found a blank for the rater" in message
    found = read(file("system,item,rater,score\na,1,,1\nb,1,,2\n", "none.csv"))
    assert isinstance(found, Scores)
    assert found.remarks == ()


def test_the_same_rating_twice(file: File, refusal: Refusal) -> None:
    """Both lines and the column that would tell them apart."""
    message = refusal(file("system,item,rater,score\na,1,x,1\na,1,x,3\nb,1,x,2\nb,1,y,5\n"))
    assert "line 3: rater 'x' already rated system 'a' on item '1'" in message
    assert "line 2). Keep one, or say which column tells repeats apart: --column run=…" in message


def test_repeats_of_a_rater_are_averaged(file: File) -> None:
    """A run column tells repeats apart; their average is one rating, and knows of how many."""
    text = "system,item,rater,run,score\na,1,x,1,1\na,1,x,2,2\nb,1,x,1,2\nb,1,y,1,5\n"
    found = read(file(text))
    np.testing.assert_array_equal(found.values, [1.5, 2, 5])
    np.testing.assert_array_equal(found.repeats, [2, 1, 1])
    assert found.pair("a", "b").repeats == 1


def test_raters_as_repeats(file: File) -> None:
    """Raters that the caller declares interchangeable are repeats."""
    scores = read(file(TWO), columns={"run": "rater"})
    np.testing.assert_array_equal(scores.values[:, 0, :, 0], [[1, 3], [2, 5]])


def test_items_of_different_datasets(file: File) -> None:
    """The same item name in two datasets is two items, each with its own rater."""
    assert len(read(file("task,item,rater,a,b\nt,1,x,0,1\nu,1,y,1,1\n")).items) == 2
    assert read(file("task,item,rater,a,b\nt,1,x,0,1\nu,1,y,1,1\n"), dataset="u").remarks[0].values["rater"] == "y"


def test_verbs_of_plain_scores_refuse_ratings(file: File) -> None:
    """`rank` names the way to speak of these raters only, and that way works."""
    rows = [
        f"{system},{item},{rater},{(hash_ * 7 + item * 3) % 5}\n"
        for hash_, system in enumerate("abc")
        for item in range(12)
        for rater in "xy"
    ]
    path = file("system,item,rater,score\n" + "".join(rows))
    with pytest.raises(Unsuitable, match="Pass raters_as='fixed'"):
        rank(path)
    assert len(rank(path, raters_as="fixed").systems) == 3
    averaged = compare(read(path).averaged(), "a", "b")
    assert compare(path, "a", "b", raters_as="fixed").pvalue == averaged.pvalue


def test_groups_of_ratings(file: File, refusal: Refusal) -> None:
    """Whether a difference changed is asked of one score per item; two raters of one item in a group are refused."""
    text = "week,system,item,judge,score\n1,a,1,x,1\n1,a,1,y,3\n1,b,1,x,2\n1,b,1,y,5\n"
    assert "has ratings of item '1' by 'y' and by 'x'" in refusal(file(text), by="week")


def test_raters_are_no_groups(file: File) -> None:
    """Held against each other they would be averaged for the answer above them."""
    with pytest.raises(UsageError, match="leave by"):
        read(file(TWO), by="rater")
