"""A column that says the winner makes votes."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tellapart import Votes
from tellapart.foundation.errors import UsageError
from tellapart.readers import read

File = Callable[..., str]
Refusal = Callable[..., str]


def test_votes_of_two_systems(file: File) -> None:
    """Names, ties and the order of a and b; +1 is a win of B."""
    found = read(file("a,b,winner\nold,new,new\nold,new,tie\nnew,old,old\nnew,old,new\n"))
    assert isinstance(found, Votes)
    assert found.systems == ("old", "new")
    assert sorted(found.pair("old", "new").values.tolist()) == [-1, 0, 1, 1]
    assert sorted(found.pair("new", "old").values.tolist()) == [-1, -1, 0, 1]
    assert not found.pair("old", "new").shared


def test_winners_by_the_name_of_their_column(file: File) -> None:
    """Chat arenas write model_a or a; a system of that name wins over the column."""
    arena = read(file("model_a,model_b,winner\nx,y,model_a\ny,x,model_b\nx,y,tie (bothbad)\n"))
    assert sorted(arena.pair("x", "y").values.tolist()) == [-1, -1, 0]
    letters = read(file("system_a,system_b,winner,first\nx,y,B,a\n", "letters.csv"))
    assert letters.pair("x", "y").values.tolist() == [1]
    assert letters.pair("x", "y").b_first.tolist() == [0]
    named = read(file("a,b,winner\nb,a,a\n", "named.csv"))
    assert named.pair("a", "b").values.tolist() == [-1]


def test_order_of_rows_leaves_no_trace(file: File) -> None:
    """Votes are kept in the order of what they say."""
    rows = [f"old,new,{w},{i},{r},{f}" for i in "12" for r, w, f in (("x", "new", "old"), ("y", "tie", "new"))]
    one, other = (
        read(file("a,b,winner,item,rater,first\n" + "\n".join(order) + "\n", name)).pair("old", "new")
        for order, name in ((rows, "one.csv"), (rows[::-1], "other.csv"))
    )
    for field in ("values", "item", "rater", "b_first"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))
    assert one.shared


def test_votes_without_columns_for_the_systems(oracle: Path) -> None:
    """Two names among the winners are the systems."""
    found = read(oracle / "votes_data.csv")
    assert (found.systems, len(found), len(found.raters), len(found.items)) == (("A", "B"), 234, 9, 36)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b,winner\nold,new,newer\n", "line 2: found 'newer' for the winner; wanted 'old', 'new' or 'tie'"),
        ("a,b,winner\nold,new,\n", "line 2: found a blank for the winner"),
        ("a,b,winner\nold,old,old\n", "a vote between 'old' and itself"),
        ("winner,item\nx,1\ny,2\nz,3\n", "winners are 'x', 'y', 'z'; wanted two names"),
        ("a,winner\nx,x\n", "no column the other. Name it: --column b=…"),
        ("a,b,winner,first\nold,new,new,foo\n", "found 'foo' for what was shown first"),
        ("a,b,winner,rater\nold,new,new,x\nold,new,new,\n", "found a blank for the rater"),
        ("a,b,winner,item\nold,new,new,1\nold,new,new,\n", "found a blank for the item"),
        ("system,item,score,winner\na,1,2,a\n", "votes and scores are two files"),
        ("item,old,new,winner\n1,2,3,new\n2,3,3,old\n", "votes and scores are two files"),
        ("a,b,winner\nold,new,tie\n,new,tie\n", "found a blank for one of the systems"),
    ],
)
def test_refusals(file: File, refusal: Refusal, text: str, said: str) -> None:
    """What was found, what was wanted, what to do."""
    assert said in refusal(file(text))


def test_both_orders_of_one_rater_are_two_votes(file: File) -> None:
    """A judge that is asked twice, with the systems exchanged, votes twice."""
    text = "a,b,winner,item,rater,first\nold,new,new,1,x,old\nold,new,tie,1,x,new\n"
    assert len(read(file(text))) == 2


def test_a_further_vote_of_a_rater_is_kept(file: File) -> None:
    """One who votes again on the same pair and item is counted again."""
    text = "a,b,winner,item,rater\nold,new,new,1,x\nnew,old,tie,1,x\n"
    assert len(read(file(text))) == 2


def test_a_role_that_votes_have_not(file: File) -> None:
    """Votes take no clusters: what belongs together is an item."""
    with pytest.raises(UsageError, match="no column for the cluster"):
        read(file("a,b,winner,doc\nold,new,tie,1\n"), columns={"cluster": "doc"})


def test_winner_as_one_more_column(file: File) -> None:
    """The caller may say that the scores are meant."""
    text = "system,item,score,winner\na,1,2,a\nb,1,3,a\n"
    assert read(file(text), columns={"score": "score"}).systems == ("a", "b")
