"""A column that says the winner makes votes."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tellapart import Scores, Votes
from tellapart.foundation.errors import ReadError, UsageError
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
        ("a,winner\nx,x\n", "no column names the other. Name it: --column b=…"),
        ("a,b,winner,first\nold,new,new,foo\n", "found 'foo' for what was shown first"),
        ("a,b,winner,rater\nold,new,new,x\nold,new,new,\n", "found a blank for the rater"),
        ("a,b,winner,item\nold,new,new,1\nold,new,new,\n", "found a blank for the item"),
        ("system,item,score,winner\na,1,2,a\n", "votes and scores take two files"),
        ("item,old,new,winner\n1,2,3,new\n2,3,3,old\n", "votes and scores take two files"),
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


BATTLES = """question_id,model_a,model_b,winner,judge,turn,anony,language,tstamp
1,x,y,model_a,ann,1,True,English,1.0
2,y,x,model_b,ann,1,True,German,2.0
3,x,z,tie (bothbad),bob,2,False,English,3.0
4,z,y,both_bad,bob,1,True,english,4.0
"""


def test_battles_of_a_chat_arena(file: File) -> None:
    """Judges are raters, battles are no items, and both words for two bad answers are ties."""
    found = read(file(BATTLES))
    assert (found.raters, found.items, len(found)) == (("ann", "bob"), (), 4)
    assert found.reading.sources[0].format == "chat_arena"
    assert (found.winner == -1).sum() == 2


@pytest.mark.parametrize(
    ("where", "votes"), [({"language": "English"}, 3), ({"turn": "1", "anony": "true"}, 3), ({"judge": "bob"}, 2)]
)
def test_votes_are_picked_by_any_column(file: File, where: dict[str, str], votes: int) -> None:
    text = BATTLES.replace("question_id,", "n,").replace(",turn,anony,language,tstamp", ",side,open,tongue,at")
    plain = {
        {"turn": "side", "anony": "open", "language": "tongue"}.get(name, name): value for name, value in where.items()
    }
    assert len(read(file(text), where=plain)) == votes
    if "judge" not in where:
        assert len(read(file(BATTLES, "arena.csv"), where=where)) == votes


def test_votes_that_nobody_picks(file: File) -> None:
    with pytest.raises(UsageError, match="did you mean 'language'"):
        read(file(BATTLES), where={"languag": "English"})
    with pytest.raises(ReadError, match="no vote is left"):
        read(file(BATTLES), where={"language": "Dutch"})


def test_battles_with_a_column_for_each_outcome(file: File) -> None:
    """As arenas publish them for competitions, beside prompts and responses."""
    rows = ["1,x,y,hi,a,b,1,0,0", "2,x,y,hi,a,b,0,1,0", "3,y,x,hi,a,b,0,0,1"]
    head = "id,model_a,model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,winner_tie"
    found = read(file("\n".join([head, *rows, ""])))
    assert sorted(found.pair("x", "y").values.tolist()) == [-1, 0, 1]


def test_conversations_in_json_lines(file: File) -> None:
    """Nested conversations are left alone."""
    one = '{"question_id": "%d", "model_a": "x", "model_b": "y", "winner": "%s", "judge": "u%d", "conversation_a": [{"role": "user", "content": "hi"}], "turn": 1}\n'
    found = read(file("".join(one % (n, "model_b" if n % 3 else "tie", n % 2) for n in range(6)), "c.jsonl"))
    assert (len(found), len(found.raters)) == (6, 2)


@pytest.mark.parametrize(
    ("choice", "value"), [("left", -1), ("right", 1), ("x", -1), ("tie", 0), ("Same", 0), ("both", 0)]
)
def test_side_by_side_sheets(file: File, choice: str, value: int) -> None:
    found = read(file(f"left,right,choice,worker\nx,y,{choice},ann\nx,y,left,bob\nx,y,,bob\n"))
    assert sorted(found.pair("x", "y").values.tolist()) == sorted([value, -1])
    assert found.reading.sources[0].missing == 1


def test_annotations_of_alpaca_eval_as_votes(file: File) -> None:
    """Each record names two models; the same file is scores where votes are not asked for."""
    one = '{"instruction": "%d", "generator_1": "%s", "generator_2": "%s", "annotator": "j", "preference": %s}'
    rows = [
        (1, "base", "x", "2.0"),
        (2, "base", "x", "1.2"),
        (3, "base", "y", "1.5"),
        (4, "base", "y", "0"),
        (5, "base", "y", "null"),
    ]
    path = file("[" + ",".join(one % row for row in rows) + "]", "annotations.json")
    found = read(path, format="alpaca_eval_pairs")
    assert (found.systems, len(found), len(found.items)) == (("base", "x", "y"), 4, 4)
    assert sorted(found.pair("base", "x").values.tolist()) == [-1, 1]
    assert found.pair("base", "y").values.tolist() == [0, 0]
    assert sum(source.missing for source in found.reading.sources) == 2
    assert isinstance(read(path), Scores)


def test_votes_whose_winner_has_another_name_are_told_from_scores(tmp_path: Path) -> None:
    """Advice to take the winners for items would lead nowhere; under the name that is advised they are read."""
    path = tmp_path / "votes.csv"
    path.write_text("model_a,model_b,outcome\nx,y,model_a\nx,y,tie\nx,y,model_b\ny,x,model_b\n")
    with pytest.raises(ReadError, match=r"two systems in each row, as votes do.*winner"):
        read(path)
    assert isinstance(read(path, columns={"winner": "outcome"}), Votes)
