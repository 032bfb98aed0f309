"""Columns that are called like raters or like times: taken where their name leaves no doubt, offered where it leaves some."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tellapart.data.ratings import Ratings
from tellapart.data.roles import PERHAPS_RATERS, RATERS_ELSE, ROLES, TIMES
from tellapart.data.scores import Scores
from tellapart.data.votes import Votes
from tellapart.readers import read
from tellapart.verbs.compare import compare
from tellapart.verbs.rank import rank

File = Callable[..., Path]
Refusal = Callable[..., str]


def rated(who: str, score: str = "rating") -> str:
    rows = product(("old", "new"), range(4), range(3))
    return f"system,item,{who},{score}\n" + "\n".join(f"{s},q{i},{w},{(i + w) % 5}" for s, i, w in rows)


def wide(name: str, *, first: str = "8", second: str = "9") -> str:
    """Systems as columns, beside one that may say when."""
    rows = [f"q{i},{first if i < 4 else second},0.{i},0.{9 - i}" for i in range(8)]
    return "\n".join([f"item,{name},base,new", *rows])


@pytest.mark.parametrize(
    "name", ["WorkerId", "annotator_id", "judgeID", "Labeler", "evaluator", "participant id", "coder"]
)
def test_raters_under_another_name(name: str, file: File) -> None:
    found = read(file(rated(name)))
    assert isinstance(found, Ratings)
    assert len(found.raters) == 3


@pytest.mark.parametrize("name", ["coder", "Reviewer", "grader", "release", "version"])
def test_systems_may_be_called_like_people_or_versions(name: str, file: File) -> None:
    """Right or wrong in columns of their own: these are neither raters nor times."""
    rows = [f"q{i},{i % 2},{i % 3 % 2},{i % 5 % 2}" for i in range(8)]
    found = read(file("\n".join([f"item,base,chat,{name}", *rows])))
    assert isinstance(found, Scores)
    assert set(found.systems) == {"base", "chat", name}


def test_numbers_of_people_are_raters_beside_systems_in_columns(file: File) -> None:
    rows = [f"q{i},{w},{(i + w) % 5},{i % 5}" for i in range(4) for w in range(3)]
    found = read(file("\n".join(["item,WorkerId,base,new", *rows])))
    assert isinstance(found, Ratings)
    assert len(found.raters) == 3


def test_names_that_are_taken_are_no_usual_ones_and_none_that_are_only_offered() -> None:
    usual = {name for role in ROLES.values() for name in role.columns}
    assert set(RATERS_ELSE).isdisjoint(PERHAPS_RATERS)
    assert set(TIMES).isdisjoint((*usual, *RATERS_ELSE, *PERHAPS_RATERS))
    assert {name for name in RATERS_ELSE if name in usual} == {"annotator", "judge", "worker"}


def test_a_usual_name_of_raters_comes_first(file: File) -> None:
    """What stood beside one said nothing, and still does."""
    text = rated("judge").replace("\n", ",x\n").replace(",x", ",participant", 1)
    found = read(file(f"{text},x"))
    assert isinstance(found, Ratings)
    assert found.raters == ("0", "1", "2")


def test_of_a_name_and_a_number_of_raters_the_number_is_taken(file: File) -> None:
    rows = [f"{s},q{i},ann,{w},{w}" for s, i, w in product(("old", "new"), range(3), range(2))]
    found = read(file("\n".join(["system,item,labeler,labeler_id,rating", *rows])))
    assert found.raters == ("0", "1")


def test_scores_that_are_called_like_people_stay_scores(file: File, refusal: Refusal) -> None:
    """Fractions name nobody; nor does the column that is asked for, or all that there is of scores."""
    assert read(file("item,coder,planner\nq1,0.5,0.6\nq2,0.1,0.4\n")).systems == ("coder", "planner")
    assert read(file("system,item,grader\na,1,3\na,2,4\nb,1,2\nb,2,5\n")).measure == "grader"
    both = file("system,item,grader,style\na,1,3,1\na,2,4,1\nb,1,2,0\nb,2,5,1\n")
    assert isinstance(read(both, measure="grader"), Scores)
    assert "several columns could be the score: 'grader', 'style'" in refusal(both, columns={"rater": "none"})


def test_kinds_of_people_are_not_chosen_from(file: File) -> None:
    """A reviewer beside a participant: which of them judged is for the caller to say."""
    text = "system,item,reviewer,participant,score\na,1,r,p,3\na,2,r,p,4\nb,1,r,p,2\nb,2,r,p,5\n"
    assert isinstance(read(file(text)), Scores)


@pytest.mark.parametrize("name", ["user", "expertId", "person", "rated_by"])
def test_what_may_be_raters_is_offered_first(name: str, file: File, refusal: Refusal) -> None:
    said = refusal(file(rated(name, "score")))
    assert f"tells the rows apart: --column rater={name} if it says who judged, --column dataset=…" in said


def test_whatever_stands_beside_a_rating_is_offered(file: File, refusal: Refusal) -> None:
    assert "--column rater=wer if it says who judged" in refusal(file(rated("wer")))
    assert "--column rater" not in refusal(file(rated("wer", "score")))


def test_votes_know_their_voters(file: File) -> None:
    votes = read(file("a,b,winner,item,voter\nold,new,old,1,ann\nold,new,new,1,bob\n"))
    assert isinstance(votes, Votes)
    assert votes.raters == ("ann", "bob")


@pytest.mark.parametrize("name", ["week", "Date", "month", "createdAt"])
@pytest.mark.parametrize("labels", [("8", "9"), ("2026-01-05", "2026-01-12")])
def test_times_are_no_systems(name: str, labels: tuple[str, str], file: File) -> None:
    path = file(wide(name, first=labels[0], second=labels[1]))
    found = read(path)
    assert found.systems == ("base", "new")
    answer = rank(path)
    (note,) = [note for note in answer.notes if note.code == "time_left_out"]
    assert note.values == {"column": name}
    assert f"by='{name}'" in note.text
    grouped = compare(path, by=name)
    assert grouped.groups is not None
    assert [group.label for group in grouped.groups] == list(labels)


def test_a_time_that_is_named_as_a_system_is_one(file: File) -> None:
    path = file(wide("week").replace("0.", ""))
    assert read(path).systems == ("base", "new")
    assert compare(path, a="week", b="base").a.name == "week"
    assert read(path, names={"week": "seventh"}).systems == ("seventh", "base", "new")


def test_times_stay_systems_where_too_few_would_be_left_or_they_are_measured(file: File) -> None:
    assert read(file("item,day,night\nq1,1,0\nq2,0,1\n")).systems == ("day", "night")
    assert read(file(wide("time", first="8.5").replace(",0.", ","))).systems == ("time", "base", "new")


def test_items_that_come_again_lead_to_groups(file: File, refusal: Refusal) -> None:
    long = "system,item,week,score\n" + "\n".join(f"{s},q{i},{w},{i}" for s, i, w in product("ab", range(3), (1, 2)))
    assert "--by week to compare its groups, --column dataset=…" in refusal(file(long))
    assert refusal(file(long), by="item").count("--by") == 0
    repeated = "item,week,base,new\n" + "\n".join(f"q{i},{w},0.{i},0.{w}" for i, w in product(range(3), (1, 2)))
    assert "--by week" in refusal(file(repeated))


def test_a_week_is_no_score_beside_another_column(file: File) -> None:
    found = read(file("system,item,week,acc\na,1,8,0.5\na,2,9,0.1\nb,1,8,0.6\nb,2,9,0.3\n"))
    assert found.measure == "acc"
