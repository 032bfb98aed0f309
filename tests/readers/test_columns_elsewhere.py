"""Tables whose items are called as they are elsewhere, and those that nobody can guess."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tellapart.data.roles import ITEMS_ELSE, ROLES
from tellapart.readers import read

File = Callable[..., Path]
Refusal = Callable[..., str]


@pytest.mark.parametrize("name", ["prompt_id", "promptId", "Question", "request", "doc_id", "idx"])
def test_items_under_another_name(name: str, file: File) -> None:
    wide = read(file(f"{name},old,new\n1,0.5,0.6\n2,0.1,0.4\n"))
    assert wide.systems == ("old", "new")
    assert [item for _, item in wide.items] == ["1", "2"]
    long = read(file(f"model,{name},score\na,x,1\nb,x,0\n"))
    assert [item for _, item in long.items] == ["x"]


def test_a_usual_name_comes_first(file: File) -> None:
    """Texts beside a column of items stay what they were: columns that say nothing."""
    read_ = read(file("model,question_id,prompt,score\na,1,why,1\nb,1,why,0\n"))
    assert [item for _, item in read_.items] == ["1"]
    assert set(ITEMS_ELSE).isdisjoint(name for role in ROLES.values() for name in role.columns)


def test_rows_that_it_does_not_tell_apart_say_what_was_taken(file: File, refusal: Refusal) -> None:
    said = refusal(file("model,prompt,score\na,x,1\na,x,0\nb,x,0\n"))
    assert "so 'prompt' was taken" in said


def test_a_likely_column_is_named(file: File, refusal: Refusal) -> None:
    """Its texts differ in every row; where none is like that, nothing is guessed."""
    assert "--column item=Frage;" in refusal(file("Frage,Alt,Neu\nF1,0.5,0.6\nF2,0.1,0.4\n"))
    assert "--column item=…" in refusal(file("a,b\n1,0\n0,1\n"))
    assert "--column item=…" in refusal(file("model,kind,score\na,x,1\na,x,0\nb,x,0\n"))
