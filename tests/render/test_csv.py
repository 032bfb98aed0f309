"""CSV: the rows of an answer, one line each, with values that a script reads back."""

import csv as reader
import io
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from tellapart.answers.answer import Answer
from tellapart.answers.parts import Note
from tellapart.foundation.errors import UsageError
from tellapart.render.csv import csv


@dataclass(frozen=True)
class Inner:
    low: float
    source: str


@dataclass(frozen=True)
class Line:
    name: str
    items: int
    held: bool
    effect: float | None
    band: tuple[float, float]
    inner: Inner
    notes: tuple[Note, ...]
    words: tuple[str, ...]


@dataclass(frozen=True)
class Listed(Answer):
    schema: ClassVar[str] = "tellapart/listed/1"
    rows: tuple[Line, ...]
    sentence: str = ""


def rows(answer: Answer) -> list[dict[str, Any]]:
    return list(reader.DictReader(io.StringIO(csv(answer))))


def test_cells() -> None:
    """Numbers in full, nested parts under the path to them, notes and words as sentences, ranges as they are spelled."""
    notes = (Note("few", {"items": 3}, "few items"), Note("odd", {}, "odd, too"))
    line = Line("a,b\n“c”", 1319, True, 0.1 + 0.2, (0.25, 1.0), Inner(0.5, "here"), notes, ("one", "two"))
    (found,) = rows(Listed((line,)))
    assert found == {
        "name": "a,b\n“c”",
        "items": "1319",
        "held": "true",
        "effect": "0.30000000000000004",
        "band": "0.25:1",
        "inner.low": "0.5",
        "inner.source": "here",
        "notes": "few items; odd, too",
        "words": "one; two",
    }


def test_what_is_not_there_is_empty() -> None:
    """None is an empty cell, and so is an empty list of notes."""
    (found,) = rows(Listed((Line("a", 1, False, None, (0.0, 1.0), Inner(0.0, ""), (), ()),)))
    assert (found["effect"], found["notes"], found["held"]) == ("", "", "false")


def test_an_answer_without_rows() -> None:
    """It says which format there is instead."""
    with pytest.raises(UsageError, match="listed has no rows to print as csv; use --format json"):
        csv(Listed(()))
