"""The flags about input that every command on files shares, and how they become scores."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from tellapart.errors import UsageError
from tellapart.metrics import METRICS, Metric
from tellapart.readers import read
from tellapart.scores import Scores
from tellapart.spelling import split

Command = TypeVar("Command", bound=Callable[..., Any])

_FLAGS = [
    click.argument("files", nargs=-1, required=True, metavar="FILE..."),
    click.option(
        "--metric",
        default="mean",
        help=f"How items become one number: {', '.join(METRICS)}.",
        show_default=True,
    ),
    click.option("--measure", help="Which score to take when the file holds several; else its label."),
    click.option(
        "--lower-is-better", is_flag=True, help="Lower scores are better: changes the verdict, not the sign."
    ),
    click.option("--cluster", metavar="COL", help="The column that says which items belong together."),
    click.option("--dataset", metavar="D", help="Only the items of this dataset."),
    click.option(
        "--column",
        "columns",
        multiple=True,
        metavar="ROLE=NAME",
        help="Which column plays a role: system, item, score, …",
    ),
]


def input_flags(command: Command) -> Command:
    """Add the flags about input to a command."""
    for flag in reversed(_FLAGS):
        command = flag(command)
    return command


def read_scores(
    files: tuple[str, ...],
    metric: str,
    measure: str | None,
    cluster: str | None,
    dataset: str | None,
    columns: tuple[str, ...],
) -> Scores:
    """The scores that the input flags describe."""
    roles = _roles([*columns, *([] if cluster is None else [f"cluster={cluster}"])])
    source: Any = files[0] if len(files) == 1 else list(files)
    scores = read(source, measure=measure, parts=Metric.parse(metric).parts, columns=roles)
    return scores if dataset is None else scores.within(dataset)


def _roles(columns: Sequence[str]) -> dict[str, str]:
    roles: dict[str, str] = {}
    for text in columns:
        role, equals, name = (s.strip() for s in text.partition("="))
        if not (role and equals and name):
            raise UsageError(f"--column {text!r} should be role=name, for example --column item=query_id")
        if roles.setdefault(role, name) != name:
            raise UsageError(f"the {role} is said to be column {roles[role]!r} and column {name!r}; name one")
    return roles


def spellings(text: str | None) -> list[str]:
    """A comma list whose commas inside parentheses belong to a spelling."""
    return split(text or "")
