"""What a program reads: every key, code, word and number of the JSON, as it was last agreed on.

`UPDATE_GOLDEN=1 python -m pytest tests/golden` rewrites the files; the difference is then read before it is kept.
"""

import json
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.golden.cases import ANSWERS, made

from tellapart.answers.schema import kinds

HERE = Path(__file__).parent
CHECKOUT = f"{HERE.parents[1]}/"
"""Answers name their files, and these lie elsewhere on every machine."""
DIGITS = 10
"""As many as are kept. Sums may be added up in another order on another machine; no digit that a reader sees depends on it."""
CLOSE = 1e-9
"""Rounding to so many digits may go either way."""

_LONG = re.compile(r"\d+\.\d{10,}(?:e-?\d+)?")


@pytest.mark.parametrize("name", ANSWERS)
def test_json(name: str) -> None:
    found, file = rounded(json.loads(made(name).to_json())), HERE / f"{name}.json"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert list(differing(found, json.loads(file.read_text(encoding="utf-8")))) == []


def test_every_kind_of_answer_is_kept() -> None:
    """A verb whose answer no file pins down would be tested by pieces of its prose."""
    kept = {json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))["schema"] for name in ANSWERS}
    assert kept == {kind.schema for kind in kinds().values()}


def rounded(value: Any) -> Any:
    """A JSON value with the digits that are kept of its numbers, and of those in its spellings."""
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    if isinstance(value, str):
        return _LONG.sub(lambda number: f"{float(number[0]):.{DIGITS}g}", value.removeprefix(CHECKOUT))
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def differing(found: Any, kept: Any, path: str = "") -> Iterator[str]:
    """Where two JSON values differ: in keys, in their order, in anything but the last digits of a number."""
    if isinstance(found, dict) and isinstance(kept, dict) and list(found) == list(kept):
        for key in found:
            yield from differing(found[key], kept[key], f"{path}.{key}")
    elif isinstance(found, list) and isinstance(kept, list) and len(found) == len(kept):
        for place, (one, other) in enumerate(zip(found, kept, strict=True)):
            yield from differing(one, other, f"{path}[{place}]")
    elif isinstance(found, dict | list) or not _alike(found, kept):
        yield f"{path}: {str(kept)[:80]} became {str(found)[:80]}"


def _alike(found: Any, kept: Any) -> bool:
    if isinstance(found, float) and isinstance(kept, float):
        return math.isclose(found, kept, rel_tol=CLOSE)
    return type(found) is type(kept) and bool(found == kept)


def test_a_difference_is_seen() -> None:
    """Negative control: a number, a type, a key, an order or a length that changed is told, and where."""
    kept = {"a": [1.0, 2], "b": None}
    assert list(differing({"a": [1.0 + 1e-12, 2], "b": None}, kept)) == []
    assert list(differing({"a": [1.001, 2], "b": None}, kept)) == [".a[0]: 1.0 became 1.001"]
    assert list(differing({"a": [1.0, 2.0], "b": None}, kept)) == [".a[1]: 2 became 2.0"]
    assert list(differing({"b": None, "a": [1.0, 2]}, kept)) != []
    assert list(differing({"a": [1.0], "b": None}, kept)) == [".a: [1.0, 2] became [1.0]"]
    assert list(differing(2e-200, 1e-200)) != []


def test_numbers_are_rounded() -> None:
    """Also in the spelling of a population that was solved for; numbers in sentences are short enough."""
    assert rounded({"x": [0.1 + 0.2, 1, None]}) == {"x": [0.3, 1, None]}
    assert rounded("gaussian(effect=0.027845457696754505, sd=0.12)") == "gaussian(effect=0.0278454577, sd=0.12)"
    assert rounded("p = 0.0284") == "p = 0.0284"
