"""`tellapart describe`: list the systems, measures and items found in files."""

from dataclasses import dataclass

import click

from tellapart.cli import flags, output
from tellapart.foundation.spelling import Question, argument, setting
from tellapart.foundation.surfaces import verb
from tellapart.verbs.describe import describe

EXAMPLES = ("tellapart describe answers.csv", "tellapart describe old.csv new.csv --format json")


@dataclass(frozen=True)
class GivenLogs(Question):
    """The files, and how to read them."""

    files: tuple[str, ...] = argument("SOURCE...")
    as_: str | None = setting(
        None,
        f"Format of the files, if their content does not show it (see {verb('formats')}).",
        metavar="NAME",
    )
    column: tuple[str, ...] = setting(
        (), "The column that plays a role, where its name does not say so; may be repeated.", metavar="ROLE=COL"
    )
    limit: tuple[str, ...] = flags.limit_setting()


@click.command("describe", epilog=flags.format_examples(EXAMPLES))
@flags.question_flags(source=GivenLogs)
@output.output_flags("description", csv=True)
def command(source: GivenLogs, destination: output.Destination) -> None:
    """What is in these files, and what can be asked of them?

    SOURCE is a file, a folder or several of them: logs of evaluation programs, or tables of scores. Systems, datasets, measures with
    their means, what varies beside them, what items can be grouped by, what was skipped and why, and the command to type next.

    Exit codes: 0 answered, 2 usage, 3 nothing that can be read, 4 internal error.
    """
    columns = flags.key_values("column", source.column, "role=name", "item=query_id")
    found = describe(list(source.files), format=source.as_, columns=columns, limits=flags.limits_of(source.limit))
    output.show(found, destination)
