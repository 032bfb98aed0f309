"""The command that a note advises, about the files that were given and as they were read."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

from tellapart.cli.input import GivenFiles
from tellapart.results.comparison import Comparison
from tellapart.spelling import options
from tellapart.verbs.compare import CompareQuestion
from tellapart.verbs.compare.pilots import with_files
from tellapart.verbs.compare.systems import Sides

STREAMS = "/dev/", "/proc/"
"""Names under which a shell passes on what another command writes: `/dev/stdin`, `/dev/fd/63`."""


def about_these(answer: Comparison, source: GivenFiles, question: CompareQuestion) -> Comparison:
    """The answer whose notes on `plan` name these files; what came through a pipe is gone, and a pilot has no groups."""
    beside = {**_said(Sides, question), **_said(GivenFiles, source)}
    again = _lie_still(source.files) and _can_be_typed(*source.files, *chain.from_iterable(beside.values()))
    if not again or question.by is not None or question.labels is not None:
        return answer
    return with_files(answer, list(map(_no_flag, source.files)), beside)


def _lie_still(files: Iterable[str]) -> bool:
    return not any(Path(file).is_fifo() for file in files)


def _can_be_typed(*words: str) -> bool:
    """Whether all of these mean the same when they are typed again, as they can be shown."""
    return all(word.isprintable() and word != "-" and not word.startswith(STREAMS) for word in words)


def _no_flag(file: str) -> str:
    return f"./{file}" if file.startswith("-") else file


def _said(kind: type, given: Any) -> dict[str, list[str]]:
    """The options that are not left at their defaults, each with its values."""
    named = {one.name: getattr(given, one.name) for one in options(kind) if one.kind == "option"}
    usual = {one.name: one.default for one in options(kind)}
    return {name: _values(value) for name, value in named.items() if value != usual[name]}


def _values(value: Any) -> list[str]:
    if isinstance(value, bool):
        return []
    return [str(one) for one in value] if isinstance(value, tuple) else [str(value)]
