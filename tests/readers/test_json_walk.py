"""A long array, read in pieces: every element once, whatever is cut between two pieces, and what is too deep is refused with its line."""

import json

import pytest

from tellapart.foundation.errors import ReadError
from tellapart.readers.storage.json_walk import CHUNK, Walk
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Memory


def elements(text: str, limits: Limits | None = None) -> list[object]:
    origin = Memory("x.json", "x", text.encode())
    with origin.characters() as characters:
        return [*Walk("x.json", characters, limits or Limits()).each()]


def records(letter: str, length: int) -> list[dict[str, object]]:
    """More than two pieces of them, some with brackets and quotes in their texts."""
    count = 5 * CHUNK // (2 * length)
    texts = (letter * (length - 60), '[[{"\\', "]" * (length // 2), "\n")
    return [{"id": number, "text": texts[number % 4], "more": [number, {"x": None}]} for number in range(count)]


@pytest.mark.parametrize("letter", ["a", "é", "α", "𝔘"])
@pytest.mark.parametrize("length", [200, 5_000, CHUNK])
@pytest.mark.parametrize("indent", [None, 1])
def test_every_element_comes_once(letter: str, length: int, indent: int | None) -> None:
    wanted = records(letter, length)
    assert elements(json.dumps(wanted, indent=indent, ensure_ascii=False)) == wanted


@pytest.mark.parametrize("inside", ["},{", '"},{"', "]},{[", "\\},{\\\\", "plain"])
@pytest.mark.parametrize("nested", [[], [{"a": 1}, {"b": "},{"}], [[{}, {}], [{}, {}]]])
def test_what_looks_like_a_border_inside_of_a_short_element(inside: str, nested: list[object]) -> None:
    """Without blanks, as programs write arrays that mean to be short: these are decoded many at a time."""
    wanted = [{"id": number, "text": inside * (number % 3), "more": nested} for number in range(9_000)]
    assert elements(json.dumps(wanted, separators=(",", ":"))) == wanted


def test_a_short_element_that_is_cut_or_followed_by_no_comma() -> None:
    whole = json.dumps([{"id": number} for number in range(9_000)], separators=(",", ":"))
    place = len(whole) // 2
    border = whole.index("},{", place)
    for broken in (whole[:place], whole[: border + 1] + ";" + whole[border + 2 :], whole[:-1]):
        with pytest.raises(ReadError, match=r"x\.json, line 1: .* Is the file whole\?"):
            elements(broken)


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_a_short_element_that_goes_too_deep(separators: tuple[str, str]) -> None:
    deep: list[object] = []
    for _ in range(29):
        deep = [deep]
    wanted = [{"id": number, "text": "[[[["} for number in range(5_000)]
    text = json.dumps([*wanted, {"id": 0, "text": deep}, *wanted], separators=separators)
    assert len(elements(text, Limits(nesting=31))) == 10_001
    with pytest.raises(ReadError, match="found brackets nested 31 deep"):
        elements(text, Limits(nesting=30))


@pytest.mark.parametrize("letter", ["a", "α"])
@pytest.mark.parametrize("length", [200, 5_000])
def test_an_element_among_many_that_goes_too_deep(letter: str, length: int) -> None:
    wanted = records(letter, length)
    place = len(wanted) // 2
    lines = [json.dumps(one, ensure_ascii=False) for one in wanted]
    lines[place] = "[" * 31 + "]" * 31
    text = "[" + ",\n".join(lines) + "]"
    assert len(elements(text)) == len(wanted)
    with pytest.raises(ReadError, match=f"line {place + 1}: found brackets nested 31 deep"):
        elements(text, Limits(nesting=30))
