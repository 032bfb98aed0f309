"""`tellapart plan judged`: labels, judged items, effect or power of a judge that people's labels correct."""

import click

from tellapart.cli.flags import format_examples, question_flags
from tellapart.cli.output import Destination, output_flags, show
from tellapart.cli.pilot import OptionalFiles
from tellapart.data.judged_pair import JudgedScores
from tellapart.verbs.plan.judged import planned_judged
from tellapart.verbs.plan.judged_question import JudgedPlanQuestion, refuse_columns_alone, require_human

EXAMPLES = (
    "tellapart plan judged judged.csv --judge judge --human human --effect 0.1",
    "tellapart plan judged --sd-difference 0.45 --judge-correlation 0.7 --budget 1000 --cost-label 1 --cost-judgement 0.02",
)


@click.command("judged", epilog=format_examples(EXAMPLES))
@question_flags(source=OptionalFiles, question=JudgedPlanQuestion)
@output_flags("judged_plan", csv=True)
def command(source: OptionalFiles, question: JudgedPlanQuestion, destination: Destination) -> int:
    """How many people's labels does a judge need beside it?

    Two or three of --labels, --items, --effect and --power; the rest is solved, at a power of 0.8 if none is given. --budget with prices finds
    the best mix. With a FILE that holds both scores (--human, --judge) the spread and the correlation are its own.

    Exit codes: 0 answered, 2 usage, 3 bad data, 4 internal error.
    """
    show(planned_judged(_pilot_of_judge(source, question), question), destination)
    return 0


def _pilot_of_judge(source: OptionalFiles, question: JudgedPlanQuestion) -> JudgedScores | None:
    """Both scores of the files, where there are any."""
    if not source.files:
        refuse_columns_alone(question)
        return None
    require_human(question)
    found: JudgedScores = source.judged_scores(question)
    return found
