"""The command that a note advises, about the files that were given and as they were read."""

from typing import Any

from tellapart.cli.input import GivenFiles
from tellapart.results.comparison import Comparison
from tellapart.spelling import options
from tellapart.verbs.compare import CompareQuestion
from tellapart.verbs.compare.pilots import with_files
from tellapart.verbs.compare.systems import Sides


def about_these(answer: Comparison, source: GivenFiles, question: CompareQuestion) -> Comparison:
    """The answer whose notes on `plan` name these files; what came through a pipe is gone, and a pilot has no groups."""
    if "-" in source.files or question.by is not None or question.labels is not None:
        return answer
    beside = {**_said(Sides, question), **_said(GivenFiles, source)}
    return with_files(answer, source.files, beside)


def _said(kind: type, given: Any) -> dict[str, list[str]]:
    """The options that are not left at their defaults, each with its values."""
    named = {one.name: getattr(given, one.name) for one in options(kind) if one.kind == "option"}
    usual = {one.name: one.default for one in options(kind)}
    return {name: _values(value) for name, value in named.items() if value != usual[name]}


def _values(value: Any) -> list[str]:
    if isinstance(value, bool):
        return []
    return [str(one) for one in value] if isinstance(value, tuple) else [str(value)]
