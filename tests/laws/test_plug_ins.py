"""What every kind of plug-in asks of its plug-ins: one that is not finished is refused before anything can use it."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import tellapart
from tellapart.boards import CORRECTIONS, Correction
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.spelling import Option, Registry, alternatives, options, undeclared
from tellapart.methods.effects import EFFECTS, Effect
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.methods.reliability import COEFFICIENTS, Coefficient
from tellapart.methods.significance import TESTS, Procedure
from tellapart.methods.significance.paired_t import PairedT
from tellapart.metrics import METRICS, Metric
from tellapart.populations import POPULATIONS, Population
from tellapart.populations.evidence import EVIDENCE, Evidence
from tellapart.readers import formats
from tellapart.readers.format import FORMATS, Format

KINDS: list[tuple[Any, Registry[Any]]] = [
    (Procedure, TESTS),
    (Interval, INTERVALS),
    (Effect, EFFECTS),
    (Metric, METRICS),
    (Population, POPULATIONS),
    (Correction, CORRECTIONS),
    (Evidence, EVIDENCE),
    (Format, FORMATS),
    (Coefficient, COEFFICIENTS),
]

ROOMS = {
    "significance": "test",
    "intervals": "interval",
    "effects": "effect size",
    "metrics": "metric",
    "reliability": "coefficient of agreement",
    "multiplicity": "correction",
}
FOLDERS: dict[Any, str] = {Format: formats.__name__}
"""Where plug-ins lie that are not beside their base."""

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
        assert undeclared(registry[name]) == []
        assert issubclass(registry[name], base)


@pytest.mark.parametrize("room", ROOMS)
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


def _some(option: Option) -> Any:
    """A value that an option without a default may have."""
    if option.choices:
        return option.choices[0]
    return 3 if int in alternatives(option.type) else 0.5


def refuses_what_is_no_choice(plug_in: Any) -> None:
    """Constructors are doors too: a word that is none of an option's choices is refused by name, though nobody parsed it."""
    chosen = [option for option in options(plug_in) if option.choices]
    required = {option.name: _some(option) for option in options(plug_in) if option.required}
    for option in chosen:
        with pytest.raises(SpellingError, match=f"{option.name}='?sideways'? should be {option.choices[0]} or "):
            plug_in(**{**required, option.name: "sideways"})


@of_every_kind
def test_a_choice_that_does_not_exist_is_refused(base: Any, registry: Registry[Any]) -> None:
    """Whichever plug-in has a choice, with or without checks of its own beside it."""
    for name in registry:
        refuses_what_is_no_choice(registry[name])


def test_one_that_forgets_to_look_is_noticed() -> None:
    """Negative control: checks of its own in place of those that all plug-ins share."""
    forgetful = type("Forgetful", (PairedT,), {"__post_init__": lambda _: None})
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        refuses_what_is_no_choice(forgetful)


ONE_MORE = """
from {module} import {plug_in}
{plug_in}.registry.add("one_more")(type("OneMore", ({plug_in},), {{}}))
"""


def test_one_file_is_all_that_a_plug_in_takes(tmp_path: Path) -> None:
    """A file put into the folder of its kind registers itself, whatever it is called; nothing else names it.

    Evidence comes with data and a source of its own, and is named where it is listed.
    """
    shutil.copytree(Path(tellapart.__file__).parent, tmp_path / "tellapart")
    kinds = [kind for kind in KINDS if kind != (Evidence, EVIDENCE)]
    for base, registry in kinds:
        plug_in = registry[next(iter(registry))]
        folder = tmp_path.joinpath(*FOLDERS.get(base, base.__module__.rpartition(".")[0]).split("."))
        text = ONE_MORE.format(module=plug_in.__module__, plug_in=plug_in.__name__)
        (folder / "zz_one_more.py").write_text(text, encoding="utf-8")
    places = [str(tmp_path), str(TESTS_OF.parent)]
    script = f"import sys; sys.path[:0] = {places}; from tests.laws.test_plug_ins import KINDS; print(sum('one_more' in r for _, r in KINDS))"
    found = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout == f"{len(kinds)}\n", found.stderr
