"""Commands that pages show, run as they stand: what is printed below them is what they print."""

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from tellapart.cli import main, output
from tellapart.render.screen import Screen

AS_SHOWN = Screen(88, terminal=True)
"""A terminal as wide as a page has room for, without colours."""

_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ ((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
_PYTHON = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Failed(Exception):
    """A page shows a command that does not answer."""


def refreshed(page: str, desk: Path) -> str:
    """The page with the output of every command and of every piece of Python that shows some, in their order, in this folder."""
    with contextlib.chdir(desk):
        page = _BLOCK.sub(lambda block: f"```console\n{''.join(_outputs(block[1]))}```", page)
        return _PYTHON.sub(lambda block: f"```python\n{block[1]}```\n\n```text\n{_ran(block[1])}```", page)


def commands(page: str) -> list[str]:
    """Every command that the page shows."""
    return [command for block in _BLOCK.findall(page) for command in _COMMAND.findall(block)]


def _outputs(block: str) -> Iterator[str]:
    for place, command in enumerate(_COMMAND.findall(block)):
        yield ("\n" if place else "") + f"$ {command}\n" + run(command)


def run(command: str) -> str:
    """What a command prints; a gate that fails says so with its exit code, as a shell would not."""
    words = shlex.split(command.replace("\\\n", " "), comments=True)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _shown():
        try:
            main(words[1:])
        except SystemExit as stop:
            code = stop.code
    if words[0] != "tellapart" or code not in {0, 1}:
        raise Failed(f"{command}\n{err.getvalue()}")
    return out.getvalue().rstrip("\n") + "\n" * bool(out.getvalue()) + err.getvalue()


@contextlib.contextmanager
def _shown() -> Iterator[None]:
    before = output.screen_of
    output.screen_of = lambda _: AS_SHOWN
    try:
        yield
    finally:
        output.screen_of = before


def _ran(source: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, "page", "exec"), {})  # noqa: S102  (our own page)
    return out.getvalue()
