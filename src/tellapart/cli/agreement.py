"""`tellapart agreement`: inter-rater agreement coefficients, and agreement of a judge with people."""

from dataclasses import replace

import click

from tellapart.cli import flags, output
from tellapart.cli.grouped_help import GroupedCommand
from tellapart.cli.input import GivenFiles
from tellapart.verbs.agreement import AgreementQuestion, measure_agreement, read_raters

EXAMPLES = (
    "tellapart agreement ratings.csv",
    "tellapart agreement ratings.csv --reference-raters ann --reference-raters ben",
)


ESSENTIAL = ("measure", "reference_raters", "coefficient", "output", "chart")
"""The flags that short help shows."""


@click.command("agreement", cls=GroupedCommand, essential=ESSENTIAL, epilog=flags.format_examples(EXAMPLES))
@flags.question_flags(source=GivenFiles, question=AgreementQuestion, work=flags.WorkFlags)
@output.output_flags("agreement", csv=True)
def command(
    source: GivenFiles, question: AgreementQuestion, work: flags.WorkFlags, destination: output.Destination
) -> None:
    """How far do raters agree?

    FILE is a table of ratings or votes with a column of raters, as for compare. A unit is what a system wrote for an item, or a vote
    between two systems on an item; every coefficient that fits comes with an interval by resampled units.

    Exit codes: 0 answered, 2 usage, 3 bad data, 4 internal error.
    """
    asked = replace(question, **work.options)
    output.show(measure_agreement(read_raters(source.scores), asked), destination)
