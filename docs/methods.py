"""A page for every test, interval, population, metric, correction and reader, made from its registry: nothing is listed here."""

import atexit
import contextlib
import inspect
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import console
import desk
import formulas

from tellapart.boards.corrections import CORRECTIONS
from tellapart.foundation.spelling import name_of, options, spell, wanted
from tellapart.methods.effects import EFFECTS
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS
from tellapart.populations import POPULATIONS
from tellapart.readers import FORMATS

CALIBRATION = json.loads((Path(__file__).parent / "calibration.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Shelf:
    """One kind of method: the registry, what is said above its pages, and how one is typed."""

    title: str
    registry: Any
    about: str
    typed: str
    measured: str = ""
    """Which column of the calibration names it."""


SHELVES: Mapping[str, Shelf] = {
    "tests": Shelf("Tests", TESTS, "Tests of significance: is there a difference?", "tellapart compare scores.csv --test {}", "test"),
    "intervals": Shelf("Intervals", INTERVALS, "Intervals: how large may the difference be?", "tellapart compare scores.csv --interval {}", "interval"),
    "populations": Shelf("Populations", POPULATIONS, "Assumed sources of scores, which a plan draws from.", "tellapart plan {}"),
    "metrics": Shelf("Metrics", METRICS, "How items become one number.", "tellapart compare scores.csv --metric {}"),
    "corrections": Shelf("Corrections", CORRECTIONS, "What makes the p-values of many pairs hold together.", "tellapart rank scores.csv --correction {}"),
    "effects": Shelf("Effect sizes", EFFECTS, "Numbers without units beside every comparison that they suit.", ""),
    "readers": Shelf("Readers", FORMATS, "What can be read.", "tellapart compare FILE --as {}"),
}  # fmt: skip


def pages() -> Iterator[tuple[str, str]]:
    """Every page with its path below `methods`."""
    for folder, shelf in SHELVES.items():
        yield f"{folder}/index.md", _index(shelf) + (f"\n{formulas.SYMBOLS}" if folder in formulas.FORMULAS else "")
        for name in shelf.registry:
            yield f"{folder}/{name}.md", _page(shelf, name, formulas.typeset(folder, name))


def _index(shelf: Shelf) -> str:
    rows = [f"| [`{name}`]({name}.md) | {_cell(_first(shelf.registry[name]))} |" for name in shelf.registry]
    return "\n".join([f"# {shelf.title}", "", shelf.about, "", "| name | what it is |", "| --- | --- |", *rows, ""])


def _first(kind: type) -> str:
    """The first sentence of what is said of it."""
    return " ".join(str(inspect.getdoc(kind)).split("\n\n")[0].split())


def _page(shelf: Shelf, name: str, formula: str = "") -> str:
    kind = shelf.registry[name]
    label = getattr(kind, "label", "")
    label = label if isinstance(label, str) else ""
    title = f"# `{name}`" + (f": {label}" if label and label != name else "")
    typed = [f"```sh\n{shelf.typed.format(name)}\n```"] if shelf.typed and getattr(kind, "from_spelling", True) else []
    question, _, rest = str(inspect.getdoc(kind)).partition("\n\n")
    said = "\n\n".join(filter(None, (question, formula, rest)))
    parts = [title, said, *_facts(kind), *typed, *_examples(kind), *_options(kind), *_worked(shelf, name), *_measured(shelf, name), *_corrected(shelf, name)]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _facts(kind: Any) -> Iterator[str]:
    """What the class declares of itself, in words."""
    facts = []
    if inspect.isclass(needs := getattr(kind, "needs", None)):
        facts.append(f"- looks at: {_first(needs)}")
    if isinstance(target := getattr(kind, "target", None), str):
        facts.append(f"- bounds: the {target}")
    if isinstance(guarantee := getattr(kind, "guarantee", None), str):
        facts.append(f"- alpha bounds: {guarantee}")
    for attribute, said in (("program", "written by"), ("items", "an item is")):
        if isinstance(value := getattr(kind, attribute, None), str) and value:
            facts.append(f"- {said}: {value}")
    if facts:
        yield "\n".join(facts)


def _examples(kind: Any) -> Iterator[str]:
    found = getattr(kind, "examples", ())
    if isinstance(found, tuple) and found:
        yield "Spelled, for example:\n\n```text\n" + "\n".join(found) + "\n```"


FILES = (
    "examples/retrieval.csv",
    "examples/answers.csv --a small --b medium",
    "examples/ratings.csv",
    "examples/votes.csv",
    "preferences.csv",
    "dialogues.csv --cluster conversation",
    "spring.csv autumn.csv",
    "trained.csv",
    "judged.csv --human human --judge judge",
)
"""What methods are shown on: the first of these that suits."""


@cache
def _desk() -> Path:
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    desk.lay_out(folder)
    return folder


def _worked(shelf: Shelf, name: str) -> Iterator[str]:
    """The command on the first file that suits, and the sentence it answers with."""
    spelled = f'"{name}(margin=0.02)"' if name in {"equivalence", "non_inferiority"} else name
    commands = {
        "Tests": [f"tellapart compare {file} --test {spelled}" for file in FILES],
        "Intervals": [f"tellapart compare {file} --interval {name}{test}" for test in ("", f" --test {name}", " --test welch_t") for file in FILES],
        "Corrections": [f"tellapart rank examples/answers.csv --correction {name}"],
        "Populations": [f'tellapart plan "{spelling}" --items 200' for spelling in getattr(shelf.registry[name], "examples", ())],
    }.get(shelf.title, [])  # fmt: skip
    for command in commands:
        with suppress(console.Failed), contextlib.chdir(_desk()):
            sentence = json.loads(console.run(f"{command} --format json"))["sentence"]
            yield f"## Worked example\n\n```sh\n{command}\n```\n\n> {_cell(sentence)}"
            return


def _options(kind: Any) -> Iterator[str]:
    rows = [
        f"| `{o.name}` | {_cell(wanted(o))} | {'required' if o.required else _cell(spell(o.default))} | {_cell(o.help)} |"
        for o in options(kind)
    ]
    if rows:
        yield "\n".join(["| option | takes | default | meaning |", "|---|---|---|---|", *rows])


def _cell(text: str) -> str:
    """A text that stays in its cell."""
    return text.replace("|", "\\|").replace("<", "\\<")


def _measured(shelf: Shelf, name: str) -> Iterator[str]:
    """Its rows of the calibration; of those in which evaluations differ in what is chosen for them, none is its own."""
    if not shelf.measured:
        return
    alone = (row for row in CALIBRATION["rows"] if not row.get("choices"))
    rows = [row for row in alone if row[shelf.measured] and name_of(row[shelf.measured]) == name]
    yield "## Measured"
    if not rows:
        yield "Not by itself: it is made of methods that have rows of their own in the [calibration](../../calibration.md)."
        return
    lines = [
        f"| {_cell(row['scenario'])} | {row['items']} | `{row[shelf.measured]}` | {_rate(row['size'])} | {_rate(row['coverage'])} "
        f"| {_rate(row['power'])} | {row['verdict']}{': ' + _cell(row['why']) if row['why'] else ''} |"
        for row in rows
    ]
    head = [
        "| scenario | items | as | size | coverage | power | verdict |",
        "|---|---:|---|---:|---:|---:|---|",
    ]
    yield "\n".join([*head, *lines])
    yield "Size is how often it rejects without an effect, coverage how often its interval holds the truth; see the [calibration](../../calibration.md)."


def _corrected(shelf: Shelf, name: str) -> Iterator[str]:
    """What was measured of a correction; those that resample all pairs jointly are measured on leaderboards."""
    if shelf.registry is not CORRECTIONS:
        return
    yield "## Measured"
    rows = [row for row in CALIBRATION["corrections"] if row["correction"] == name]
    if not rows:
        yield "On whole leaderboards, as `rank` uses it: see the [calibration](../../calibration.md)."
        return
    lines = [
        f"| {row['truth']} | {row['systems']} | {row['items']} | {_rate(row['errors'])} | {_rate(row['power'])} | {row['verdict']} |"
        for row in rows
    ]
    head = [
        "| truth | systems | items | errors | power | verdict |",
        "|---|---:|---:|---:|---:|---|",
    ]
    yield "\n".join([*head, *lines])
    bounded = (
        "false claims, of one drawn from all"
        if rows[0]["guarantee"] == "false discovery rate"
        else "families with any false claim"
    )
    yield f"Errors are {bounded}; power is how often a real gap is claimed. See the [calibration](../../calibration.md)."


def _rate(rate: Mapping[str, Any] | None) -> str:
    if rate is None:
        return ""
    band = "" if rate["replicates"] is None else f" [{rate['low']:.3f}, {rate['high']:.3f}]"
    return f"{rate['share']:.3f}{band}"
