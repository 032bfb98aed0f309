"""Rows as they were found: names by role, and the order in which they came."""

from typing import Any

import pytest

from tellapart.data.records import refuse_sparse
from tellapart.data.roles import LABELS, ROLES, roles_in_words
from tellapart.data.rows import Records
from tellapart.foundation.errors import DataError
from tellapart.readers import read
from tellapart.readers.detect import detect
from tellapart.readers.storage.origin import Memory
from tellapart.readers.tables.columns import TableRequest
from tellapart.readers.tables.rows import Rows


def records(*texts: str, **columns: str) -> Records:
    rows = Rows(TableRequest(None, ("score",), columns))
    for number, text in enumerate(texts):
        origin = Memory(f"file {number}", f"s{number}", text.encode())
        rows.take(detect(origin).table(origin), alone=len(texts) == 1)
    return rows.records()


def named(rows: Records, role: str) -> list[str | None]:
    return [rows.label(role, row) for row in range(len(rows))]


def test_labels_are_what_the_source_says() -> None:
    """There are labels for the roles that a column plays, and for no other."""
    rows = records("model,id,judge,seed,value\na,1,x,7,1\nb,1,,8,0\n")
    assert {*rows.labels} == {"system", "item", "rater", "seed"}
    assert named(rows, "rater") == ["x", ""]
    assert named(rows, "seed") == ["7", "8"]
    assert named(rows, "cluster") == [None, None]


@pytest.mark.parametrize("first", [True, False])
def test_a_role_that_one_source_has(first: bool) -> None:
    """Rows of a source that is silent about a role are called what such rows are called, whichever source comes first."""
    texts = ["item,seed,score\n1,7,1\n1,8,0\n", "item,score\n1,0\n"]
    rows = records(*(texts if first else texts[::-1]))
    assert named(rows, "seed") == (["7", "8", "1"] if first else ["1", "7", "8"])


def test_order_of_arrival() -> None:
    """Rows arrive in the order of their lines and files; the scores of one wide line arrive together."""
    assert records("system,item,score\nb,2,1\na,1,0\nb,1,1\n").arrival.tolist() == [0, 1, 2]
    wide = records("item,a,b\n2,1,0\n1,0,1\n")
    assert named(wide, "system") == ["a", "a", "b", "b"]
    assert wide.arrival.tolist() == [0, 1, 0, 1]
    assert records("item,score\n1,0\n2,1\n", "item,score\n1,1\n").arrival.tolist() == [0, 1, 2]


def test_arrival_over_many_blocks() -> None:
    """However many rows are read at once, the order goes on."""
    rows = records("item,a,b\n" + "".join(f"q{i},0,1\n" for i in range(2000)))
    places = [int(str(name)[1:]) for name in named(rows, "item")]
    assert len(places) == 4000
    assert rows.arrival.tolist() == places
    assert [rows.where(row) for row in range(4000)] == [f"file 0, line {place + 2}" for place in places]


def test_a_full_table_is_never_too_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the size that is taken on trust, what counts is the share of cells with a score."""
    monkeypatch.setattr("tellapart.data.records.MOST_CELLS", 1)
    full = records("item,a,b\n1,0,1\n2,1,1\n")
    refuse_sparse(full, 200)
    with pytest.raises(DataError, match="2 systems and 201 items have only 4 scores"):
        refuse_sparse(full, 201)


def test_roles_are_declared_once() -> None:
    """Each role is known by its own name first or by none, no two claim one column name, and each says what it means."""
    names: list[Any] = [name for role in ROLES.values() for name in role.columns]
    assert len(names) == len(set(names))
    assert all(role.columns[:1] in {(), (key,)} and role.name == key for key, role in ROLES.items())
    # A column called "group" says nothing until it is asked about.
    assert [role.name for role in ROLES.values() if not role.columns] == ["group", "text"]
    assert all(f"{role.name} ({role.help})" in roles_in_words() for role in ROLES.values())
    assert all(name in str(read.__doc__) for name in ROLES)
    assert {role.name for role in LABELS} == {*ROLES} - {"score", "measure"}
