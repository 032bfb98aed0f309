"""What a program reads: every key, code, word and number of the JSON, as it was last agreed on.

`UPDATE_GOLDEN=1 python -m pytest tests/golden` rewrites the files; the difference is then read before it is kept.
"""

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.golden.cases import ANSWERS, made

HERE = Path(__file__).parent
KEPT = [name for name in ANSWERS if name.startswith("rank")]
CLOSE = 1e-9
"""Sums may be added up in another order on another machine; no digit that a reader sees depends on it."""


@pytest.mark.parametrize("name", KEPT)
def test_json(name: str) -> None:
    found, kept = made(name).to_json(), HERE / f"{name}.json"
    if os.environ.get("UPDATE_GOLDEN"):
        kept.write_text(found + "\n", encoding="utf-8")
    assert list(differing(json.loads(found), json.loads(kept.read_text(encoding="utf-8")))) == []


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
        return math.isclose(found, kept, rel_tol=CLOSE, abs_tol=1e-15)
    return type(found) is type(kept) and bool(found == kept)


def test_a_difference_is_seen() -> None:
    """Negative control: a number, a type, a key, an order or a length that changed is told, and where."""
    kept = {"a": [1.0, 2], "b": None}
    assert list(differing({"a": [1.0 + 1e-12, 2], "b": None}, kept)) == []
    assert list(differing({"a": [1.001, 2], "b": None}, kept)) == [".a[0]: 1.0 became 1.001"]
    assert list(differing({"a": [1.0, 2.0], "b": None}, kept)) == [".a[1]: 2 became 2.0"]
    assert list(differing({"b": None, "a": [1.0, 2]}, kept)) != []
    assert list(differing({"a": [1.0], "b": None}, kept)) == [".a: [1.0, 2] became [1.0]"]
