"""Long and wide tables, the roles of their columns, and which score is meant."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tellapart.data.roles import ROLES
from tellapart.data.scores import Scores
from tellapart.foundation.errors import SpellingError, TooFew
from tellapart.readers import read

File = Callable[..., str]
Same = Callable[[Scores, Scores], bool]
Refusal = Callable[..., str]

WIDE = "item,old,new\nq1,0.1,0.3\nq2,0.4,0.5\n"


def test_long_and_wide_agree(file: File, long: Scores, same: Same) -> None:
    """One column per system says the same as one row per score."""
    assert same(read(file(WIDE)), long)


def test_pairing_is_by_id(file: File, long: Scores, same: Same) -> None:
    """Rows in any order are the same scores, with the systems in the order they are met."""
    text = "system,item,score\nold,q2,0.4\nnew,q2,0.5\nnew,q1,0.3\nold,q1,0.1\n"
    assert same(read(file(text)), long)


@pytest.mark.parametrize("name", [*ROLES["system"].columns, "Model", "MODEL NAME", " Model-Name "])
def test_usual_names_of_systems(name: str, file: File, long: Scores, same: Same) -> None:
    """A system column is recognised by its usual names, whatever their case."""
    text = f"{name},item,score\nold,q1,0.1\nold,q2,0.4\nnew,q1,0.3\nnew,q2,0.5\n"
    assert same(read(file(text)), long)


@pytest.mark.parametrize("name", [*ROLES["item"].columns, "Topic", "Question ID"])
@pytest.mark.parametrize("score", [*ROLES["score"].columns, "Score"])
def test_usual_names_of_items_and_scores(name: str, score: str, file: File, long: Scores, same: Same) -> None:
    """An item column and a score column are recognised by their usual names."""
    text = f"system,{name},{score}\nold,q1,0.1\nold,q2,0.4\nnew,q1,0.3\nnew,q2,0.5\n"
    called = "rating" if score == "rating" else "score"
    assert same(read(file(text)), replace(long, measure=called))


def test_a_score_is_called_what_its_column_is(file: File) -> None:
    """Unless that says no more than that it is a score."""
    for column, called in (("Rating", "Rating"), ("worth", "worth"), ("Value", "score"), ("score", "score")):
        path = file(f"system,item,{column},n\na,1,1,1\nb,1,0,2\na,2,0,3\nb,2,0,4\n")
        assert read(path, columns={"score": column}).measure == called


@pytest.mark.parametrize("dataset", ROLES["dataset"].columns)
@pytest.mark.parametrize("run", ROLES["run"].columns)
def test_dataset_and_run(dataset: str, run: str, file: File) -> None:
    """An item is identified by dataset and name; repeats are told apart by their run and kept apart."""
    rows = [(s, d, "q1", r, i) for i, (s, d, r) in enumerate([(s, d, r) for s in "ab" for d in "xy" for r in "12"])]
    text = f"system,{dataset},item,{run},score\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    scores = read(file(text))
    assert scores.items == (("x", "q1"), ("y", "q1"))
    np.testing.assert_array_equal(scores.values[..., 0], [[[0, 1], [2, 3]], [[4, 5], [6, 7]]])


def test_order_of_runs_leaves_no_trace(file: File, same: Same) -> None:
    """Repeats are kept in the order of their names, not of their rows."""
    rows = ["a,q,1,0.1", "a,q,2,0.2", "b,q,1,0.3", "b,q,2,0.4"]
    header = "system,item,seed,score\n"
    again = [rows[1], rows[0], rows[3], rows[2]]
    assert same(read(file(header + "\n".join(rows))), read(file(header + "\n".join(again), "again.csv")))


def test_cluster_column(file: File) -> None:
    """A cluster column groups the items, and a column may serve as item and as cluster."""
    text = "question_id,turn,passage,a,b\n1,1,p,0,1\n1,2,p,1,1\n2,1,p,0,0\n2,2,p,1,0\n3,1,r,1,1\n3,2,r,0,0\n"
    by_question = read(file(text), columns={"cluster": "question_id", "dataset": "turn", "rater": "passage"})
    assert by_question.items[:3] == (("1", "1"), ("1", "2"), ("1", "3"))
    assert by_question.clusters is not None
    assert by_question.clusters.tolist() == [0, 1, 2, 0, 1, 2]
    by_passage = read(file(text), columns={"cluster": "passage", "dataset": "turn"})
    assert by_passage.clusters is not None
    assert by_passage.clusters.tolist() == [0, 0, 1, 0, 0, 1]


def test_columns_by_name(file: File, long: Scores, same: Same) -> None:
    """`columns` gives a role to a column that its name does not give away, with or without its capitals."""
    text = "who,what,points\nold,q1,0.1\nold,q2,0.4\nnew,q1,0.3\nnew,q2,0.5\n"
    scores = read(file(text), columns={"system": "WHO", "item": "what", "score": "points"})
    assert same(scores, replace(long, measure="points"))


def test_unknown_column_and_role(file: File, refusal: Refusal) -> None:
    """A column that is not there, or a role that does not exist, is answered with the nearest names."""
    message = refusal(file(WIDE), columns={"cluster": "itme"})
    assert "there is no column 'itme'; did you mean 'item'?" in message
    with pytest.raises(SpellingError, match="no column role is called 'clutser'; did you mean 'cluster'"):
        read(file(WIDE), columns={"clutser": "item"})


def test_two_columns_for_one_role(file: File, refusal: Refusal) -> None:
    """A role that two columns could play is refused unless one has the very name or is chosen."""
    text = "id,topic,model,score\n1,t,a,0\n1,t,b,1\n"
    assert "columns 'id' and 'topic' could each be the item. Say which: --column item=id" in refusal(file(text))
    assert read(file(text), columns={"item": "topic"}).items == (("", "t"),)
    assert read(file(text.replace("id,", "item,"))).items == (("", "1"),)


def test_role_names_are_no_systems(file: File) -> None:
    """In wide form a column that is called like a role is never taken for a system."""
    assert read(file("item,topic,a,b\n1,7,0,1\n2,7,1,1\n")).systems == ("a", "b")


def test_dataset_serves_as_item(file: File, refusal: Refusal) -> None:
    """Without an item column a dataset column names the items, if it names each once."""
    assert read(file("task,a,b\nx,1,2\ny,3,4\n")).items == (("", "x"), ("", "y"))
    message = refusal(file("task,a,b\nx,1,2\nx,3,4\n", "twice.csv"))
    assert "twice.csv, line 3: system 'a' already has a score for item 'x'" in message
    assert "No column is called an item, so 'task' was taken. To name another: --column item=…" in message


def test_text_column_in_wide_form(file: File, refusal: Refusal) -> None:
    """A column of text is no system; one that holds both is refused by its line, with the way to give it a role."""
    assert read(file("item,category,a,b\n1,maths,0,1\n2,art,1,1\n")).systems == ("a", "b")
    message = refusal(file("item,kind,a,b\n1,maths,0,1\n2,3,1,1\n"))
    assert "line 2: found 'maths' in column 'kind'; wanted a finite number" in message
    assert "--column cluster=kind" in message
    scores = read(file("item,category,a,b\n1,maths,0,1\n2,art,1,1\n"), columns={"cluster": "category"})
    assert scores.systems == ("a", "b")


def test_score_column_by_elimination(file: File) -> None:
    """In long form the only column of numbers that has no role and names no id is the score, and its name the measure."""
    scores = read(file("system,item,doc_id,note,accuracy\na,1,5,x,0.5\na,2,5,x,1\nb,1,5,,0\nb,2,5,y,\n"))
    assert scores.measure == "accuracy"
    np.testing.assert_array_equal(scores.values[:, :, 0, 0], [[0.5, 1], [0, np.nan]])


def test_several_columns_of_scores(file: File, refusal: Refusal) -> None:
    """Of several columns of numbers `measure` picks one; without it, or with another name, they are listed."""
    path = file("system,item,bleu,chrf\na,1,0.5,0.6\nb,1,0.7,0.8\n")
    chosen = read(path, measure="chrf")
    assert (chosen.measure, chosen.values.ravel().tolist()) == ("chrf", [0.6, 0.8])
    assert "several columns could be the score: 'bleu', 'chrf'. Pick one with --measure bleu" in refusal(path)
    assert "no column of scores is called 'chrf2'; did you mean 'chrf'?" in refusal(path, measure="chrf2")


def test_measure_beside_a_score_column(file: File, refusal: Refusal) -> None:
    """`measure` picks a column by that name even where another is called score, and else is refused."""
    path = file("system,item,score,f1\na,1,0.5,0.6\nb,1,0.7,0.8\n")
    assert read(path, measure="F1").values.ravel().tolist() == [0.6, 0.8]
    labelled = read(path, measure_name="nDCG@10")
    assert (labelled.measure, labelled.values.ravel().tolist()) == ("nDCG@10", [0.5, 0.7])
    assert read(path).measure == "score"
    for one in (path, file(WIDE, "wide.csv")):
        assert "no column of scores is called 'nDCG@10'" in refusal(one, measure="nDCG@10")
    assert read(file(WIDE), measure_name="nDCG@10").measure == "nDCG@10"


def test_measure_column(file: File, refusal: Refusal) -> None:
    """Of several measures in a column one is picked by name; rows of the others are not even parsed."""
    rows = "a,1,AP,0.1\na,1,runid,x\na,2,AP,0.2\nb,1,AP,0.3\nb,1,runid,y\nb,2,AP,0.4\n"
    path = file("system,topic,measure,value\n" + rows)
    scores = read(path, measure="AP")
    assert (scores.measure, scores.values.ravel().tolist()) == ("AP", [0.1, 0.2, 0.3, 0.4])
    assert "several measures: 'AP' (4 rows), 'runid' (2 rows). Pick one with --measure" in refusal(path)
    assert "no measure is called 'MAP'; did you mean 'AP'?" in refusal(path, measure="MAP")
    only = file("system,topic,measure,value\na,1,AP,0.1\nb,1,AP,0.3\n", "only.csv")
    assert read(only).measure == "AP"


@pytest.mark.parametrize(
    ("measures", "said"),
    [(8, "'m7' (1 rows). Pick"), (9, "'m7' (1 rows) and 1 more. Pick"), (11, " and 3 more.")],
)
def test_many_measures(measures: int, said: str, file: File, refusal: Refusal) -> None:
    """Eight measures are named; of more it is said how many."""
    rows = "".join(f"a,1,m{i},1\n" for i in range(measures))
    assert said in refusal(file("system,item,measure,value\n" + rows))


def test_lines_survive_the_choice_of_a_measure(file: File, refusal: Refusal) -> None:
    """An error in a row of the chosen measure names its line in the file, not among the chosen rows."""
    rows = "a,1,RR,1\na,1,AP,0.1\nb,1,RR,1\nb,1,AP,0.3\nb,1,AP,0.4\n"
    message = refusal(file("system,topic,measure,value\n" + rows), measure="AP")
    assert "scores.csv, line 6: system 'b' already has a score for item '1'" in message
    assert "scores.csv, line 5)" in message


def test_parts_of_a_metric(file: File, refusal: Refusal) -> None:
    """A metric made of parts has one column per part, by name or by `columns`; a missing one is named."""
    path = file("system,item,TP,fp,misses\na,1,1,2,3\nb,1,4,5,6\n")
    scores = read(path, parts=("tp", "fp", "fn"), columns={"fn": "misses"})
    assert scores.parts == ("tp", "fp", "fn")
    np.testing.assert_array_equal(scores.values[:, 0, 0], [[1, 2, 3], [4, 5, 6]])
    message = refusal(path, parts=("tp", "fp", "fn"))
    assert "the metric needs columns tp, fp, fn; missing: fn; found 'system', 'item'" in message
    assert "--column fn=…" in message


def test_one_system_only(file: File) -> None:
    """One system is too few, and the message says why only one was seen."""
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("system,item,score\na,1,1\n", {}, "Column 'system' names the system"),
        ("item,a\n1,1\n", {}, "Each column without a role is a system"),
        ("item,score\n1,1\n", {}, "No column names the system, so the file is one"),
    ]
    for text, options, why in cases:
        with pytest.raises(TooFew, match=r"scores\.csv: only one system, .* was found; two are needed") as caught:
            read(file(text), **options)
        assert why in str(caught.value)


def test_huge_sparse_table_is_a_mistake(file: File, refusal: Refusal) -> None:
    """Roles that make a table too large for its few scores are questioned instead of filling memory."""
    text = "system,item,score\n" + "".join(f"s{i},q{i},1\n" for i in range(4000))
    assert "4000 systems and 4000 items have only 4000 scores" in refusal(file(text))


def test_columns_beside_the_systems_asked_about(file: File, refusal: Refusal) -> None:
    """Where the systems are named, other columns of a wide table hold scores or anything else; the named ones are still judged."""
    text = "item,prompt,old,new,third\nq1,Say so,0.1,0.3,1\nq2,Say no,0.4,0.5,\n"
    assert read(file(text)).systems == ("old", "new", "third")
    scores = read(file(text), systems=["old", "new"])
    np.testing.assert_array_equal(scores.pair("old", "new").a[:, 0, 0], [0.1, 0.4])
    assert not scores.scored("prompt").any()
    np.testing.assert_array_equal(scores.scored("third"), [True, False])
    assert "found 'Say so' in column 'prompt'" in refusal(file(text), systems=["prompt", "new"])
