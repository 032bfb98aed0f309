"""Every command's help ends with two examples, and they work as they are shown."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.exhaustive import exhaustive

from tellapart.cli import main
from tellapart.cli.commands import group
from tellapart.compute.store import Store
from tellapart.populations import POPULATIONS

ROOT = Path(__file__).parents[2]
FILES = {
    "scores.csv": ROOT / "examples" / "retrieval.csv",
    "answers.csv": ROOT / "examples" / "answers.csv",
    "ratings.csv": ROOT / "tests" / "golden" / "data" / "ratings.csv",
    "votes.csv": ROOT / "examples" / "votes.csv",
    "judged.csv": ROOT / "tests" / "golden" / "data" / "judged.csv",
    "results.csv": ROOT / "tests" / "golden" / "data" / "results.csv",
}
MINUTES = ("reproduce", "calibrate", "serve")
"""Commands whose examples take minutes, or do not end by themselves: they are parsed, not run."""


def commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The command and all below it, by their words."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, (*path, name))


EVERY = list(commands(group))


def shown(path: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """The examples at the end of a command's help, as a shell reads them."""
    with pytest.raises(SystemExit):
        main([*path, "--help"])
    _, found, end = capsys.readouterr().out.replace("\\\n", "").rpartition("Examples:\n")
    assert found
    return [shlex.split(line) for line in end.splitlines() if line.strip()]


def test_every_command_is_looked_at() -> None:
    """Subcommands and populations are among them."""
    assert {("evidence", "fit"), ("rank",), (), *(("plan", name) for name in POPULATIONS)} <= set(EVERY)


SIMULATED = {("plan", "retrieval")}
"""Whose examples simulate for half a minute."""


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[exhaustive] if path in SIMULATED else []) for path in EVERY],
    ids=" ".join,
)
def test_examples_work(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Help ends with two commands that answer, about the command whose help it is."""
    monkeypatch.chdir(tmp_path)
    for system, score in (("old", 0.5), ("new", 0.6)):
        rows = "".join(f"q{i},{score + i % 7 / 20}\n" for i in range(30))
        Path(f"{system}.csv").write_text(f"item,score\n{rows}", encoding="utf-8")
    logged = "".join(f"{name},q{i},day{i // 20},{(7 * i + shift) % 10 / 10}\n" for i in range(60) for name, shift in (("base", 0), ("new", 3)))  # fmt: skip
    Path("log.csv").write_text(f"system,item,day,score\n{logged}", encoding="utf-8")
    Path("claims.csv").write_text("name,items,a,b\nours,1000,0.706,0.714\n", encoding="utf-8")
    for step, file in enumerate(("ref", "a", "b"), 2):
        lines = (f"the cat sat on {'a' * (i % step)} mat {i} times" for i in range(9))
        Path(f"{file}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    Store("study.db").close()
    examples = shown(path, capsys)
    assert len(examples) == 2
    for program, *words in examples:
        assert (program, tuple(words[: len(path)])) == ("tellapart", path)
        typed = [str(FILES.get(word, word)) for word in (words[: words.index(">")] if ">" in words else words)]
        if words[0] in MINUTES:
            command = group.get_command(click.Context(group), words[0])
            assert command is not None
            command.make_context(words[0], typed[1:])
            continue
        with pytest.raises(SystemExit) as stop:
            main(typed)
        assert stop.value.code == 0
        out, err = capsys.readouterr()
        assert out or err.startswith("written: ")


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_examples_fit_the_terminal(path: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """No line of them is wider than 80 columns."""
    with pytest.raises(SystemExit):
        main([*path, "--help"])
    examples = capsys.readouterr().out.rpartition("Examples:\n")[2]
    assert max(map(len, examples.splitlines())) <= 80
