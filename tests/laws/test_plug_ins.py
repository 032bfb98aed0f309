"""What every kind of plug-in asks of its plug-ins: one that is not finished is refused before anything can use it."""

from dataclasses import dataclass
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


def test_one_field_left_open_is_named() -> None:
    """The refusal says which field is lacking: here an effect size that has a formula and no label."""
    whole = {"needs": EFFECTS["cohen_g"].needs, "value": EFFECTS["cohen_g"].value}
    nameless = type("Nameless", (Effect,), whole)
    with pytest.raises(AssertionError, match="does not say its label;"):
        EFFECTS.add("nameless")(nameless)
