"""What every answer is: plain values, one way into JSON, a sentence."""

import importlib
import json
import pkgutil
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import pytest

from tellapart import answers
from tellapart.answers.answer import Answer, plain
from tellapart.answers.parts import Note, codes


@dataclass(frozen=True)
class Bound:
    low: float
    high: float


@dataclass(frozen=True)
class Told(Answer):
    schema: ClassVar[str] = "tellapart/told/9"

    bounds: tuple[Bound, ...]
    share: float | None
    named: dict[str, float]
    sentence: str
    asked: str | None = field(default=None, metadata={"optional": True})
    unknown: str | None = None


TOLD = Told((Bound(1.0, float("inf")), Bound(float("nan"), 2.0)), None, {"x": float("-inf"), "y": 0.5}, "It is told.")


def every_answer() -> list[type[Answer]]:
    for module in pkgutil.iter_modules(answers.__path__, "tellapart.answers."):
        importlib.import_module(module.name)
    found = [kind for kind in Answer.__subclasses__() if kind.__module__.startswith("tellapart.answers")]
    return sorted(found, key=lambda kind: kind.__name__)


def test_plain_values() -> None:
    """Dataclasses become dictionaries, tuples lists, and what is not finite None, however deep."""
    assert TOLD.to_dict() == {
        "schema": "tellapart/told/9",
        "bounds": [{"low": 1.0, "high": None}, {"low": None, "high": 2.0}],
        "share": None,
        "named": {"x": None, "y": 0.5},
        "sentence": "It is told.",
        "unknown": None,
    }


def test_optional_fields_appear_when_asked_for() -> None:
    """What was not asked for is left out; what was asked for and is unknown is null."""
    asked = Told((), 0.0, {}, "", asked="yes").to_dict()
    assert asked["asked"] == "yes"
    assert "asked" not in TOLD.to_dict()
    assert TOLD.to_dict()["unknown"] is None


def test_json_is_the_dictionary() -> None:
    """What a program reads back is `to_dict()`, in UTF-8 and without NaN."""
    told = Told((), 1.0, {"−": 1.0}, "größer")
    assert json.loads(told.to_json()) == told.to_dict()
    assert "größer" in told.to_json()
    assert "NaN" not in TOLD.to_json()
    assert "Infinity" not in TOLD.to_json()


def test_the_sentence_is_what_prints() -> None:
    """`print(answer)` says the sentence to quote; its kind is in its schema."""
    assert str(TOLD) == "It is told."
    assert Told.kind == "told"


@pytest.mark.parametrize("value", [True, 0, "text", None, 1.5])
def test_plain_values_stay(value: Any) -> None:
    """What JSON has already is not touched: a boolean stays one, and no count becomes a float."""
    assert plain(value) is value


@pytest.mark.parametrize("kind", every_answer(), ids=lambda kind: kind.__name__)
def test_every_answer_is_frozen_and_named(kind: type[Answer]) -> None:
    """Its schema names it and its version; nothing can be changed in it afterwards."""
    prefix, name, version = kind.schema.split("/")
    assert (prefix, name) == ("tellapart", kind.kind)
    assert int(version) >= 1
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert "sentence" in {f.name for f in fields(kind)}  # type: ignore[arg-type]


def test_schemas_are_all_different() -> None:
    """No two answers say that they are the same thing."""
    schemas = [kind.schema for kind in every_answer()]
    assert len(schemas) == len(set(schemas)) > 5


def test_notes() -> None:
    """A note is told by its code; its values go to JSON beside its words."""
    note = Note("few_items", {"items": 7}, "Only 7 items.")
    assert codes((note, Note("ties"))) == ("few_items", "ties")
    assert plain(note) == {"code": "few_items", "values": {"items": 7}, "text": "Only 7 items."}
    assert plain(Note("ties")) == {"code": "ties", "values": {}, "text": ""}
