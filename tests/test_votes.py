"""`Votes`: who won, between whom, on what, by whom."""

import pytest

from tellapart import Votes
from tellapart.foundation.errors import DataError, TooFew, UnknownSystem


def test_votes_between_many_systems() -> None:
    """Only those between the two that are asked about, whichever is named first."""
    votes = Votes.from_columns(
        a=["x", "y", "z", "y"],
        b=["y", "x", "x", "z"],
        winner=["x", "x", "tie", "draw"],
        item=[1, 2, 1, 2],
        rater=list("mnmn"),
    )
    assert repr(votes) == "<Votes: 4 votes between 3 systems ('x', 'y', 'z') by 2 raters on 2 items>"
    pair = votes.pair("x", "y")
    assert (pair.values.tolist(), pair.raters, pair.items) == ([-1, -1], ("m", "n"), ("1", "2"))
    assert pair.swapped.values.tolist() == votes.pair("y", "x").values.tolist() == [1, 1]
    assert votes.pair("x", "z").values.tolist() == [0]


def test_where_nobody_is_named_every_vote_stands_alone() -> None:
    """Own numbers for items and raters that no column says."""
    pair = Votes.from_columns(a=["x"] * 3, b=["y"] * 3, winner=["x", "y", "tie"], item=["q", "q", "r"]).pair("x", "y")
    assert pair.raters is None
    assert sorted(pair.rater.tolist()) == [0, 1, 2]
    assert pair.shared


def test_what_was_shown_first() -> None:
    """1 where B was, 0 where A was, NaN where it is not known; swapped, it turns round."""
    pair = Votes.from_columns(a=["x"] * 3, b=["y"] * 3, winner=["x"] * 3, first=["x", "y", None], item=[1, 2, 3]).pair(
        "x", "y"
    )
    assert pair.b_first is not None
    assert pair.b_first[:2].tolist() == [0, 1]
    assert pair.swapped.b_first is not None
    assert pair.swapped.b_first[:2].tolist() == [1, 0]


def test_datasets() -> None:
    votes = Votes.from_columns(a=["x"] * 2, b=["y"] * 2, winner=["x", "y"], item=[1, 1], dataset=["s", "t"])
    assert len(votes.within("t")) == 1
    with pytest.raises(DataError, match="no dataset is called 'u'"):
        votes.within("u")


def test_refusals() -> None:
    """A system that is not there, and votes of none."""
    votes = Votes.from_columns(a=["x"], b=["y"], winner=["x"])
    with pytest.raises(UnknownSystem, match="no system is called 'z'"):
        votes.pair("x", "z")
    with pytest.raises(TooFew, match="of no system"):
        Votes.from_columns(a=[], b=[], winner=[])
    with pytest.raises(DataError, match="first has 1 entries for 2 items"):
        Votes.from_columns(a=["x"] * 2, b=["y"] * 2, winner=["x"] * 2, first=["x"])
    with pytest.raises(DataError, match="entry 0: found 'z' for the winner"):
        Votes.from_columns(a=["x"], b=["y"], winner=["z"])
