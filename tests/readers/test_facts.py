"""What a source says of all its rows: believed after the caller and after a column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tellapart.data.rows import Records
from tellapart.foundation.errors import ReadError
from tellapart.readers.tables.columns import TableRequest
from tellapart.readers.tables.rows import Rows
from tellapart.readers.tables.table import Block, Facts, Table

COLUMNS: dict[str, Sequence[Any]] = {"item": ["q1", "q2"], "score": [0.5, 1.0], "topic_group": ["x", "y"]}


@dataclass(frozen=True)
class Source:
    """A table with facts."""

    facts: Facts
    columns: Mapping[str, Sequence[Any]]
    roles: Mapping[str, str]

    def table(self, name: str) -> Table:
        block = Block(tuple(self.columns), range(1, 3), self.columns.__getitem__, self.roles)
        return Table(name, f"label of {name}", [block], self.facts)


def source(
    columns: Mapping[str, Sequence[Any]] = COLUMNS, roles: Mapping[str, str] | None = None, **facts: Any
) -> Source:
    return Source(Facts(**facts), columns, roles or {})


def taken(*sources: Source, measure: str | None = None, **columns: str) -> Rows:
    rows = Rows(TableRequest(measure, ("score",), columns))
    for number, one in enumerate(sources):
        rows.take(one.table(f"file {number}"), alone=len(sources) == 1)
    return rows


def said(records: Records, role: str) -> list[str | None]:
    return [records.label(role, row) for row in range(len(records))]


def test_silence() -> None:
    """A source that says nothing is a system called like itself, in no dataset."""
    records = taken(source(), source()).records()
    assert said(records, "system") == ["label of file 0"] * 2 + ["label of file 1"] * 2
    assert {*records.labels} == {"system", "item"}
    assert said(records, "dataset") == [None] * 4


def test_system_and_dataset() -> None:
    """The source's own name is believed before the file's, and a column before both."""
    records = taken(source(system="big", dataset="sums")).records()
    assert said(records, "system") == ["big", "big"]
    assert said(records, "dataset") == ["sums", "sums"]
    own = COLUMNS | {"model": ["m", "n"], "task": ["s", "t"]}
    records = taken(source(own, system="big", dataset="sums")).records()
    assert said(records, "system") == ["m", "n"]
    assert said(records, "dataset") == ["s", "t"]


def test_dataset_of_some_sources_only() -> None:
    """A dataset that only one of the sources has would make two items of one."""
    with pytest.raises(ReadError, match="file 1: no column for the dataset, but file 0 has one"):
        taken(source(dataset="sums"), source())


def test_measure() -> None:
    """The measure is what the source calls it, which the caller may name; another is refused."""
    assert taken(source(measure="F1")).measure == "F1"
    assert taken(source(measure="F1"), measure="f1").measure == "f1"
    with pytest.raises(ReadError, match="no column of scores is called 'mine'"):
        taken(source(measure="F1"), measure="mine")
    assert taken(source()).measure == "score"


def test_declared_clusters() -> None:
    """The column by which the source groups its items is taken, unless the caller names another or it is not there."""
    assert said(taken(source(cluster="topic_group")).records(), "cluster") == ["x", "y"]
    assert said(taken(source(cluster="topic_group"), cluster="item").records(), "cluster") == ["q1", "q2"]
    assert said(taken(source(cluster="nothing")).records(), "cluster") == [None, None]


def test_declared_roles() -> None:
    """A format that says what its columns are leaves nothing to their names; the caller still has the last word."""
    columns: dict[str, Sequence[Any]] = {
        "doc": ["d1", "d2"],
        "id": ["i1", "i2"],
        "acc": [0.5, 1.0],
        "run": ["x", "y"],
        "score": [7.0, 8.0],
    }
    known = source(columns, {"item": "doc", "score": "acc"})
    records = taken(known).records()
    assert said(records, "item") == ["d1", "d2"]
    assert records.values[:, 0].tolist() == [0.5, 1.0]
    assert {*records.labels} == {"system", "item"}
    assert said(taken(known, item="id").records(), "item") == ["i1", "i2"]
    # A column that is called score is one measure among others.
    measures = source(columns, {"item": "doc", "run": "id"}, system="big")
    assert taken(measures, measure="score").records().values[:, 0].tolist() == [7.0, 8.0]


def test_columns_that_come_later() -> None:
    """Where the format knows its columns, a later block may have one more that is called like a role."""
    rows = Rows(TableRequest(None, ("score",), {}))
    first: dict[str, Sequence[Any]] = {"doc": ["d1"], "acc": [1.0]}
    later: dict[str, Sequence[Any]] = {"doc": ["d2"], "acc": [0.0], "run": ["x"]}
    roles = {"item": "doc", "score": "acc"}
    blocks = [Block(tuple(columns), [1], columns.__getitem__, roles) for columns in (first, later)]
    rows.take(Table("log", "log", blocks), alone=True)
    assert said(rows.records(), "item") == ["d1", "d2"]


def test_several_measures_of_a_known_system() -> None:
    """Columns of scores in a source that is one system are measures to pick from, not systems."""
    columns: dict[str, Sequence[Any]] = {"item": ["q1", "q2"], "acc": [0.5, 1.0], "f1": [0.25, 0.75]}
    with pytest.raises(ReadError, match="several columns could be the score"):
        taken(source(columns, system="big"))
    picked = taken(source(columns, system="big"), measure="f1")
    assert picked.records().values[:, 0].tolist() == [0.25, 0.75]
