"""`tellapart watch`: an alarm where a stream of scores shows a loss, with an error that holds for life."""

from dataclasses import dataclass
from pathlib import Path

import click

from tellapart.cli import flags, output
from tellapart.cli.gate import append_summary, say_annotation
from tellapart.cli.grouped_help import GroupedCommand
from tellapart.cli.input import GivenFiles
from tellapart.foundation.files import refuse_unwritable, write_whole
from tellapart.foundation.spelling import Question, setting
from tellapart.render.junit import junit_of_watch
from tellapart.verbs.given_scores import Grouping
from tellapart.verbs.watch import WatchQuestion, watched

_HELP = """Has it become worse, at any moment of an endless stream?

FILE is what compare reads, its rows in the order in which they came. With --state each call watches what came since the last one. A fresh
watch begins with every group, so that a loss after a long good time is found; an alarm is false at most once in 20 watches (--alpha), however
long they last.

Exit codes: 0 quiet, 1 an alarm, 2 usage, 3 bad data, 4 internal error.
"""

EXAMPLES = (
    "tellapart watch log.csv --state lift.json --margin 0.01 --by day",
    "tellapart watch log.csv --a base --b new --every 200",
)

ESSENTIAL = (
    "a",
    "b",
    "measure",
    "margin",
    "state",
    "by",
    "every",
    "new",
    "restart",
    "github",
    "junit",
    "output",
    "chart",
)
"""The flags that short help shows."""


@dataclass(frozen=True)
class WatchExits(Question):
    """Who else is told."""

    github: bool = setting(
        default=False, help="Write a summary, outputs and an annotation where GitHub Actions wants them."
    )
    junit: str | None = setting(None, "Also write the watch as JUnit XML to this file.", metavar="FILE")


@click.command("watch", cls=GroupedCommand, essential=ESSENTIAL, help=_HELP, epilog=flags.format_examples(EXAMPLES))
@flags.question_flags(source=GivenFiles, question=WatchQuestion, exits=WatchExits)
@output.output_flags("watch", csv=True)
def command(source: GivenFiles, question: WatchQuestion, destination: output.Destination, exits: WatchExits) -> None:
    source, question = source.settled(question)
    if exits.junit is not None:
        refuse_unwritable(Path(exits.junit))
    grouping = Grouping(question.by)
    scores = source.scores(question.metric, (question.a, question.b), grouping)
    answer = output.show(watched(scores, question), destination)
    if exits.junit is not None:
        write_whole(Path(exits.junit), junit_of_watch(answer))
    if exits.github:
        append_summary(answer, ("verdict", "evidence", "pvalue", "effect", "items"))
        if answer.verdict == "alarm":
            say_annotation("error", "tellapart watch", answer.headline)
    answer.require()
