"""`tellapart plan arena`: votes, gap or power of a leaderboard from votes."""

from typing import Any, cast

import click

from tellapart.cli.flags import format_examples, question_flags
from tellapart.cli.grouped_help import GroupedCommand
from tellapart.cli.output import Destination, output_flags, show
from tellapart.cli.pilot import OptionalFiles
from tellapart.verbs.plan.arena import ArenaPlanQuestion, planned_arena

EXAMPLES = ("tellapart plan arena --systems 10 --gap 50 --ties 0.2", "tellapart plan arena votes.csv --gap 20")


@click.command(
    "arena",
    cls=GroupedCommand,
    essential=("systems", "votes", "gap", "power", "output"),
    short_help="votes for a leaderboard",
    epilog=format_examples(EXAMPLES),
)
@question_flags(source=OptionalFiles, question=ArenaPlanQuestion)
@output_flags("arena_plan", csv=True)
def command(source: OptionalFiles, question: ArenaPlanQuestion, destination: Destination) -> int:
    """How many votes does a leaderboard of systems judged two at a time need?

    Give one or two of --votes, --gap and --power; the rest is solved. --top and --lead ask for a top tier of at most so many. With a
    FILE of votes its ties, clusters and pairs are taken.

    Exit codes: 0 answered, 2 usage, 3 bad data, 4 internal error.
    """
    show(planned_arena(cast("Any", source.scores()) if source.files else None, question), destination)
    return 0
