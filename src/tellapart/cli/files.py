"""The file that an answer is written to: what its name says of the format, and what must not be overwritten."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from tellapart.doors import option
from tellapart.errors import UsageError
from tellapart.render import SUFFIXES
from tellapart.writing import refuse_unwritable


def file_for(output: str, form: str | None, forms: Sequence[str]) -> tuple[str, Path]:
    """The format, and the file; refused before anything is computed that could not be written, or not there."""
    path = Path(output)
    chosen = _agreed(path, form, forms)
    refuse_given(path)
    refuse_unwritable(path)
    return chosen, path


def _agreed(path: Path, form: str | None, forms: Sequence[str]) -> str:
    """The format that the flag or the name says; both may say it, but not each another."""
    meant = SUFFIXES.get(path.suffix.lower())
    if form is not None and meant in {None, form}:
        return form
    if form is not None:
        raise UsageError(
            f"{option('output', str(path))} ends as {meant} does, and {option('format', form)} says otherwise; leave out "
            f"{option('format')}, or end the name in {_endings([form])}"
        )
    if meant is None:
        raise UsageError(
            f"{option('output', str(path))}: its ending says no format; wanted {_endings(forms)}, or {option('format')} beside it"
        )
    if meant not in forms:
        raise UsageError(
            f"{option('output', str(path))}: this answer is not written as {meant}; end the name in {_endings(forms)}"
        )
    return meant


def _endings(forms: Sequence[str]) -> str:
    return ", ".join(suffix for suffix, form in SUFFIXES.items() if form in forms)


def refuse_given(path: Path) -> None:
    """What a command was given to read is never what it writes: the answer would take the place of the data."""
    for name, value in click.get_current_context().params.items():
        if name != "output" and any(_same(path, word) for word in _words(value)):
            raise UsageError(
                f"{option('output', str(path))} is a file that this command was given; the answer would take its place. Write elsewhere"
            )


def _words(value: Any) -> Iterator[str]:
    """What was typed for a flag or an argument, one by one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        yield from (word for word in value if isinstance(word, str))


def _same(path: Path, word: str) -> bool:
    try:
        return path.samefile(word)
    except (OSError, ValueError):  # no file of this name, or no name of a file
        return False
