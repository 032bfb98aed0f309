"""What every kind of plug-in asks of its plug-ins: one that is not finished is refused before anything can use it."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tellapart.effects import EFFECTS, Effect
from tellapart.evidence import EVIDENCE, Evidence
from tellapart.intervals import INTERVALS, Interval
from tellapart.metrics import METRICS, Metric
from tellapart.multiplicity import CORRECTIONS, Correction
from tellapart.populations import POPULATIONS, Population
from tellapart.readers.format import FORMATS, Format
from tellapart.significance import TESTS, Procedure
from tellapart.spelling import Registry, unsaid

KINDS: list[tuple[Any, Registry[Any]]] = [
    (Procedure, TESTS),
    (Interval, INTERVALS),
    (Effect, EFFECTS),
    (Metric, METRICS),
    (Population, POPULATIONS),
    (Correction, CORRECTIONS),
    (Evidence, EVIDENCE),
    (Format, FORMATS),
]

ROOMS = {"significance": "test", "intervals": "interval", "effects": "effect size", "metrics": "metric"}
TESTS_OF = Path(__file__).parents[1]

of_every_kind = pytest.mark.parametrize(("base", "registry"), KINDS, ids=lambda x: getattr(x, "__name__", ""))


@of_every_kind
def test_a_plug_in_that_says_nothing_is_refused(base: Any, registry: Registry[Any]) -> None:
    """Negative control: an empty plug-in cannot be registered, nor made behind the registry's back."""
    empty: Any = dataclass(frozen=True)(type("Empty", (base,), {}))
    before = list(registry)
    with pytest.raises(AssertionError, match=f"{registry.kind} 'empty' does not say its .*every"):
        registry.add("empty")(empty)
    assert list(registry) == before
    with pytest.raises(TypeError, match="abstract"):
        empty()


@of_every_kind
def test_every_plug_in_says_all(base: Any, registry: Registry[Any]) -> None:
    """What is registered has left nothing open, and is of its registry's kind."""
    assert len(list(registry)) >= 3
    for name in registry:
        assert unsaid(registry[name]) == []
        assert issubclass(registry[name], base)


@pytest.mark.parametrize("room", ["significance", "intervals", "effects", "metrics"])
def test_every_method_can_be_learnt_from_its_docstring(room: str) -> None:
    """What it computes, from whom it is, and when it is the wrong choice; its numbers are checked in its room's tests."""
    registry = {r.kind: r for _, r in KINDS}[ROOMS[room]]
    checked = "".join(file.read_text(encoding="utf-8") for file in (TESTS_OF / room).glob("*.py"))
    for name in registry:
        told = " ".join((registry[name].__doc__ or "").split())
        assert len(told) > 200, name
        assert "wrong choice" in told, name
        assert re.search(r"\(\d{4}\)", told), name
        assert name in checked, name


def test_one_field_left_open_is_named() -> None:
    """The refusal says which field is lacking: here an effect size that has a formula and no label."""
    whole = {"needs": EFFECTS["cohen_g"].needs, "value": EFFECTS["cohen_g"].value}
    nameless = type("Nameless", (Effect,), whole)
    with pytest.raises(AssertionError, match="does not say its label;"):
        EFFECTS.add("nameless")(nameless)
