"""One JSON object per line."""

import gzip
import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from tellapart.data.scores import Scores
from tellapart.readers import read

File = Callable[..., str]
Same = Callable[[Scores, Scores], bool]
Refusal = Callable[..., str]

ROWS: list[dict[str, Any]] = [
    {"system": "old", "item": "q1", "score": 0.1},
    {"system": "old", "item": "q2", "score": 0.4},
    {"system": "new", "item": "q1", "score": 0.3},
    {"system": "new", "item": "q2", "score": 0.5},
]


def lines(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def write(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The file that the laws of readers are tried on."""
    return lines(rows).encode()


@pytest.mark.parametrize("packed", [False, True])
def test_objects(packed: bool, file: File, monkeypatch: pytest.MonkeyPatch, long: Scores, same: Same) -> None:
    """Objects are recognised by content, in a file or in standard input, gzipped or not."""
    content = gzip.compress(lines(ROWS).encode()) if packed else lines(ROWS).encode()
    for name in ("scores.jsonl", "scores.ndjson", "scores.txt"):
        assert same(read(file(content, name)), long)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert same(read("-"), long)


def test_ids_are_text(file: File) -> None:
    """The ids 7 and "7" are the same item, and 3.0 stays 3.0."""
    rows = [
        {"model": "a", "id": 7, "score": 1},
        {"model": "b", "id": "7", "score": 0},
        {"model": "a", "id": 3.0, "score": True},
        {"model": "b", "id": 3.0, "score": "incorrect"},
    ]
    scores = read(file(lines(rows), "s.jsonl"))
    assert scores.items == (("", "3.0"), ("", "7"))
    np.testing.assert_array_equal(scores.values[:, :, 0, 0], [[1, 1], [0, 0]])


def test_null_and_absent_are_missing(file: File) -> None:
    """A null score and a score that is not there are missing, never 0."""
    rows = [*ROWS, {"system": "old", "item": "q3", "score": None}, {"system": "new", "item": "q3"}]
    assert np.isnan(read(file(lines(rows), "s.jsonl")).values[:, 2]).all()


def test_wide_objects(file: File, long: Scores, same: Same) -> None:
    """Objects may be wide, and a system may turn up after thousands of lines."""
    rows: list[dict[str, Any]] = [
        {"item": "q1", "old": 0.1, "new": 0.3},
        {"item": "q2", "old": 0.4, "new": 0.5},
    ]
    assert same(read(file(lines(rows), "s.jsonl")), long)
    many: list[dict[str, Any]] = [{"item": i, "old": i, "new": 1} for i in range(5000)]
    scores = read(file(lines([*many, {"item": "last", "late": 1}]), "many.jsonl"))
    assert scores.systems == ("old", "new", "late")
    assert np.isnan(scores.values[2]).sum() == 5000
    unscored: list[dict[str, Any]] = [{"item": -i} for i in range(1, 9000)]
    assert read(file(lines([*many, *unscored]), "unscored.jsonl")).systems == ("old", "new")


def test_role_that_comes_late(file: File, refusal: Refusal) -> None:
    """A key that would change what earlier lines mean is refused where it first turns up."""
    many = [{"item": i, "old": i, "new": 1} for i in range(5000)]
    message = refusal(file(lines([*many, {"item": 1, "dataset": "d", "old": 0, "new": 0}]), "s.jsonl"))
    assert "'dataset' is missing from the lines before" in message


def test_nested_values(file: File, refusal: Refusal) -> None:
    """A nested value is refused with its line where a score or a name is wanted, and left alone elsewhere."""
    extra = [row | {"doc": {"text": "x", "x": {"y": [1]}}} for row in ROWS]
    assert read(file(lines(extra), "fine.jsonl")).systems == ("old", "new")
    message = refusal(file(lines([*ROWS, {"system": "new", "item": "q3", "score": {"value": 1}}]), "s.jsonl"))
    assert "s.jsonl, line 5: found {'value': 1} in column 'score'; wanted a finite number" in message
    message = refusal(file(lines([*ROWS, {"system": "new", "item": ["q3"], "score": 1}]), "s.jsonl"))
    assert "s.jsonl, line 5: found ['q3'] in column 'item'; wanted a name or number" in message


def test_the_way_to_a_nested_score(file: File, refusal: Refusal) -> None:
    """A lone score inside an object is a column by its path; inside a list, or as a name, the refusal says how to lift it out."""
    rows = [
        {"model": s, "id": i, "text": {"q": "x"}, "metrics": {"how": "em", "acc": 0.5}} for s in "ab" for i in (1, 2)
    ]
    assert read(file(lines(rows), "s.jsonl")).measure == "metrics.acc"
    assert "jq -c" in refusal(file(lines([row | {"score": {"acc": 1}} for row in rows]), "s.jsonl"))
    assert "jq -c" in refusal(file(lines([row | {"system": {"name": "a"}} for row in ROWS]), "s.jsonl"))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"system": "new", "item": "q3", "score": NaN}', "found NaN, which is not a JSON number"),
        ('{"system": "new", "item": "q3", "score": -Infinity}', "found -Infinity, which is not a JSON number"),
        ('{"system": "new", "item": "q3", "score": 1e999}', "found inf in column 'score'"),
        (
            '{"system": "new", "item": "q3", "score": 1' + "0" * 400 + "}",
            "in column 'score'; wanted a finite",
        ),
        ('{"system": "new", "score": 1, "item": "q3", "score": 0}', "a key occurs twice"),
        ('{"system": "new"', "not a whole JSON object"),
        ('["new", "q3", 1]', "found a JSON array"),
        ("null", "found a JSON null"),
        ("[" * 100_000, "JSON that cannot be read"),
        ('{"system": "new", "item": null, "score": 1}', "found a blank for the item"),
        ('{"item": "q3", "score": 1}', "found a blank for the system"),
    ],
)
def test_bad_lines(line: str, found: str, file: File, refusal: Refusal) -> None:
    """A line that is no object of plain values is refused by its number, saying what is wrong with it."""
    message = refusal(file(f"{lines(ROWS)}\n{line}\n", "s.jsonl"))
    assert "s.jsonl, line 6: " in message
    assert found in message


def test_documents_are_not_lines(file: File, refusal: Refusal) -> None:
    """An object over several lines is refused, saying what is wanted."""
    message = refusal(file(json.dumps(ROWS[0], indent=1), "scores.json"))
    assert "scores.json, line 1: not a whole JSON object" in message
    assert "Wanted one object per line" in message
    assert "extra data at character 3" in refusal(file("{} {}\n", "scores.json"))
