"""Arrays of objects, as programs write a list of rows."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

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


def write(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The file that the laws of readers are tried on."""
    return json.dumps(list(map(dict, rows)), indent=1).encode()


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_an_array_is_read_as_its_rows(indent: int | None, file: File, long: Scores, same: Same) -> None:
    """Whatever the indentation, an array holds what one object per line would."""
    assert same(read(file(json.dumps(ROWS, indent=indent), "scores.json")), long)
    assert same(read(file(f"\ufeff \n{json.dumps(ROWS, indent=indent)}\n\n", "scores")), long)


def test_wide_rows_and_gaps(file: File) -> None:
    """Objects may be wide, and more than fit in one block; a missing key is a missing score."""
    rows = [{"item": i, "old": i, "new": 1} for i in range(5000)]
    scores = read(file(json.dumps([*rows, {"item": "last", "old": 2, "new": None}]), "s.json"))
    assert scores.systems == ("old", "new")
    assert int(scores.scored("new").sum()) == 5000


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ('[{"system": "a", "item": 1, "score": NaN}]', 1, "found NaN, which is not a JSON number"),
        ('[{"system": "a"},\n 3]', 2, "found a JSON number. Wanted an array of objects"),
        ('[{"system": "a"},\n]', 2, "not a whole JSON object"),
        ('[{"system": "a"},\n\n{"system":\n', 3, "not a whole JSON object"),
        (
            '[{"system": "a"\n}\n{"system": "b"}]',
            2,
            'found \'{"system": "b"}]\' after an object; wanted a comma',
        ),
        ('[\n{"system": "a"}', 2, "the file ends in the middle of the array"),
        ('[{"system": "a"}] extra', 1, "found '] extra' after an object"),
        ('[{"a": 1,\n"a": 2}]', 1, "a key occurs twice"),
    ],
)
def test_broken_arrays(text: str, line: int, found: str, file: File, refusal: Refusal) -> None:
    """What is wrong with an array is said with its line."""
    message = refusal(file(text, "s.json"))
    assert f"s.json, line {line}: " in message
    assert found in message


def test_no_rows(file: File, refusal: Refusal) -> None:
    """An empty array is told as such."""
    assert "found an array without rows" in refusal(file("[\n]\n", "s.json"))


def test_what_follows_an_empty_array_far_behind(file: File, refusal: Refusal) -> None:
    """What is looked at to tell the format need not be the whole file: an array that only looked empty is refused too."""
    assert "s.json, line 1: not a whole JSON object" in refusal(file(f"[]{' ' * 70_000}x", "s.json"))


def test_lines_of_scores(file: File, refusal: Refusal) -> None:
    """A score that cannot be one is refused with the line of its object."""
    bad = [*ROWS, {"system": "new", "item": "q3", "score": "high"}]
    message = refusal(file(json.dumps(bad, indent=1), "s.json"))
    assert "s.json, line 22: found 'high' in column 'score'" in message
