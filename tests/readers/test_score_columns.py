"""Columns are scored by what they are; where two readings are near, the caller is asked. `compare` and `gate` read alike."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

import tellapart
from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, OpenScore, ReadError, TellapartError, TooFew
from tellapart.readers import read
from tellapart.readers.tables.sides import read_sides
from tellapart.verbs.describe import describe

File = Callable[..., str]
Refusal = Callable[..., str]
ROWS = 24


def column(name: str, *, old: bool = True) -> Sequence[Any]:
    """Cells of a column as they usually look."""
    rows, wrong = range(ROWS), 3 if old else 4
    cells: dict[str, Sequence[Any]] = {
        "id": [f"q{n}" for n in rows],
        "right": [int(n % wrong > 0) for n in rows],
        "truth": [str(n % wrong > 0) for n in rows],
        "share": [round(0.3 + n % 7 / (20 if old else 15), 3) for n in rows],
        "seconds": [round(1.3 + n % 5 / wrong, 3) for n in rows],
        "small": [n % 5 for n in rows],
        "large": [20 + n for n in rows],
        "text": [f"what is {n}" for n in rows],
    }
    return cells[name]


def table(columns: Mapping[str, str], *, old: bool = True) -> str:
    """A file with columns of these kinds."""
    columns = {"id": "id", **columns}
    cells = zip(*(column(kind, old=old) for kind in columns.values()), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in cells), ""])


def means(found: Scores) -> dict[str, float]:
    return dict(zip(found.systems, found.values[..., 0].mean(axis=(1, 2)).tolist(), strict=True))


RIGHT = float(np.mean(column("right")))


@pytest.mark.parametrize(
    "facts",
    [{"difficulty": "small", "length": "large"}, {"prompt": "text"}, {"doc_id": "large", "hops": "small"}],
)
def test_metadata_are_no_systems(facts: dict[str, str], file: File) -> None:
    """Beside systems in columns of their own, what says something of the items is left out, with a note where it is numbers."""
    path = file(table({**facts, "base": "right", "new": "right"}))
    assert read(path).systems == ("base", "new")
    assert tellapart.rank(path).systems[0].mean == RIGHT
    left = [note.values["columns"] for note in tellapart.compare(path).notes if note.code == "columns_left_out"]
    assert left == [[name for name, kind in facts.items() if kind != "text" and name != "doc_id"]] * len(left)
    assert not any(name in command for command in describe(path).commands for name in facts)


def test_measures_of_systems(file: File) -> None:
    """<system>_<measure> and <measure>_<system> are systems by measures: the one score is taken, else it is asked which."""
    kinds = {"score": "right", "latency": "seconds", "cost": "share"}
    for shape in ("{0}_{1}", "{1}_{0}", "{1}/{0}"):
        grid = {shape.format(s, m): kinds[m] for s, m in product(("base", "new"), kinds)}
        path = file(table({"length": "large", **grid}))
        found = read(path)
        assert (means(found), found.measure) == ({"base": RIGHT, "new": RIGHT}, "score")
        assert [one.values["others"] for one in found.remarks if one.code == "other_measures"] == [["latency", "cost"]]
        assert means(read(path, measure="latency"))["new"] == pytest.approx(np.mean(column("seconds")))
        assert read(path, measure="latency").systems == ("base", "new")
    two = file(table({"base_f1": "share", "new_f1": "share", "base_em": "right", "new_em": "right"}))
    with pytest.raises(OpenScore, match="several measures of 'base', 'new': 'f1', 'em'"):
        read(two)
    assert {m.name for m in describe(two).measures} == {"f1", "em"}
    assert all(" --measure " in command for command in describe(two).commands)


def test_measures_of_one_system_are_no_systems(file: File, refusal: Refusal) -> None:
    said = refusal(file(table({"accuracy": "right", "f1": "share"})))
    assert "look like measures of one system" in said
    assert "--a accuracy and --b f1" in said
    with pytest.raises(TooFew):
        read(file(table({"category": "text", "accuracy": "right"})))


def test_another_scale_is_asked_about(file: File, refusal: Refusal) -> None:
    """A column of other numbers, whose name says nothing, beside systems that were right or wrong."""
    path = file(table({"foo": "small", "base": "right", "new": "right"}))
    assert "'base', 'new' are right or wrong, and 'foo' is not" in refusal(path)
    assert "--systems base,new" in refusal(path)
    assert read(path, systems=["base", "new"]).pair("base", "new").a.mean() == RIGHT


ONE = [
    ({"correct": "truth", "latency": "seconds"}, "correct"),
    ({"correct": "right", "difficulty": "small", "n_tokens": "large"}, "correct"),
    ({"level": "small", "accuracy": "share"}, "accuracy"),
    ({"category": "text", "accuracy": "share"}, "accuracy"),
    ({"expected": "large", "fit_time": "seconds", "test_score": "share"}, "test_score"),
    ({"length": "large", "foo": "share"}, "foo"),
    ({"latency": "seconds"}, "latency"),
    ({"foo": "truth", "length": "large"}, "foo"),
]


@pytest.mark.parametrize(("columns", "taken"), ONE)
def test_one_system_per_file(columns: dict[str, str], taken: str, file: File) -> None:
    """Of a file per system the score is what is called like one, or the only one there is."""
    paths = [file(table(columns, old=old), f"{name}.csv") for name, old in (("old", True), ("new", False))]
    for given in (paths, paths[::-1]):
        found = read(given)
        assert (found.measure, means(found)["old"]) == (taken, means(read(paths, measure=taken))["old"])
    others = [one.values["others"] for one in read(paths).remarks if one.code == "other_measures"]
    costs = [[name for name in columns if name in {"latency", "n_tokens", "fit_time"} and name != taken]]
    assert others == [one for one in costs if one]
    assert all(taken in command or "--measure" not in command for command in describe(paths).commands)


def test_near_readings_are_asked_about(file: File) -> None:
    """Two scores, or a score beside a number whose name says nothing; what says something of the items is never offered."""
    for columns, offered in (
        ({"em": "right", "f1": "share", "length": "large"}, ("em", "f1")),
        ({"foo": "small", "accuracy": "right", "difficulty": "small"}, ("accuracy", "foo")),
        ({"foo": "small", "latency": "seconds"}, ("foo", "latency")),
    ):
        path = [file(table(columns), f"{name}.csv") for name in "ab"]
        with pytest.raises(OpenScore) as asked:
            read(path)
        assert asked.value.columns == offered
    with pytest.raises(ReadError, match="'expected' describe the items"):
        read([file(table({"expected": "large"}), f"{name}.csv") for name in "ab"])


CASES = [
    *(columns for columns, _ in ONE),
    {"base_score": "right", "new_score": "right"},
    {"em": "right", "f1": "share"},
    {"task": "text", "score": "share"},
    {"prompt": "text", "score": "share"},
    {"score": "text"},
    {},
]


def outcome(ask: Callable[[], Scores]) -> Any:
    try:
        found = ask()
    except TellapartError as error:
        return type(error)
    return found.measure, sorted(means(found).values())


@pytest.mark.parametrize("columns", CASES)
@pytest.mark.parametrize("turned", [False, True])
def test_gate_and_compare_read_alike(columns: dict[str, str], turned: bool, file: File) -> None:
    """Two files are the same two systems to both, or neither takes them."""
    paths = [file(table(columns, old=old), f"{name}.csv") for name, old in (("old", True), ("new", False))]
    paths = paths[::-1] if turned else paths
    of_compare, of_gate = outcome(lambda: read(paths)), outcome(lambda: read_sides(*paths))
    assert of_compare == of_gate or {of_compare, of_gate} <= {ReadError, OpenScore, DataError, TooFew}
    if isinstance(of_compare, tuple):
        assert read(paths).systems == read_sides(*paths).systems


def test_a_side_may_be_a_column(file: File) -> None:
    """One file with a column per system gives both sides where the systems are named."""
    path = file(table({"difficulty": "small", "base": "right", "new": "share"}))
    found = read_sides(path, path, systems=("base", "new"))
    assert means(found)["base"] == RIGHT
    with pytest.raises(OpenScore, match="If they are systems, name one with"):
        read_sides(path, file(table({"base": "right", "new": "share"}), "other.csv"))


def test_systems_may_have_words_of_facts_in_their_names(file: File) -> None:
    path = file(
        table(
            {
                "ternary-weight": "right",
                "Seed1.5-Embedding": "right",
                "prompt_length": "large",
                "n_words": "small",
            }
        )
    )
    assert read(path).systems == ("ternary-weight", "Seed1.5-Embedding")
