"""Command lines made at random of what the program itself says it takes: every command, its own flags, files of every kind."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import click
from tests.fuzz.files import people_and_texts
from tests.fuzz.tables import NAMES, copies, damaged, made

from tellapart.boards import CORRECTIONS
from tellapart.cli.commands import COMMANDS, group
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS
from tellapart.readers.format import FORMATS

LONG = {"reproduce", "calibrate", "serve"}
"""Commands of minutes, and one that does not end: their flags are those of others, and their interrupts have tests of their own."""
QUICK = {"replicates": "50", "resamples": "199"}
"""What keeps a command short, unless it was given something else."""
ODD = (
    "0.05", "0", "-1", "1e-16", "nan", "inf", "1e999", "", " ", "((((", "paired_t(x=1)", "item=item", "a=b", "bytes=10", "nesting=1", "0.7",
    "100", "10,20", "1:2", "0.2:0.4", "∞", "٣", "none", "-", "1,000", "1_000", "2:1", ",", "x" * 3000, "/nowhere/at/all", ".", "../..", "a\0b",
)  # fmt: skip
SPELLED: dict[str, Callable[[], list[str]]] = {
    "test": lambda: list(TESTS),
    "interval": lambda: list(INTERVALS),
    "metric": lambda: list(METRICS),
    "correction": lambda: list(CORRECTIONS),
    "as": lambda: list(FORMATS),
    "column": lambda: ["score=score", "item=item", "run=none", "cluster=rater"],
    "limit": lambda: ["bytes=1000000", "columns=5", "nesting=3"],
}


def typed(rng: Random, folder: Path) -> list[str]:
    """The words of one command line, the files that it names written into the folder."""
    words, command = _command(rng)
    systems, sources, needed = _sources(rng, folder)
    return [
        *words,
        *(_asked(rng, words, sources) if rng.random() < 0.9 else [rng.choice(NAMES)]),
        *(needed if rng.random() < 0.9 and set(needed) & _spelled(command) else []),
        *_flags(rng, command, [*systems, *sources]),
        *_kept_short(command),
    ]


def _asked(rng: Random, words: list[str], sources: list[str]) -> list[str]:
    """What a person would type first behind these words."""
    if words[0] == "plan" and words[-1] != "pilot":
        return [word for flag in rng.sample(["--items=20", "--effect=0.1", "--power=0.8"], 2) for word in [flag]]
    if words[0] == "gate":
        return ["--baseline", sources[0], "--candidate", sources[-1]]
    if words[0] == "convert":
        return [
            *sources,
            "--output",
            str(Path(sources[0]).parent / rng.choice(["out.csv", "out.jsonl", "out.parquet"])),
        ]
    return [] if words[0] == "formats" else sources


def _spelled(command: click.Command) -> set[str]:
    return {name for one in command.params for name in one.opts}


def _command(rng: Random) -> tuple[list[str], click.Command]:
    context = click.Context(group)
    name = rng.choice(sorted(COMMANDS.keys() - LONG))
    command = group.get_command(context, name)
    assert command is not None
    if not isinstance(command, click.Group) or rng.random() < 0.1:
        return [name], command
    under = rng.choice(command.list_commands(context))
    below = command.get_command(context, under)
    assert below is not None
    return [name, under], below


def _sources(rng: Random, folder: Path) -> tuple[tuple[str, ...], list[str], list[str]]:
    """The systems in one file or two, most of them whole, and the flags without which no command reads such files."""
    table = made(rng)
    chosen, needed = rng.choice(
        [(rng.sample(copies(table, rng), rng.choice([1, 1, 2])), []), *people_and_texts(table, rng)]
    )
    for name, make in chosen:
        content = make()
        (folder / name).write_bytes(content if rng.random() < 0.85 else damaged(content, rng))
    paths = [str(folder / name) for name, _ in chosen if name not in needed]
    return (
        table.systems,
        paths,
        [str(folder / word) if word in {n for n, _ in chosen} else word for word in needed],
    )


def _flags(rng: Random, command: click.Command, names: list[str]) -> list[str]:
    offered = [one for one in command.params if isinstance(one, click.Option)]
    given: list[str] = []
    for one in rng.choices(offered, k=rng.choice([0, 1, 1, 2, 2, 3, 5])) if offered else []:
        given += [one.opts[0], *_value(rng, one, names)]
    if rng.random() < 0.05:
        given += ["--nope", "1"]
    return given


def _value(rng: Random, option: click.Option, given: list[str]) -> list[str]:
    if option.is_flag:
        return []
    name = (option.name or "").strip("_")
    likely: list[Any] = [*given, *given, *NAMES[:6]]
    if isinstance(option.type, click.Choice):
        likely = list(option.type.choices)
    elif option.type == click.FLOAT or name in {"items", "effect", "power", "alpha"}:
        likely = ["0.05", "0.1", "0.5", "0.8"] if name != "items" else ["20", "50"]
    elif option.type == click.INT:
        likely = ["1", "2", "20", "50"]
    elif name in SPELLED:
        likely = SPELLED[name]()
    return [str(rng.choice(likely if rng.random() < 0.85 else [*ODD, *NAMES]))]


def _kept_short(command: click.Command) -> list[str]:
    return [word for one in command.params if one.name in QUICK for word in (one.opts[0], QUICK[one.name])]
