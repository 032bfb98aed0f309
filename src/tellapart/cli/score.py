"""`tellapart score`: mean or metric of single systems, with confidence intervals."""

import click

from tellapart.cli import flags, output
from tellapart.cli.grouped_help import GroupedCommand
from tellapart.cli.input import GivenFiles
from tellapart.verbs.score import ScoreQuestion, scored

EXAMPLES = (
    "tellapart score scores.csv --system candidate",
    "tellapart score answers.csv --system small --interval clopper_pearson",
)


ESSENTIAL = ("system", "measure", "metric", "interval", "cluster", "output", "chart")
"""The flags that short help shows."""


@click.command("score", cls=GroupedCommand, essential=ESSENTIAL, epilog=flags.format_examples(EXAMPLES))
@flags.question_flags(source=GivenFiles, question=ScoreQuestion)
@output.output_flags("score", csv=True)
def command(source: GivenFiles, question: ScoreQuestion, destination: output.Destination) -> None:
    """How well does one system do, and how sure is that?

    FILE is what compare reads; one system is enough. Its mean or metric comes with an interval for other items like these (Wilson
    for right or wrong, Student's t for other scores, by clusters where there are any), per dataset too, and with what another
    system would have to reach on these items to be told apart.

    Exit codes: 0 answered, 2 usage, 3 bad data, 4 internal error.
    """
    source, question = source.settled(question)
    output.show(scored(source.scores(question.metric, (question.system,), alone=True), question), destination)
