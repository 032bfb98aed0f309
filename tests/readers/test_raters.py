"""Raters are not averaged in silence."""

from collections.abc import Callable

import numpy as np

from tellapart.readers import read

File = Callable[..., str]
Refusal = Callable[..., str]

TWO = "system,item,rater,score\na,1,x,1\na,1,y,3\nb,1,x,2\nb,1,y,5\n"


def test_two_raters_are_refused(file: File, refusal: Refusal) -> None:
    """Two raters of one item are refused with both places and the one honest way to go on."""
    message = refusal(file(TWO))
    assert "scores.csv, line 3: system 'a' has ratings of item '1' by 'y' and by 'x'" in message
    assert "scores.csv, line 2)" in message
    assert "cannot be compared as plain scores" in message
    assert "Keep the rows of one rater per item" in message
    assert "run=" not in message


def test_runs_do_not_hide_raters(file: File, refusal: Refusal) -> None:
    """A run column that happens to tell the raters apart does not make them repeats."""
    text = "system,item,judge,run,score\na,1,x,1,1\na,1,y,2,3\nb,1,x,1,2\nb,1,y,2,5\n"
    assert "has ratings of item '1' by 'y' and by 'x'" in refusal(file(text))


def test_raters_as_repeats(file: File) -> None:
    """Raters that the caller declares interchangeable are repeats."""
    scores = read(file(TWO), columns={"run": "rater"})
    np.testing.assert_array_equal(scores.values[:, 0, :, 0], [[1, 3], [2, 5]])


def test_one_rater_per_item(file: File) -> None:
    """Each item with its own rater is fine, also in wide form and where the rater is not known."""
    text = "system,item,rater,score\na,1,x,1\na,2,y,3\nb,1,x,2\nb,2,,5\n"
    assert read(file(text)).systems == ("a", "b")
    assert read(file("item,rater,a,b\n1,x,0,1\n2,y,1,1\n", "wide.csv")).systems == ("a", "b")


def test_items_of_different_datasets(file: File) -> None:
    """The same item name in two datasets is two items, each with its own rater."""
    assert len(read(file("task,item,rater,a,b\nt,1,x,0,1\nu,1,y,1,1\n")).items) == 2
