"""Runs commands and keeps what a program reads of their answers: numbers, codes and fields, but no texts."""

import contextlib
import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.freeze.commands import JSON_LINES, arguments
from tests.freeze.tables import lay_out

from tellapart.cli import main

# fmt: off
TEXTS = frozenset((
    "about", "among", "band", "caption", "caution", "citation", "correction_label", "covers", "guarantee",
    "headline", "label", "method", "problem", "question", "reason", "scale", "scenario", "seen_on", "sentence",
    "test_label", "text", "title", "to_settle", "truth", "uncertainty", "why", "without",
))
# fmt: on
"""Fields that hold prose. Of these only whether they say anything is kept."""
VARYING = {"store": frozenset({"versions", "last_asked", "size"})}
"""Fields of a verb's answer that differ between days and machines."""
SPELLING = re.compile(r"\w+(\(.*\))?")
"""A name with or without options: no text, even where others are."""
INTERNAL_ERROR = 4
INTERRUPTED = 130

Record = dict[str, Any]


def record(commands: Iterable[str], *, progress: bool = True) -> dict[str, Record]:
    """What each command ends in, run one after the other in one new folder that is taken away."""
    with tempfile.TemporaryDirectory() as outer:
        folder = Path(outer) / "tables"  # its name is that of a system where files do not say theirs
        folder.mkdir()
        lay_out(folder)
        with contextlib.chdir(folder), _undisturbed():
            return {command: _run(command) for command in _shown(list(commands), progress=progress)}


def crashed(kept: Record) -> bool:
    """Whether a command broke down, which is never as it should be."""
    return kept["exit"] == INTERNAL_ERROR or not isinstance(kept["exit"], int)


def without_texts(value: Any, leave_out: frozenset[str] = frozenset()) -> Any:
    """An answer with a mark in place of every text, and without the fields that are to be left out."""
    if isinstance(value, dict):
        return {
            key: "…" if _is_text(key, part) else without_texts(part, leave_out)
            for key, part in value.items()
            if key not in leave_out
        }
    return [without_texts(part, leave_out) for part in value] if isinstance(value, list) else value


def _is_text(field: str, value: Any) -> bool:
    """Whether a field holds prose; an empty one shows that there is none to say."""
    texts = [value] if isinstance(value, str) else value
    return (
        field in TEXTS
        and isinstance(texts, list)
        and any(texts)
        and not all(isinstance(text, str) and SPELLING.fullmatch(text) for text in texts)
    )


def _run(command: str) -> Record:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = _exit_code(arguments(command))
    verb = command.split(maxsplit=1)[0]
    answer = without_texts(_answer(verb, out.getvalue()), VARYING.get(verb, frozenset()))
    error = _error_type(code, err.getvalue()) if answer is None else None
    return {"exit": code, "answer": answer, "error": error}


def _exit_code(typed: list[str]) -> Any:
    """What the command leaves with; the name of an exception that got out where there should be an exit code."""
    try:
        main(typed)
    except SystemExit as left:
        if left.code == INTERRUPTED:
            raise KeyboardInterrupt from None
        return left.code
    except Exception as error:  # noqa: BLE001  (a crash is a difference, whatever it is)
        return type(error).__name__
    return "no exit"


def _answer(verb: str, printed: str) -> Any:
    """The JSON that was printed or written; None where there is none."""
    file = Path(JSON_LINES)
    try:
        if not file.exists():
            return json.loads(printed) if printed else None
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    except ValueError:
        return f"{verb} gave no JSON"
    finally:
        file.unlink(missing_ok=True)


def _error_type(code: Any, said: str) -> str:
    """Which error it was, not how it is put; of a crash all that is known."""
    lines = said.partition("\n\nTry:")[0].splitlines() or [""]  # commands to paste stand below
    if code == INTERNAL_ERROR:
        return lines[0]
    types = [kind for kind, _, _ in (line.partition(":") for line in lines) if kind.isidentifier()]
    return types[-1] if types else lines[0].partition(":")[0]


def _shown(commands: list[str], *, progress: bool) -> Iterator[str]:
    for place, command in enumerate(commands, 1):
        if progress:
            sys.stderr.write(f"{place}/{len(commands)} {command}\n")
            sys.stderr.flush()
        yield command


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Neither a continuous-integration service nor settings of the shell have a say."""
    before = dict(os.environ)
    for name in [name for name in before if name.startswith(("GITHUB_", "TELLAPART_"))]:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
