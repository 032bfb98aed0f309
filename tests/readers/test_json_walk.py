"""A long array, read in pieces: every element once, whatever is cut between two pieces, and what is too deep is refused with its line."""

import json

import pytest

from tellapart.errors import ReadError
from tellapart.readers.json_walk import CHUNK, Walk
from tellapart.readers.limits import Limits
from tellapart.readers.origin import Memory


def elements(text: str, limits: Limits | None = None) -> list[object]:
    origin = Memory("x.json", "x", text.encode())
    with origin.characters() as characters:
        return [*Walk("x.json", characters, limits or Limits()).each()]


def records(letter: str, length: int) -> list[dict[str, object]]:
    """More than two pieces of them, some with brackets and quotes in their texts."""
    count = 5 * CHUNK // (2 * length)
    texts = (letter * (length - 60), '[[{"\\', "]" * (length // 2), "\n")
    return [
        {"id": number, "text": texts[number % 4], "more": [number, {"x": None}]} for number in range(count)
    ]


@pytest.mark.parametrize("letter", ["a", "é", "α", "𝔘"])
@pytest.mark.parametrize("length", [200, 5_000, CHUNK])
@pytest.mark.parametrize("indent", [None, 1])
def test_every_element_comes_once(letter: str, length: int, indent: int | None) -> None:
    wanted = records(letter, length)
    assert elements(json.dumps(wanted, indent=indent, ensure_ascii=False)) == wanted


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
